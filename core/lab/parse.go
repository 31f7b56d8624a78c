package lab

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/domains"
	"github.com/stile-playground/stile/core/formulate"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/plan"
	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/team"
)

var (
	sections     = []string{":title", ":note", ":tasks", ":methods", ":models", ":seeds", ":measures", ":columns", ":across", ":budget", ":concurrent", ":reference"}
	sourceKinds  = []string{SourcePlans, SourceQuestions, SourceBenchmark, SourceProblems}
	sourceParts  = []string{":pick", ":first", ":group", ":kind", ":optimum"}
	methodKinds  = []string{MethodPlan, MethodBaseline, MethodMonitor, MethodBenchmark, MethodFormulate, MethodTeam}
	methodParts  = []string{":name", ":only", ":as", ":naive", ":attempts", ":otherwise", ":forced", ":samples", ":then", ":keep", ":loops", ":shots", ":agent", ":without", ":example", ":hints"}
	modelKinds   = []string{"simulated", "endpoint"}
	modelParts   = []string{":name", ":only"}
	simulated    = []string{llm.KindFirst, llm.KindUniform, llm.KindRambler}
	budgetNames  = []string{"calls", "tokens", "money"}
	acrosses     = []string{"methods", "measures", "groups"}
	benchmarks   = []string{"travelplanner", "apibank"}
	baselines    = []string{plan.MethodZeroShot, plan.MethodFewShot}
	contestants  = []string{team.MethodTeam, team.MethodReAct, team.MethodCoT, team.MethodSole}
	lone         = []string{team.MethodReAct, team.MethodCoT}
	formulations = []string{formulate.MethodFormulate, formulate.MethodDirect, formulate.MethodCoT, formulate.MethodCode}
	stages       = []string{formulate.StageDefiner, formulate.StageFormulator, formulate.StageAssessor}
)

// ways are the words that may stand behind the kind of a method; a monitor's is the file
// of an agent, a plan has none.
var ways = map[string][]string{
	MethodBaseline: baselines, MethodBenchmark: contestants, MethodFormulate: formulations,
}

// Keywords returns the reserved words of the notation.
func Keywords() []string {
	out := slices.Concat([]string{"experiment", "table", "row", ":of", ":sum", ":source"}, sections, sourceKinds, sourceParts,
		methodKinds, methodParts, modelKinds, modelParts, simulated, budgetNames, benchmarks, baselines, contestants, formulations, stages, domains.Names())
	slices.Sort(out)
	return slices.Compact(out)
}

// Parse reads an experiment. It always returns what it understood, and every problem it
// met.
func Parse(file *source.File) (*Experiment, []source.Diagnostic) {
	tree, found := sexpr.Parse(file)
	p := parser{x: &Experiment{File: file, tree: tree, Concurrent: DefaultConcurrent}, found: found, broken: len(found) > 0}
	switch {
	case len(tree.Nodes) == 0:
		if !p.broken {
			p.report(source.Span{}, "lab.empty", `there is no experiment yet; write one such as (experiment a (:tasks (plans "openagi-tasks")) (:methods (plan)) (:models (simulated first)))`)
		}
	case !slices.ContainsFunc(found, func(d source.Diagnostic) bool { return d.Code == "sexpr.depth" }):
		p.experiment(tree.Nodes[0])
		if rest := tree.Nodes[1:]; len(rest) > 0 && p.x.defined {
			p.warn(rest[0].Span.Join(rest[len(rest)-1].Span), "lab.further", "a file has one experiment; what follows it is passed over")
		}
	}
	source.Sort(p.found)
	for _, d := range p.found {
		if d.Severity == source.SeverityWarning {
			p.x.warnings = append(p.x.warnings, fmt.Sprintf("Line %d: %s", file.Locate(d.Span.Start).Line, d.Message))
		}
	}
	return p.x, p.found
}

// Format prints the text again; it must have parsed without errors.
func (x *Experiment) Format() string {
	for _, n := range x.tree.Nodes {
		layOut(n, 0)
	}
	return x.tree.Format()
}

// layOut says how lists are printed: what has parts as a name with its parts, lists of
// numbers with many on a line.
func layOut(n *sexpr.Node, depth int) {
	switch {
	case depth == 0 || depth == 2:
		n.InPairs()
	case depth == 3 && n.Head() == "row", depth == 1, n.Head() == ":pick":
		n.Filled()
	}
	for _, item := range n.Items {
		layOut(item, depth+1)
	}
}

