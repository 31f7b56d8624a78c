package lab

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/formulate"
	"github.com/stile-playground/stile/core/learn"
	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/plan"
	"github.com/stile-playground/stile/core/plan/baseline"
	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/source"
)

func (p *parser) method(n *sexpr.Node) {
	m := Method{Kind: n.Head(), Name: n.Head(), Span: n.Span}
	if !slices.Contains(methodKinds, m.Kind) {
		p.unknown(n.Items[0], "lab.method", "kind of method", methodKinds)
		return
	}
	if p.full(n, len(p.x.Methods), MaxMethods, "methods") {
		return
	}
	rest := n.Items[1:]
	if len(rest) > 0 && rest[0].Kind != sexpr.KindList {
		m.Argument, m.Name, m.ArgumentSpan = rest[0].Text, rest[0].Text, rest[0].Span
		words := arguments()[m.Kind]
		switch {
		case m.Kind == MethodMonitor:
			_, file := cutFolder(m.Argument)
			m.Name = strings.TrimSuffix(file, ".agent")
			if !strings.HasSuffix(file, ".agent") {
				p.report(rest[0].Span, "lab.agent", `a monitor runs the file of an agent: (monitor "react/react.agent")`)
				return
			}
		case m.Kind == MethodTeam:
			m.Name = teamName(m.Argument)
			if !strings.HasSuffix(m.Argument, teamEnding) {
				p.report(rest[0].Span, "lab.team", "a team is a file of the workspace: "+teamForm)
				return
			}
		case len(words) == 0:
			p.report(rest[0].Span, "lab.method", "unexpected argument of "+m.Kind)
		case !slices.Contains(words, m.Argument):
			p.unknown(rest[0], "lab.method", "method", words)
			return
		}
		rest = rest[1:]
	} else if m.Kind == MethodTeam {
		p.report(n.Blame(), "lab.team", "a team is a file of the workspace: "+teamForm)
		return
	} else if m.Kind == MethodMonitor {
		p.report(n.Blame(), "lab.agent", `a monitor runs the file of an agent: (monitor "react/react.agent")`)
		return
	}
	p.once(rest, `parts such as (:name "…")`, func(item *sexpr.Node) { p.methodPart(&m, item) })
	if m.As != "" && m.Name == teamName(m.Argument) {
		m.Name += " as " + m.As
	}
	if slices.ContainsFunc(p.x.Methods, func(o Method) bool { return o.Name == m.Name }) {
		p.report(n.Span, "lab.twice", fmt.Sprintf(`duplicate method %q; give one another name: (:name "…")`, m.Name))
		return
	}
	p.x.Methods = append(p.x.Methods, m)
}

func (p *parser) methodPart(m *Method, n *sexpr.Node) {
	switch n.Head() {
	case ":name":
		m.Name = p.text(n)
	case ":only":
		m.Only = p.texts(n)
	case ":as":
		m.As = p.word(n, lone)
	case ":naive":
		m.Naive = p.flag(n)
	case ":attempts":
		m.Attempts = p.number(n, 1, 100)
	case ":otherwise":
		m.Otherwise = p.word(n, []string{plan.OtherwiseFirst})
	case ":forced":
		m.Forced = p.flag(n)
	case ":samples":
		m.Samples = p.number(n, 1, monitor.MaxSamples)
	case ":then":
		if texts := p.texts(n); len(texts) == 2 {
			m.Thens = append(m.Thens, GroupAgent{texts[0], texts[1], n.Items[2].Span})
		} else if len(texts) == 1 {
			m.Then = texts[0]
		} else {
			p.report(n.Blame(), "lab.agent", `expected an agent after :then, or a group of tasks and its agent: (:then "GSM8K" "calculate.agent")`)
		}
	case ":keep":
		m.Keep = p.word(n, []string{monitor.KeepLikelier, monitor.KeepSummary, monitor.KeepResults})
	case ":loops":
		m.Loops = p.number(n, 1, monitor.MaxLoops)
	case ":shots":
		shots := p.number(n, 0, 100)
		m.Shots = &shots
	case ":agent":
		if texts := p.texts(n); len(texts) == 2 && strings.HasSuffix(texts[1], ".agent") {
			m.Agents = append(m.Agents, GroupAgent{texts[0], texts[1], n.Items[2].Span})
		} else {
			p.report(n.Blame(), "lab.agent", `expected a group of tasks and its agent after :agent: (:agent "GSM8K" "react/calculate.agent")`)
		}
	case ":hints":
		m.Hints = p.texts(n)
	case ":prompt", ":checked", ":steps", ":rounds", ":epochs", ":beam", ":score", ":rules":
		p.paperPart(m, n)
	case ":without":
		m.Without = []string{p.word(n, stages)}
	case ":example":
		m.Example = p.flag(n)
	default:
		p.unknown(n.Items[0], "lab.part", "part of a method", methodParts)
	}
	if kind := partKinds[n.Head()]; kind != "" && kind != m.Kind {
		p.report(n.Blame(), "lab.part", fmt.Sprintf("%s is allowed only in (%s …)", n.Head(), kind))
	}
}

// The prompts of a baseline.
const (
	promptOurs  = "ours"  // names the tools and the rules
	promptPaper = "paper" // names the task alone
)

var prompts = []string{promptOurs, promptPaper}

// The members to which a benchmark's limit of steps applies.
const (
	stepsOfAll  = "all"  // of all members together
	stepsOfEach = "each" // of each executor
)

