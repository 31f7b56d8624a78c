package team

import (
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/flow"
	"github.com/stile-playground/stile/core/internal/must"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// graphs visits every graph of up to n sub-tasks in which each needs a subset of the
// earlier ones.
func graphs(most int, visit func(g *Graph)) {
	for n := 1; n <= most; n++ {
		for bits := range 1 << (n * (n - 1) / 2) {
			g := &Graph{}
			left := bits
			for i := range n {
				s := Subtask{ID: "t" + string(rune('1'+i)), Task: "x", Executor: string(rune('a' + i))}
				for j := range i {
					if left&1 == 1 {
						s.Needs = append(s.Needs, "t"+string(rune('1'+j)))
					}
					left >>= 1
				}
				g.Subtasks = append(g.Subtasks, s)
			}
			visit(g)
		}
	}
}

// words returns the words of all orders of a graph, by exhaustive search.
func words(g *Graph, done []string) []string {
	if len(done) == len(g.Subtasks) {
		return []string{""}
	}
	var out []string
	for _, s := range g.Subtasks {
		if slices.Contains(done, s.ID) || slices.ContainsFunc(s.Needs, func(id string) bool { return !slices.Contains(done, id) }) {
			continue
		}
		for _, rest := range words(g, append(slices.Clone(done), s.ID)) {
			out = append(out, s.Executor+rest)
		}
	}
	return out
}

func TestShapeMatchesSomeOrder(t *testing.T) {
	file := source.NewFile("order.cfg", "S -> a X d | a b\nX -> b c | c b\nlimit 1 each\n")
	shape := GrammarShape(file, must.Grammar(t, file.Text))
	chart := source.NewFile("order.flow", "ask x \"first?\"\n  a -> y\nask y \"then?\"\n  b -> z\n  c -> w\nask z \"then?\"\n  c -> v\nask w \"then?\"\n  b -> v\nask v \"last?\"\n  d -> end\naccept end\n")
	syntax, _ := flow.Parse(chart)
	f, found := flow.Compile(syntax)
	if source.HasErrors(found) {
		t.Fatal(found)
	}
	flowShape := FlowShape(chart, f)
	if got := flowShape.Unknown(mustTeam(t, `(define a (:executors (a (:does "x")) (b (:does "x")) (d (:does "x"))))`)); !slices.Equal(got, []string{"c"}) {
		t.Errorf("no executors are %v", got)
	}
	good := 0
	graphs(4, func(g *Graph) {
		all := words(g, nil)
		want := slices.Contains(all, "abcd") || slices.Contains(all, "acbd")
		if got, err := flowShape.fits(g, meter.New(meter.Budget{})); err != nil || got != want {
			t.Fatalf("%s by the flowchart %v %v, want %v", g, got, err, want)
		}
		want = want || slices.Contains(all, "ab")
		if got, err := shape.fits(g, meter.New(meter.Budget{})); err != nil || got != want {
			t.Fatalf("%s by the grammar %v %v, want %v", g, got, err, want)
		}
		if want {
			good++
		}
	})
	if good == 0 {
		t.Error("no graph fits")
	}
	twice := &Graph{Subtasks: []Subtask{{ID: "t1", Executor: "a"}, {ID: "t2", Executor: "b"}, {ID: "t3", Executor: "b", Needs: []string{"t1"}}}}
	limited := source.NewFile("l.cfg", "S -> a B\nB -> b B | b\nlimit 1 b\n")
	if fits, _ := GrammarShape(limited, must.Grammar(t, limited.Text)).fits(twice, nil); fits {
		t.Error("an executor comes more often than the grammar lets it")
	}
}

func TestManagerPromptContainsShape(t *testing.T) {
	file := source.NewFile("order.cfg", "S -> dates people writer\n")
	spec := mustTeam(t, strings.Replace(research, "(:limits", `(:shape "order.cfg") (:limits`, 1))
	shape := GrammarShape(file, must.Grammar(t, file.Text))
	reader := Reader{Spec: spec, Shape: shape}
	if _, faults, err := reader.Read(diamond); err != nil || len(faults) > 0 {
		t.Errorf("%q %v", faults, err)
	}
	wrong := strings.ReplaceAll(diamond, `"writer"`, `"dates"`)
	_, faults, err := reader.Read(wrong)
	if err != nil || len(faults) != 1 || faults[0] != "no order of the sub-tasks has the executors in an order that order.cfg permits; it mentions dates, people, writer" {
		t.Errorf("%q %v", faults, err)
	}
	r, events, err := play(t, research, Setup{Shape: shape}, Settings{Task: "x", Model: person})
	if err != nil || !r.Valid || !strings.Contains(events[0], "S -\\u003e dates") && !strings.Contains(events[0], "S -> dates") {
		t.Errorf("%v %s", err, events[0])
	}
}

func TestCriticalPathIsLongest(t *testing.T) {
	graphs(4, func(g *Graph) {
		weight := func(id string) int { return []int{3, 1, 4, 2}[id[1]-'1'] }
		var longest func(id string) int
		longest = func(id string) int {
			best := 0
			for _, before := range g.Subtask(id).Needs {
				best = max(best, longest(before))
			}
			return best + weight(id)
		}
		want := 0
		for _, s := range g.Subtasks {
			want = max(want, longest(s.ID))
		}
		path, length := g.Critical(weight)
		sum := 0
		for i, id := range path {
			sum += weight(id)
			if i > 0 && !slices.Contains(g.Subtask(id).Needs, path[i-1]) {
				t.Fatalf("%s: %v is no way through it", g, path)
			}
		}
		if length != want || sum != want {
			t.Fatalf("%s: %v of length %d, want %d", g, path, length, want)
		}
	})
}

func TestConsequencesAreDependents(t *testing.T) {
	graphs(4, func(g *Graph) {
		var reaches func(from, to string) bool
		reaches = func(from, to string) bool {
			return from == to || slices.ContainsFunc(g.Subtask(to).Needs, func(id string) bool { return reaches(from, id) })
		}
		for _, s := range g.Subtasks {
			changed := g.clone()
			changed.Subtask(s.ID).Task = "another"
			var want []string
			for _, o := range g.Subtasks {
				if reaches(s.ID, o.ID) {
					want = append(want, o.ID)
				}
			}
			if got := changed.Consequences(g); !slices.Equal(got, want) {
				t.Fatalf("%s: a change of %s has consequences for %v, want %v", g, s.ID, got, want)
			}
		}
		if got := g.Consequences(g.clone()); len(got) > 0 {
			t.Fatalf("%s: no change has consequences for %v", g, got)
		}
	})
}

func FuzzAcceptedGraphsCanBeExecuted(f *testing.F) {
	f.Add(diamond)
	f.Add(`{"subtasks": [{"id": "t1", "task": "x", "executor": "dates", "needs": ["t2"]}, {"id": "t2", "task": "x", "executor": "dates", "needs": ["t1"]}]}`)
	f.Add(`[{"id": "a", "task": "x", "executor": "writer"}]`)
	spec := mustTeam(f, strings.Replace(research, "(:limits", `(:global (ltl "!started.writer W done.dates")) (:limits`, 1))
	f.Fuzz(func(t *testing.T, text string) {
		reader := Reader{Spec: spec}
		g, faults, err := reader.Read(text)
		if err != nil {
			t.Fatal(err)
		}
		if (g == nil) != (len(faults) > 0) {
			t.Fatalf("%v and %q", g, faults)
		}
		if g == nil {
			return
		}
		if order, ok := g.Order(); !ok || len(order) != len(g.Subtasks) {
			t.Fatalf("%s has no order", g)
		}
		again, faults, err := reader.Read(g.JSON())
		if err != nil || len(faults) > 0 || again.JSON() != g.JSON() {
			t.Fatalf("%s is read as %v %q", g.JSON(), again, faults)
		}
	})
}
