package grammars

// Task is a task that an example's tasks.json lists.
type Task struct {
	ID     int         `json:"id"` // its place in the list, from 0
	Text   string      `json:"text"`
	Class  string      `json:"class"` // the types of its inputs and of its result, such as "image+text->text"
	Spec   string      `json:"spec"`  // the file with its plans
	Kind   string      `json:"kind"`  // the group it is scored in, of OpenAGI "Task 1", "Task 2", "Task 3" or "Task X"
	Inputs []TaskInput `json:"inputs"`
	Output string      `json:"output"`
	Goal   TaskGoal    `json:"goal"` // the goal for its plan's result
}

// TaskInput is an input of a task: the grammar's symbol for it and its value, in the form of
// declared tools.
type TaskInput struct {
	Symbol string   `json:"symbol"`
	Type   string   `json:"type"`
	Text   string   `json:"text"`
	Marks  []string `json:"marks,omitempty"`
}

// TaskGoal describes a task's goal: the result's type, required marks, forbidden marks, and the
// bounds of its sums.
type TaskGoal struct {
	Type    string   `json:"type"`
	Marks   []string `json:"marks,omitempty"`
	Without []string `json:"without,omitempty"`
	Most    []Sum    `json:"most,omitempty"`
}

// Sum is an upper bound of an amount in a result.
type Sum struct {
	Name   string `json:"name"`
	Amount int64  `json:"amount"`
}
