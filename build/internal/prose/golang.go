package prose

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// promptFiles match files whose strings are sent to models, solvers or people during a
// run. A replay compares these with the recorded run, so that their wording is fixed.
var promptFiles = regexp.MustCompile(`^(?:core/.*prompts?[^/]*(?:/.*)?\.go|core/formulate/.*|grammars/.*|build/internal/prose/.*|core/internal/.*|build/peers/.*|` +
	`core/apibank/transcript\.go|core/domains/(?:coffee|facility|formulation|prose|smtlib|stepsprose|tasks|workforce)\.go|` +
	`core/monitor/(?:content|conversing)\.go|core/plan/(?:baseline/baseline|reading|template)\.go|` +
	`core/team/(?:baseline|evaluate|simulated|subtask)\.go|core/travel/tools\.go)$`)

// goTexts returns the comments of a Go file, the names of its tests, and, outside tests,
// its strings of at least three words.
func goTexts(file, text string) ([]Text, error) {
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, file, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	out := goComments(files, parsed, file)
	test := strings.HasSuffix(file, "_test.go")
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.FuncDecl:
			if name, ok := strings.CutPrefix(n.Name.Name, "Test"); ok && test && n.Recv == nil {
				out = append(out, Text{file, KindName, []Line{{files.Position(n.Name.Pos()).Line, nameWords(name)}}})
			}
		case *ast.BasicLit:
			value, err := strconv.Unquote(n.Value)
			if n.Kind != token.STRING || err != nil || test || promptFiles.MatchString(file) || strings.Contains(value, "\n") || wordsOf(value) < 3 {
				break
			}
			out = append(out, Text{file, KindString, []Line{{files.Position(n.Pos()).Line, value}}})
		}
		return true
	})
	return out, nil
}

// goComments returns the paragraphs of a file's comments without directives and
// indented code.
func goComments(files *token.FileSet, parsed *ast.File, file string) (out []Text) {
	for _, group := range parsed.Comments {
		var lines []Line
		for _, c := range group.List {
			first := files.Position(c.Pos()).Line
			if text, ok := strings.CutPrefix(c.Text, "//"); ok {
				if strings.HasPrefix(text, "\t") || text != "" && text[0] != ' ' {
					text = "" // code or a directive
				}
				lines = append(lines, Line{first, text})
				continue
			}
			for i, text := range strings.Split(strings.TrimSuffix(strings.TrimPrefix(c.Text, "/*"), "*/"), "\n") {
				lines = append(lines, Line{first + i, text})
			}
		}
		out = append(out, paragraphs(file, KindComment, lines)...)
	}
	return out
}

// nameWords splits a name in camel case: "ARunEnds_Once" becomes "A run ends once".
func nameWords(name string) string {
	var out strings.Builder
	letters := []rune(name)
	for i, r := range letters {
		switch {
		case r == '_':
			r = ' '
		case i > 0 && unicode.IsUpper(r) && (unicode.IsLower(letters[i-1]) || i+1 < len(letters) && unicode.IsLower(letters[i+1])):
			out.WriteByte(' ')
			fallthrough
		case i > 0:
			r = unicode.ToLower(r)
		}
		out.WriteRune(r)
	}
	return out.String()
}
