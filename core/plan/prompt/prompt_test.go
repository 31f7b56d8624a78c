package prompt

import (
	"strings"
	"testing"
)

// Lower-case letters in braces are placeholders; everything else is text.
func TestPlaceholdersAreReplaced(t *testing.T) {
	value := func(name string) string { return "<" + name + ">" }
	for template, want := range map[string]string{
		"": "", "a": "a", "{a}": "<a>", "{az}": "<az>", "x{task}y{z}": "x<task>y<z>", "{}": "{}", "{A}": "{A}", "{a1}": "{a1}", "{a": "{a", "{": "{", "}": "}", "{{a}}": "{<a>}", "{a b}": "{a b}", "{a}{a}": "<a><a>", "{\"k\": {v}}": "{\"k\": <v>}", "{`}": "{`}", "{{}": "{{}", "é{a}é": "é<a>é", "{a{b}": "{a<b>",
	} {
		if got := Expand(template, value); got != want {
			t.Errorf("%q: %q, want %q", template, got, want)
		}
	}
}

func TestPromptsAreChecked(t *testing.T) {
	for template, want := range map[string]string{
		"": "", "{task}": "", "{task} {more}": "", "do {task}\n{mor}": "unknown placeholder {mor} in line 2 of the prompt; did you mean {more}? (expected {task}, {more})", "{zzzzzz}": "unknown placeholder {zzzzzz} in line 1 of the prompt (expected {task}, {more})",
		"{more}": "the prompt lacks the placeholder {task}", "x": "the prompt lacks the placeholder {task}", "{one} {two}": "unknown placeholder {one} in line 1",
	} {
		err := Check("code", template, []string{"task", "more"}, "task")
		if (err == nil) != (want == "") || err != nil && !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %q", template, err, want)
		}
		if coded, ok := err.(interface{ Code() string }); err != nil && (!ok || coded.Code() != "code") {
			t.Errorf("%q: %v has another code", template, err)
		}
	}
}

func TestNamesHaveOneArticle(t *testing.T) {
	for name, want := range map[string]string{
		"image": "an image", "text": "a text", "Image": "an Image", "Text": "a Text", "a text": "a text", "An image": "An image", "the end": "the end", "some of it": "some of it", "any": "an any", "x": "x", "": "", "xy": "a xy", "3D": "3D", "_a": "_a", "«a»": "«a»", "ab": "an ab", "zb": "a zb", "Ab": "an Ab", "Zb": "a Zb",
		"`b": "`b", "{b": "{b", "@b": "@b", "[b": "[b",
	} {
		if got := Article(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	for n, want := range map[int64]string{0: "0 times", 1: "once", 2: "twice", 3: "3 times"} {
		if got := Times(n); got != want {
			t.Errorf("%d: %q", n, got)
		}
	}
}
