package apibank

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/bench"
	"github.com/stile-playground/stile/core/json"
)

// maxParts is the maximum number of sub-tasks of a transcript. The last one has all remaining
// calls.
const maxParts = 12

// part is a sub-task: the calls of one tool with the searches before them.
type part struct {
	tool  string
	name  string // of the executor
	calls []Call
	needs []int
}

// Transcript returns a team for a task with a script that makes the given calls and answer. It
// leaves out invalid calls. Dependencies follow the values: a sub-task depends on an earlier one if
// the arguments of its calls contain a value from the results of the earlier one that the task does
// not contain. A sub-task with such a dependency also depends on all earlier ones on which no
// sub-task depends yet.
func (s *Simulator) Transcript(t Task, made []Made, response string) bench.Transcript {
	parts := s.parts(t, readable(made))
	query := struct {
		Sample int `json:"sample_id"`
	}{t.Sample}
	return s.rehearsal(t, parts, response).Transcript(s.team(parts), t.Requirement, bench.Written(query))
}

// Team is the team of every task. It has no tool but the search, and can call whatever tool the
// search finds, so that neither its members nor its constraints depend on a task's gold calls.
const Team = `; PMC on level 3 of API-Bank: a member searches for the tool of its part and calls it.
(define api-team
  (:executors
    (caller
      (:does "Does one part of the task: searches for a tool by keywords, then calls that tool by name, with a JSON object of the parameters in its description.")
      (:tools "ToolSearcher")))
  (:local "Use only values from the task or from results.")
  (:deliverer reporting))
`

// Rehearsal returns the script of a task's gold calls for the [Team]. Only simulated models read
// it.
func (s *Simulator) Rehearsal(t Task) bench.Rehearsal {
	calls := make([]Call, len(t.Calls))
	for i, g := range t.Calls {
		calls[i] = g.Call()
	}
	r := s.rehearsal(t, s.parts(t, calls), t.Response)
	for i := range r.Graph.Subtasks {
		r.Graph.Subtasks[i].Executor = "caller"
	}
	r.Known = s.described()
	return r
}

func readable(made []Made) []Call {
	var calls []Call
	for _, m := range made {
		if c, fault := m.call(); fault == "" {
			calls = append(calls, c)
		}
	}
	return calls
}

// parts divides calls into sub-tasks.
func (s *Simulator) parts(t Task, calls []Call) []*part {
	var parts []*part
	var searches []Call
	for _, c := range calls {
		if c.Name == Searcher {
			searches = append(searches, c)
			continue
		}
		last := len(parts) - 1
		if last < 0 || parts[last].tool != c.Name && len(parts) < maxParts {
			parts = append(parts, &part{tool: c.Name})
			last++
		}
		parts[last].calls = append(append(parts[last].calls, searches...), c)
		searches = nil
	}
	switch {
	case len(searches) == 0:
	case len(parts) == 0:
		parts = []*part{{tool: Searcher, calls: searches}}
	default:
		last := parts[len(parts)-1]
		last.calls = append(last.calls, searches...)
	}
	if len(parts) == 0 {
		parts = []*part{{tool: Searcher}}
	}
	names := map[string]bool{}
	needed := map[int]bool{}
	for i, p := range parts {
		p.name = executorName(p.tool)
		for n := 2; names[p.name]; n++ {
			p.name = fmt.Sprintf("%s-%d", executorName(p.tool), n)
		}
		names[p.name] = true
		for j, before := range parts[:i] {
			if s.takes(t, p, before) {
				p.needs = append(p.needs, j)
			}
		}
		if len(p.needs) > 0 {
			for j := range i {
				if !needed[j] && !slices.Contains(p.needs, j) {
					p.needs = append(p.needs, j)
				}
			}
		}
		slices.Sort(p.needs)
		for _, j := range p.needs {
			needed[j] = true
		}
	}
	return parts
}

