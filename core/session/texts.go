//go:build !first

package session

import (
	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/flow"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/pushdown"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/strips"
	"github.com/stile-playground/stile/core/team"
	"github.com/stile-playground/stile/core/workspace"
)

// textMethods write texts that a person asks for: a formatted file, a link. The first
// module has none of them, which saves 25 KB of formatters and of deflate.
func textMethods() []Method {
	return []Method{
		method("document.format", (*Session).documentFormat),
		method("share.encode", (*Session).shareEncode),
	}
}

// DocumentFormatResult is the formatted text.
type DocumentFormatResult struct {
	Text    string `json:"text"`
	Changed bool   `json:"changed"`
}

// documentFormat formats a spec. A text with errors is an error and is left as
// it is, for a formatter that guesses loses text.
func (s *Session) documentFormat(p DocumentFormatParams) (DocumentFormatResult, error) {
	file := source.NewFile(p.Name, p.Text)
	formatted := p.Text
	var found []source.Diagnostic
	switch workspace.KindOf(p.Name) {
	case workspace.KindGrammar:
		var syntax *grammar.Syntax
		if syntax, found = grammar.Parse(file); !source.HasErrors(found) {
			formatted = syntax.Format()
		}
	case workspace.KindAgent:
		var spec *agent.Spec
		if spec, found = agent.Parse(file); !source.HasErrors(found) {
			formatted = spec.Format()
		}
	case workspace.KindPushdown:
		var syntax *pushdown.Syntax
		if syntax, found = pushdown.Parse(file); !source.HasErrors(found) {
			formatted = syntax.Format()
		}
	case workspace.KindFlow:
		var syntax *flow.Syntax
		if syntax, found = flow.Parse(file); !source.HasErrors(found) {
			formatted = syntax.Format()
		}
	case workspace.KindFormulas:
		if _, found = ltl.Parse(file); !source.HasErrors(found) {
			formatted = ltl.Format(file)
		}
	case workspace.KindTeam:
		formatted, found = formatTeam(file)
	case workspace.KindLab:
		formatted, found = formatLab(file)
	case workspace.KindPDDL:
		var spec *strips.Spec
		spec, found = strips.Parse(file)
		// A domain of another file is none of this text's faults.
		if !source.HasErrors(found) && (spec.Domain != nil || spec.Problem != nil) {
			formatted = strips.Format(file)
		}
	}
	if source.HasErrors(found) {
		return DocumentFormatResult{}, invalid(file, found)
	}
	return DocumentFormatResult{Text: formatted, Changed: formatted != p.Text}, nil
}

func formatTeam(file *source.File) (string, []source.Diagnostic) {
	spec, found := team.Parse(file)
	if source.HasErrors(found) {
		return file.Text, found
	}
	return spec.Format(), found
}

// ShareEncodeParams are what a link carries.
type ShareEncodeParams struct {
	Files []File  `json:"files"`
	Log   *RunLog `json:"log,omitempty"`
}

// ShareEncodeResult is the fragment of a link, from "#" on.
type ShareEncodeResult struct {
	Fragment string `json:"fragment"`
}

func (s *Session) shareEncode(p ShareEncodeParams) (ShareEncodeResult, error) {
	run := ""
	if p.Log != nil {
		text, err := json.Marshal(p.Log)
		if err != nil {
			return ShareEncodeResult{}, err
		}
		run = string(text) + "\n"
	}
	fragment, err := workspace.EncodeLink(workspace.Workspace{Files: p.Files}, run)
	return ShareEncodeResult{Fragment: fragment}, err
}
