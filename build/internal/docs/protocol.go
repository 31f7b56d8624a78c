package docs

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/stile-playground/stile/build/internal/typescript"
)

// methodGroups describe the groups of methods with a common prefix, in the order in which
// they are shown.
var methodGroups = []struct{ name, title, about string }{
	{"document", "Documents", "The requests of an editor at each keystroke."},
	{"step", "Steps", "A word, walked through a spec by hand."},
	{"drawing", "Drawings", "The complete graph of a spec, including the parts that a drawing omits."},
	{"language", "Language service", "Hover, references, completion, rename and folding at a place."},
	{"grammar", "Grammars", "Questions about a grammar, with exact answers."},
	{"formula", "Formulas", "Linear temporal logic on finite traces."},
	{"agent", "Agents", "Questions about a behaviour."},
	{"monitor", "Traces", "Checks of the trace of an agent against its spec."},
	{"trace", "Recorded runs", "Many traces: the matrix of rules and runs, and the difference of two versions of the specs."},
	{"infer", "Specs from runs", "An automaton and short formulas that recorded runs satisfy, and the words on which two proposals differ."},
	{"rules", "Rules about data", "Runs as lists of events, judged by rules about arguments, results, time and counts."},
	{"guard", "Guards", "An agent that runs elsewhere, enforced state by state. Pass the run that a call returned to the next call."},
	{"plan", "Plans", "Checks of an existing plan against its spec."},
	{"choice", "Choices", "Replies to a prompt with numbered options, read as a plan's run reads them."},
	{"learn", "Learning", "Plans as lines for fine-tuning; see [learning](learning.html)."},
	{"team", "Teams", "A task graph, before and during its execution."},
	{"travel", "TravelPlanner", "A benchmark's trips: its data as tools, its constraints, its scores."},
	{"solve", "Solvers", "Problems for solvers: checking and preparing SMT-LIB for Z3 and LP for HiGHS, and reading the answers."},
	{"steps", "Plans of steps", "Problems in PDDL: encoding them for solvers and planners, and executing plans."},
	{"formulate", "Formulations", "The default settings of a run that formulates."},
	{"problem", "Problems of domains", "The tasks of the nine domains as problem folders, and the judgement of answers."},
	{"apibank", "API-Bank", "A benchmark's tasks: tools that answer from records, and measures."},
	{"tests", "Tests of specs", "Cases of words, plans and runs, with the verdict that a spec must return."},
	{"lab", "Experiments", "Experiments, their tables, and a cell as a separate run."},
	{"run", "Runs", "Runs in progress, the only state of a session."},
	{"endpoint", "Endpoints", ""},
	{"spec", "Other notations", ""},
	{"share", "Links", ""},
	{"workspace", "Workspaces", ""},
}

// protocol is the model of the protocol, with the addresses of its types' explanations.
type protocol struct {
	*sources
	typescript.Model
	types map[string]typescript.Type
	own   map[string]bool // the parameters and results, which are listed with their methods
}

func (s *sources) protocol() (*protocol, error) {
	m, err := typescript.Describe()
	if err != nil {
		return nil, err
	}
	p := &protocol{sources: s, Model: m, types: map[string]typescript.Type{}, own: map[string]bool{}}
	for _, t := range m.Types {
		p.types[t.Name] = t
	}
	for _, m := range m.Methods {
		p.own[m.Params], p.own[m.Result] = true, true
	}
	return p, nil
}

func (s *sources) methods() (string, error) {
	p, err := s.protocol()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	shown := 0
	for _, g := range methodGroups {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n", g.title, g.about)
		for _, m := range p.Methods {
			if name, _, _ := strings.Cut(m.Name, "."); name != g.name {
				continue
			}
			shown++
			fmt.Fprintf(&b, "\n### %s {#%s}\n\n", code(m.Name), strings.ReplaceAll(m.Name, ".", "-"))
			p.part(&b, "Takes", m.Params)
			p.part(&b, "Gives", m.Result)
		}
	}
	if shown != len(p.Methods) {
		return "", fmt.Errorf("%d methods are in no group", len(p.Methods)-shown)
	}
	return b.String(), nil
}

// part writes the parameters or the result of a method.
func (p *protocol) part(b *strings.Builder, title, name string) {
	t := p.types[name]
	fmt.Fprintf(b, "**%s** `%s`%s\n\n", title, name, p.about(t))
	p.fields(b, t)
}

// about returns the doc comment of a type without its name.
func (p *protocol) about(t typescript.Type) string {
	text := strings.Join(strings.Fields(p.comment(t.Go.PkgPath(), t.Go.Name(), "")), " ")
	rest, ok := strings.CutPrefix(text, t.Go.Name()+" ")
	if !ok {
		return "."
	}
	for _, verb := range []string{"is ", "are "} {
		if said, ok := strings.CutPrefix(rest, verb); ok {
			return ": " + markdownText(said)
		}
	}
	return ", which " + markdownText(rest)
}

// fields lists the fields of a type.
func (p *protocol) fields(b *strings.Builder, t typescript.Type) {
	if len(t.Fields) == 0 {
		b.WriteString("It has no fields.\n\n")
		return
	}
	for _, f := range t.Fields {
		optional := ""
		if f.Optional {
			optional = ", may be left out"
		}
		comment := p.comment(t.Go.PkgPath(), t.Go.Name(), f.Go)
		if comment = strings.Join(strings.Fields(markdownText(comment)), " "); comment != "" {
			comment = ": " + comment
		}
		fmt.Fprintf(b, "- `%s` %s%s%s\n", f.Name, p.linked(f.Type), optional, comment)
	}
	b.WriteString("\n")
}

var typeName = regexp.MustCompile(`[A-Z]\w+`)

// linked writes a type as a link to its element type.
func (p *protocol) linked(text string) string {
	text = strings.ReplaceAll(text, "readonly ", "")
	for _, name := range typeName.FindAllString(text, -1) {
		if _, ok := p.types[name]; ok || name == "Limits" {
			return "[" + code(text) + "](" + p.place(name) + ")"
		}
	}
	return code(text)
}

// place returns the address of the explanation of a type.
func (p *protocol) place(name string) string {
	if p.own[name] {
		for _, m := range p.Methods {
			if m.Params == name || m.Result == name {
				return "protocol.html#" + strings.ReplaceAll(m.Name, ".", "-")
			}
		}
	}
	return "protocol-types.html#type-" + name
}

// types returns the reference of the types that are neither parameters nor results: the settings
// and events of runs, and all others.
func (s *sources) types() (string, error) {
	p, err := s.protocol()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	written := map[string]bool{}
	write := func(name string, title string) {
		if written[name] || p.own[name] {
			return
		}
		written[name] = true
		t := p.types[name]
		fmt.Fprintf(&b, "\n### %s {#type-%s}\n\n`%s`%s\n\n", title, name, t.Name, p.about(t))
		p.fields(&b, t)
	}
	b.WriteString("\n## Settings of runs\n")
	for _, k := range p.Settings {
		write(k.Type, code(k.Type)+" of "+code(k.Kind))
	}
	b.WriteString("\n## Events of runs\n\nEvery event has its number, `seq`, and its `kind`.\n")
	for _, name := range p.Events {
		write(name, code(name))
	}
	b.WriteString("\n## Other types\n\n### `Limits` {#type-Limits}\n\nUse limits: `each` for every terminal that is not in `except`, and a name for its own.\n")
	for _, t := range p.Types {
		write(t.Name, code(t.Name))
	}
	return b.String(), nil
}
