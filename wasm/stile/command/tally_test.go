package command

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/backtest"
)

// TestTalliesMergeInAnyOrder judges the parts of files in groups that are merged in random orders: the reports
// are those of the command.
func TestTalliesMergeInAnyOrder(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(folder, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	r := rand.New(rand.NewPCG(7, 7))
	var lines [2]strings.Builder
	for i := range 700 {
		tool := []string{"find", "buy", "steal"}[r.IntN(3)]
		fmt.Fprintf(&lines[i%2], `{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":%q,"arguments":"{}"}}]},{"role":"tool","tool_call_id":"1","content":"ok"},{"role":"assistant","content":"done"}]}`+"\n", tool)
	}
	args := []string{
		write("a.rules", "one: buy() -> once find.result()\n\ntwo: !steal()\n\nthree: steal() -> once find.result()\n"),
		write("b.jsonl", lines[0].String()), write("c.json", "nothing"), write("d.jsonl", lines[1].String()),
	}
	var set Setup
	set.Add(flag.NewFlagSet("", flag.ContinueOnError))
	job, files, err := set.Job(context.Background(), args)
	if err != nil || len(files) != 3 {
		t.Fatal(files, err)
	}
	for _, form := range []string{"text", "markdown", "json", "sarif"} {
		var want bytes.Buffer
		if code := Run(context.Background(), append([]string{"check", "-format", form}, args...), Streams{Out: &want}); code != Fail {
			t.Fatal(code)
		}
		job.All = Lists(form)
		judge, err := job.Open()
		if err != nil {
			t.Fatal(err)
		}
		tallies := []Tally{judge.Tally()}
		for i, name := range files {
			f, err := os.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			err = ReadParts(context.Background(), name, f, func(p backtest.Part) error {
				if r.IntN(20) == 0 {
					tallies = append(tallies, judge.Tally())
				}
				judge.Add(&tallies[r.IntN(len(tallies))], i, p)
				return nil
			})
			if err != nil || f.Close() != nil {
				t.Fatal(err)
			}
		}
		for len(tallies) > 1 {
			i := r.IntN(len(tallies) - 1)
			var next Tally // a runner moves tallies between processes
			text, err := json.Marshal(tallies[i+1])
			if err != nil || json.Unmarshal(text, &next) != nil {
				t.Fatal(err)
			}
			tallies[i].Merge(next)
			tallies = append(tallies[:i+1], tallies[i+2:]...)
		}
		var got bytes.Buffer
		if err := judge.Write(&got, form, tallies[0]); err != nil {
			t.Fatal(err)
		}
		if got.String() != want.String() {
			t.Errorf("%s: %s\nwant\n%s", form, got.String(), want.String())
		}
	}
}
