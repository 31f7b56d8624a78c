//go:build !first

package session

import (
	"errors"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/formulate"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/strips"
	"github.com/stile-playground/stile/core/view"
	"github.com/stile-playground/stile/core/workspace"
)

// faultsOfFormulas says of formulas about a problem what is wrong with their
// propositions.
func faultsOfFormulas(f *source.File, problem string, spec *strips.Spec) []source.Diagnostic {
	var found []source.Diagnostic
	list, _ := ltl.Parse(f)
	for _, n := range list {
		about, fault := speaks(spec, n.Formula)
		if about && fault != nil {
			found = append(found, source.Diagnostic{Code: fault.ID, Severity: source.SeverityWarning, Span: n.Span, Message: problem + ": " + fault.Message})
		}
	}
	return found
}

// What a problem's folder may have, given and made.
var (
	givenFiles = []string{formulate.FileTask, formulate.FileData, formulate.FileAPI, formulate.FileQuery, formulate.FileOutput, formulate.FileExample}
	madeFiles  = []string{formulate.FileGoal, formulate.FileVariables, formulate.FileSMT, formulate.FileLP, formulate.FilePDDL, formulate.FileAnswer, formulate.FileAssessment}
	// neededFiles are those without which nothing can be formulated, or little.
	neededFiles = []string{formulate.FileTask, formulate.FileQuery, formulate.FileData, formulate.FileOutput}
)

// analyzeProblem is document.analyze of a text or of data in a problem's folder.
func analyzeProblem(file *source.File, files []File, out *DocumentAnalyzeResult, at *places) []source.Diagnostic {
	folder, base := formulate.Folder(file.Name), path.Base(file.Name)
	w := workspace.Workspace{Files: files}
	there := func(name string) bool {
		f, ok := w.File(folder + "/" + name)
		return ok && strings.TrimSpace(f.Text) != ""
	}
	found := file.Check()
	if len(found) == 0 {
		if path.Ext(base) == ".json" {
			found = analyzeJSON(file, out, at)
		} else {
			analyzeProse(file, out, at)
		}
	}
	if !slices.Contains(givenFiles, base) && !slices.Contains(madeFiles, base) {
		all := slices.Concat(givenFiles, madeFiles)
		d := source.Diagnostic{Code: "problem.file", Severity: source.SeverityInfo, Message: "no stage reads or writes " + base + " in a problem's folder"}
		if near := source.Nearest(base, all); near != "" {
			d.Message += "; did you mean " + near + "?"
		}
		found = append(found, d)
	}
	var missing, made []string
	for _, name := range neededFiles {
		if !there(name) {
			missing = append(missing, name)
		}
	}
	for _, name := range madeFiles {
		if there(name) {
			made = append(made, name)
		}
	}
	out.Summary = "problem " + strings.TrimSuffix(path.Base(folder), formulate.Ending)
	if len(missing) > 0 {
		out.Summary += ", without " + strings.Join(missing, ", ")
	}
	if len(made) > 0 {
		out.Summary += ", with " + strings.Join(made, ", ")
	} else if len(missing) == 0 {
		out.Summary += ", not formulated yet"
	}
	if base == formulate.FileTask && !there(formulate.FileQuery) || base == formulate.FileQuery && !there(formulate.FileTask) {
		other := formulate.FileQuery
		if base == other {
			other = formulate.FileTask
		}
		found = append(found, source.Diagnostic{Code: "formulate.missing", Severity: source.SeverityWarning, Message: "there is no " + other + " beside this, or it is empty: what is planned and what is asked are two texts"})
	}
	out.Drawing = wireDrawing(view.Problem(folder, there), nil)
	return found
}

