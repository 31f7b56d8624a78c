package solve

import (
	"testing"

	"github.com/stile-playground/stile/core/source"
)

// TestMalformedSquaresAreReported checks faults between the brackets of an objective. The reader
// of solutions is given each text, too: it must not panic.
func TestMalformedSquaresAreReported(t *testing.T) {
	for squares, want := range map[string]string{
		"[ x ^ 2 ] / 2":                       "",
		"[ - 2 x ^ 2 + 3 x * y - y ^ 2 ] / 2": "",
		"[ x ^ 2 + 2 x * ] / 2":               "expected ^ 2 or * and a variable",
		"[ x ^ 2 + 2 ] / 2":                   "expected a term like 2 x ^ 2 or 3 x * y",
		"[ x ^ 3 ] / 2":                       "expected ^ 2 or * and a variable",
		"[ x ] / 2":                           "expected ^ 2 or * and a variable",
		"[ x ^ 2 y ^ 2 ] / 2":                 "expected + or - between the terms of a sum",
		"[ x ^ 2 + y ^ 2":                     "unclosed [; write [ 2 x ^ 2 ] / 2",
		"[ x ^":                               "expected ^ 2 or * and a variable",
		"[":                                   "unclosed [; write [ 2 x ^ 2 ] / 2",
		"[ x ^ 2 ]":                           "missing / 2 after the squares; write [ 2 x ^ 2 ] / 2",
	} {
		file := source.NewFile("p.lp", "Minimize\n obj: "+squares+"\nSubject To\n c: x + y >= 1\nEnd\n")
		p, found := Check(HiGHS, file)
		got := ""
		if len(found) > 0 {
			got = found[0].Message
		}
		if got != want {
			t.Errorf("%s: %q, want %q", squares, got, want)
		}
		Read(file, p, Reply{Text: `{"status":"optimal","objective":1,"names":["x","y"],"values":[1,1]}`})
	}
}
