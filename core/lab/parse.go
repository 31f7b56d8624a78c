package lab

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/domains"
	"github.com/stile-playground/stile/core/formulate"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/plan/baseline"
	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/team"
)

var (
	sections     = []string{":title", ":note", ":tasks", ":methods", ":models", ":seeds", ":measures", ":columns", ":across", ":budget", ":concurrent", ":reference"}
	sourceKinds  = []string{SourcePlans, SourceQuestions, SourceBenchmark, SourceProblems}
	sourceParts  = []string{":pick", ":first", ":group", ":kind", ":optimum"}
	methodKinds  = []string{MethodPlan, MethodBaseline, MethodMonitor, MethodBenchmark, MethodFormulate, MethodTeam, MethodLearn}
	methodParts  = []string{":name", ":only", ":as", ":naive", ":beam", ":score", ":attempts", ":otherwise", ":forced", ":samples", ":then", ":keep", ":loops", ":shots", ":agent", ":without", ":example", ":rounds", ":epochs", ":hints", ":checked", ":steps", ":prompt", ":rules"}
	modelKinds   = []string{"simulated", "endpoint"}
	modelParts   = []string{":name", ":only"}
	simulated    = []string{llm.KindFirst, llm.KindUniform, llm.KindRambler}
	budgetNames  = []string{"calls", "tokens", "money"}
	acrosses     = []string{"methods", "measures", "groups"}
	benchmarks   = []string{"travelplanner", "apibank"}
	baselines    = []string{baseline.MethodZeroShot, baseline.MethodFewShot, baseline.MethodGrammar}
	contestants  = []string{team.MethodTeam, team.MethodReAct, team.MethodAct, team.MethodCoT, team.MethodSole}
	lone         = []string{team.MethodReAct, team.MethodCoT}
	formulations = []string{formulate.MethodFormulate, formulate.MethodDirect, formulate.MethodCoT, formulate.MethodCode}
	learners     = []string{learnFree, learnFormal}
	stages       = []string{formulate.StageDefiner, formulate.StageFormulator, formulate.StageAssessor}
)

// arguments returns, by kind of method, the words that can follow the kind. Other kinds have no
// such words: a monitor is followed by the file of an agent, a plan by nothing.
func arguments() map[string][]string {
	return map[string][]string{
		MethodBaseline: baselines, MethodBenchmark: contestants, MethodFormulate: formulations, MethodLearn: learners,
	}
}

// Keywords returns the reserved words of the notation.
func Keywords() []string {
	out := slices.Concat([]string{"experiment", "table", "row", ":of", ":sum", ":source"}, sections, sourceKinds, sourceParts,
		methodKinds, methodParts, modelKinds, modelParts, simulated, budgetNames, benchmarks, baselines, contestants, formulations, learners, stages, ruleModes, domains.Names())
	slices.Sort(out)
	return slices.Compact(out)
}

