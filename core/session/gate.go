package session

import (
	"fmt"
	"slices"

	"github.com/stile-playground/stile/core/gate"
	"github.com/stile-playground/stile/core/gate/compile"
	"github.com/stile-playground/stile/core/source"
)

func gateMethods() []Method {
	return []Method{
		method("guard.compile", (*Session).guardCompile),
		method("guard.decide", (*Session).guardDecide),
	}
}

// GuardCompileParams are the files of a workspace, whose agents, grammars, automata, flowcharts,
// formulas and rules about data become a guard.
type GuardCompileParams struct {
	Files   []File          `json:"files"`
	Options compile.Options `json:"options,omitzero"`
}

// GuardCompileResult is the text of the file, its SHA-256, and the names that modes refer to.
// Portable reports whether the runtimes for JavaScript and Python can read the file.
type GuardCompileResult struct {
	Text     string   `json:"text"`
	Hash     string   `json:"hash"`
	Rules    []string `json:"rules"`
	Portable bool     `json:"portable"`
}

// portable reports whether all rules are compiled.
func portable(f *gate.File) bool {
	return !slices.ContainsFunc(f.Rules, func(r gate.RuleFile) bool { return len(r.Programs) != len(r.Rules) })
}

func (s *Session) guardCompile(p GuardCompileParams) (GuardCompileResult, error) {
	file, err := compile.Compile(s.table.Notations, p.Files, p.Options)
	if err != nil {
		return GuardCompileResult{}, err
	}
	text, err := compile.Text(file)
	if err != nil {
		return GuardCompileResult{}, err
	}
	g, err := s.gateOf(text)
	if err != nil {
		return GuardCompileResult{}, err
	}
	return GuardCompileResult{Text: text, Hash: g.Hash, Rules: g.RuleNames(), Portable: portable(file)}, nil
}

// GuardDecideParams are the text of a guard, the state that an earlier call returned ("" for a new
// session), the modes of rules by name (enforce, ask, shadow or off), names of fields that the log omits, and operations.
type GuardDecideParams struct {
	Guard      string               `json:"guard"`
	State      string               `json:"state,omitempty"`
	Modes      map[string]gate.Mode `json:"modes,omitempty"`
	Redact     []string             `json:"redact,omitempty"`
	Operations []GuardOperation     `json:"operations"`
}

// GuardOperation is "allow", "record", "feed", "discard", "cancel" or "end", with the JSON text of a call or an event. The content of the
// event of feed is a part of a text that the model is writing.
type GuardOperation struct {
	Op    string `json:"op"`
	Event string `json:"event,omitempty"`
}

// GuardDecideResult has a decision for each operation, the state after them, and the lines of the log.
// Next are the calls that may be allowed now.
type GuardDecideResult struct {
	Decisions []gate.Decision `json:"decisions"`
	State     string          `json:"state"`
	Next      []string        `json:"next"`
	MayEnd    bool            `json:"mayEnd"`
	Log       []string        `json:"log"`
}

// gateOf returns a guard, from the cache if possible.
func (s *Session) gateOf(text string) (*gate.Guard, error) {
	key := [2]string{"guard", text}
	if g, ok := s.guards[key].(*gate.Guard); ok {
		return g, nil
	}
	g, err := gate.Read(text)
	if err != nil {
		return nil, err
	}
	if s.guards == nil || len(s.guards) >= maxGuardSpecs {
		s.guards = map[[2]string]any{}
	}
	s.guards[key] = g
	return g, nil
}

func (s *Session) guardDecide(p GuardDecideParams) (GuardDecideResult, error) {
	out := GuardDecideResult{Decisions: []gate.Decision{}, Log: []string{}}
	g, err := s.gateOf(p.Guard)
	if err != nil {
		return out, err
	}
	o := gate.Options{Modes: p.Modes, Redact: p.Redact, Log: func(line string) error {
		out.Log = append(out.Log, line)
		return nil
	}}
	session, err := g.Begin(o)
	if p.State != "" {
		session, err = g.Load(p.State, o)
	}
	if err != nil {
		return out, err
	}
	for i, operation := range p.Operations {
		var e gate.Event
		if operation.Event != "" {
			if e, err = gate.ReadEvent(operation.Event); err != nil {
				return out, source.NewError("guard.event", fmt.Sprintf("event %d: %v", i+1, err))
			}
		}
		var d gate.Decision
		switch operation.Op {
		case "allow":
			d = session.Allow(e)
		case "record":
			d = session.Record(e)
		case "feed":
			d = session.Feed(e.Content)
		case "end":
			d = session.End()
		case "discard":
			session.Discard()
			d = gate.Decision{Verdict: gate.Allow, Code: "ok", Shadow: []gate.Finding{}}
			d.Next, d.MayEnd = session.Next()
		case "cancel":
			d = gate.Decision{Verdict: gate.Deny, Code: "cancel", Reason: "the call is not the last event of the session", Shadow: []gate.Finding{}}
			if session.Cancel(e.ID) {
				d.Verdict, d.Code, d.Reason = gate.Allow, "ok", ""
			}
			d.Next, d.MayEnd = session.Next()
		default:
			return out, source.NewError("guard.operation", fmt.Sprintf("operation %d: unknown operation %q; expected allow, record, feed, discard, cancel or end", i+1, operation.Op))
		}
		out.Decisions = append(out.Decisions, d)
	}
	out.State = session.Save()
	out.Next, out.MayEnd = session.Next()
	return out, nil
}
