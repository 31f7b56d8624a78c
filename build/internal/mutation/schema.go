package mutation

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Compiling takes longer than most tests. So all mutants of a package are compiled at
// once: each place of a fault checks a variable with the number of the active mutant,
// and behaves like the original text unless that mutant is its own.

// mutantEnv names the environment variable with the number, from 1, of the mutant that a
// test binary activates.
const mutantEnv = "STILE_MUTANT"

// reachedEnv names the environment variable with the name of a file in which a test
// binary writes a 1 at the number of each mutant whose place a test reaches.
const reachedEnv = "STILE_MUTANTS_REACHED"

// mutantSwitch is the additional file of a package of mutants. The file of reached
// places is mapped into memory, because a test may end its process at any time.
const mutantSwitch = `package %s

import "syscall"

var mutantTried = func() (n int) {
	text, _ := syscall.Getenv("` + mutantEnv + `")
	for _, c := range text {
		n = 10*n + int(c-'0')
	}
	return n
}()

var mutantsReached = func() []byte {
	name, ok := syscall.Getenv("` + reachedEnv + `")
	if !ok {
		return nil
	}
	file, err := syscall.Open(name, syscall.O_RDWR, 0)
	if err != nil {
		panic(err)
	}
	var info syscall.Stat_t
	if err := syscall.Fstat(file, &info); err != nil {
		panic(err)
	}
	reached, err := syscall.Mmap(file, 0, int(info.Size), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		panic(err)
	}
	return reached
}()

func mutantIs(n int) bool {
	if mutantsReached != nil {
		mutantsReached[n] = 1
	}
	return mutantTried == n
}
`

// mutantMark precedes every place of a fault, so that errors of the compiler can be
// attributed to it.
var mutantMark = regexp.MustCompile(`/\*mutant (\d+)\*/`)

// mutantSite is a place that mutants change: an expression, or a statement with ++ or --.
// Offsets are bytes of the file.
type mutantSite struct {
	start, end   int
	op, opEnd    int
	typ          string // of the expression; "" for a statement
	numbers      []int
	replacements []string
}

// mutantText is the text of a package that contains all of its mutants.
type mutantText struct {
	files map[string]string // by base name
	// alone are the mutants that must be compiled alone, such as constants, which
	// cannot check a variable. barren are those that no compiler accepts, such as the
	// difference of two strings.
	alone, barren map[int]bool
}

// schema combines a package's files and all their mutants in one text; a mutant's number is its
// index in the list plus 1. The mutants in alone are excluded.
func schema(pkg string, files map[string]string, list []placed, export func(string) (io.ReadCloser, error), alone map[int]bool) (mutantText, error) {
	out := mutantText{files: map[string]string{}, alone: map[int]bool{}, barren: map[int]bool{}}
	fset := token.NewFileSet()
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	var parsed []*ast.File
	for _, name := range names {
		f, err := parser.ParseFile(fset, name, files[name], parser.SkipObjectResolution)
		if err != nil {
			return out, err
		}
		parsed = append(parsed, f)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	config := types.Config{Importer: importer.ForCompiler(fset, "gc", export)}
	self, err := config.Check(pkg, fset, parsed, info)
	if err != nil {
		return out, err
	}
	for i, f := range parsed {
		sites := mutantSites(fset, f, self, info)
		for n, m := range list {
			if m.file != names[i] {
				continue
			}
			s := sites[[2]int{m.Line, m.Column}]
			with := ""
			if s != nil {
				with = mutated[m.Type][files[m.file][s.op:s.opEnd]]
			}
			switch {
			case s == nil || with == "" || alone[n+1]:
				out.alone[n+1] = true
			case s.typ == "string" && with == "-":
				out.barren[n+1] = true
			default:
				s.numbers = append(s.numbers, n+1)
				s.replacements = append(s.replacements, with)
			}
		}
		var used []mutantSite
		for _, s := range sites {
			if len(s.numbers) > 0 {
				used = append(used, *s)
			}
		}
		slices.SortFunc(used, func(a, b mutantSite) int {
			if a.start != b.start {
				return a.start - b.start
			}
			return b.end - a.end
		})
		var b strings.Builder
		writeSites(&b, files[names[i]], 0, len(files[names[i]]), used)
		out.files[names[i]] = b.String()
	}
	return out, nil
}

// mutantSites finds the places of a file by the line and column of their operators.
// Constant expressions are excluded, as are expressions whose type has no name in the file.
func mutantSites(fset *token.FileSet, f *ast.File, self *types.Package, info *types.Info) map[[2]int]*mutantSite {
	imported := map[string]string{}
	for _, i := range f.Imports {
		if at, err := strconv.Unquote(i.Path.Value); err == nil {
			imported[at] = path.Base(at)
			if i.Name != nil {
				imported[at] = i.Name.Name
			}
		}
	}
	out := map[[2]int]*mutantSite{}
	add := func(node ast.Node, op token.Pos, text, typ string) {
		at := fset.Position(op)
		offset := func(p token.Pos) int { return fset.Position(p).Offset }
		out[[2]int{at.Line, at.Column}] = &mutantSite{start: offset(node.Pos()), end: offset(node.End()), op: at.Offset, opEnd: at.Offset + len(text), typ: typ}
	}
	expression := func(e ast.Expr, op token.Pos, text string) {
		known := info.Types[e]
		if known.Type == nil || known.Value != nil {
			return
		}
		named := true
		typ := types.TypeString(types.Default(known.Type), func(p *types.Package) string {
			if p == self {
				return ""
			}
			if _, ok := imported[p.Path()]; !ok {
				named = false
			}
			return imported[p.Path()]
		})
		if named {
			add(e, op, text, typ)
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			expression(n, n.OpPos, n.Op.String())
		case *ast.UnaryExpr:
			expression(n, n.OpPos, n.Op.String())
		case *ast.IncDecStmt:
			add(n, n.TokPos, n.Tok.String(), "")
		}
		return true
	})
	return out
}

