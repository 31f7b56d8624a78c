package regex

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/effort"
)

// compareWithRegexp compares an expression with package regexp, on texts.
func compareWithRegexp(t *testing.T, pattern string, texts []string) bool {
	t.Helper()
	want, wantErr := regexp.Compile(pattern)
	got, err := Compile(pattern)
	if (err == nil) != (wantErr == nil) {
		t.Errorf("%q: %v, want %v", pattern, err, wantErr)
		return false
	}
	if err != nil {
		return false
	}
	search, small := got.Search(), got.Search()
	small.most = 4 * stateBytes
	for _, text := range texts {
		if got.MatchString(text) != want.MatchString(text) {
			t.Errorf("%q in %q: %v", pattern, text, got.MatchString(text))
		}
		if search.MatchString(text) != want.MatchString(text) {
			t.Errorf("search for %q in %q: %v", pattern, text, search.MatchString(text))
		}
		if small.MatchString(text) != want.MatchString(text) {
			t.Errorf("search for %q with few states in %q: %v", pattern, text, small.MatchString(text))
		}
		small.free[0].skip = 0
	}
	return true
}

func TestExpressionsAgreeWithRegexp(t *testing.T) {
	texts := []string{"", "a", "A", "abc", "aaa", "ab\ncd", "a.b", "foo-bar", "/tmp/x", "12:30", "ſ", "K", "k", "Größe", "λόγος", "日本", "\x00", "x{2}", "a]b", "^$", "\\d", "_", "-", "\t", "yes!", "no yes", "e\u0301", "\U0001f600"}
	for _, pattern := range []string{
		"", "a", "a|b", "a||b", "|", "(a)", "()", "(", ")", "a)", "(a", "[", "[a", "[]a]", "[^]a]", "[a-c]", "[c-a]", "[a-]", "[-a]", "[a-\\d]", "[\\d-x]", "[\\w.]", "[^\\W]", "[[:alpha:]]", "[[:^alpha:]]", "[[:foo:]]", "[[:word:]-]", "[[:alpha:]", "[[:d:]]",
		"a*", "a+", "a?", "a*?", "a+?", "a??", "a**", "a*+", "a{2}{3}", "*", "+a", "(*a)", "|*", "^*", "$+", "a{2}", "a{2,}", "a{2,3}", "a{3,2}", "a{,3}", "a{1001}", "a{1000}", "a{02}", "{", "a{", "a{x}", "{2}", "x{2}", "x\\{2}", "(a{100}){11}", "(a{100}){10}", "((a{10}){10}){10}", "(a*){1000}", "(a{500}|b{2}){2}", "a{0}", "a{0}{2}", "a{999999999999}",
		"^a$", "(?m)^c", "(?m)b$", "^c", "b$", "\\Aa", "a\\z", "a\\Z", "\\ba", "\\Ba", "\\bλ", "a.b", "(?s)b.c", "b.c", "(?i)ABC", "(?i)k", "(?i)[k]", "(?i)[^k]", "(?i)\\w", "(?i)\\W", "(?i)s", "a(?i)B", "(a(?i)B)C", "a(?i)B|c", "(?i:a)B", "(?-i)a", "(?i-s:a)", "(?i-)a", "(?-:a)", "(?:a)", "(?)", "(?i", "(?x)a", "(?=a)", "(?!a)", "(?<=a)", "(?P<n>a)", "(?<n>a)", "(?P<n>a)(?P<n>b)", "(?P<>a)", "(?P<1>a)", "(?P=n)", "(?U)a+", "(?i)*", "a(?i)*",
		"\\", "a\\", "\\d", "\\D", "\\s", "\\S", "\\w", "\\W", "\\pL", "\\PL", "\\p{L}", "\\p{^L}", "\\P{^L}", "\\p{Lu}", "\\p{Greek}", "\\p{greek}", "\\p{Han}", "\\p{Foo}", "\\p", "\\p{", "\\pX", "[\\pL]", "[^\\pL]", "[\\p{Greek}a]", "(?i)\\p{Lu}", "(?i)\\P{Lu}", "\\p{Letter}", "\\p{Any}", "\\p{ASCII}", "\\pN", "\\p{Nd}", "\\p{Latin}", "\\p{Cyrillic}",
		"\\a\\f\\n\\r\\t\\v", "\\n", "\\t", "\\x41", "\\x{41}", "\\x{1F600}", "\\x{110000}", "\\x", "\\x4", "\\x{}", "\\x{4", "\\101", "\\0", "\\1", "\\8", "\\.", "\\-", "\\_", "\\e", "\\E", "\\C", "\\k", "\\Qa.b\\E", "\\Qa.b", "\\Qa\\E*", "\\Q\\E*", "[\\Qa\\E]", "[\\n]", "[\\x41-\\x43]", "[\\b]", "\\é", "ö", "[α-ω]", "日", "[^\\n]", "(?i)Σ", "(?i)[α-ω]", "^[^:]+:\\d+$", "(?i)\\byes\\b", "^/tmp/", "a.{2}", "(a|ab)(c|bcd)", "(a+)+b", "((((a))))", "[a&&b]", "[--a]", "[a-b-c]", "x*", "(|a)*", "(|a)+", "(a|b)*c|d",
	} {
		compareWithRegexp(t, pattern, texts)
	}
}

func TestRandomExpressionsAgreeWithRegexp(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 3))
	pieces := []string{"a", "b", "A", "é", ".", "^", "$", "\\b", "\\d", "\\W", "\\pL", "\\P{Lu}", "[a-c]", "[^b]", "[[:alpha:]]", "(", "(?:", "(?i)", "(?i:", "(?s)", "(?m)", ")", ")", "|", "*", "+", "?", "{2}", "{1,2}", "{", "}", "[", "]", "-", "\\", "\\x41", "\\n", "1", "k"}
	letters := []rune("abABcé1k \nKſ-\\]")
	valid := 0
	n := effort.Sample(100_000, 3_000)
	for range n {
		var pattern strings.Builder
		for range 1 + r.IntN(8) {
			pattern.WriteString(pieces[r.IntN(len(pieces))])
		}
		var texts []string
		for range 6 {
			var text strings.Builder
			for range r.IntN(6) {
				text.WriteRune(letters[r.IntN(len(letters))])
			}
			texts = append(texts, text.String())
		}
		if compareWithRegexp(t, pattern.String(), texts) {
			valid++
		}
		if t.Failed() {
			return
		}
	}
	if valid < n/5 {
		t.Errorf("%d of %d expressions are valid", valid, n)
	}
}

func TestExpressionsHaveLimits(t *testing.T) {
	deep := 100_000
	for _, pattern := range []string{strings.Repeat("(", deep) + "a" + strings.Repeat(")", deep), strings.Repeat("[a-z]{1000}", 200), strings.Repeat("(a|", deep)} {
		if _, err := Compile(pattern); err == nil {
			t.Errorf("%.20q… is compiled", pattern)
		}
	}
	p, err := Compile("(a*)*" + strings.Repeat("(a|a?)", 60) + "$x")
	if err != nil || p.MatchString(strings.Repeat("a", 2000)) {
		t.Error(err)
	}
}
