package docs

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/build/internal/toy"
	"github.com/stile-playground/stile/core/session"
)

// A row in the table of notations is all that the claims of a fence and a reference need.
func TestRowGivesClaims(t *testing.T) {
	full := session.Full()
	full.Notations = append(full.Notations, toy.Row())
	got, err := claims(full, toy.Kind, "wash dry\nwash dry shelve\n", `toy {words="wash dry; !dry; ~wash"}`)
	if err != nil || strings.Count(got, "<li>") != 3 {
		t.Errorf("%v: %s", err, got)
	}
	got, err = claims(full, "stile", "-- a.toy --\nwash dry\nwash\n-- p.ltl --\nends: F dry\n\nstarts: wash\n", `stile {proofs="!ends; starts"}`)
	if err != nil || !strings.Contains(got, "<code>wash</code>") {
		t.Errorf("%v: %s", err, got)
	}
	reference, err := words(full.Notations.Kind(toy.Kind))
	if err != nil || !strings.Contains(reference, "```toy\n# dishes\n") {
		t.Errorf("%v: %s", err, reference)
	}
}