func (p *part) tools() []string {
	out := make([]string, len(p.calls))
	for i, c := range p.calls {
		out[i] = c.Name
	}
	return out
}

// takes reports whether a call of p has an argument from the results of before that the task does
// not contain.
func (s *Simulator) takes(t Task, p, before *part) bool {
	given := map[string]bool{}
	for _, c := range before.calls {
		if c.Name != Searcher {
			eachValue(treeOf(s.Do(c).Output), func(value string) { given[value] = true })
		}
	}
	takes := false
	for _, c := range p.calls {
		if c.Name != Searcher {
			eachValue(treeOf(c.Input()), func(value string) {
				takes = takes || given[value] && !strings.Contains(t.Requirement, value)
			})
		}
	}
	return takes
}

// eachValue calls do for each text and number of a value.
func eachValue(n *json.Node, do func(value string)) {
	switch n.Kind {
	case '[':
		for _, item := range n.Items {
			eachValue(item, do)
		}
	case '{':
		for _, m := range n.Members {
			eachValue(m.Value, do)
		}
	case '"', '0':
		do(n.Text)
	}
}

// executorName returns query-meeting for QueryMeeting.
func executorName(tool string) string {
	var kept []string
	for _, w := range words(tool) {
		w = strings.Map(func(r rune) rune {
			if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
				return r
			}
			return -1
		}, w)
		if w != "" {
			kept = append(kept, w)
		}
	}
	name := strings.Join(kept, "-")
	if name == "" || name[0] <= '9' {
		return "caller"
	}
	return name
}

// team formats the team of parts.
func (s *Simulator) team(parts []*part) string {
	var b strings.Builder
	b.WriteString("; PMC on level 3 of API-Bank: each part of the task uses one tool, which a search\n; must find before the call. Parts that do not depend on each other run at the\n; same time.\n(define api-team\n  (:executors")
	for _, p := range parts {
		names, tools := []string{}, ""
		for _, name := range append([]string{Searcher}, p.tools()...) {
			if !slices.Contains(names, name) {
				names = append(names, name)
				tools += " " + bench.Quoted(name)
			}
		}
		fmt.Fprintf(&b, "\n    (%s\n      (:does %s)\n      (:tools%s)", p.name, bench.Quoted(s.about(p.tool)), tools)
		if _, known := s.spec(p.tool); !known {
			b.WriteString(")")
			continue
		}
		fmt.Fprintf(&b, "\n      (:constraints\n        (ltl \"F called.%s\" \"%s is called\")", p.tool, p.tool)
		if p.calls[0].Name == Searcher {
			fmt.Fprintf(&b, "\n        (ltl \"!called.%s W called.%s\" \"the tool is searched for before it is called\")", p.tool, Searcher)
		}
		b.WriteString("))")
	}
	fmt.Fprintf(&b, ")\n  (:local \"Use only values from the task or from results.\")\n  (:deliverer reporting)\n  (:limits (sub-tasks %d)))\n", len(parts))
	return b.String()
}

// rehearsal returns the calls of parts with typical mistakes.
func (s *Simulator) rehearsal(t Task, parts []*part, response string) bench.Rehearsal {
	if strings.TrimSpace(response) == "" {
		response = "It is done."
	}
	r := bench.Rehearsal{
		Graph:   bench.Graph{Thought: "Each part uses one tool; a part that uses a value from another part's result depends on that part.", Global: []string{}},
		Answers: 2,
		Answer: func(variants []int, own int) string {
			if own > 0 || slices.Contains(variants, variantUncalled) {
				return half(response)
			}
			return response
		},
		Alone: func(known bool, variants []int, _ int) string {
			return s.unseen(t, parts, known, variants) + "\nAnswer: " + half(response)
		},
	}
	for i, p := range parts {
		sub := bench.Subtask{ID: fmt.Sprintf("t%d", i+1), Task: s.about(p.tool), Executor: p.name, Needs: []string{}, Local: []string{}}
		for _, j := range p.needs {
			sub.Needs = append(sub.Needs, fmt.Sprintf("t%d", j+1))
		}
		r.Graph.Subtasks = append(r.Graph.Subtasks, sub)
		r.Parts = append(r.Parts, bench.Part{Variants: s.variants(p)})
	}
	return r
}

