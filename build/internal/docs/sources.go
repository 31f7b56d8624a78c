package docs

import (
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/core/workspace"
	"github.com/stile-playground/stile/grammars"
)

// sources are the inputs of pages except their texts.
type sources struct {
	root     string
	fset     *token.FileSet
	packages map[string]*doc.Package // by path within the repository: "core/grammar"
	rows     map[string]int          // of the packages of the core
	examples map[string]string       // the bodies of the core's examples, with their output
	gallery  map[string]grammars.Example
}

func readSources(root string) (*sources, error) {
	s := &sources{root: root, fset: token.NewFileSet(), packages: map[string]*doc.Package{}, rows: map[string]int{}, examples: map[string]string{}, gallery: map[string]grammars.Example{}}
	list, err := grammars.All()
	if err != nil {
		return nil, err
	}
	for _, e := range list {
		s.gallery[e.ID] = e
	}
	for _, folder := range []string{"core", "wasm/host"} {
		if err := s.readPackages(folder); err != nil {
			return nil, err
		}
	}
	if err := s.readRows(); err != nil {
		return nil, err
	}
	return s, s.readExamples()
}

// readPackages reads the doc comments of the packages in a folder and below it.
func (s *sources) readPackages(folder string) error {
	return filepath.WalkDir(filepath.Join(s.root, filepath.FromSlash(folder)), func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		if entry.Name() == "testdata" || entry.Name() == "internal" || entry.Name() == "standin" {
			return fs.SkipDir
		}
		files, err := filepath.Glob(filepath.Join(name, "*.go"))
		if err != nil {
			return err
		}
		var parsed []*ast.File
		for _, f := range files {
			if strings.HasSuffix(f, "_test.go") {
				continue
			}
			tree, err := parser.ParseFile(s.fset, f, nil, parser.ParseComments)
			if err != nil {
				return err
			}
			parsed = append(parsed, tree)
		}
		if len(parsed) == 0 {
			return nil
		}
		relative, err := filepath.Rel(s.root, name)
		if err != nil {
			return err
		}
		relative = filepath.ToSlash(relative)
		s.packages[relative], err = doc.NewFromFiles(s.fset, parsed, "github.com/stile-playground/stile/"+relative, doc.PreserveAST)
		return err
	})
}

// readRows reads the table of rows from the test that defines it.
func (s *sources) readRows() error {
	tree, err := parser.ParseFile(s.fset, filepath.Join(s.root, "core", "imports_test.go"), nil, 0)
	if err != nil {
		return err
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		v, ok := n.(*ast.ValueSpec)
		if !ok || v.Names[0].Name != "row" {
			return true
		}
		for _, e := range v.Values[0].(*ast.CompositeLit).Elts {
			pair := e.(*ast.KeyValueExpr)
			name, _ := strconv.Unquote(pair.Key.(*ast.BasicLit).Value)
			s.rows[name], _ = strconv.Atoi(pair.Value.(*ast.BasicLit).Value)
		}
		return false
	})
	if len(s.rows) == 0 {
		return fmt.Errorf("core/imports_test.go has no table of rows")
	}
	return nil
}

// readExamples reads the bodies of the examples in core/example_test.go.
func (s *sources) readExamples() error {
	name := filepath.Join(s.root, "core", "example_test.go")
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	tree, err := parser.ParseFile(s.fset, name, text, parser.ParseComments)
	if err != nil {
		return err
	}
	for _, d := range tree.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || !strings.HasPrefix(f.Name.Name, "Example_") {
			continue
		}
		from, to := s.fset.Position(f.Body.Lbrace).Offset, s.fset.Position(f.Body.Rbrace).Offset
		body := strings.ReplaceAll(string(text[from+1:to]), "\n\t", "\n") // it is formatted and indented one level
		s.examples[strings.TrimPrefix(f.Name.Name, "Example_")] = strings.TrimSpace(body) + "\n"
	}
	return nil
}

var insertion = regexp.MustCompile(`(?m)^\{\{(\w+)((?: [^}\n]*)?)\}\}$`)

// expand replaces the lines {{…}} with text that is generated from the code.
func (s *sources) expand(text string) (string, error) {
	var fault error
	out := insertion.ReplaceAllStringFunc(text, func(line string) string {
		m := insertion.FindStringSubmatch(line)
		made, err := s.insert(m[1], strings.TrimSpace(m[2]))
		if err != nil && fault == nil {
			fault = fmt.Errorf("%s: %w", line, err)
		}
		return strings.TrimRight(made, "\n")
	})
	return out, fault
}

func (s *sources) insert(what, argument string) (string, error) {
	switch what {
	case "words":
		return words(session.Notations().Kind(workspace.Kind(argument)))
	case "functions":
		return functions(), nil
	case "packages":
		return s.packageTable(), nil
	case "example":
		body, ok := s.examples[argument]
		if !ok {
			return "", fmt.Errorf("core/example_test.go has no Example_%s", argument)
		}
		return "```go\n" + body + "```\n", nil
	case "gallery":
		return s.galleryFence(argument)
	case "examples":
		return s.galleryList(argument)
	case "patterns":
		return s.patterns()
	case "limits":
		return limits(), nil
	case "methods":
		return s.methods()
	case "types":
		return s.types()
	}
	return "", fmt.Errorf("no generator for %q", what)
}

