package sidecar

import (
	"fmt"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stile-playground/stile/core/gate"
)

// Reloads while sessions are judged lose no decision: each session is judged by one of the specs at a time, the metrics have every
// answer, and a server that resumes from the journal has the same sessions.
//
//stile:race
func TestReloadsRaceWithSessions(t *testing.T) {
	const clients, runs, reloads = 8, 12, 40
	wide := guardOf(t, "shop.cfg", loop)
	narrow := guardOf(t, "shop.cfg", "S -> login work\nwork -> lookup work | logout\n")
	name := filepath.Join(t.TempDir(), "journal")
	s := open(t, wide, Options{Journal: name})
	var wait sync.WaitGroup
	for c := range clients {
		wait.Go(func() {
			for r := range runs {
				id := fmt.Sprintf("%d-%d", c, r)
				for i, tool := range []string{"login", "lookup", "refund", "lookup", "logout"} {
					d, err := s.Decide(id, "allow", gate.Event{Name: tool, ID: fmt.Sprint(i)})
					// A refused refund leaves the run where it was, so that only its verdict depends on the reloads.
					if err != nil || d.Verdict == gate.Fault || tool != "refund" && d.Verdict != gate.Allow {
						t.Errorf("%s %s: %+v, %v", id, tool, d, err)
						return
					}
				}
			}
		})
	}
	wait.Go(func() {
		for i := range reloads {
			if r, err := s.Reload(specs([]string{narrow, wide}[i%2])); err != nil {
				t.Errorf("reload %d: %v, %v", i, r, err)
			}
		}
	})
	wait.Wait()
	total := 0
	for _, n := range s.metrics.verdicts {
		total += n
	}
	if total != clients*runs*5 || len(s.sessions) != clients*runs || s.metrics.reloads[loaded] != reloads {
		t.Errorf("%d decisions, %d sessions, %v", total, len(s.sessions), s.metrics.reloads)
	}
	resumed := open(t, wide, Options{Journal: name})
	for id, e := range s.sessions {
		if got := resumed.sessions[id]; got == nil || got.Save() != e.Save() {
			t.Errorf("%s is not resumed", id)
		}
	}
}
