package matrix

import (
	"slices"
	"testing"

	"github.com/stile-playground/stile/wasm/host/standin"
)

// The simulated provider answers in a goroutine while the run reads.
//
//stile:race
func TestBodiesArriveInPieces(t *testing.T) {
	p := standin.Providers()[0]
	s := Surfaces()[1]
	out, err := s.Run(EndpointOf(p, "http://standin.invalid"), standin.New(standin.Options{}), nil)
	if err != nil || !out.Passes || out.Ceiling.Calls == 0 || len(out.Requests) < 3 {
		t.Errorf("%v %+v", err, out)
	}
}

// The table of the documentation has all providers, and no surface of theirs fails without a reason.
func TestProvidersWork(t *testing.T) {
	cells, err := Cells()
	if err != nil {
		t.Fatal(err)
	}
	if n := len(standin.Providers()); n < 14 || len(cells) != n*len(Surfaces()) {
		t.Errorf("%d cells of %d providers", len(cells), n)
	}
	refused := map[string]bool{"llm.tools": true, "monitor.settings": true}
	for _, c := range cells {
		t.Logf("%-32s %-15s %s", c.Provider, c.Surface, c)
		if !c.Works && (!refused[c.Code] || c.Surface != "native tools") {
			t.Errorf("%s, %s: %s", c.Provider, c.Surface, c)
		}
		for _, name := range c.Concessions {
			if !slices.Contains([]string{Adaptive, Higher, InWords, NewTurn, ByPage}, name) && name[:9] != "without `" {
				t.Errorf("%s, %s: unknown concession %q", c.Provider, c.Surface, name)
			}
		}
	}
}