// galleryFence returns an example of the gallery as a fence; the argument is its name
// and the text after it in the braces.
func (s *sources) galleryFence(argument string) (string, error) {
	id, attributes, _ := strings.Cut(argument, " ")
	e, ok := s.gallery[id]
	if !ok {
		return "", fmt.Errorf("the gallery has no example %q", id)
	}
	const fence = "~~~~~~~~"
	return fence + "stile {" + attributes + " }\n" + e.Workspace().Archive() + fence + "\n", nil
}

// galleryList lists the examples of a paper.
func (s *sources) galleryList(paper string) (string, error) {
	var b strings.Builder
	list, err := grammars.All()
	if err != nil {
		return "", err
	}
	for _, e := range list {
		if e.Paper == paper {
			fmt.Fprintf(&b, "[%s](%s?example=%s)\n: %s (%s)\n\n", markdownText(e.Title), playground, e.ID, markdownText(e.Summary), markdownText(e.Source))
		}
	}
	if b.Len() == 0 {
		return "", fmt.Errorf("the gallery has no example of %q", paper)
	}
	return b.String(), nil
}

// patterns writes the sections of the patterns, with their specs and words.
func (s *sources) patterns() (string, error) {
	var b strings.Builder
	list, err := grammars.All()
	if err != nil {
		return "", err
	}
	for _, e := range list {
		if e.Paper != "Patterns" {
			continue
		}
		readme, ok := e.Workspace().File("README.md")
		if !ok {
			return "", fmt.Errorf("the example %s has no README.md", e.ID)
		}
		_, body, _ := strings.Cut(readme.Text, "\n") // without its title
		promises, err := promisesOf(e)
		if err != nil {
			return "", fmt.Errorf("the example %s: %w", e.ID, err)
		}
		fence, err := s.galleryFence(fmt.Sprintf("%s title=%q words=%q files=%q", e.ID, e.Title, promises, e.Main+" properties.ltl"))
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "\n## %s {#%s}\n\n%s\n\n%s\n[Open it in the playground](%s?example=%s).\n", markdownText(e.Title), e.ID, strings.TrimSpace(body), fence, playground, e.ID)
	}
	if b.Len() == 0 {
		return "", fmt.Errorf("the gallery has no patterns")
	}
	return b.String(), nil
}

// promisesOf writes an example's words as the claims of a fence, except those that
// cannot be quoted there.
func promisesOf(e grammars.Example) (string, error) {
	var out []string
	for _, w := range e.Words {
		if strings.ContainsAny(strings.Join(w.Word, " "), `";`) {
			continue
		}
		c := newClaimer(session.Full(), e.Workspace())
		mark, err := c.markOf(w.Word)
		if err != nil {
			return "", err
		}
		if w.Pass != (mark == "") {
			return "", fmt.Errorf("the word %q does not match its header", w.Word)
		}
		out = append(out, mark+strings.Join(w.Word, " "))
	}
	return strings.Join(out, "; "), nil
}

// packageTable lists the packages in their rows, with the first sentences of their documentation.
func (s *sources) packageTable() string {
	names := make([]string, 0, len(s.packages))
	for name := range s.packages {
		if name != "core" {
			names = append(names, name)
		}
	}
	row := func(name string) int {
		if r, ok := s.rows[strings.TrimPrefix(name, "core/")]; ok {
			return r
		}
		return 99
	}
	sort.Slice(names, func(i, j int) bool {
		if a, b := row(names[i]), row(names[j]); a != b {
			return a < b
		}
		return names[i] < names[j]
	})
	var b strings.Builder
	b.WriteString("| package | row | what it does |\n|---|---|---|\n")
	for _, name := range names {
		at := ""
		if r := row(name); r < 99 {
			at = strconv.Itoa(r)
		}
		p := s.packages[name]
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", name, at, tableText(p.Synopsis(p.Doc)))
	}
	return b.String()
}

// comment returns the doc comment of a type or one of its fields.
func (s *sources) comment(packagePath, name, field string) string {
	p := s.packages[strings.TrimPrefix(packagePath, "github.com/stile-playground/stile/")]
	if p == nil {
		return ""
	}
	at := slices.IndexFunc(p.Types, func(t *doc.Type) bool { return t.Name == name })
	if at < 0 {
		return ""
	}
	if field == "" {
		return p.Types[at].Doc
	}
	out := ""
	ast.Inspect(p.Types[at].Decl, func(n ast.Node) bool {
		list, ok := n.(*ast.Field)
		if !ok {
			return true
		}
		if slices.ContainsFunc(list.Names, func(n *ast.Ident) bool { return n.Name == field }) {
			out = strings.TrimSpace(list.Doc.Text() + " " + list.Comment.Text())
		}
		return true
	})
	return out
}

var (
	punctuation = regexp.MustCompile("[\\\\`*_{}\\[\\]<>#+!|~&$^=]")
	docLink     = regexp.MustCompile(`\[\*?([A-Za-z][\w.]*)\]`)
)

// markdownText returns a plain text as Markdown; names in brackets, as in Go's
// comments, become code.
func markdownText(text string) string {
	var b strings.Builder
	done := 0
	for _, at := range docLink.FindAllStringSubmatchIndex(text, -1) {
		b.WriteString(punctuation.ReplaceAllString(text[done:at[0]], `\$0`) + "`" + text[at[2]:at[3]] + "`")
		done = at[1]
	}
	return b.String() + punctuation.ReplaceAllString(text[done:], `\$0`)
}

// tableText returns markdownText in one line.
func tableText(text string) string { return strings.Join(strings.Fields(markdownText(text)), " ") }