type parser struct {
	x      *Experiment
	found  []source.Diagnostic
	broken bool // parentheses or quotes are wrong, so what is missing may be elsewhere

	columnSpans []source.Span // of the measures
	rows        int           // of references
}

// full reports whether a list is as long as it may be, and says so at the first item that
// is too many.
func (p *parser) full(n *sexpr.Node, length, most int, what string) bool {
	if length < most {
		return false
	}
	code := "limit." + what
	if !slices.ContainsFunc(p.found, func(d source.Diagnostic) bool { return d.Code == code }) {
		p.report(n.Blame(), code, fmt.Sprintf("an experiment has at most %d %s", most, what))
	}
	return true
}

func (p *parser) report(span source.Span, code, message string, notes ...source.Note) {
	p.found = append(p.found, source.Diagnostic{Code: code, Span: span, Message: message, Notes: notes})
}

func (p *parser) warn(span source.Span, code, message string) {
	p.found = append(p.found, source.Diagnostic{Code: code, Severity: source.SeverityWarning, Span: span, Message: message})
}

// named reports whether a list begins with a word, and says what may stand there where it
// does not.
func (p *parser) named(n *sexpr.Node, what string) bool {
	if n.Head() == "" {
		p.report(n.Span, "lab.misplaced", "only "+what+" can stand here")
		return false
	}
	return true
}

// near warns of a name that is none of several, and says which may be meant.
func (p *parser) near(span source.Span, code, message, name string, candidates []string) {
	if near := source.Nearest(name, candidates); near != "" {
		message += fmt.Sprintf("; did you mean %q?", near)
	}
	p.warn(span, code, message)
}

// once calls f for each part of a list that is not there twice.
func (p *parser) once(items []*sexpr.Node, what string, f func(n *sexpr.Node)) {
	seen := map[string]*sexpr.Node{}
	for _, item := range items {
		if !p.named(item, what) {
			continue
		}
		if before := seen[item.Head()]; before != nil && item.Head() != ":agent" {
			p.report(item.Blame(), "lab.twice", item.Head()+" is there twice", source.Note{Span: before.Blame(), Message: "here first"})
			continue
		}
		seen[item.Head()] = item
		f(item)
	}
}

func (p *parser) unknown(n *sexpr.Node, code, what string, candidates []string) {
	p.found = append(p.found, n.Unknown(code, what, candidates))
}

func (p *parser) experiment(n *sexpr.Node) {
	if n.Head() != "experiment" {
		p.report(n.Blame(), "lab.experiment", "an experiment begins with (experiment name …)")
		return
	}
	p.x.defined = true
	items := n.Items[1:]
	if len(items) > 0 && items[0].Kind == sexpr.KindAtom && !strings.HasPrefix(items[0].Text, ":") {
		p.x.Name, p.x.NameSpan = items[0].Text, items[0].Span
		items = items[1:]
	} else {
		p.report(n.Blame(), "lab.name", "an experiment needs a name: (experiment name …)")
	}
	var references *sexpr.Node
	seen := map[string]bool{}
	p.once(items, "sections such as (:tasks …), (:methods …) or (:models …)", func(item *sexpr.Node) {
		seen[item.Head()] = true
		switch item.Head() {
		case ":title":
			p.x.Title = p.text(item)
		case ":note":
			p.x.Note = p.text(item)
		case ":tasks":
			p.each(item, `tasks such as (plans "openagi-tasks")`, p.source)
		case ":methods":
			p.each(item, "methods such as (plan) or (baseline zero-shot)", p.method)
		case ":models":
			p.each(item, `models such as (simulated first) or (endpoint "name")`, p.model)
		case ":seeds":
			for _, n := range p.different(item, p.numbers(item, 0, 1<<31)) {
				p.x.Seeds = append(p.x.Seeds, uint64(n))
			}
			if len(p.x.Seeds) > MaxSeeds {
				p.full(item, len(p.x.Seeds), MaxSeeds, "seeds")
				p.x.Seeds = p.x.Seeds[:MaxSeeds]
			}
		case ":measures":
			p.measures(item)
		case ":columns":
			p.columns(item)
		case ":across":
			if p.x.Across = p.word(item, acrosses); p.x.Across == "measures" {
				p.x.Across = ""
			}
		case ":budget":
			p.budget(item)
		case ":concurrent":
			p.x.Concurrent = max(p.number(item, 1, MaxConcurrent), 1)
		case ":reference":
			references = item
		default:
			p.unknown(item.Items[0], "lab.section", "section", sections)
		}
	})
	for _, missing := range []struct{ section, add string }{
		{":tasks", `(:tasks (plans "openagi-tasks"))`}, {":methods", "(:methods (plan))"}, {":models", "(:models (simulated first))"},
	} {
		if !seen[missing.section] && !p.broken {
			p.report(n.Blame(), "lab.missing", fmt.Sprintf("this experiment has no %s: add %s", missing.section[1:], missing.add))
		}
	}
	if len(p.x.Seeds) == 0 {
		p.x.Seeds = []uint64{1}
	}
	if len(p.x.Columns) == 0 {
		for _, m := range []string{"valid", "score", "calls", "tokens", "seconds", "cost"} {
			p.x.Columns = append(p.x.Columns, Column{Title: m, Measure: m})
		}
	}
	p.fit()
	if references != nil { // whose rows have a figure for each column
		p.each(references, `tables such as (table "Formal-LLM, table 1" …)`, p.reference)
	}
}

