package grammars_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool"
	"github.com/stile-playground/stile/grammars"
)

var update = flag.Bool("update", false, "write the files that are made of Go anew")

// example returns an example of the gallery.
func example(t testing.TB, id string) grammars.Example {
	t.Helper()
	list, err := grammars.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		if e.ID == id {
			return e
		}
	}
	t.Fatalf("there is no example %s", id)
	return grammars.Example{}
}

// tools returns the declared tools of an example, or nil.
func tools(t testing.TB, e grammars.Example) *tool.Set {
	t.Helper()
	f, ok := e.Workspace().File("tools.json")
	if !ok {
		return nil
	}
	file := f.Source()
	set, found := tool.Parse(file)
	if set != nil {
		found = append(found, set.Load(func(name string) (string, bool) {
			f, ok := e.Workspace().File(name)
			return f.Text, ok
		})...)
	}
	for _, d := range found {
		at := file.Locate(d.Span.Start)
		t.Errorf("%s/tools.json:%d:%d: %s", e.ID, at.Line, at.Column, d.Message)
	}
	if source.HasErrors(found) {
		t.FailNow()
	}
	return set
}

// carryOut executes a word, and retries temporary failures.
func carryOut(set *tool.Set, word []string) (tool.Value, error) {
	steps, err := set.Steps(word)
	if err != nil {
		return tool.Value{}, err
	}
	values := make([]tool.Value, len(steps))
	for i, step := range steps {
		if step.Given {
			values[i], _ = set.Input(step.Symbol)
			continue
		}
		args := make([]tool.Value, len(step.Args))
		for n, a := range step.Args {
			args[n] = values[a]
		}
		if values[i], err = set.Call(tool.Context{Count: 1}, step.Symbol, args); err != nil {
			return tool.Value{}, err
		}
	}
	if set.Order == tool.OrderSteps {
		return set.Combine(values), nil
	}
	return values[len(values)-1], nil
}

func TestOpenAGITaskClasses(t *testing.T) {
	tasks := grammars.OpenAGITasks()
	classes, texts, kinds := map[string]int{}, map[string]int{}, map[string]int{}
	for i, task := range tasks {
		if task.ID != i {
			t.Errorf("task %d says it is %d", i, task.ID)
		}
		if other, twice := texts[task.Text]; twice {
			t.Errorf("tasks %d and %d are both %q", other, i, task.Text)
		}
		texts[task.Text] = i
		classes[task.Class]++
		kinds[task.Kind]++
	}
	// The benchmark's list has classes of 15, 90, 2, 10, 60 and 8 tasks, in this order.
	want := map[string]int{"image->image": 15, "image->text": 90, "text->image": 2, "text->text": 10, "image+text->text": 60, "text+text->text": 8}
	for class, n := range want {
		if classes[class] != n {
			t.Errorf("%d tasks %s, want %d", classes[class], class, n)
		}
	}
	if len(tasks) != 185 || len(classes) != len(want) {
		t.Errorf("%d tasks in %d classes", len(tasks), len(classes))
	}
	if kinds["Task 1"] != 2 || kinds["Task 2"] != 100 || kinds["Task 3"] != 15 || kinds["Task X"] != 68 {
		t.Errorf("the groups are %v", kinds)
	}
}

func TestListedTasksMatchTable(t *testing.T) {
	var b strings.Builder
	b.WriteString("{\"tasks\": [\n")
	for i, task := range grammars.OpenAGITasks() {
		if i > 0 {
			b.WriteString(",\n")
		}
		line, err := marshal(task)
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString("  " + line)
	}
	b.WriteString("\n]}\n")
	name := filepath.Join("openagi-tasks", "tasks.json")
	if *update {
		if err := os.WriteFile(name, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != b.String() {
		t.Error("tasks.json is not what OpenAGITasks returns; go test ./grammars -update writes it")
	}
	if e := example(t, "openagi-tasks"); e.Tasks != 185 {
		t.Errorf("the gallery counts %d tasks", e.Tasks)
	}
}

// marshal returns indented JSON.
func marshal(v any) (string, error) {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(v)
	return strings.TrimSpace(b.String()), err
}

// inputs returns a task's inputs as values.
func inputs(task grammars.Task) map[string]tool.Value {
	out := map[string]tool.Value{}
	for _, in := range task.Inputs {
		out[in.Symbol] = tool.Value{Type: in.Type, Text: in.Text, Marks: in.Marks}
	}
	return out
}

// witness returns a plan that reaches a task's goal.
func witness(task grammars.Task) string {
	fix := map[string]string{"grey": "a1", "noisy": "a2", "blurry": "a3", "low-resolution": "a4", "gap": "d4"}
	fixed := func(in grammars.TaskInput) string {
		out := in.Symbol
		for _, mark := range in.Marks {
			out = fix[mark] + " " + out
		}
		return out
	}
	out := fixed(task.Inputs[0])
	switch task.Class {
	case "text->image":
		out = "c1 " + out
	case "image+text->text":
		out = "e1 " + out + " " + fixed(task.Inputs[1])
	case "text+text->text":
		if strings.HasPrefix(out, "d4") {
			out = "f1 " + out + " t2" // the gap of one text can be filled
		} else {
			out = "f1 " + out + " " + fixed(task.Inputs[1])
		}
	}
	for _, mark := range task.Goal.Marks {
		if how, ok := map[string]string{"class": "b1", "caption": "b2", "objects": "b3", "summary": "d1", "sentiment": "d5"}[mark]; ok {
			out = how + " " + out
		}
	}
	for _, mark := range task.Goal.Marks {
		if mark == "German" {
			out = "d3 " + out
		}
	}
	return out
}

func TestTasksHaveWorkingPlans(t *testing.T) {
	e := example(t, "openagi-tasks")
	set := tools(t, e)
	grammarsOf := map[string]*derivable{}
	for _, task := range grammars.OpenAGITasks() {
		g := grammarsOf[task.Spec]
		if g == nil {
			g = openGrammar(t, e, task.Spec)
			grammarsOf[task.Spec] = g
		}
		word := strings.Fields(witness(task))
		if !g.derives(word) {
			t.Errorf("task %d: %v is no plan of %s", task.ID, word, task.Spec)
			continue
		}
		result, err := carryOut(set.With(inputs(task)), word)
		if err != nil {
			t.Errorf("task %d: %v: %v", task.ID, word, err)
			continue
		}
		goal := tool.Goal{Type: task.Goal.Type, Marks: task.Goal.Marks, Without: task.Goal.Without}
		if lacks := goal.Lacks(result); lacks != "" {
			t.Errorf("task %d: %v gives %s: %s", task.ID, word, result, lacks)
		}
	}
}