// Parse parses an experiment. It returns a partial experiment along with all errors.
func Parse(file *source.File) (*Experiment, []source.Diagnostic) {
	tree, found := sexpr.Parse(file)
	p := parser{x: &Experiment{File: file, tree: tree, Concurrent: DefaultConcurrent}, found: found, broken: len(found) > 0}
	switch {
	case len(tree.Nodes) == 0:
		if !p.broken {
			p.report(source.Span{}, "lab.empty", `missing experiment; write one such as (experiment a (:tasks (plans "openagi-tasks")) (:methods (plan)) (:models (simulated first)))`)
		}
	case !slices.ContainsFunc(found, func(d source.Diagnostic) bool { return d.Code == "sexpr.depth" }):
		p.experiment(tree.Nodes[0])
		if rest := tree.Nodes[1:]; len(rest) > 0 && p.x.defined {
			p.warn(rest[0].Span.Join(rest[len(rest)-1].Span), "lab.further", "a file has one experiment; the text after it is ignored")
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

// Format formats the text of an experiment without syntax errors.
func (x *Experiment) Format() string {
	for _, n := range x.tree.Nodes {
		layOut(n, 0)
	}
	return x.tree.Format()
}

// layOut sets the layout of lists: parts on separate lines, lists of numbers filled.
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
	broken bool // unbalanced parentheses or quotes: missing sections are not reported

	columnSpans []source.Span // of the measures
	rows        int           // of references
}

// full reports whether a list has its maximum length, and adds an error at n, the first item
// beyond it.
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

// named reports whether a list begins with a word. If not, it adds an error that names the valid
// words.
func (p *parser) named(n *sexpr.Node, what string) bool {
	if n.Head() == "" {
		p.report(n.Span, "lab.misplaced", "expected "+what)
		return false
	}
	return true
}

// near warns of an unknown name and suggests a similar one.
func (p *parser) near(span source.Span, code, message, name string, candidates []string) {
	if near := source.Nearest(name, candidates); near != "" {
		message += fmt.Sprintf("; did you mean %q?", near)
	}
	p.warn(span, code, message)
}

// once calls f for each list and reports duplicate heads.
func (p *parser) once(items []*sexpr.Node, what string, f func(n *sexpr.Node)) {
	seen := map[string]*sexpr.Node{}
	for _, item := range items {
		if !p.named(item, what) {
			continue
		}
		if before := seen[item.Head()]; before != nil && item.Head() != ":agent" && !(item.Head() == ":then" && len(item.Items) == 3) {
			p.report(item.Blame(), "lab.twice", "duplicate "+item.Head(), source.Note{Span: before.Blame(), Message: "first definition"})
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
			p.seeds(item)
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
	p.defaults()
	p.fit()
	if references != nil { // the rows need the columns
		p.each(references, `tables such as (table "Formal-LLM, table 1" …)`, p.reference)
	}
}

// seeds reads the seeds, without duplicates.
func (p *parser) seeds(item *sexpr.Node) {
	for _, n := range p.different(item, p.numbers(item, 0, 1<<31)) {
		p.x.Seeds = append(p.x.Seeds, uint64(n))
	}
	if len(p.x.Seeds) > MaxSeeds {
		p.full(item, len(p.x.Seeds), MaxSeeds, "seeds")
		p.x.Seeds = p.x.Seeds[:MaxSeeds]
	}
}

// defaults sets the seeds and columns of an experiment that has none.
func (p *parser) defaults() {
	if len(p.x.Seeds) == 0 {
		p.x.Seeds = []uint64{1}
	}
	if len(p.x.Columns) == 0 {
		for _, m := range []string{"valid", "score", "calls", "tokens", "seconds", "cost"} {
			p.x.Columns = append(p.x.Columns, Column{Title: m, Measure: m})
		}
	}
}

// fit warns of methods without tasks, of measures that no method has, and of models that are
// restricted to unknown methods.
func (p *parser) fit() {
	var kinds, names []string
	for _, m := range p.x.Methods {
		kinds, names = append(kinds, m.Kind), append(names, m.Name)
	}
	for i, c := range p.x.Columns {
		if list := Measures(kinds...); i < len(p.columnSpans) && len(kinds) > 0 && !slices.Contains(list, c.Measure) && !(strings.HasPrefix(c.Measure, ofRule) && slices.Contains(list, measureKept)) {
			p.near(p.columnSpans[i], "lab.measure-unknown", fmt.Sprintf("no method has the measure %q", c.Measure), c.Measure, list)
		}
	}
	for _, m := range p.x.Models {
		for _, only := range m.Only {
			if len(names) > 0 && !slices.Contains(names, only) {
				p.near(m.Span, "lab.only", fmt.Sprintf("unknown method %q: the experiment does not define it", only), only, names)
			}
		}
	}
	for _, m := range p.x.Methods {
		if len(p.x.Sources) > 0 && !slices.ContainsFunc(p.x.Sources, func(s Source) bool { return m.does(s) }) {
			p.warn(m.Span, "lab.method-idle", fmt.Sprintf("unused method (%s …): it needs tasks of the kind (%s …)", m.Kind, sourceOf()[m.Kind]))
		}
	}
}

// sourceOf maps each kind of method to the kind of source of its tasks.
func sourceOf() map[string]string {
	return map[string]string{
		MethodPlan: SourcePlans, MethodBaseline: SourcePlans, MethodMonitor: SourceQuestions, MethodBenchmark: SourceBenchmark, MethodFormulate: SourceProblems, MethodTeam: SourceQuestions, MethodLearn: SourcePlans,
	}
}

// does reports whether a method can do the tasks of a source. A planner also plans trips,
// with an automaton made from the query.
func (m Method) does(s Source) bool {
	return sourceOf()[m.Kind] == s.Kind || m.Kind == MethodPlan && s.Kind == SourceBenchmark && s.Name == "travelplanner"
}

// each calls f for each list of a section.
func (p *parser) each(n *sexpr.Node, what string, f func(n *sexpr.Node)) {
	for _, item := range n.Items[1:] {
		if p.named(item, what) {
			f(item)
		}
	}
	if len(n.Items) == 1 {
		p.report(n.Blame(), "lab.missing", "expected "+what+" after "+n.Head())
	}
}

// text reads the only argument of a list, a quoted text.
func (p *parser) text(n *sexpr.Node) string {
	if len(n.Items) != 2 || n.Items[1].Kind != sexpr.KindString || strings.TrimSpace(n.Items[1].Text) == "" {
		p.report(n.Blame(), "lab.text", fmt.Sprintf(`expected one text in quotes after %s: (%s "…")`, n.Head(), n.Head()))
		return ""
	}
	return strings.Join(strings.Fields(n.Items[1].Text), " ")
}

func (p *parser) texts(n *sexpr.Node) (out []string) {
	for _, item := range n.Items[1:] {
		if item.Kind != sexpr.KindString || item.Text == "" {
			p.report(item.Blame(), "lab.text", "expected texts in quotes after "+n.Head())
			continue
		}
		out = append(out, item.Text)
	}
	if len(n.Items) == 1 {
		p.report(n.Blame(), "lab.text", "expected at least one text in quotes after "+n.Head())
	}
	return out
}

// word reads an argument that must be one of the words.
func (p *parser) word(n *sexpr.Node, words []string) string {
	if len(n.Items) != 2 || n.Items[1].Kind == sexpr.KindList {
		p.report(n.Blame(), "lab.word", fmt.Sprintf("expected one of %s after %s", strings.Join(words, ", "), n.Head()))
		return ""
	}
	if !slices.Contains(words, n.Items[1].Text) {
		p.unknown(n.Items[1], "lab.word", "word", words)
		return ""
	}
	return n.Items[1].Text
}

// flag reads a list without arguments.
func (p *parser) flag(n *sexpr.Node) bool {
	if len(n.Items) > 1 {
		p.report(n.Items[1].Span, "lab.flag", "unexpected argument of "+n.Head())
	}
	return true
}

// number reads the only argument of a list, an integer from least to most.
func (p *parser) number(n *sexpr.Node, least, most int) int {
	if list := p.numbers(n, least, most); len(list) == 1 {
		return list[0]
	} else if len(list) > 1 {
		p.report(n.Blame(), "lab.number", "expected one number after "+n.Head())
	}
	return 0
}

// different returns numbers without duplicates. It reports the first duplicate.
func (p *parser) different(n *sexpr.Node, list []int) (out []int) {
	seen := map[int]bool{}
	for _, value := range list {
		if !seen[value] {
			out = append(out, value)
		} else if len(seen) == len(out) {
			p.report(n.Blame(), "lab.twice", fmt.Sprintf("duplicate %[2]d in %[1]s", n.Head(), value))
			seen[-1] = true // report once
		}
		seen[value] = true
	}
	return out
}

func (p *parser) numbers(n *sexpr.Node, least, most int) (out []int) {
	for _, item := range n.Items[1:] {
		value, err := strconv.Atoi(item.Text)
		if item.Kind != sexpr.KindAtom || err != nil || value < least || value > most {
			p.report(item.Blame(), "lab.number", fmt.Sprintf("expected whole numbers from %d to %d after %s", least, most, n.Head()))
			continue
		}
		out = append(out, value)
	}
	if len(n.Items) == 1 {
		p.report(n.Blame(), "lab.number", "expected a number after "+n.Head())
	}
	return out
}