// analyzeJSON colours data and lists its members; a fault has its place.
func analyzeJSON(file *source.File, out *DocumentAnalyzeResult, at *places) []source.Diagnostic {
	tokens := jsonTokens(file.Text)
	out.colour(at, len(tokens), func(i int) (string, source.Span) { return tokens[i].class, tokens[i].span })
	var raw json.RawMessage
	err := json.Unmarshal([]byte(file.Text), &raw)
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		start := source.Pos(min(syntax.Offset, len(file.Text)))
		end := start
		if int(end) < len(file.Text) {
			for end++; int(end) < len(file.Text) && !utf8.RuneStart(file.Text[end]); end++ {
			}
		}
		return []source.Diagnostic{{Code: "problem.json", Span: source.Span{Start: start, End: end}, Message: "this is not JSON: " + syntax.Message}}
	case err != nil:
		return []source.Diagnostic{{Code: "problem.json", Message: "this is not JSON: " + err.Error()}}
	}
	tree, fault := json.Tree(file.Text)
	if fault != nil {
		return []source.Diagnostic{{Code: "problem.json", Span: source.Span{Start: source.Pos(fault.Offset), End: source.Pos(fault.Offset)}, Message: fault.Message}}
	}
	out.Outline = make([]OutlineItem, min(len(tree.Members), MaxShown))
	for i := range out.Outline {
		m := tree.Members[i]
		out.Outline[i] = OutlineItem{Name: m.Key, Detail: jsonDetail(m.Value)}
		at.span(&out.Outline[i].From, &out.Outline[i].To, source.Span{Start: source.Pos(m.At.Start), End: source.Pos(m.At.End)})
	}
	return nil
}

// jsonDetail says in a few words what a value is.
func jsonDetail(n *json.Node) string {
	switch n.Kind {
	case '{':
		return count(len(n.Members), "member")
	case '[':
		return count(len(n.Items), "item")
	}
	return n.Text
}

type colouredText struct {
	class string
	span  source.Span
}

// jsonTokens colours what may be JSON: names of members, texts, numbers and words.
func jsonTokens(text string) []colouredText {
	var out []colouredText
	for i := 0; i < len(text) && len(out) < MaxTokens; {
		start := i
		class := ""
		switch c := text[i]; {
		case c == '"':
			for i++; i < len(text) && text[i] != '"' && text[i] != '\n'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
			if i = min(i+1, len(text)); strings.HasPrefix(strings.TrimLeft(text[i:min(i+80, len(text))], " \t\r\n"), ":") {
				class = "state"
			} else {
				class = "string"
			}
		case c == '-' || '0' <= c && c <= '9':
			for i++; i < len(text) && strings.IndexByte("0123456789.eE+-", text[i]) >= 0; i++ {
			}
			class = "number"
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z':
			for i++; i < len(text) && ('a' <= text[i] && text[i] <= 'z' || 'A' <= text[i] && text[i] <= 'Z'); i++ {
			}
			if class = "invalid"; text[start:i] == "true" || text[start:i] == "false" || text[start:i] == "null" {
				class = "keyword"
			}
		default:
			i++
		}
		if class != "" {
			out = append(out, colouredText{class, source.Span{Start: source.Pos(start), End: source.Pos(i)}})
		}
	}
	return out
}

// analyzeProse colours the headings of a text and lists them.
func analyzeProse(file *source.File, out *DocumentAnalyzeResult, at *places) {
	var heads []source.Span
	start, fenced := 0, false
	for line := range strings.Lines(file.Text) {
		text := strings.TrimRight(line, " \t\r\n")
		if strings.HasPrefix(text, "```") {
			fenced = !fenced
		}
		if strings.HasPrefix(text, "#") && !fenced {
			heads = append(heads, source.Span{Start: source.Pos(start), End: source.Pos(start + len(text))})
		}
		start += len(line)
	}
	out.colour(at, len(heads), func(i int) (string, source.Span) { return "keyword", heads[i] })
	out.Outline = make([]OutlineItem, min(len(heads), MaxShown))
	for i := range out.Outline {
		out.Outline[i].Name = strings.TrimSpace(strings.TrimLeft(file.Slice(heads[i]), "#"))
		at.span(&out.Outline[i].From, &out.Outline[i].To, heads[i])
	}
}
