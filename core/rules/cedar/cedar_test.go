package cedar_test

import (
	"bufio"
	"os"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/golden"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/rules/cedar"
	"github.com/stile-playground/stile/core/source"
)

func TestCases(t *testing.T) {
	golden.Run(t, func(t *testing.T, in map[string]string) []golden.File {
		file := source.NewFile("in.cedar", in["in.cedar"])
		text, found, notes := cedar.Import(file, cedar.Options{})
		if again := rules.Format(source.NewFile("in.rules", text)); again != text {
			t.Errorf("%s\nis formatted as\n%s", text, again)
		}
		return []golden.File{
			{Name: "diagnostics", Text: golden.Diagnostics(file, found)},
			{Name: "rules", Text: text},
			{Name: "notes", Text: strings.Join(notes, "\n")},
		}
	})
}

func TestEveryCodeHasACase(t *testing.T) { golden.EveryCode(t, "cedar") }

// The decisions are those of cedar-go 1.9.0 on random policies; `go test ./... -args -record FILE`
// in build/cedar writes the file.
func TestRecordedDecisions(t *testing.T) {
	f, err := os.Open("testdata/decisions.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }() // only read
	judged := 0
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var line struct {
			Policies string `json:"policies"`
			Exact    bool   `json:"exact"`
			Requests []struct {
				Principal string          `json:"principal"`
				Action    string          `json:"action"`
				Context   json.RawMessage `json:"context"`
				Allow     bool            `json:"allow"`
			} `json:"requests"`
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		text, found, _ := cedar.Import(source.NewFile("in.cedar", line.Policies), cedar.Options{Resource: &cedar.Entity{Type: "Gateway", ID: "g"}})
		if text == "" {
			t.Fatal(found, line.Policies)
		}
		monitored := rules.Parse(source.NewFile("in.rules", text))
		for _, r := range line.Requests {
			agent, _ := json.Marshal(r.Principal)
			e, err := rules.ReadEvent(rules.RawEvent{Name: r.Action, Fields: r.Context, Agent: agent}, 0)
			if err != nil {
				t.Fatal(err)
			}
			if got := rules.NewMonitor(monitored).Try(e).Allowed(); got && !r.Allow || line.Exact && got != r.Allow {
				t.Errorf("the rules allow %v, Cedar %v: %+v\n%s\n%s", got, r.Allow, r, line.Policies, text)
			}
			judged++
		}
	}
	if judged < 1000 {
		t.Errorf("only %d decisions", judged)
	}
}

// Each fence of policies in the documentation is followed by a workspace with the imported rules.
func TestDocumentedRulesAreImported(t *testing.T) {
	text, err := os.ReadFile("../../../web/docs/cedar.md")
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(string(text), "```cedar\n")[1:]
	if len(parts) < 3 {
		t.Fatal("no examples")
	}
	for _, part := range parts {
		policies, rest, _ := strings.Cut(part, "```\n")
		_, rest, _ = strings.Cut(rest, "-- policies.rules --\n")
		want, _, _ := strings.Cut(rest, "-- policies.tests --\n")
		if got, found, _ := cedar.Import(source.NewFile("in.cedar", policies), cedar.Options{}); got != want {
			t.Errorf("%s\nwant\n%s%v", got, want, found)
		}
	}
}
