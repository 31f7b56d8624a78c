package session

import (
	"slices"
	"testing"

	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
	"github.com/stile-playground/stile/grammars"
)

// Programs without the table of notations, such as the Worker, know the same kinds of files.
func TestTablesHaveTheKindsOfTheWorkspace(t *testing.T) {
	for name, table := range map[string]Table{"core": Core(), "full": Full()} {
		kinds := table.Notations.Kinds()
		for _, kind := range kinds.Files {
			if got := workspace.KindOf("a." + string(kind)); got != kind {
				t.Errorf("%s: a.%s is of kind %s", name, kind, got)
			}
		}
		for _, kind := range kinds.Folders {
			if got := workspace.KindOf("a." + string(kind) + "/b.md"); got != kind {
				t.Errorf("%s: the files of a.%s are of kind %s", name, kind, got)
			}
		}
		examples, err := grammars.All()
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range examples {
			for _, f := range e.Files {
				if got, want := table.Notations.Of(f.Name).Kind, workspace.KindOf(f.Name); got != want {
					t.Errorf("%s: %s is of kind %s, not %s", name, f.Name, got, want)
				}
			}
			if got := table.Notations.Main(e.Files); got != e.Main {
				t.Errorf("%s: %s opens with %s, not %s", name, e.ID, got, e.Main)
			}
		}
	}
}

// The formats of a row are those that Export writes, and every kind of run of a row exists.
func TestFormatsAndRunsOfRowsExist(t *testing.T) {
	formats := []string{"dot", "mermaid", "hoa", "regexp", "gbnf", "ebnf", "lark", "w3c", "structural-tag"}
	runs := Settings()
	texts := map[workspace.Kind]string{}
	examples, err := grammars.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range examples {
		for _, f := range e.Files {
			if kind := workspace.KindOf(f.Name); texts[kind] == "" {
				texts[kind] = f.Text
			}
		}
	}
	s := New()
	for _, row := range Notations() {
		for _, run := range row.Runs {
			if runs[run] == nil {
				t.Errorf("%s: unknown kind of run %q", row.Kind, run)
			}
		}
		for _, format := range formats {
			_, err := s.specExport(SpecExportParams{Name: "a." + string(row.Kind), Text: texts[row.Kind], Format: format})
			unfit := err != nil && (source.ErrorCode(err) == "export.format" || source.ErrorCode(err) == "export.kind")
			if listed := slices.Contains(row.Exports, format); listed == unfit {
				t.Errorf("%s: the row has the format %s: %t; the export returns %v", row.Kind, format, listed, err)
			}
		}
	}
}
