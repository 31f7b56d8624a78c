package session

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/source"
)

// expectation is a text of a file of typical mistakes, in JSON, which people write who do not see the messages. A valid text
// has no warning and no error. Of another text, a diagnostic overlaps one of the places (UTF-8 bytes), has one of the
// severities and contains one of the words, which are regular expressions; fix lists the corrected texts.
type expectation struct {
	ID       string        `json:"id"`
	Kind     string        `json:"kind"`
	Text     string        `json:"text"`
	Valid    bool          `json:"valid"`
	Place    source.Span   `json:"place"`
	Places   []source.Span `json:"places"`
	Words    []string      `json:"words"`
	Severity []string      `json:"severity"`
	Fix      []string      `json:"fix"`
	Files    []File        `json:"files"`
}

// rates count texts: mistakes, those that are reported, those whose report is the first diagnostic, those with a fix after
// which no warning remains, those whose fix results in an expected text, and valid texts with and without a false alarm.
type rates struct{ mistakes, reported, first, fixed, expected, valid, alarms int }

// TestMistakesOfFile measures the file that the environment variable STILE_MISTAKES names, and lists the texts that are not
// reported as expected:
//
//	STILE_MISTAKES=mistakes.json go test ./core/session -run TestMistakesOfFile -v
func TestMistakesOfFile(t *testing.T) {
	name := os.Getenv("STILE_MISTAKES")
	if name == "" {
		t.Skip("STILE_MISTAKES names no file")
	}
	data, err := os.ReadFile(name)
	var list []expectation
	if err == nil {
		err = json.Unmarshal(data, &list)
	}
	if err != nil {
		t.Fatal(err)
	}
	sum := map[string]*rates{}
	var kinds []string
	for _, e := range list {
		if sum[e.Kind] == nil {
			sum[e.Kind] = &rates{}
			kinds = append(kinds, e.Kind)
		}
		if note := e.judge(t, sum[e.Kind]); note != "" && os.Getenv("STILE_MISTAKES_QUIET") == "" {
			t.Logf("%s: %s\n%s", e.ID, note, e.Text)
		}
	}
	for _, kind := range kinds {
		r := sum[kind]
		percent := func(n int) int { return 100 * n / max(r.mistakes, 1) }
		t.Logf("%s: reported %d %%, first %d %%, fixed %d %% (as expected %d %%) of %d; %d false alarms in %d valid texts", kind,
			percent(r.reported), percent(r.first), percent(r.fixed), percent(r.expected), r.mistakes, r.alarms, r.valid)
	}
}

// judge counts a text, and returns a note if it is not reported as expected.
func (e expectation) judge(t *testing.T, r *rates) (note string) {
	m := mistake{files: e.Files}
	found := m.analyze(t, e.Kind, e.Text)
	list := ""
	for _, d := range found {
		list += "\n\t" + describe(e.Text, d)
	}
	if e.Valid {
		r.valid++
		if slices.ContainsFunc(found, alarming) {
			r.alarms++
			return "false alarm:" + list
		}
		return ""
	}
	r.mistakes++
	at := slices.IndexFunc(found, e.matches)
	if at < 0 {
		return "not reported at " + source.Quote(e.Text[e.Place.Start:e.Place.End]) + " with " + strings.Join(e.Words, ", ") + " (" + strings.Join(e.Severity, ", ") + "):" + list
	}
	r.reported++
	if at == 0 {
		r.first++
	} else {
		note = "not first:" + list
	}
	works, exact := false, false
	for _, f := range found[at].Fixes {
		text := applied(e.Text, f)
		exact = exact || slices.ContainsFunc(e.Fix, func(other string) bool { return slices.Equal(strings.Fields(text), strings.Fields(other)) })
		works = works || exact || !slices.ContainsFunc(m.analyze(t, e.Kind, text), alarming)
	}
	if works {
		r.fixed++
	}
	if exact {
		r.expected++
	} else if note == "" && len(e.Fix) > 0 {
		note = "no expected fix, such as " + source.Quote(e.Fix[0]) + ":" + list
		for _, f := range found[at].Fixes {
			note += "\n\tfix: " + source.Quote(applied(e.Text, f))
		}
	}
	return note
}

func alarming(d Diagnostic) bool { return d.Severity != "info" }

func (e expectation) matches(d Diagnostic) bool {
	severity := d.Severity
	if severity == "info" {
		severity = "information"
	}
	overlaps := func(s source.Span) bool {
		return d.Start < int(s.End) && int(s.Start) < d.End || d.Start == d.End && d.Start >= int(s.Start) && d.Start <= int(s.End)
	}
	return (overlaps(e.Place) || slices.ContainsFunc(e.Places, overlaps)) && slices.Contains(e.Severity, severity) && len(strings.Fields(d.Message)) <= mostWords &&
		slices.ContainsFunc(e.Words, func(word string) bool {
			return regexp.MustCompile("(?i)" + word).MatchString(d.Message)
		})
}
