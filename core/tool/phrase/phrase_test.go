package phrase

import (
	"strings"
	"testing"
)

func TestShortenCountsCharacters(t *testing.T) {
	for _, c := range []struct {
		text string
		most int
		want string
	}{{"abc", 3, "abc"}, {"abcd", 3, "abc…"}, {"äöü", 3, "äöü"}, {"äöüß", 3, "äöü…"}, {"", 0, ""}, {"a", 0, "…"}} {
		if got := Shorten(c.text, c.most); got != c.want {
			t.Errorf("%q to %d: %q", c.text, c.most, got)
		}
	}
}

func TestBytesHaveAUnit(t *testing.T) {
	for n, want := range map[int]string{0: "0 bytes", 999: "999 bytes", 1000: "1 KB", 1499: "1 KB", 1500: "2 KB", 18_000: "18 KB", 999_999: "1000 KB", 1_000_000: "1.0 MB", 1_250_000: "1.2 MB", 12_340_000: "12.3 MB"} {
		if got := Bytes(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}

func TestListsHaveArticles(t *testing.T) {
	for names, want := range map[string]string{"": "nothing", "image": "an image", "text": "a text", "image text": "an image and a text", "text Object number": "a text, an Object and a number"} {
		if got := List(strings.Fields(names)); got != want {
			t.Errorf("%q: %s, want %s", names, got, want)
		}
	}
	if got := List([]string{""}); got != "a " {
		t.Errorf("%q", got)
	}
}

func TestNearestIgnoresCase(t *testing.T) {
	names := []string{"Search", "LOOKUP", "search"}
	for name, want := range map[string]string{"serch": "Search", "lookp": "LOOKUP", "LOKUP": "LOOKUP", "xyz": "", "": ""} {
		if got := Nearest(name, names); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func TestOneOfFindsCompleteWords(t *testing.T) {
	for word, want := range map[string]bool{"a": true, "bc": true, "d": true, "b": false, "c": false, "": false, "a bc": false, " ": false, "e": false} {
		if got := OneOf(word, "a bc d"); got != want {
			t.Errorf("%q: %v", word, got)
		}
	}
}
