package habit

import (
	"reflect"
	"regexp"
	"testing"
)

func TestPatternsMatchLikePackageRegexp(t *testing.T) {
	patterns := []string{
		`a`, `a|ab|c`, `(a|b)*c`, `(a*)(b+?)b`, `^\s*(\w+)\s*=`, `[^a-c\n]+`, `[]x]`, `\bab\b`, `(?:ab)+c?`, `.*b`, `.*?b`, `(a)|(b)`, `a$`, `^b`, `(?:a?)*b`,
		`\S+\s`, `[\w.-]+`, `“([^”]*)”`, `\d+\.`, `(a(b)?)+`, `(?:(a)b?)*ac`, `(a*)(a)b`, `(?:(a)|(b))*ab`, `(?:(a)|(x))*(b)+`, `x?(a)*(ab)`, `\(\*`, `[ab-]`,
	}
	texts := []string{"", "a", "ab", "abc", "aab\nbab", " x_1 = y", "]x", "cab ab", "ababc", "“e” b", "12. a-b", "(* x *)", "aaaaab", "b\na", "a.b-c d", "aac", "abaac", "xabb"}
	for _, pattern := range patterns {
		want := regexp.MustCompile("(?m)" + pattern)
		for _, text := range texts {
			if got, expected := NewPattern(pattern).Find(text, 0), want.FindStringSubmatchIndex(text); !reflect.DeepEqual(got, expected) {
				t.Errorf("%s on %q: %v, want %v", pattern, text, got, expected)
			}
		}
	}
}

func TestMatchReturnsGroups(t *testing.T) {
	if got := Match(`(a)?(b)`, "bc"); !reflect.DeepEqual(got, []string{"b", "", "b"}) {
		t.Error(got)
	}
	if Match(`b`, "ab") != nil {
		t.Error("a match that is not at the beginning")
	}
}

func TestPatternsEndOnLongTexts(t *testing.T) {
	text := ""
	for range 5000 {
		text += "a"
	}
	if NewPattern(`(?:a*)*b`).at(text, 0) != nil {
		t.Error("a match")
	}
}
