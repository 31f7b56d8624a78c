package prose

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// fixedStrings lists, by file, the declarations whose strings keep their wording: prompt
// templates and other texts that models read, phrases of their replies, answers of simulated models, on which seeds
// and recorded runs depend, and the phrases of the house style itself. The comments of
// these declarations, and all other strings of the files, are checked.
var fixedStrings = map[string][]string{
	"build/internal/prose/counts.go": {"Markers"},
	"core/apibank/transcript.go":     {"variants"},
	"core/domains/coffee.go":         {"amend"},
	"core/domains/facility.go":       {"Facility"},
	"core/domains/formulation.go":    {"described"},
	"core/domains/prose.go":          {"proses"},
	"core/domains/smtlib.go":         {"Model", "constraints"},
	"core/domains/stepsprose.go":     {"stepProses"},
	"core/domains/tasks.go":          {"TaskAllocation", "Warehouse"},
	"core/domains/workforce.go":      {"Workforce"},
	"core/formulate/assess.go":       {"replace"},
	"core/formulate/conversation.go": {"again"},
	"core/formulate/prompt.go":       {"notations"},
	"core/formulate/simulated.go":    {"simulatedAnswer", "corrections"},
	"core/llm/endpoint.go":           {"goOn"},
	"core/plan/baseline/baseline.go": {"toolsText"},
	"core/plan/choice/cues.go":       {"cues"},
	"core/plan/template.go":          {"wanted"},
	"core/session/contest.go":        {"callsAsked"},
	"core/team/baseline.go":          {"baseline"},
	"core/team/prompt.go":            {"delivererPrompt"},
	"core/team/simulated.go":         {"simulated"},
	"core/travel/tools.go":           {"Tools", "distance"},
}

// fixedDeclaration reports whether a declaration of a file is one of fixedStrings.
func fixedDeclaration(file string, n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncDecl:
		return slices.Contains(fixedStrings[file], n.Name.Name)
	case *ast.ValueSpec:
		return slices.ContainsFunc(n.Names, func(name *ast.Ident) bool { return slices.Contains(fixedStrings[file], name.Name) })
	}
	return false
}

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
		if fixedDeclaration(file, n) {
			return false
		}
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.FuncDecl:
			if name, ok := strings.CutPrefix(n.Name.Name, "Test"); ok && test && n.Recv == nil {
				out = append(out, Text{file, KindName, []Line{{files.Position(n.Name.Pos()).Line, nameWords(name)}}})
			}
		case *ast.BasicLit:
			value, err := strconv.Unquote(n.Value)
			if n.Kind != token.STRING || err != nil || test || strings.Contains(value, "\n") || wordsOf(value) < 3 {
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
