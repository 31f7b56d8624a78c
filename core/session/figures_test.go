package session

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

func TestFiguresOfThePapersHaveTheirVerdicts(t *testing.T) {
	archive, err := txtar.ParseFile(filepath.Join("..", "monitor", "testdata", "figures.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	figures := map[string]string{}
	for _, f := range archive.Files {
		figures[f.Name] = strings.TrimSpace(string(f.Data))
	}
	s := New()
	for _, c := range []struct{ figure, example, agent, verdict, state string }{
		{"react-2024.txt", "react", "react.agent", "valid", ""},
		{"pass-2024.txt", "pass", "pass.agent", "valid", ""},
		{"react-2023.txt", "react", "react-2023.agent", "valid", ""},
		{"ablation-2023.txt", "react-ablated", "ablated.agent", "valid", ""},
		{"ablation-2023.txt", "react", "react-2023.agent", "invalid", "Observation"},
		{"pass-2024.txt", "react", "react.agent", "invalid", "Act"},
	} {
		spec := ""
		for _, f := range galleryFiles(t, c.example) {
			if f.Name == c.agent {
				spec = f.Text
			}
		}
		for _, format := range []string{"", "auto"} {
			out := result[MonitorCheckResult](t, s, "monitor.check", MonitorCheckParams{Source: spec, Text: figures[c.figure], Format: format})
			if string(out.Verdict) != c.verdict || (out.Violation != nil) != (c.state != "") || out.Violation != nil && out.Violation.State != c.state || len(out.Lookalikes) > 0 {
				t.Errorf("%s as %s: %s %+v %v", c.figure, c.agent, out.Verdict, out.Violation, out.Lookalikes)
			}
		}
	}
}
