package gate_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/gate"
	"github.com/stile-playground/stile/core/gate/compile"
	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/workspace"
)

// A decision that cannot be logged is a refusal, and so are all later ones of the session.
func TestUnloggedSessionPermitsNothing(t *testing.T) {
	file, err := compile.Compile(language.Table(), []workspace.File{{Name: "shop.cfg", Text: "S -> login S | login\n"}}, compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	text, err := compile.Text(file)
	if err != nil {
		t.Fatal(err)
	}
	guard, err := gate.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	full := true
	var lines int
	s, err := guard.Begin(gate.Options{Log: func(string) error {
		if full {
			return errors.New("no space left on device")
		}
		lines++
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	call := gate.Event{Name: "login", ID: "1", Arguments: "{}"}
	first := s.Allow(call)
	full = false // a later line would not continue the chain of hashes
	call.ID = "2"
	result := gate.Event{Kind: "result", ID: "1"}
	for _, d := range []gate.Decision{first, s.Record(result), s.Allow(call), s.Feed("x"), s.End()} {
		if d.Verdict != gate.Deny || d.Code != "log.failed" || !strings.Contains(d.Reason, "no space left") || len(d.Next) != 0 {
			t.Errorf("%+v", d)
		}
	}
	loaded, err := guard.Load(s.Save(), gate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if d := loaded.Allow(call); d.Code != "session.violated" || !strings.Contains(d.Reason, "no space left") {
		t.Errorf("loaded: %+v", d)
	}
	if lines != 0 {
		t.Errorf("%d lines after the failure", lines)
	}
}
