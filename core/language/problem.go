package language

import (
	"errors"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/formulate"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/view"
	"github.com/stile-playground/stile/core/workspace"
)

// problemRow returns the row of the texts and data files of a problem folder.
func problemRow() notation.Notation {
	return notation.Notation{
		Kind:     workspace.KindProblem,
		Facts:    notation.Facts{Name: "problem", Title: "a problem", Offer: "a problem for a solver", Static: true, Folder: true, Runs: []string{runFormulate}, Template: problemTemplate, About: "A task in words, which a model formulates and a solver solves."},
		Document: notation.Document{Analyze: analyzeProblem},
	}
}

// Files of a problem folder: givenFiles are written by a person, madeFiles by the stages
// of a run.
var (
	givenFiles = []string{formulate.FileTask, formulate.FileData, formulate.FileAPI, formulate.FileQuery, formulate.FileOutput, formulate.FileExample}
	madeFiles  = []string{formulate.FileGoal, formulate.FileVariables, formulate.FileSMT, formulate.FileLP, formulate.FilePDDL, formulate.FileAnswer, formulate.FileAssessment}
	// neededFiles are the files that a formulation requires.
	neededFiles = []string{formulate.FileTask, formulate.FileQuery, formulate.FileData, formulate.FileOutput}
)

// analyzeProblem implements document.analyze for a text or a data file in a problem folder.
func analyzeProblem(s *notation.Scope) (a notation.Analysis) {
	file := s.File
	folder, base := formulate.Folder(file.Name), path.Base(file.Name)
	w := workspaceOf(s)
	there := func(name string) bool {
		f, ok := w.File(folder + "/" + name)
		return ok && strings.TrimSpace(f.Text) != ""
	}
	if found := file.Check(); len(found) > 0 {
		a.Add(found...)
	} else if path.Ext(base) == ".json" {
		analyzeJSON(file, &a)
	} else {
		analyzeProse(file, &a)
	}
	if !slices.Contains(givenFiles, base) && !slices.Contains(madeFiles, base) {
		all := slices.Concat(givenFiles, madeFiles)
		d := source.Diagnostic{Code: "problem.file", Severity: source.SeverityInfo, Message: "unknown file " + strconv.Quote(base) + " in a problem folder; no stage reads or writes it"}
		if near := source.Nearest(base, all); near != "" {
			d.Message += "; did you mean " + strconv.Quote(near) + "?"
		}
		a.Add(d)
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
	a.Summary = "problem " + strings.TrimSuffix(path.Base(folder), formulate.Ending)
	if len(missing) > 0 {
		a.Summary += ", without " + strings.Join(missing, ", ")
	}
	if len(made) > 0 {
		a.Summary += ", with " + strings.Join(made, ", ")
	} else if len(missing) == 0 {
		a.Summary += ", not formulated yet"
	}
	if base == formulate.FileTask && !there(formulate.FileQuery) || base == formulate.FileQuery && !there(formulate.FileTask) {
		other := formulate.FileQuery
		if base == other {
			other = formulate.FileTask
		}
		a.Add(source.Diagnostic{Code: "formulate.missing", Severity: source.SeverityWarning, Message: "missing or empty file " + other + "; the domain and the query are separate files"})
	}
	if base == formulate.FileTask && !there(formulate.FileSMT) && !there(formulate.FileLP) && !there(formulate.FilePDDL) {
		p, err := formulate.Open(file.Name, func(name string) (string, bool) {
			f, ok := w.File(name)
			return f.Text, ok
		})
		if err == nil && p.SeemsSteps() {
			a.Add(source.Diagnostic{Code: "problem.steps", Severity: source.SeverityInfo, Message: "the plan seems to be a sequence of actions; choose the notation PDDL for the run, or add " + formulate.FilePDDL})
		}
	}
	a.Draw(view.Problem(folder, there))
	a.Unplaced = true
	return a
}

// analyzeJSON colours JSON data, lists its members and reports syntax errors with their positions.
func analyzeJSON(file *source.File, a *notation.Analysis) {
	a.Tokens = jsonTokens(file.Text)
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
		a.Add(source.Diagnostic{Code: "problem.json", Span: source.Span{Start: start, End: end}, Message: "invalid JSON: " + syntax.Message})
		return
	case err != nil:
		a.Add(source.Diagnostic{Code: "problem.json", Message: "invalid JSON: " + err.Error()})
		return
	}
	tree, fault := json.Tree(file.Text)
	if fault != nil {
		a.Add(source.Diagnostic{Code: "problem.json", Span: source.Span{Start: source.Pos(fault.Offset), End: source.Pos(fault.Offset)}, Message: fault.Message})
		return
	}
	for _, m := range tree.Members[:min(len(tree.Members), notation.MaxShown)] {
		span := source.Span{Start: source.Pos(m.At.Start), End: source.Pos(m.At.End)}
		a.Outline = append(a.Outline, notation.OutlineItem{Name: m.Key, Detail: jsonDetail(m.Value), Span: span})
	}
}

// jsonDetail returns a short description of a value.
func jsonDetail(n *json.Node) string {
	switch n.Kind {
	case '{':
		return notation.Count(len(n.Members), "member")
	case '[':
		return notation.Count(len(n.Items), "item")
	}
	return n.Text
}

// jsonTokens colours JSON text, valid or not: member names, strings, numbers and literals.
func jsonTokens(text string) []source.Token {
	var out []source.Token
	for i := 0; i < len(text) && len(out) < notation.MaxTokens; {
		end, class := jsonToken(text, i)
		if class != "" {
			out = append(out, source.Token{Span: source.Span{Start: source.Pos(i), End: source.Pos(end)}, Class: class})
		}
		i = end
	}
	return out
}

// jsonToken returns the end and the class of the token at an offset; "" for white space and
// punctuation.
func jsonToken(text string, start int) (end int, class string) {
	switch c := text[start]; {
	case c == '"':
		end = jsonStringEnd(text, start)
		if strings.HasPrefix(strings.TrimLeft(text[end:min(end+80, len(text))], " \t\r\n"), ":") {
			return end, "state"
		}
		return end, "string"
	case c == '-' || '0' <= c && c <= '9':
		end = start + 1
		for end < len(text) && strings.IndexByte("0123456789.eE+-", text[end]) >= 0 {
			end++
		}
		return end, "number"
	case asciiLetter(c):
		end = start + 1
		for end < len(text) && asciiLetter(text[end]) {
			end++
		}
		if word := text[start:end]; word == "true" || word == "false" || word == "null" {
			return end, "keyword"
		}
		return end, "invalid"
	}
	return start + 1, ""
}

// jsonStringEnd returns the end of the string at an offset: after its closing quote, or after the
// end of its line.
func jsonStringEnd(text string, start int) int {
	i := start + 1
	for ; i < len(text) && text[i] != '"' && text[i] != '\n'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return min(i+1, len(text))
}

func asciiLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

// analyzeProse colours the headings of a text and lists them.
func analyzeProse(file *source.File, a *notation.Analysis) {
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
	for _, head := range heads {
		a.Tokens = append(a.Tokens, source.Token{Span: head, Class: source.ClassKeyword})
	}
	for _, head := range heads[:min(len(heads), notation.MaxShown)] {
		name := strings.TrimSpace(strings.TrimLeft(file.Slice(head), "#"))
		a.Outline = append(a.Outline, notation.OutlineItem{Name: name, Span: head})
	}
}
