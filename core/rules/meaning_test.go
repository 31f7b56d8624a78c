package rules_test

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/source"
)

// TestMeaning judges the runs of testdata/meaning.txt, whose head defines its notation.
func TestMeaning(t *testing.T) {
	text, err := os.ReadFile("testdata/meaning.txt")
	if err != nil {
		t.Fatal(err)
	}
	cases, spec := 0, ""
	for number, line := range strings.Split(string(text), "\n") {
		run, isRun := strings.CutPrefix(line, "\t")
		switch {
		case line == "" || line[0] == '#':
			spec = ""
			continue
		case !isRun:
			spec += line + "\n"
			continue
		}
		cases++
		events, want, ok := strings.Cut(run, "=>")
		if !ok {
			t.Fatalf("line %d has no verdict", number+1)
		}
		f := rules.Parse(source.NewFile("", spec))
		if got, want := meaningOf(f, rawEvents(t, strings.TrimSpace(events))), expected(strings.TrimSpace(want)); got != want {
			t.Errorf("line %d:\n%s%s\n got %s\nwant %s", number+1, spec, events, got, want)
		}
	}
	if cases < 300 {
		t.Errorf("%d cases were read", cases)
	}
}

var eventForm = regexp.MustCompile(`^([a-z]+)(?:\.([a-z]+))?(\{.*\})?(?:@([-0-9.]+))?(?:/(\w+))?(?:#(\w+))?$`)

func rawEvents(t *testing.T, text string) (out []rules.RawEvent) {
	t.Helper()
	if text == "" {
		return nil
	}
	if text[0] != '[' {
		var events []string
		for i, word := range strings.Split(text, " ; ") {
			part := eventForm.FindStringSubmatch(word)
			if part == nil {
				t.Fatalf("%q is no event", word)
			}
			kind, name := "call", part[1]
			switch {
			case name == "end":
				kind = "end"
			case name == "message":
				kind, name = name, part[2]
			case part[2] != "":
				kind = part[2]
			}
			optional := ""
			for field, value := range map[string]string{"agent": part[5], "id": part[6]} {
				if value != "" {
					optional += fmt.Sprintf(`,%q:%q`, field, value)
				}
			}
			if part[3] != "" {
				optional += `,"fields":` + part[3]
			}
			if part[4] == "" {
				part[4] = strconv.Itoa(i)
			}
			events = append(events, fmt.Sprintf(`{"kind":%q,"name":%q,"time":%s%s}`, kind, name, part[4], optional))
		}
		text = "[" + strings.Join(events, ",") + "]"
	}
	if err := json.UnmarshalStrict([]byte(text), &out); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return out
}

// meaningOf returns the verdict of a single rule, or of each rule after its name, in the notation of the cases.
func meaningOf(f *rules.File, events []rules.RawEvent) string {
	m, violations := rules.Judge(f, events)
	var out []string
	for i, r := range f.Rules {
		verdict := string(m.Verdict(i))
		var list []string
		for _, v := range violations[i] {
			list = append(list, strings.TrimSpace(fmt.Sprint(v.Event)+" "+bindingsOf(r, v)))
		}
		if len(list) > 0 {
			verdict = strings.Join(list, "; ")
		}
		for _, d := range f.Diagnostics {
			if d.Severity == source.SeverityError && r.Span.Start <= d.Span.Start && d.Span.End <= r.Span.End {
				verdict += " " + d.Code
			}
		}
		if len(f.Rules) > 1 {
			verdict = r.Name + " " + verdict
		}
		out = append(out, verdict)
	}
	return strings.Join(out, " | ")
}

func bindingsOf(r *rules.Rule, v rules.Violation) string {
	var out []string
	for k, value := range v.Bindings {
		out = append(out, fmt.Sprintf("%q:%s", "?"+r.ForAll[k].Name, value.JSON()))
	}
	if out == nil {
		return ""
	}
	return canonical("{" + strings.Join(out, ",") + "}")
}

// expected returns the verdict with each value in its canonical form.
func expected(want string) string {
	violations := strings.Split(want, "; ")
	for i, v := range violations {
		if at := strings.Index(v, "{"); at >= 0 {
			violations[i] = v[:at] + canonical(v[at:])
		}
	}
	return strings.Join(violations, "; ")
}

// canonical returns the one text of the objects that are equal.
func canonical(text string) string {
	e, err := rules.ReadEvent(rules.RawEvent{Fields: json.RawMessage(text)}, 0)
	if err != nil {
		return err.Error()
	}
	return string(e.Fields.JSON())
}
