package regex

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Every text has the class of its matches, and every sample is a member of its class.
func TestClassesDivideAllStrings(t *testing.T) {
	for _, list := range [][]string{
		{`(?i)\byes\b`, `no`},
		{`^(a|b)$`, `^a`, `b$`},
		{`^[a-c]+$`, `^\d{2}$`, `\pL`},
		{`(?m)^x$`, `^$`},
		{`\Bk`, `(?i)K`},
	} {
		var patterns []Expression
		for _, text := range list {
			code, err := Compile(text)
			if err != nil {
				t.Fatal(err)
			}
			patterns = append(patterns, code)
		}
		classes, complete := Classes(patterns, 1_000_000)
		if !complete {
			t.Errorf("%q: incomplete", list)
		}
		known := map[string]bool{}
		for _, c := range classes {
			for _, sample := range c.Samples {
				if got := matchesOf(patterns, sample); !slices.Equal(got, c.Matches) {
					t.Errorf("%q: %q has %v, its class %v", list, sample, got, c.Matches)
				}
			}
			known[describeMatches(c.Matches)] = true
		}
		rng := rand.New(rand.NewPCG(1, 2))
		for range 20_000 {
			var b strings.Builder
			for range rng.IntN(6) {
				b.WriteRune([]rune("abcdkKxX01 \nyesYESnoéß\u212a")[rng.IntN(23)])
			}
			if got := matchesOf(patterns, b.String()); !known[describeMatches(got)] {
				t.Fatalf("%q: %q has the unknown class %v", list, b.String(), got)
			}
		}
	}
}

func matchesOf(patterns []Expression, text string) (out []bool) {
	for _, p := range patterns {
		out = append(out, p.MatchString(text))
	}
	return out
}

func describeMatches(list []bool) string {
	out := ""
	for _, m := range list {
		out += string(rune('0' + bit(m)))
	}
	return out
}
