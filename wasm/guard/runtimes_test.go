// Package guard contains the runtimes of compiled guards for JavaScript and Python, and compares
// them with package core/gate and with the check of recorded runs.
package guard

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"runtime"
	"testing"

	"github.com/stile-playground/stile/core/gate"
	"github.com/stile-playground/stile/core/gate/compile"
	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/workspace"
)

// operation is a call of a session's method.
type operation struct {
	Op    string `json:"op"` // "allow", "record", "end" or "cancel"
	Event event  `json:"event"`
}

// event is a [gate.Event] in JSON.
type event struct {
	Kind      string `json:"kind,omitempty"`
	Name      string `json:"name"`
	ID        string `json:"id"`
	Arguments string `json:"arguments"`
	Content   string `json:"content"`
	Agent     string `json:"agent,omitempty"`
	Time      string `json:"time,omitempty"`
	Final     bool   `json:"final,omitempty"`
	Approved  bool   `json:"approved,omitempty"`
}

func (e event) gate() gate.Event {
	return gate.Event{Kind: e.Kind, Name: e.Name, ID: e.ID, Arguments: e.Arguments, Content: e.Content, Agent: e.Agent, Time: e.Time, Final: e.Final, Approved: e.Approved}
}

// request is a run or a part of one.
type request struct {
	Guard string               `json:"guard"`
	State string               `json:"state"` // "" for a new session
	Modes map[string]gate.Mode `json:"modes"`
	Ops   []operation          `json:"ops"`
}

// reply has the decisions of a runtime for a request.
type reply struct {
	Decisions []gate.Decision `json:"decisions"`
	State     string          `json:"state"`
	Log       []string        `json:"log"`
	Error     string          `json:"error"`
}

// judgeInGo answers a request with package gate.
func judgeInGo(t testing.TB, r request) reply {
	t.Helper()
	out := reply{Decisions: []gate.Decision{}, Log: []string{}}
	g, err := gate.Read(r.Guard)
	if err != nil {
		t.Fatal(err)
	}
	o := gate.Options{Modes: r.Modes, Log: func(line string) { out.Log = append(out.Log, line) }}
	s, err := g.Begin(o)
	if r.State != "" {
		s, err = g.Load(r.State, o)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, op := range r.Ops {
		out.Decisions = append(out.Decisions, perform(s, op))
	}
	out.State = s.Save()
	return out
}

// perform calls a method of a session.
func perform(s *gate.Session, op operation) gate.Decision {
	switch op.Op {
	case "allow":
		return s.Allow(op.Event.gate())
	case "record":
		return s.Record(op.Event.gate())
	case "end":
		return s.End()
	}
	d := gate.Decision{Verdict: "false", Shadow: []gate.Finding{}}
	if s.Cancel(op.Event.ID) {
		d.Verdict = "true"
	}
	d.Next, d.MayEnd = s.Next()
	return d
}

// driver is a process that answers requests with another runtime.
type driver struct {
	name string
	in   *json.Encoder
	out  *bufio.Reader
}

func (d *driver) judge(t testing.TB, r request) reply {
	t.Helper()
	if err := d.in.Encode(r); err != nil {
		t.Fatal(d.name, err)
	}
	line, err := d.out.ReadBytes('\n')
	if err != nil {
		t.Fatal(d.name, err)
	}
	var out reply
	if err := json.Unmarshal(line, &out); err != nil {
		t.Fatalf("%s: %v: %s", d.name, err, line)
	}
	return out
}

// drivers starts the other runtimes. Node is a part of every build; a test without Python
// reports that it compares one runtime less.
func drivers(t testing.TB) []*driver {
	t.Helper()
	list := []*driver{start(t, "node", "testdata/driver.mjs")}
	if _, err := exec.LookPath("python3"); err != nil {
		t.Log("python3 is not installed; the runtime for Python is not compared")
		return list
	}
	return append(list, start(t, "python3", "testdata/driver.py"))
}

func start(t testing.TB, name string, args ...string) *driver {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		if err := cmd.Wait(); err != nil && runtime.GOOS != "windows" {
			t.Errorf("%s: %v", name, err)
		}
	})
	e := json.NewEncoder(in)
	e.SetEscapeHTML(false)
	return &driver{name, e, bufio.NewReaderSize(out, 1<<20)}
}

// compiled returns the text of a guard.
func compiled(files []workspace.File, o compile.Options) (string, error) {
	file, err := compile.Compile(language.Table(), files, o)
	if err != nil {
		return "", err
	}
	return compile.Text(file)
}
