package learn

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/internal/must"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/tool"
)

func TestInvalidPlanScoresZero(t *testing.T) {
	w, err := newWorld(openAGI(t), []int{3, 16}, meter.New(meter.Budget{}))
	if err != nil {
		t.Fatal(err)
	}
	number := map[string]int{}
	for i, name := range w.actions {
		number[name] = i
	}
	judge := func(task int, text string) judgement {
		var word []int
		for _, name := range strings.Fields(text) {
			word = append(word, number[name])
		}
		var j judgement
		for range 2 { // the second time from the cache
			if j, err = w.judge(w.tasks[task], word, []byte(text)); err != nil {
				t.Fatal(err)
			}
		}
		return j
	}
	// Task 3 has a blurry, grey image that is to be clean.
	for _, c := range []struct {
		word   string
		valid  bool
		reward float64
		score  float64
	}{
		{"a3 a1 i", true, 1 - 0.02, 1},             // everything is fixed
		{"a1 i", true, 0.2 + 0.8*2/3 - 0.01, 0.75}, // still blurry
		{"a2 i", true, 0.2 + 0.8/3 - 0.01, 0.5},    // nothing is
		{"a2 a4 i", true, 0.2 + 0.8/3 - 0.02, 0.5}, // nor so
		{"c1 b2 a1 a3 i", true, 1 - 0.04, 1},       // a way round
		{"a1 a1 i", false, 0, 0},                   // twice
		{"a1", false, 0, 0}, {"", false, 0, 0}, {"i", false, 0, 0}, {"b1 i", false, 0, 0}, {"a1 i i", false, 0, 0},
	} {
		j := judge(0, c.word)
		if j.valid != c.valid || j.reward < c.reward-1e-12 || j.reward > c.reward+1e-12 || j.score != c.score {
			t.Errorf("%q is %+v, want %v, %v and %v", c.word, j, c.valid, c.reward, c.score)
		}
	}
}

func TestExecutablePlansScoreMoreThanOthers(t *testing.T) {
	long := Quality(tool.Goal{Type: "text", Marks: []string{"a"}}, tool.Value{Type: "text"}, 100)
	if long != least {
		t.Errorf("a plan of a hundred tools scores %v", long)
	}
	if got := Quality(tool.Goal{Type: "text"}, tool.Value{Type: "image"}, 1); got != 0 {
		t.Errorf("an image in the place of a text scores %v", got)
	}
	goal := tool.Goal{Type: "plan", Most: []tool.Sum{{Name: "cost", Amount: 5}}}
	cheap := Quality(goal, tool.Value{Type: "plan", Sums: []tool.Sum{{Name: "cost", Amount: 5}}}, 0)
	dear := Quality(goal, tool.Value{Type: "plan", Sums: []tool.Sum{{Name: "cost", Amount: 6}}}, 0)
	if cheap != 1 || dear != 0.2 {
		t.Errorf("a plan within its sum scores %v, one above it %v", cheap, dear)
	}
}

// With the automaton a policy of any weights makes plans only.
func TestEveryPolicyMakesPlansWithTheAutomaton(t *testing.T) {
	p := openAGI(t)
	w, err := newWorld(p, nil, meter.New(meter.Budget{Steps: 1 << 36}))
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 1))
	var e episode
	for round := range 5 {
		policy := NewPolicy(len(w.features.names), len(w.actions)+1)
		for i := range policy.weights {
			policy.weights[i] = 3 * random.NormFloat64()
		}
		for _, task := range w.tasks {
			finished, err := w.play(policy, task, true, &e, random)
			if err != nil || !finished {
				t.Fatalf("round %d, task %d: %v, %v", round, task.Place, finished, err)
			}
			j, err := w.judge(task, e.word, e.key)
			if err != nil || !j.valid || j.reward < least {
				t.Fatalf("round %d, task %d: %+v, %v", round, task.Place, j, err)
			}
		}
	}
}

func TestFollowsAgreesWithWords(t *testing.T) {
	for _, c := range []struct{ grammar, want string }{
		{"S -> a S b | ε", "^$ ^a aa ab b$ bb"},
		{"S -> A c | d\nA -> a A | ε", "^a ^c ^d aa ac c$ d$"},
		{"S -> x Y\nY -> y | x", "^x x$ xx xy y$"},
	} {
		g := must.Grammar(t, c.grammar)
		name := func(s grammar.Symbol, none string) string {
			if s < 0 {
				return none
			}
			return g.Names[s]
		}
		got := map[string]bool{}
		follows(g, func(before, after grammar.Symbol) { got[name(before, "^")+name(after, "$")] = true })
		var list []string
		for pair := range got {
			list = append(list, pair)
		}
		slices.Sort(list)
		if strings.Join(list, " ") != c.want {
			t.Errorf("%q: %v, want %s", c.grammar, list, c.want)
		}
	}
}

func TestFeaturesDescribeTaskAndChoices(t *testing.T) {
	p := openAGI(t)
	w, err := newWorld(p, []int{120}, meter.New(meter.Budget{}))
	if err != nil {
		t.Fatal(err)
	}
	task, e := w.tasks[0], &episode{has: make([]bool, len(w.actions))}
	names := func() string {
		var out []string
		for _, f := range w.featuresAt(task, e, nil) {
			out = append(out, w.features.Names()[f])
		}
		return strings.Join(out, ", ")
	}
	const about = "always, gives i, gives i low-resolution, gives i noisy, gives i blurry, gives i grey, gives t, wants text, wants answer, wants German, without guess, "
	if got := names(); got != about+"at first, at 0" {
		t.Errorf("at first: %s", got)
	}
	for i := range 10 {
		e.word = append(e.word, i%2)
		e.has[i%2] = true
	}
	if got := names(); got != about+"after "+w.actions[1]+", has "+w.actions[0]+", has "+w.actions[1]+", at 8" {
		t.Errorf("then: %s", got)
	}
}
