package monitor

// CallEvent is a request to the model.
type CallEvent struct {
	Kind   string   `json:"kind"`             // "monitor.call"
	Sample int      `json:"sample,omitempty"` // number of the run among several, from 1
	Call   int      `json:"call"`             // from 1
	Length int      `json:"length"`           // of the text that the model continues, in bytes
	Stop   []string `json:"stop"`
}

// DeltaEvent is a piece of text from the model, not yet checked.
type DeltaEvent struct {
	Kind   string `json:"kind"` // "monitor.delta"
	Sample int    `json:"sample,omitempty"`
	Text   string `json:"text"`
}

// SegmentEvent is a complete state with its content.
type SegmentEvent struct {
	Kind   string `json:"kind"` // "monitor.segment"
	Sample int    `json:"sample,omitempty"`
	Index  int    `json:"index"`
	State  string `json:"state"`
	Text   string `json:"text"`
	Source string `json:"source"` // "task", "model", "environment" or "correction"
}

// ViolationEvent is a place where the model leaves the behaviour.
type ViolationEvent struct {
	Kind      string   `json:"kind"` // "monitor.violation"
	Sample    int      `json:"sample,omitempty"`
	Index     int      `json:"index"` // of the segment
	State     string   `json:"state"` // "" if there is no prompt
	Reason    string   `json:"reason"`
	Allowed   []string `json:"allowed"` // allowed states, or allowed contents
	Discarded string   `json:"discarded"`
}

// CorrectionEvent is a text from which the model has to continue.
type CorrectionEvent struct {
	Kind    string   `json:"kind"` // "monitor.correction"
	Sample  int      `json:"sample,omitempty"`
	Text    string   `json:"text"` // "" if the allowed prompts have no common prefix
	Allowed []string `json:"allowed"`
	Forced  bool     `json:"forced"` // the text is a complete prompt or content
}

// DoneEvent is the end of the run.
type DoneEvent struct {
	Kind       string     `json:"kind"` // "monitor.done"
	Transcript Transcript `json:"transcript"`
}

// ToolEvent is a call of a tool.
type ToolEvent struct {
	Kind   string `json:"kind"` // "monitor.tool"
	Sample int    `json:"sample,omitempty"`
	State  string `json:"state"`           // the state that holds the result
	Label  string `json:"label,omitempty"` // the name by which other calls refer to the result
	Call   int    `json:"call,omitempty"`  // number of the call for this content, from 1, in the order of the text
	Tool   string `json:"tool"`
	Input  string `json:"input"`
	Output string `json:"output"`
	Fault  string `json:"fault,omitempty"` // code of a failure, which the output explains
}

// SideEvent is a text of a model for the environment: a summary, a solution or a judgement.
type SideEvent struct {
	Kind   string `json:"kind"` // "monitor.side"
	Sample int    `json:"sample,omitempty"`
	State  string `json:"state"`
	Source string `json:"way"` // one of the ways of [agent.State.From]
	Prompt string `json:"prompt"`
	Text   string `json:"text"`
}

// KeepEvent is the choice between a summary and its results.
type KeepEvent struct {
	Kind    string  `json:"kind"` // "monitor.keep"
	Sample  int     `json:"sample,omitempty"`
	State   string  `json:"state"`
	Kept    string  `json:"kept"` // "summary" or "results"
	How     string  `json:"how"`  // "logprobs", "setting" or "rule"
	Reason  string  `json:"reason"`
	Summary float64 `json:"summary"` // scores if How is "logprobs"
	Results float64 `json:"results"`
}

// SampleEvent is the end of one run among several.
type SampleEvent struct {
	Kind   string `json:"kind"` // "monitor.sample"
	Sample int    `json:"sample"`
	Agent  string `json:"agent"`
	Answer string `json:"answer"`
	Fault  string `json:"fault,omitempty"`
}
