package core

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/stile-playground/stile/"

// row is the table of packages: which row each lies in.
var row = map[string]int{
	"source": 0, "meter": 0, "bitset": 0, "json": 0,
	"exact": 1, "regex": 1, "sexpr": 1, "lines": 1, "automaton": 1, "grammar": 1, "bench": 1, "solve": 1, "habit": 1, "spectest": 1, "tool/phrase": 1, "tool/jsonfile": 1, "event": 1,
	"earley": 2, "pushdown": 2, "ltl": 2, "tool/schema": 2,
	"agent": 3, "flow": 3, "counting": 3, "verify": 3, "export": 3, "strips": 3, "rules": 3,
	"process": 4, "domains": 4, "trace": 4, "gate": 4, "rules/cedar": 4,
	"llm": 5, "tool": 5, "rules/prove": 5, "plan/prompt": 5, "plan/choice": 5,
	"tool/calculator": 6, "tool/web": 6, "enforce": 6,
	"tool/openapi": 7, "tool/mcp": 7,
	"tool/agenttools": 8,
	"plan/space":      9, "monitor": 9, "travel": 9, "apibank": 9,
	"plan": 10, "plan/checker": 10, "plan/draft": 10, "infer": 10,
	"plan/baseline": 11, "team": 11, "guard": 11, "formulate": 11, "learn": 11,
	"plan/compare": 12, "workspace": 12, "view": 12, "explain": 12,
	"notation": 13,
	"language": 14,
	"lab":      15, "backtest": 15, "gate/compile": 15,
	"session":  16,
	"markdown": 17,
}

// sideways are the imports within a row.
var sideways = map[string]string{"pushdown": "earley", "verify": "agent", "export": "agent", "explain": "view"}

// thirdParty lists the external packages, by the packages that may import them.
var thirdParty = map[string][]string{
	"golang.org/x/tools/txtar":          {"workspace"},
	"github.com/yuin/goldmark":          {"markdown"},
	"github.com/yuin/goldmark/ast":      {"markdown"},
	"github.com/yuin/goldmark/renderer": {"markdown"}, "github.com/yuin/goldmark/renderer/html": {"markdown"}, "github.com/yuin/goldmark/util": {"markdown"},
	"github.com/goccy/go-graphviz": {"markdown"},
}

// outside is the first row of packages that are not part of the page's modules and may
// import all of the standard library.
const outside = 17

// standard are the packages of the standard library that the core imports. A package that is not
// here is weighed in bytes of the page's module before it is added.
var standard = []string{
	"bytes", "cmp", "compress/flate", "encoding/base64", "encoding/binary", "errors", "fmt",
	"hash/fnv", "io", "iter", "math", "math/bits", "math/rand/v2", "path", "reflect", "slices", "sort", "strconv", "strings", "sync", "unicode", "unicode/utf16", "unicode/utf8",
}

// dear are packages of the standard library that only some packages import, in files that the
// module which a page loads first does not have.
var dear = map[string][]string{"math/big": {"counting", "session", "tool/calculator", "team", "solve", "exact", "rules/prove"}}

func TestImportsPointDown(t *testing.T) {
	seen := map[string]bool{}
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		name = filepath.ToSlash(name)
		pkg := path.Dir(name)
		// Internal packages serve tests only.
		if pkg == "." || strings.HasPrefix(pkg, "internal/") {
			return nil
		}
		from, known := row[pkg]
		if !known {
			t.Errorf("%s: the table has no package %s", name, pkg)
			return nil
		}
		seen[pkg] = true
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if fault := checkImport(pkg, from, imported); fault != "" {
				t.Errorf("%s: %s", name, fault)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for pkg := range row {
		if !seen[pkg] {
			t.Errorf("the table has a package %s that is not there", pkg)
		}
	}
}

// checkImport returns the fault of an import, or "".
func checkImport(pkg string, from int, imported string) string {
	own, isOwn := strings.CutPrefix(imported, module+"core/")
	switch {
	case isOwn:
		to, known := row[own]
		if !known {
			return "imports " + own + ", which the table does not have"
		}
		if to > from || to == from && sideways[pkg] != own {
			return "imports " + own + ", which does not lie below it"
		}
	case strings.HasPrefix(imported, module):
		return "imports " + imported + ", which is outside the core"
	case strings.Contains(strings.Split(imported, "/")[0], "."):
		if !slices.Contains(thirdParty[imported], pkg) {
			return "imports " + imported + ", which is not named in the table"
		}
	case from < outside && !slices.Contains(standard, imported) && !slices.Contains(dear[imported], pkg):
		return "imports " + imported + ", which the core does without"
	}
	return ""
}

func TestForbiddenImportsAreReported(t *testing.T) {
	for _, c := range []struct{ pkg, imported string }{
		{"grammar", module + "core/earley"}, {"earley", module + "core/pushdown"}, {"plan", module + "core/view"},
		{"session", "net/http"}, {"earley", "math/big"}, {"llm", "os"}, {"view", "golang.org/x/tools/txtar"}, {"view", module + "wasm/host"},
	} {
		if checkImport(c.pkg, row[c.pkg], c.imported) == "" {
			t.Errorf("%s may import %s", c.pkg, c.imported)
		}
	}
}