var stepLimits = []string{stepsOfAll, stepsOfEach}

// paperPart reads a part about a paper's rules and numbers, or about the rules of the workspace.
func (p *parser) paperPart(m *Method, n *sexpr.Node) {
	switch n.Head() {
	case ":prompt":
		m.PaperPrompt = p.word(n, prompts) == promptPaper
		if m.Argument == baseline.MethodGrammar {
			p.report(n.Blame(), "lab.part", ":prompt is allowed only with zero-shot and few-shot")
		}
	case ":checked":
		m.Checked = p.flag(n)
	case ":steps":
		m.EachSteps = p.word(n, stepLimits) == stepsOfEach
	case ":rules":
		if m.Rules = p.word(n, ruleModes); !slices.Contains(ruledKinds, m.Kind) {
			p.report(n.Blame(), "lab.part", ":rules is for (plan …), (monitor …) and (team …), whose runs call tools")
		}
	case ":rounds":
		rounds := p.number(n, 0, formulate.MaxRounds)
		m.Rounds = &rounds
	case ":beam":
		m.Beam = p.number(n, 1, plan.MaxBeam)
	case ":score":
		m.Score = p.word(n, []string{plan.ScoreLogprobs, plan.ScoreGrades})
	case ":epochs":
		m.Epochs = p.number(n, 1, learn.MaxEpochs)
	}
}

// partKinds maps parts to the only kind of method that has them.
var partKinds = map[string]string{
	":naive": MethodPlan, ":beam": MethodPlan, ":score": MethodPlan, ":attempts": MethodPlan, ":otherwise": MethodPlan, ":forced": MethodMonitor, ":samples": MethodMonitor, ":then": MethodMonitor, ":keep": MethodMonitor,
	":loops": MethodMonitor, ":shots": MethodMonitor, ":agent": MethodMonitor, ":hints": MethodBenchmark, ":checked": MethodBenchmark, ":steps": MethodBenchmark, ":prompt": MethodBaseline, ":without": MethodFormulate, ":example": MethodFormulate, ":rounds": MethodFormulate, ":as": MethodTeam, ":epochs": MethodLearn,
}

// partsOf returns the parts of a kind of method.
func partsOf(kind string) (out []string) {
	for _, part := range methodParts {
		if of := partKinds[part]; (of == "" || of == kind) && (part != ":rules" || slices.Contains(ruledKinds, kind)) {
			out = append(out, part)
		}
	}
	return out
}

// cutFolder splits a name such as "react/react.agent" into its folder and its file.
func cutFolder(name string) (folder, file string) {
	if at := strings.IndexByte(name, '/'); at >= 0 {
		return name[:at], name[at+1:]
	}
	return "", name
}

// reference reads a published table: (table "title" (:source "…") (row …)).
func (p *parser) reference(n *sexpr.Node) {
	r := Reference{Span: n.Span}
	if n.Head() != "table" || len(n.Items) < 2 || n.Items[1].Kind != sexpr.KindString {
		p.report(n.Blame(), "lab.reference", `a reference is a table with its title: (table "Formal-LLM, table 1" …)`)
		return
	}
	r.Title = n.Items[1].Text
	for _, item := range n.Items[2:] {
		switch {
		case !p.named(item, `(:source "…") and (row …)`):
		case item.Head() == ":source":
			r.Source = p.text(item)
		case item.Head() == "row":
			if p.full(item, p.rows, MaxReferences, "rows") {
				continue
			}
			p.rows++
			r.Rows = append(r.Rows, p.row(item))
		default:
			p.unknown(item.Items[0], "lab.reference", "part of a table", []string{":source", "row"})
		}
	}
	p.x.References = append(p.x.References, r)
}

// row reads (row "zero-shot" "GPT-4" 53% - 0.2): a method, a model and a figure for each
// column.
func (p *parser) row(n *sexpr.Node) ReferenceRow {
	var r ReferenceRow
	if len(n.Items) < 3 || n.Items[1].Kind != sexpr.KindString || n.Items[2].Kind != sexpr.KindString {
		p.report(n.Blame(), "lab.row", `a row begins with a method and a model: (row "zero-shot" "GPT-4" 53%)`)
		return r
	}
	r.Method, r.Model = n.Items[1].Text, n.Items[2].Text
	var names []string
	for _, m := range p.x.Methods {
		names = append(names, m.Name)
	}
	if !slices.Contains(names, r.Method) && source.Nearest(r.Method, names) != "" {
		p.near(n.Items[1].Span, "lab.reference-method", fmt.Sprintf("unknown method %q: the experiment does not define it", r.Method), r.Method, names)
	}
	for _, item := range n.Items[3:] {
		if item.Text == "-" {
			r.Values = append(r.Values, nil)
			continue
		}
		digits, share := strings.CutSuffix(item.Text, "%")
		value, err := strconv.ParseFloat(digits, 64)
		if err != nil {
			p.report(item.Span, "lab.number", "expected a figure such as 0.53 or 53%, or - for a missing one")
		}
		if share {
			value /= 100
		}
		r.Values = append(r.Values, &Figure{value, share})
	}
	if len(r.Values) != len(p.x.Columns) {
		p.report(n.Blame(), "lab.row", fmt.Sprintf("this row has %d figures, the table %d columns; write - for a missing figure", len(r.Values), len(p.x.Columns)))
	}
	return r
}
