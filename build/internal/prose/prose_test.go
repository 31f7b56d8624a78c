package prose

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// sentences renders the sentences of a file as "KIND LINE TEXT".
func sentences(t *testing.T, extract func(file, text string) ([]Text, error), file, text string) string {
	t.Helper()
	texts, err := extract(file, text)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, x := range texts {
		for _, s := range x.Sentences() {
			fmt.Fprintf(&out, "%s %d %s\n", s.Kind, s.LineAt(1), s.Text)
		}
	}
	return out.String()
}

func TestGoTextsHavePlaces(t *testing.T) {
	got := sentences(t, goTexts, "core/x/x.go", `// Package x does a thing.
// It does another. A third
// ends on the next line.
//
//	code is skipped
//
// See `+"`y.z`"+`.
package x

//go:generate nothing

import "a b c d"

/* A block.
   Two. */
var s = "three words here" + "two words" // trailing
`)
	want := `comment 1 Package x does a thing.
comment 2 It does another.
comment 2 A third ends on the next line.
comment 7 See ` + "`x`" + `.
comment 14 A block.
comment 15 Two.
comment 16 trailing
string 16 three words here
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestLineAtFollowsTheSentence(t *testing.T) {
	text := Text{Lines: []Line{{1, "One. Two goes"}, {2, "over three"}, {3, "lines."}}}
	list := text.Sentences()
	if len(list) != 2 || list[0].LineAt(1) != 1 || list[1].LineAt(1) != 1 || list[1].LineAt(10) != 2 || list[1].LineAt(21) != 3 {
		t.Errorf("%+v", list)
	}
}

func TestTestNamesAreWords(t *testing.T) {
	got := sentences(t, goTexts, "x_test.go", "package x\nfunc TestARunEndsWithDFA(t *testing.T) { f(\"strings of tests are skipped\") }\n")
	if want := "name 2 A run ends with dfa\n"; got != want {
		t.Errorf("got %q", got)
	}
}

func TestFixedStringsAreDeclared(t *testing.T) {
	for file, names := range fixedStrings {
		parsed, err := parser.ParseFile(token.NewFileSet(), "../../../"+file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Error(err)
			continue
		}
		declared := map[string]bool{}
		ast.Inspect(parsed, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				declared[n.Name.Name] = true
			case *ast.ValueSpec:
				for _, name := range n.Names {
					declared[name.Name] = true
				}
			}
			return true
		})
		for _, name := range names {
			if !declared[name] {
				t.Errorf("%s does not declare %s", file, name)
			}
		}
	}
}

func TestFixedStringsAreSkippedWithoutTheirComments(t *testing.T) {
	got := sentences(t, goTexts, "core/llm/endpoint.go", "package llm\n\n// A comment.\nconst goOn = \"one two three\"\n\nvar other = \"four five six\"\n")
	if want := "comment 3 A comment.\nstring 6 four five six\n"; got != want {
		t.Errorf("got %q", got)
	}
}

func TestScriptTextsHavePlaces(t *testing.T) {
	got := sentences(t, scriptTexts, "web/src/x.ts", "// A comment\n// of two lines.\nconst a = b / 2, r = /\"not a string here/;\n/** A block. */\nf('one two three', `${g(`four five six`)} seven eight nine`);\nhtml`<b class=\"x y z w\" title=\"ten eleven twelve\">\n  Text of an element</b>`; // end\n")
	want := "comment 1 A comment of two lines.\ncomment 4 A block.\nstring 5 one two three\nstring 5 four five six\nstring 5 … seven eight nine\nstring 6 ten eleven twelve\nstring 7 Text of an element\ncomment 7 end\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestDocumentTextsSkipCode(t *testing.T) {
	got := sentences(t, documentTexts, "x.md", "# Head\nText goes\non.\n- item\n- another\n```go\ncode here\n```\nEnd.\n")
	want := "document 1 Head\ndocument 2 Text goes on.\ndocument 4 item\ndocument 5 another\ndocument 9 End.\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestTasksOfExamplesAreSkipped(t *testing.T) {
	got := sentences(t, documentTexts, "README.md", "---\ntask: How long has it stood?\n---\ntask: is text here.\n")
	if want := "document 1 ---\ndocument 3 --- task: is text here.\n"; got != want {
		t.Errorf("got %q", got)
	}
	root := t.TempDir()
	for _, name := range []string{"a.problem/task.md", "b/task.md"} {
		if err := os.MkdirAll(filepath.Join(root, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), []byte("Text.\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if texts, err := Extract(root, "."); err != nil || len(texts) != 1 || texts[0].File != "b/task.md" {
		t.Errorf("%v, %v", texts, err)
	}
}

func TestMarkersAreCounted(t *testing.T) {
	c := Count([]Text{{Lines: []Line{{1, "What stands here is what I was told. What is it? Bystanders go on."}}}})
	if fmt.Sprint(c.Counts) != "[1 1 1 1 1]" || c.Words != 14 {
		t.Errorf("%+v", c)
	}
}