// fit warns of methods that no task is for, of measures that no method has, and of models
// for methods that there are not.
func (p *parser) fit() {
	var kinds, names []string
	for _, m := range p.x.Methods {
		kinds, names = append(kinds, m.Kind), append(names, m.Name)
	}
	for i, c := range p.x.Columns {
		if list := Measures(kinds...); i < len(p.columnSpans) && len(kinds) > 0 && !slices.Contains(list, c.Measure) {
			p.near(p.columnSpans[i], "lab.measure-unknown", fmt.Sprintf("none of the methods is measured by %q", c.Measure), c.Measure, list)
		}
	}
	for _, m := range p.x.Models {
		for _, only := range m.Only {
			if len(names) > 0 && !slices.Contains(names, only) {
				p.near(m.Span, "lab.only", fmt.Sprintf("the experiment has no method %q for which this model could be", only), only, names)
			}
		}
	}
	for _, m := range p.x.Methods {
		if len(p.x.Sources) > 0 && !slices.ContainsFunc(p.x.Sources, func(s Source) bool { return m.does(s) }) {
			p.warn(m.Span, "lab.method-idle", fmt.Sprintf("none of the tasks can be done by (%s …); it is for (%s …)", m.Kind, sourceOf[m.Kind]))
		}
	}
}

// sourceOf is what a method's tasks come from.
var sourceOf = map[string]string{
	MethodPlan: SourcePlans, MethodBaseline: SourcePlans, MethodMonitor: SourceQuestions, MethodBenchmark: SourceBenchmark, MethodFormulate: SourceProblems, MethodTeam: SourceQuestions,
}

// does reports whether a method is for the tasks of a source. A planner plans trips, too:
// with an automaton that is made of the query.
func (m Method) does(s Source) bool {
	return sourceOf[m.Kind] == s.Kind || m.Kind == MethodPlan && s.Kind == SourceBenchmark && s.Name == "travelplanner"
}

// each calls f for each list of a section.
func (p *parser) each(n *sexpr.Node, what string, f func(n *sexpr.Node)) {
	for _, item := range n.Items[1:] {
		if p.named(item, what) {
			f(item)
		}
	}
	if len(n.Items) == 1 {
		p.report(n.Blame(), "lab.missing", n.Head()+" is followed by "+what)
	}
}

func (p *parser) source(n *sexpr.Node) {
	s := Source{Kind: n.Head(), Span: n.Span}
	if p.full(n, len(p.x.Sources), MaxSources, "tasks") {
		return
	}
	if !slices.Contains(sourceKinds, s.Kind) {
		p.unknown(n.Items[0], "lab.tasks", "kind of tasks", sourceKinds)
		return
	}
	rest := n.Items[1:]
	if len(rest) == 0 || rest[0].Kind == sexpr.KindList || rest[0].Text == "" {
		p.report(n.Blame(), "lab.tasks", fmt.Sprintf(`it is not said which: (%s "…")`, s.Kind))
		return
	}
	s.Name, s.NameSpan = rest[0].Text, rest[0].Span
	if s.Kind == SourceBenchmark && !slices.Contains(benchmarks, s.Name) {
		p.unknown(rest[0], "lab.benchmark", "benchmark", benchmarks)
		return
	}
	if s.Kind == SourceProblems && !s.own() && !slices.Contains(domains.Names(), s.Name) {
		d := rest[0].Unknown("lab.problems", "domain", domains.Names())
		d.Message += fmt.Sprintf("; a problem of the workspace is the name of its folder: (problems %q)", "mine"+formulate.Ending)
		p.found = append(p.found, d)
		return
	}
	p.once(rest[1:], "parts such as (:pick …), (:first …) and (:group …)", func(item *sexpr.Node) {
		switch item.Head() {
		case ":pick":
			s.Pick = p.different(item, p.numbers(item, 0, 1<<20))
		case ":first":
			s.First = p.number(item, 1, 1<<20)
		case ":group":
			s.Group = p.text(item)
		case ":kind":
			if s.Of = p.text(item); s.Kind != SourceProblems {
				p.report(item.Blame(), "lab.part", ":kind is for (problems …)")
			} else if s.own() {
				p.report(item.Blame(), "lab.part", "a problem of the workspace has one query, so that it has no :kind")
			}
		case ":optimum":
			if s.Optimum = p.optimum(item); !s.own() {
				p.report(item.Blame(), "lab.part", fmt.Sprintf("%s is for a problem of the workspace: (problems %q %s); a domain's data says it by itself", ":optimum", "mine"+formulate.Ending, "(:optimum 154)"))
			}
		default:
			p.unknown(item.Items[0], "lab.part", "part of tasks", sourceParts)
		}
	})
	p.x.Sources = append(p.x.Sources, s)
}