// Variants of a part with a mistake.
const (
	variantUncalled = 1 // the tool is found but not called: its result is invented
	variantTwice    = 2 // the last call is made twice
	variantMistyped = 3 // a value is misspelt at first
)

// variants returns the answers of a part's executor by variant: the correct one is first, the
// others contain a mistake.
func (s *Simulator) variants(p *part) [][]string {
	variants := make([][]string, 4)
	var results []string
	say := func(c Call, which ...int) {
		thought := "I call the tool."
		if c.Name == Searcher {
			thought = "I look for a tool."
		}
		for _, w := range which {
			variants[w] = append(variants[w], bench.Acts(thought, c.Name, string(c.Input())))
		}
	}
	mistyped := false
	for i, c := range p.calls {
		if c.Name == Searcher {
			say(c, 0, variantUncalled, variantTwice, variantMistyped)
			continue
		}
		if !mistyped && len(c.Arguments) > 0 {
			wrong := Call{c.Name, slices.Clone(c.Arguments)}
			wrong.Arguments[0].Value = marshal(textOf(wrong.Arguments[0].Value) + " or so")
			say(wrong, variantMistyped)
			mistyped = true
		}
		say(c, 0, variantTwice, variantMistyped)
		if i == len(p.calls)-1 {
			say(c, variantTwice)
		}
		if outcome := s.Do(c); !outcome.Failed() {
			results = append(results, string(outcome.Output))
		}
	}
	if len(results) == 0 {
		results = []string{"No call returned a result."}
	}
	for w := range variants {
		variants[w] = append(variants[w], bench.FinalAnswer(strings.Join(results, "\n")))
	}
	variants[variantUncalled][len(variants[variantUncalled])-1] = bench.FinalAnswer("I know this without calling the tool.")
	return variants
}

// unseen returns the calls of a model that sees no results: it can only use the words of
// the task. Without the tools' descriptions it can only search for tools.
func (s *Simulator) unseen(t Task, parts []*part, known bool, variants []int) string {
	var b strings.Builder
	for i, p := range parts {
		for _, c := range p.calls {
			if !known && c.Name != Searcher || variants[i] == variantUncalled && c.Name != Searcher {
				continue
			}
			c = Call{c.Name, slices.Clone(c.Arguments)}
			for j, a := range c.Arguments {
				if c.Name != Searcher && !strings.Contains(t.Requirement, textOf(a.Value)) {
					c.Arguments[j].Value = marshal("as was found")
				}
			}
			b.WriteString(c.String() + "\n")
		}
	}
	return b.String()
}

// described lists the parameters of all tools.
func (s *Simulator) described() string {
	var b strings.Builder
	b.WriteString(Searcher + ": searches for a tool; parameter: keywords\n")
	for _, spec := range s.pool {
		names := make([]string, len(spec.Parameters))
		for i, a := range spec.Parameters {
			names[i] = a.Name + " (" + a.Type + ")"
		}
		fmt.Fprintf(&b, "%s: %s; parameters: %s\n", spec.Name, strings.TrimSuffix(s.about(spec.Name), "."), strings.Join(names, ", "))
	}
	return b.String()
}

// half returns the first half of a text's words.
func half(text string) string {
	all := strings.Fields(text)
	return strings.Join(all[:(len(all)+1)/2], " ")
}

// about returns the description of a tool.
func (s *Simulator) about(tool string) string {
	if spec, ok := s.spec(tool); ok {
		return strings.TrimSpace(spec.Description)
	}
	return "Calls " + tool + "."
}
