package core

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// The core and the examples run on one goroutine, in their tests, too. The step race of
// the build tool therefore leaves them out: the race detector could not find anything.
func TestNoGoroutineStartsInCoreOrGrammars(t *testing.T) {
	files := 0
	for _, root := range []string{".", filepath.Join("..", "grammars")} {
		err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(name, ".go") {
				return err
			}
			files++
			text := token.NewFileSet()
			file, err := parser.ParseFile(text, name, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			for place, what := range goroutines(file) {
				t.Errorf("%s: %s starts a goroutine; add its package to the step race in build/testgo.go", text.Position(place), what)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 500 {
		t.Errorf("only %d files were read", files)
	}
}

// starters are the functions of the standard library that run their argument, or the
// rest of a test, on another goroutine. The receiver of a method is "".
var starters = map[string]string{
	"Parallel": "", "RunParallel": "", "WaitGroup": "sync", "AfterFunc": "time", "NewServer": "httptest",
}

// goroutines returns the places in a file at which a goroutine starts.
func goroutines(file *ast.File) map[token.Pos]string {
	found := map[token.Pos]string{}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			found[n.Pos()] = "a go statement"
		case *ast.SelectorExpr:
			from, known := starters[n.Sel.Name]
			pkg, isName := n.X.(*ast.Ident)
			if known && (from == "" || isName && pkg.Name == from) {
				found[n.Pos()] = n.Sel.Name
			}
		}
		return true
	})
	return found
}

func TestGoroutinesAreFound(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "x.go", `package x
func f(t *testing.T) { go g(); t.Parallel(); var w sync.WaitGroup; time.AfterFunc(1, g); env.Go(g); x.AfterFunc() }`, 0)
	if err != nil {
		t.Fatal(err)
	}
	if found := goroutines(file); len(found) != 4 {
		t.Errorf("found %v", found)
	}
}