func (p *parser) model(n *sexpr.Node) {
	m := Model{Span: n.Span}
	if p.full(n, len(p.x.Models), MaxMethods, "models") {
		return
	}
	rest := n.Items[1:]
	word := ""
	if len(rest) > 0 && rest[0].Kind != sexpr.KindList {
		word, rest = rest[0].Text, rest[1:]
	}
	switch n.Head() {
	case "endpoint":
		if word == "" {
			p.report(n.Blame(), "lab.model", `an endpoint is named: (endpoint "name")`)
			return
		}
		m.Endpoint, m.Name = word, word
	case "simulated":
		m.Name, m.Spec.Kind = word, word
		if !slices.Contains(simulated, word) {
			if word == "" {
				p.report(n.Blame(), "lab.model", "it is not said which: (simulated first), (simulated uniform) or (simulated rambler 0.3)")
			} else {
				p.unknown(n.Items[1], "lab.model", "simulated model", simulated)
			}
			return
		}
		if word == llm.KindRambler {
			rate, err := 0.0, error(nil)
			if len(rest) > 0 && rest[0].Kind == sexpr.KindAtom {
				rate, err = strconv.ParseFloat(rest[0].Text, 64)
				m.Name += " " + rest[0].Text
				rest = rest[1:]
			}
			if err != nil || rate < 0 || rate > 1 {
				p.report(n.Blame(), "lab.model", "how often it rambles is a number from 0 to 1: (simulated rambler 0.3)")
				return
			}
			m.Spec.ErrorRate = rate
		}
	default:
		p.unknown(n.Items[0], "lab.model", "kind of model", modelKinds)
		return
	}
	p.once(rest, `(:name "…") and (:only "…")`, func(item *sexpr.Node) {
		switch item.Head() {
		case ":name":
			m.Name = p.text(item)
		case ":only":
			m.Only = p.texts(item)
		default:
			p.unknown(item.Items[0], "lab.part", "part of a model", modelParts)
		}
	})
	if slices.ContainsFunc(p.x.Models, func(o Model) bool { return o.Name == m.Name }) {
		p.report(n.Span, "lab.twice", fmt.Sprintf(`there are two models %q; give one a name: (:name "…")`, m.Name))
		return
	}
	p.x.Models = append(p.x.Models, m)
}

func (p *parser) measures(n *sexpr.Node) {
	for _, item := range n.Items[1:] {
		if item.Kind != sexpr.KindAtom {
			p.report(item.Blame(), "lab.measure", "a measure is a word, such as valid, score or calls")
			continue
		}
		p.column(item, Column{Title: item.Text, Measure: item.Text})
	}
}

func (p *parser) columns(n *sexpr.Node) {
	for _, item := range n.Items[1:] {
		if item.Kind != sexpr.KindList || len(item.Items) < 2 || item.Items[0].Kind != sexpr.KindString || item.Items[1].Kind != sexpr.KindAtom {
			p.report(item.Blame(), "lab.column", `a column is its title and a measure: ("Task 1" score (:of "Task 1"))`)
			continue
		}
		c := Column{Title: item.Items[0].Text, Measure: item.Items[1].Text}
		p.once(item.Items[2:], `(:of "…") and (:sum)`, func(part *sexpr.Node) {
			switch part.Head() {
			case ":of":
				c.Of = p.texts(part)
			case ":sum":
				c.Sum = p.flag(part)
			default:
				p.unknown(part.Items[0], "lab.part", "part of a column", []string{":of", ":sum"})
			}
		})
		p.column(item.Items[1], c)
	}
}

