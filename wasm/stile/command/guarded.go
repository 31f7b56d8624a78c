package command

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"sync"

	"github.com/stile-playground/stile/core/gate"
)

// guarding are the flags of the commands that judge calls before they are made.
type guarding struct {
	spec   guardFlags
	modes  map[string]gate.Mode
	redact names
	log    string
}

// addSpec adds the flags of a command without a log.
func (g *guarding) addSpec(flags *flag.FlagSet) {
	g.spec.add(flags)
	g.modes = map[string]gate.Mode{}
	addModes(flags, g.modes)
}

func (g *guarding) add(flags *flag.FlagSet) {
	g.addSpec(flags)
	flags.Var(&g.redact, "redact", "`field` whose values the log omits, in addition to those of secrets; may be repeated")
	flags.StringVar(&g.log, "log", "", "append a line for each decision to `file`; every line has the hash of the line before")
}

// options returns the options of sessions, which may log at the same time. If a line cannot be written to
// the log, it calls fault with the error, and the session permits no later event.
func (g *guarding) options(fault func(error)) gate.Options {
	o := gate.Options{Modes: g.modes, Redact: g.redact}
	if g.log != "" {
		var writing sync.Mutex
		o.Log = func(line string) error {
			writing.Lock()
			defer writing.Unlock()
			f, err := os.OpenFile(g.log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
			if err == nil {
				_, err = f.WriteString(line + "\n")
				err = errors.Join(err, f.Close())
			}
			if err != nil {
				fault(err)
			}
			return err
		}
	}
	return o
}

// open reads a compiled guard, or compiles specs.
func (g *guarding) open(specs []string) (*gate.Guard, error) {
	if len(specs) == 0 {
		return nil, errors.New("expected a SPEC or a compiled guard")
	}
	text, err := g.spec.text(specs)
	if err != nil {
		return nil, err
	}
	return gate.Read(text)
}

// start opens a guard for a command that serves, with options for its sessions. A log that cannot be written is an error.
func (g *guarding) start(s Streams, specs []string) (*gate.Guard, gate.Options, error) {
	o := g.options(func(err error) { fmt.Fprintln(s.Err, "stile: "+err.Error()) })
	guard, err := g.open(specs)
	if err == nil {
		_, err = guard.Begin(o)
	}
	if err == nil && g.log != "" {
		var f *os.File
		if f, err = os.OpenFile(g.log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
			err = f.Close()
		}
	}
	return guard, o, err
}

// refusal returns the sentence for the model about a call that is not allowed.
func refusal(d gate.Decision) string {
	out := d.Reason
	if len(d.Next) > 0 && !strings.Contains(out, "allowed: ") {
		var quoted []string
		for _, name := range d.Next {
			quoted = append(quoted, fmt.Sprintf("%q", name))
		}
		out += "; allowed: " + strings.Join(quoted, ", ")
	}
	return out
}

// fork returns an independent session in the same state, without a log.
func fork(g *gate.Guard, s *gate.Session, o gate.Options) (*gate.Session, error) {
	return g.Load(s.Save(), gate.Options{Modes: o.Modes, Clock: o.Clock})
}

// prompt returns the message of a person with a content. A conversation may have more prompts than the run that a spec
// describes, so that a spec without a step for it ignores it.
func prompt(content string) gate.Event {
	return gate.Event{Kind: "message", Name: "user", Content: content, Optional: true}
}
