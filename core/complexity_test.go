package core

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// maxComplexity is the highest cyclomatic complexity (McCabe 1976) of a function, with the
// rules of gocyclo.
const maxComplexity = 25

// flatTables are the functions of a higher complexity, with the reason: one switch whose
// cases are a line or two each.
var flatTables = map[string]string{
	"core/ltl simplifier.rewrite":   "a case for each operator lists its rewrite rules",
	"core/ltl Formula.combine":      "a case for each operator is its definition",
	"core/tool/calculator function": "a case for each function of the calculator",
	"core/llm statusFailure":        "a case for each status of an endpoint",
	"core/trace fits":               "a case for each form of values that carry no call",
}

func TestFunctionsAreSimple(t *testing.T) {
	functions := 0
	listed := map[string]bool{}
	for _, root := range []string{"core", "wasm", "build", "grammars"} {
		err := filepath.WalkDir(filepath.Join("..", root), func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				return err
			}
			text := token.NewFileSet()
			file, err := parser.ParseFile(text, name, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			for _, d := range file.Decls {
				f, ok := d.(*ast.FuncDecl)
				if !ok {
					continue
				}
				functions++
				n := complexity(f)
				if n <= maxComplexity {
					continue
				}
				key := strings.TrimPrefix(path.Dir(filepath.ToSlash(name)), "../") + " " + nameOf(f)
				if flatTables[key] == "" {
					t.Errorf("%s: %s has a complexity of %d; split it by concept, or add it to flatTables with a reason", text.Position(f.Pos()), key, n)
				}
				listed[key] = true
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for key := range flatTables {
		if !listed[key] {
			t.Errorf("flatTables has %s, whose complexity is at most %d", key, maxComplexity)
		}
	}
	if functions < 5_000 {
		t.Errorf("only %d functions were read", functions)
	}
}

// nameOf returns the name of a function, after the type of its receiver.
func nameOf(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	of := f.Recv.List[0].Type
	for {
		switch t := of.(type) {
		case *ast.StarExpr:
			of = t.X
		case *ast.IndexExpr:
			of = t.X
		case *ast.IndexListExpr:
			of = t.X
		case *ast.Ident:
			return t.Name + "." + f.Name.Name
		default:
			return f.Name.Name
		}
	}
}

// complexity returns 1 and the number of branches, loops, cases and logical operators of a
// function with its closures.
func complexity(f *ast.FuncDecl) int {
	n := 1
	ast.Inspect(f, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
			n++
		case *ast.CaseClause:
			if node.List != nil {
				n++
			}
		case *ast.CommClause:
			if node.Comm != nil {
				n++
			}
		case *ast.BinaryExpr:
			if node.Op == token.LAND || node.Op == token.LOR {
				n++
			}
		}
		return true
	})
	return n
}

func TestComplexityCountsAsGocyclo(t *testing.T) {
	const text = `package p
func (s *set[K]) f(a, b bool, c chan int) {
	g := func() bool { return a && b || !a }
	for range 3 {
		if g() {
			for i := 0; i < 2; i++ {
			}
		} else {
		}
	}
	switch {
	case a, b:
	case !a:
	default:
	}
	select {
	case <-c:
	default:
	}
}`
	file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	f := file.Decls[0].(*ast.FuncDecl)
	if got, name := complexity(f), nameOf(f); got != 9 || name != "set.f" {
		t.Errorf("got %d of %s, want 9 of set.f", got, name)
	}
}
