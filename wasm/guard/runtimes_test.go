// Package guard contains the runtimes of compiled guards for JavaScript and Python, and compares
// them with package core/gate and with the check of recorded runs.
package guard

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stile-playground/stile/core/gate"
	"github.com/stile-playground/stile/core/gate/compile"
	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/core/workspace"
	"github.com/stile-playground/stile/wasm/host"
)

// operation is a call of a session's method.
type operation struct {
	Op    string `json:"op"` // "allow", "record", "end", "feed" with a content, "discard" or "cancel"
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
	Optional  bool   `json:"optional,omitempty"`
}

func (e event) gate() gate.Event {
	return gate.Event{Kind: e.Kind, Name: e.Name, ID: e.ID, Arguments: e.Arguments, Content: e.Content, Agent: e.Agent, Time: e.Time, Final: e.Final, Approved: e.Approved, Optional: e.Optional}
}

// request is a run or a part of one.
type request struct {
	Guard string               `json:"guard"`
	State string               `json:"state"` // "" for a new session
	Modes map[string]gate.Mode `json:"modes"`
	Ops   []operation          `json:"ops"`

	Redact []string `json:"redact,omitempty"` // names of fields

	// Clock has the times of events without one, in seconds; nil: they have none.
	Clock []float64 `json:"clock,omitempty"`
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
	o := gate.Options{Modes: r.Modes, Redact: r.Redact, Log: func(line string) error {
		out.Log = append(out.Log, line)
		return nil
	}}
	if clock := r.Clock; clock != nil {
		o.Clock = func() float64 {
			now := clock[0]
			clock = clock[1:]
			return now
		}
	}
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
	case "feed":
		return s.Feed(op.Event.Content)
	}
	if op.Op == "discard" {
		s.Discard()
	}
	d := gate.Decision{Verdict: "false", Shadow: []gate.Finding{}}
	if s.Cancel(op.Event.ID) {
		d.Verdict = "true"
	}
	d.Next, d.MayEnd = s.Next()
	return d
}

// driver is a process that answers requests with another runtime, or the module of the page.
type driver struct {
	name   string
	in     *json.Encoder
	out    *bufio.Reader
	module *host.Instance
	end    func() error
}

func (d *driver) judge(t testing.TB, r request) reply {
	t.Helper()
	if d.module != nil {
		return judgeInModule(t, d.module, r)
	}
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

// TestMain ends the runtimes that the tests share.
func TestMain(m *testing.M) {
	code := m.Run()
	if err := endShared(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = max(code, 1)
	}
	os.Exit(code)
}

// shared are the runtimes of all tests: a request leaves no trace in a runtime, and starting one takes longer
// than most tests.
var shared struct {
	once sync.Once
	list []*driver
	err  error
}

func endShared() (err error) {
	for _, d := range shared.list {
		err = errors.Join(err, d.end())
	}
	return err
}

// drivers returns the other runtimes. Node is a part of every build; a test without Python
// reports that it compares one runtime less.
func drivers(t testing.TB) []*driver {
	t.Helper()
	_, noPython := exec.LookPath("python3")
	made := os.Getenv("STILE_MODULES")
	shared.once.Do(func() {
		add := func(d *driver, err error) {
			if shared.err = errors.Join(shared.err, err); err == nil {
				shared.list = append(shared.list, d)
			}
		}
		add(launch("node", "testdata/driver.mjs"))
		for _, command := range strings.Split(os.Getenv("STILE_JS_RUNTIMES"), "\n") { // other programs that run JavaScript, one a line
			if words := strings.Fields(command); len(words) > 0 {
				add(launch(words[0], append(words[1:], "testdata/driver.mjs")...))
			}
		}
		if made != "" {
			add(startModule(filepath.Join(made, "stile-full.wasm")))
		}
		if noPython == nil {
			add(launch("python3", "testdata/driver.py"))
		}
	})
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	if made == "" {
		t.Log("the build tool did not provide the module of the page; it is not compared")
	}
	if noPython != nil {
		t.Log("python3 is not installed; the runtime for Python is not compared")
	}
	return shared.list
}

// start starts a program for one test.
func start(t testing.TB, name string, args ...string) *driver {
	t.Helper()
	d, err := launch(name, args...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.end(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// launch starts a program that answers requests, one a line.
func launch(name string, args ...string) (*driver, error) {
	cmd := exec.Command(name, args...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	end := func() error {
		_ = in.Close()
		if err := cmd.Wait(); err != nil && runtime.GOOS != "windows" {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	}
	e := json.NewEncoder(in)
	e.SetEscapeHTML(false)
	return &driver{name: name, in: e, out: bufio.NewReaderSize(out, 1<<20), end: end}, nil
}

// compiled returns the text of a guard.
func compiled(files []workspace.File, o compile.Options) (string, error) {
	file, err := compile.Compile(language.Table(), files, o)
	if err != nil {
		return "", err
	}
	return compile.Text(file)
}

// startModule runs the module of the page.
func startModule(path string) (*driver, error) {
	code, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	m, err := host.Compile(context.Background(), code, host.Options{CacheDir: os.Getenv("STILE_WAZERO_CACHE")})
	if err != nil {
		return nil, err
	}
	i := m.Instance(os.Stderr)
	end := func() error {
		return errors.Join(i.Close(context.Background()), m.Close(context.Background()))
	}
	return &driver{name: "module", module: i, end: end}, nil
}

// judgeInModule answers a request with the method guard.decide.
func judgeInModule(t testing.TB, m *host.Instance, r request) reply {
	t.Helper()
	p := session.GuardDecideParams{Guard: r.Guard, State: r.State, Modes: r.Modes, Redact: r.Redact}
	for _, op := range r.Ops {
		e := op.Event.gate()
		if op.Op == "discard" {
			p.Operations = append(p.Operations, session.GuardOperation{Op: op.Op})
			op.Op = "cancel" // as perform does
		}
		p.Operations = append(p.Operations, session.GuardOperation{Op: op.Op, Event: e.JSON()})
	}
	text, err := json.Marshal(map[string]any{"id": 1, "method": "guard.decide", "params": p})
	if err != nil {
		t.Fatal(err)
	}
	answer, err := m.Handle(context.Background(), text)
	if err != nil {
		t.Fatal(err)
	}
	var out struct {
		Result session.GuardDecideResult
		Error  *struct{ Code string }
	}
	if err := json.Unmarshal(answer, &out); err != nil {
		t.Fatalf("%v: %s", err, answer)
	}
	if out.Error != nil {
		return reply{Error: out.Error.Code}
	}
	got := reply{State: out.Result.State, Log: out.Result.Log, Decisions: []gate.Decision{}}
	for i, d := range out.Result.Decisions {
		switch p.Operations[i].Op {
		case "discard":
			continue
		case "cancel":
			cancelled := d.Code == "ok"
			d.Code, d.Reason, d.Verdict = "", "", "false"
			if cancelled {
				d.Verdict = "true"
			}
		}
		got.Decisions = append(got.Decisions, d)
	}
	return got
}
