package bench_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/stile-playground/stile/core/bench"
)

func TestRates(t *testing.T) {
	for _, c := range []struct {
		count, of int
		share     float64
	}{{0, 0, 0}, {0, 1, 0}, {1, 1, 1}, {1, 4, 0.25}} {
		if got := bench.RateOf(c.count, c.of); got != (bench.Rate{Count: c.count, Of: c.of, Share: c.share}) {
			t.Errorf("%+v", got)
		}
	}
}

func TestTranscriptHasCorrectAnswersOnly(t *testing.T) {
	r := bench.Rehearsal{
		Graph:  bench.Graph{Thought: "I plan.", Subtasks: []bench.Subtask{{ID: "t1"}, {ID: "t2"}}},
		Parts:  []bench.Part{{Variants: [][]string{{"a", "b"}, {"wrong"}}}, {Variants: [][]string{{"c"}}}},
		Answer: func(parts []int, own int) string { return fmt.Sprint(parts, own) },
	}
	for _, supervisor := range []string{"", "do it so"} {
		r.Supervisor = supervisor
		want := bench.Script{"manager": {bench.Written(r.Graph)}, "deliverer": {"[0 0] 0"}, "task t1": {"a", "b"}, "task t2": {"c"}}
		if supervisor != "" {
			want["supervisor"] = []string{supervisor}
		}
		if got := r.Transcript("team", "task", "query"); !reflect.DeepEqual(got, bench.Transcript{Team: "team", Task: "task", Query: "query\n", Script: want}) {
			t.Errorf("%+v", got)
		}
	}
}

func TestTextsOfATranscript(t *testing.T) {
	for got, want := range map[string]string{
		bench.Written(map[string]int{"b": 1, "a": 2}): `{"a":2,"b":1}`,
		bench.Written(func() {}):                      "null",
		bench.Quoted(" say\n \"a\\b\" "):              `"say \"a\\b\""`,
		bench.Acts("I look.", "Search", "{}"):         "[Thought] I look.\n[Action] Search\n[Action Input] {}",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
