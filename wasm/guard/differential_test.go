package guard

import (
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/gate"
	"github.com/stile-playground/stile/core/gate/compile"
)

// sample is the number of random runs: 10,000 with -long, otherwise those of a few seconds.
func sample() int {
	if os.Getenv("STILE_LONG") != "" {
		return 10_000
	}
	return 400
}

// All runtimes return the same decisions, states and log lines, also if the state moves
// between them at a random event.
func TestRuntimesAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(26, 1))
	others := drivers(t)
	verdicts, kinds, codes := map[gate.Verdict]int{}, map[string]int{}, map[string]int{}
	for runs := 0; runs < sample(); {
		files := randomSpecs(r)
		text, err := compiled(files, compile.Options{})
		if err != nil {
			continue // such as a behaviour without a run
		}
		g, err := gate.Read(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			kinds[f.Name[strings.LastIndexByte(f.Name, '.')+1:]]++
		}
		for range 4 {
			runs++
			modes := map[string]gate.Mode{}
			for _, name := range g.RuleNames() {
				if r.IntN(3) == 0 {
					modes[name] = []gate.Mode{gate.AskMode, gate.Shadow, gate.Off}[r.IntN(3)]
				}
			}
			q := request{Guard: text, Modes: modes, Redact: []string{"user-name", "q"}[r.IntN(2):], Ops: randomOperations(r, g, modes, g.File.Specs[0].Letters)}
			want := judgeInGo(t, q)
			for _, d := range want.Decisions {
				verdicts[d.Verdict]++
				codes[d.Code]++
			}
			agree(t, r, others, q, want)
			if t.Failed() {
				t.Log(files)
				return
			}
		}
	}
	for _, v := range []gate.Verdict{gate.Allow, gate.Deny, gate.Ask} {
		if verdicts[v] < 50 {
			t.Errorf("the verdict %s occurs %d times: too few", v, verdicts[v])
		}
	}
	for _, kind := range []string{"agent", "cfg", "pda", "flow", "ltl", "rules"} {
		if kinds[kind] < 5 {
			t.Errorf("%d specs with .%s: too few", kinds[kind], kind)
		}
	}
	if codes["rule"] < 20 || codes["order"]+codes["order.call"] < 20 {
		t.Errorf("codes %v: too few of rules or of orders", codes)
	}
	t.Log(kinds, codes)
}

func compare(t *testing.T, name string, q request, want, got reply) {
	t.Helper()
	for i := range want.Decisions {
		if i >= len(got.Decisions) || !reflect.DeepEqual(got.Decisions[i], want.Decisions[i]) {
			t.Fatalf("%s, operation %d of %+v:\n%+v\nwant %+v", name, i, q.Ops, got, want.Decisions[i])
		}
	}
	if got.State != want.State || !reflect.DeepEqual(got.Log, want.Log) {
		t.Fatalf("%s: %+v: state\n%s\nwant\n%s\nlog %s\nwant %s", name, q.Ops, got.State, want.State, got.Log, want.Log)
	}
}

// moved judges the first operations with Go or a runtime and the others with another one.
func moved(t *testing.T, r *rand.Rand, first, second *driver, q request, want reply) {
	t.Helper()
	at := r.IntN(len(q.Ops) + 1)
	head, tail := q, q
	head.Ops, tail.Ops = q.Ops[:at], q.Ops[at:]
	var before reply
	if r.IntN(2) == 0 {
		before = judgeInGo(t, head)
	} else {
		before = first.judge(t, head)
	}
	if before.Error != "" {
		t.Fatal(before.Error)
	}
	tail.State = before.State
	var after reply
	if r.IntN(2) == 0 {
		after = judgeInGo(t, tail)
	} else {
		after = second.judge(t, tail)
	}
	after.Decisions = append(before.Decisions, after.Decisions...)
	after.Log = append(before.Log, after.Log...)
	compare(t, first.name+" then "+second.name, q, want, after)
}