// writeSites writes a part of a text with its faults. The sites are in the order of
// their places, the outer before the inner.
func writeSites(b *strings.Builder, text string, from, to int, sites []mutantSite) {
	for len(sites) > 0 {
		s := sites[0]
		inner := 1
		for inner < len(sites) && sites[inner].start < s.end {
			inner++
		}
		b.WriteString(text[from:s.start])
		faulty := func(with string) string { return text[s.start:s.op] + with + text[s.opEnd:s.end] }
		if s.typ == "" {
			fmt.Fprintf(b, "/*mutant %d*/func() { if mutantIs(%d) { %s } else { ", s.numbers[0], s.numbers[0], faulty(s.replacements[0]))
		} else {
			fmt.Fprintf(b, "(/*mutant %d*/func() %s { ", s.numbers[0], s.typ)
			for i, n := range s.numbers {
				fmt.Fprintf(b, "if mutantIs(%d) { return %s }; ", n, faulty(s.replacements[i]))
			}
			b.WriteString("return ")
		}
		// An operand begins where its expression does.
		writeSites(b, text, s.start, s.end, sites[1:inner])
		if s.typ == "" {
			b.WriteString(" } }()")
		} else {
			b.WriteString(" }())")
		}
		from, sites = s.end, sites[inner:]
	}
	b.WriteString(text[from:to])
}

// blamed returns the mutants at whose places, or directly after them, the compiler reports errors.
func blamed(errors string, files map[string]string) map[int]bool {
	out := map[int]bool{}
	for _, m := range compilerError.FindAllStringSubmatch(errors, -1) {
		text, ok := files[path.Base(m[1])]
		line, _ := strconv.Atoi(m[2])
		column, _ := strconv.Atoi(m[3])
		if !ok {
			continue
		}
		lines := strings.SplitAfter(text, "\n")
		if line < 1 || line > len(lines) {
			continue
		}
		offset := len(strings.Join(lines[:line-1], "")) + min(max(column-1, 0), len(lines[line-1]))
		marks := mutantMark.FindAllStringSubmatch(text[:offset], -1)
		if len(marks) > 0 {
			n, _ := strconv.Atoi(marks[len(marks)-1][1])
			out[n] = true
		}
	}
	return out
}

// compilerError matches the place of an error of the compiler.
var compilerError = regexp.MustCompile(`(?m)^([^\s:]+\.go):(\d+):(\d+): `)
