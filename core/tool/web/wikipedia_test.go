package web

import (
	"slices"
	"strings"
	"testing"
)

func TestSentences(t *testing.T) {
	for text, want := range map[string][]string{
		"One. Two! Three? Four":                                  {"One.", "Two!", "Three?", "Four"},
		"He met U.S. president Richard Nixon. It was late.":      {"He met U.S. president Richard Nixon.", "It was late."},
		"He lives in the U.S. He works there.":                   {"He lives in the U.S.", "He works there."},
		"The U.S. President spoke.":                              {"The U.S. President spoke."},
		"J. R. R. Tolkien wrote it. C. S. Lewis read it.":        {"J. R. R. Tolkien wrote it.", "C. S. Lewis read it."},
		"Dr. No met Mr. Bond Jr. at St. Paul's.":                 {"Dr. No met Mr. Bond Jr. at St. Paul's."},
		"It costs 3.14 dollars. See example.com for No. 5.":      {"It costs 3.14 dollars.", "See example.com for No. 5."},
		"She said \"Stop.\" Then she left.":                      {"She said \"Stop.\"", "Then she left."},
		"It rose (a lot). And fell.[3] Then rose.[4][5] End":     {"It rose (a lot).", "And fell.[3]", "Then rose.[4][5]", "End"},
		"Wait... what? Yes... No.":                               {"Wait... what?", "Yes...", "No."},
		"e.g. this, i.e. that, vs. Those. Done.":                 {"e.g. this, i.e. that, vs. Those.", "Done."},
		"A heading\nA text. More":                                {"A heading", "A text.", "More"},
		"彼は来た。そして去った。":                                           {"彼は来た。", "そして去った。"},
		"See No. 0. See p. 9 now.":                               {"See No. 0.", "See p. 9 now."},
		"Version 2. 3 is next.":                                  {"Version 2.", "3 is next."},
		"from 1,800 to 7,000 ft (550 to 2,130 m).[3] The plains": {"from 1,800 to 7,000 ft (550 to 2,130 m).[3]", "The plains"},
		"  \n \n":    nil,
		"...":        {"..."},
		"a.b.c. D. ": {"a.b.c.", "D."},
		"He saw “Mr. Smith today. Then he left.": {"He saw “Mr. Smith today.", "Then he left."},
		"It was by J. The end.":                  {"It was by J. The end."},
		"He wrote a Ph.D. Thesis there.":         {"He wrote a Ph.D. Thesis there."},
	} {
		if got := sentences(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestSentencesKeepAllText(t *testing.T) {
	for _, text := range []string{strings.Repeat("a. ", 100_000), strings.Repeat(".", 100_000), strings.Repeat("A.[", 50_000), strings.Repeat("é.)", 50_000) + "x", strings.Repeat("U.S. ", 50_000), "\xff.\xfe. \xff"} {
		if got, want := strings.Join(strings.Fields(strings.Join(sentences(text), " ")), ""), strings.Join(strings.Fields(text), ""); got != want {
			t.Errorf("%.20q: %d bytes of %d", text, len(got), len(want))
		}
	}
}

func TestHTMLText(t *testing.T) {
	for html, want := range map[string]string{
		"<p>One <b>two</b>&nbsp;three.</p><p>Four</p>":                                           "One two three.\nFour",
		"a<br/>b<!-- c -- > d -->e":                                                              "a\nbe",
		"<script>if (a<b) {'</p>'}</script>x<style>p{}</style>y":                                 "xy",
		"1 < 2 && 3 &gt; 2 &#233;&#xe9;&unknown;&amp;lt;":                                        "1 < 2 && 3 > 2 éé&unknown;&lt;",
		"<table class=\"infobox\"><tr><td><table><tr><td>x</td></tr></table></td></tr></table>y": "y",
		"<table><tr><th>a</th><td>b</td></tr><tr><td>c</td></tr></table>":                        "a b\nc",
		"x<sup class=\"reference\">[1]</sup> and x<sup>2</sup>":                                  "x and x2",
		"<a title=\"a > b\">link</a>":                                                            "link",
		"<h2>Life<span class=\"mw-editsection\">[<span>edit</span>]</span></h2>text":             "Life\ntext",
		"<div style=\"display:none\">x<div>y</div></div>z<":                                      "z<",
		"<SCRIPT>x</sCrIpT >y":                                                                   "y", "<p": "", "&#0;&#x110000;&#;a": "\uFFFD&#;a",
		"<script>never ends": "", "<!-- never ends": "", "<table class=infobox>never ends": "",
	} {
		if got := htmlText(html); got != want {
			t.Errorf("%q: %q, want %q", html, got, want)
		}
	}
}

// A million characters of any kind take a moment.
func TestHTMLTakesLinearTime(t *testing.T) {
	for _, part := range []string{"<", "<a", "<a href='", "<script>", "<!--", "&", "&#", "</", "<div display:none>", "<script></script", "<sup class=reference>", "\n", "<p>x "} {
		_ = htmlText(strings.Repeat(part, 1_000_000/len(part)))
	}
}

// FuzzHTMLTextHasNoTags checks that no tag remains in the text, except those written with
// entities.
func FuzzHTMLTextHasNoTags(f *testing.F) {
	f.Add("<p>a<b>c</p>&lt;")
	f.Add("<<p>script>")
	f.Fuzz(func(t *testing.T, html string) {
		if got := htmlText(html); !strings.Contains(html, "&") && !strings.Contains(html, "<<") && !strings.Contains(html, "script") && strings.Contains(got, "<p>") {
			t.Errorf("%q: %q", html, got)
		}
	})
}