// column adds a column whose measure stands at a node.
func (p *parser) column(n *sexpr.Node, c Column) {
	if !p.full(n, len(p.x.Columns), MaxColumns, "columns") {
		p.x.Columns, p.columnSpans = append(p.x.Columns, c), append(p.columnSpans, n.Span)
	}
}

func (p *parser) budget(n *sexpr.Node) {
	p.once(n.Items[1:], "(calls 200), (tokens 100000) and (money 0.5)", func(item *sexpr.Node) {
		b := &p.x.Budget
		switch item.Head() {
		case "calls":
			b.Calls = p.number(item, 1, 1<<30)
		case "tokens":
			b.Tokens = p.number(item, 1, 1<<40)
		case "money":
			if len(item.Items) == 2 {
				b.Money, _ = strconv.ParseFloat(item.Items[1].Text, 64)
			}
			if !(b.Money > 0 && b.Money < 1e6) {
				b.Money = 0
				p.report(item.Blame(), "lab.number", "money is followed by an amount of dollars above 0: (money 0.5)")
			}
		default:
			p.unknown(item.Items[0], "lab.budget", "budget", budgetNames)
		}
	})
}

// text reads a part of one text in quotes.
func (p *parser) text(n *sexpr.Node) string {
	if len(n.Items) != 2 || n.Items[1].Kind != sexpr.KindString || strings.TrimSpace(n.Items[1].Text) == "" {
		p.report(n.Blame(), "lab.text", fmt.Sprintf(`%s is followed by one text in quotes: (%s "…")`, n.Head(), n.Head()))
		return ""
	}
	return strings.Join(strings.Fields(n.Items[1].Text), " ")
}

// texts reads a part of texts in quotes.
func (p *parser) texts(n *sexpr.Node) (out []string) {
	for _, item := range n.Items[1:] {
		if item.Kind != sexpr.KindString || item.Text == "" {
			p.report(item.Blame(), "lab.text", n.Head()+" is followed by texts in quotes")
			continue
		}
		out = append(out, item.Text)
	}
	if len(n.Items) == 1 {
		p.report(n.Blame(), "lab.text", n.Head()+" is followed by at least one text in quotes")
	}
	return out
}

// word reads a part of one word of several.
func (p *parser) word(n *sexpr.Node, words []string) string {
	if len(n.Items) != 2 || n.Items[1].Kind == sexpr.KindList {
		p.report(n.Blame(), "lab.word", fmt.Sprintf("%s is followed by one of %s", n.Head(), strings.Join(words, ", ")))
		return ""
	}
	if !slices.Contains(words, n.Items[1].Text) {
		p.unknown(n.Items[1], "lab.word", "such word", words)
		return ""
	}
	return n.Items[1].Text
}

// flag reads a part that is there or not.
func (p *parser) flag(n *sexpr.Node) bool {
	if len(n.Items) > 1 {
		p.report(n.Items[1].Span, "lab.flag", "nothing stands behind "+n.Head())
	}
	return true
}

// number reads a part of one whole number.
func (p *parser) number(n *sexpr.Node, least, most int) int {
	if list := p.numbers(n, least, most); len(list) == 1 {
		return list[0]
	} else if len(list) > 1 {
		p.report(n.Blame(), "lab.number", n.Head()+" is followed by one number")
	}
	return 0
}

// different returns numbers without those that are there again, the first of which it
// reports.
func (p *parser) different(n *sexpr.Node, list []int) (out []int) {
	seen := map[int]bool{}
	for _, value := range list {
		if !seen[value] {
			out = append(out, value)
		} else if len(seen) == len(out) {
			p.report(n.Blame(), "lab.twice", fmt.Sprintf("%s has %d twice", n.Head(), value))
			seen[-1] = true // the first was reported
		}
		seen[value] = true
	}
	return out
}

// numbers reads a part of whole numbers.
func (p *parser) numbers(n *sexpr.Node, least, most int) (out []int) {
	for _, item := range n.Items[1:] {
		value, err := strconv.Atoi(item.Text)
		if item.Kind != sexpr.KindAtom || err != nil || value < least || value > most {
			p.report(item.Blame(), "lab.number", fmt.Sprintf("%s is followed by whole numbers from %d to %d", n.Head(), least, most))
			continue
		}
		out = append(out, value)
	}
	if len(n.Items) == 1 {
		p.report(n.Blame(), "lab.number", n.Head()+" is followed by a number")
	}
	return out
}
