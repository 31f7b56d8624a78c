package agent_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/source"
)

// content compiles a pattern, or returns nil where it is none.
func content(pattern string) *agent.Content {
	text := fmt.Sprintf("(define a (:states (A (:text \"[A]\") (:matches %s))) (:behavior A))", sexpr.Quote(pattern))
	spec, found := agent.Parse(source.NewFile("t.agent", text))
	a, more := agent.Compile(spec, meter.New(meter.Budget{}))
	if a == nil || source.HasErrors(append(found, more...)) || a.Contents() != nil {
		return nil
	}
	return a.Content(0)
}

// follows every text over a few characters up to a length, and compares what is
// said of it with the expression of the standard library: whether it matches, and
// whether any longer text up to the length does where it is stopped.
func compare(t *testing.T, pattern string, characters []rune, length int) {
	c := content(pattern)
	if c == nil {
		return // only texts with space around them match
	}
	oracle := regexp.MustCompile(`\A(?s:)(?:` + strings.TrimSuffix(strings.TrimPrefix(pattern, "^"), "$") + `)\z`)
	var walk func(text string, r agent.ContentRun, left int) bool
	walk = func(text string, r agent.ContentRun, left int) bool {
		some := oracle.MatchString(text) && text == strings.Trim(text, " \t\r\n")
		if r.Complete() != some {
			t.Fatalf("%q matches %q: %v", pattern, text, r.Complete())
		}
		if left == 0 {
			return some
		}
		for _, char := range characters {
			next, ok := r.Step(char)
			if ok {
				some = walk(text+string(char), next, left-1) || some
				continue
			}
			for _, more := range []string{"", "a", "b", "0", " ", "ab", "ba", "00", "é"} {
				if whole := text + string(char) + more; oracle.MatchString(whole) && whole == strings.Trim(whole, " \t\r\n") {
					t.Fatalf("%q is stopped after %q, but %q matches", pattern, text+string(char), whole)
				}
			}
		}
		rest := r.Shortest()
		if !oracle.MatchString(text + rest) {
			t.Fatalf("%q: %q does not complete %q", pattern, rest, text)
		}
		forced := r.Forced()
		for _, char := range forced {
			for _, other := range characters {
				if _, ok := r.Step(other); ok && other != char {
					t.Fatalf("%q: after %q %q is not forced", pattern, text, forced)
				}
			}
			r, _ = r.Step(char)
		}
		return some
	}
	walk("", c.Begin(), length)
}

func TestPatternsMeanWhatTheStandardLibrarySays(t *testing.T) {
	characters := []rune("ab0 é\n")
	for _, p := range []string{
		"a", "a|b", "a*", "a+b?", "(ab)*", "(a|b0)+", "[ab]{2}", "[^a]", "a{0}", "a{2,}", "a{1,3}b", ".", ".*a", "\\d+", "\\w\\s\\w", "\\D\\S?\\W?",
		"[a-z]*0", "[]a]", "[^]a]", "[a-]b", "[\\d ]+", "^ab$", "", "a||b", "(?:a|)b", "(a*)*", "(a?)+b", "\\.", "[.]", "é+", "[^\\n]*", "((a|b)*0)?", "(?:a{2}){2}", "a+?b??", "a*?", "(a{0,2}?b)+",
	} {
		if p != "" {
			compare(t, p, characters, 4)
		}
	}
}

func TestRandomPatternsMeanWhatTheStandardLibrarySays(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 5))
	var draw func(depth int) string
	draw = func(depth int) string {
		if depth == 0 {
			return []string{"a", "b", "0", "[ab]", "[^a]", ".", "\\d", "[a-b0]"}[random.IntN(8)]
		}
		switch random.IntN(6) {
		case 0:
			return draw(depth-1) + draw(depth-1)
		case 1:
			return "(" + draw(depth-1) + "|" + draw(depth-1) + ")"
		case 2:
			return "(" + draw(depth-1) + ")" + []string{"*", "+", "?"}[random.IntN(3)]
		case 3:
			least := random.IntN(3)
			return fmt.Sprintf("(%s){%d,%d}", draw(depth-1), least, least+random.IntN(2))
		default:
			return draw(depth - 1)
		}
	}
	for range effort.Of(400) {
		compare(t, draw(4), []rune("ab0\n"), 4)
	}
}

func TestWhatIsNoPatternIsRefused(t *testing.T) {
	for _, p := range []string{"(", ")", "[", "[a", "a**", "a{2}{2}", "a+??", "*", "a{", "a{x}", "a{3,1}", "a{9999}", "\\", "\\q", "[b-a]", "a$b", "(?!a)", "[\\d-z"} {
		if content(p) != nil {
			t.Errorf("%q is taken", p)
		}
	}
	if content(strings.Repeat("(", 200)+"a"+strings.Repeat(")", 200)) != nil {
		t.Error("a pattern nested 200 deep is taken")
	}
}

func TestAListIsReadCharacterByCharacter(t *testing.T) {
	a := compile(t, `(define a (:states (A (:text "[A]") (:one-of "left" "leftmost" "right" "é b"))) (:behavior A))`)
	c := a.Content(0)
	for text, want := range map[string]struct {
		ok, complete bool
		forced       string
		shortest     string
	}{
		"": {true, false, "", "left"}, "l": {true, false, "eft", "eft"}, "left": {true, true, "", ""}, "leftm": {true, false, "ost", "ost"},
		"x": {ok: false}, "righte": {ok: false}, "é": {true, false, " b", " b"}, "leftmost": {true, true, "", ""},
	} {
		r, ok := c.Begin(), true
		for _, char := range text {
			if r, ok = r.Step(char); !ok {
				break
			}
		}
		if ok != want.ok || ok && (r.Complete() != want.complete || r.Forced() != want.forced || r.Shortest() != want.shortest) {
			t.Errorf("%q: %v %v %q %q", text, ok, r.Complete(), r.Forced(), r.Shortest())
		}
	}
}
