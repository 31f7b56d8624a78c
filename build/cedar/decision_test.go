package cedar

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"testing"

	cedargo "github.com/cedar-policy/cedar-go"
	"github.com/cedar-policy/cedar-go/types"

	"github.com/stile-playground/stile/core/gate"
	"github.com/stile-playground/stile/core/gate/compile"
	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/rules/cedar"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

var guardFile = flag.String("guard", "", "write the guard of the policies for single calls to this file, and the policies to it with .cedar")

// single are policies that one call decides.
const single = `permit (principal, action == Action::"refund", resource)
when { context.amount <= 100 && context.currency == "EUR" };
permit (principal, action in [Action::"lookup", Action::"search", Action::"reply"], resource);
permit (principal, action == Action::"export", resource)
when { context.format like "csv*" };
forbid (principal, action in [Action::"refund", Action::"export"], resource)
when { context has env && context.env == "production" };
`

// past are policies that depend on the calls before.
const past = `permit (principal, action == Action::"balance", resource);
permit (principal, action == Action::"transfer", resource)
when temporal { formerly within 2m Action::"balance"::response{ output.account: context.input.to } };
forbid (principal, action == Action::"transfer", resource)
when temporal { 1000000 < count for (t: Timepoint). where (formerly within 24h (Action::"transfer"::request{} && tp(t))) };
`

func imported(b testing.TB, policies string) string {
	b.Helper()
	text, found, _ := cedar.Import(source.NewFile("p.cedar", policies), cedar.Options{})
	if source.HasErrors(found) {
		b.Fatal(found)
	}
	return text
}

func guard(b testing.TB, policies string) *gate.Guard {
	b.Helper()
	file, err := compile.Compile(language.Table(), []workspace.File{{Name: "p.rules", Text: imported(b, policies)}}, compile.Options{})
	if err != nil {
		b.Fatal(err)
	}
	text, err := compile.Text(file)
	if err != nil {
		b.Fatal(err)
	}
	g, err := gate.Read(text)
	if err != nil {
		b.Fatal(err)
	}
	return g
}

const arguments = `{"amount":50,"currency":"EUR","order":"A-17"}`

func BenchmarkCall(b *testing.B) {
	g := guard(b, single)
	if *guardFile != "" {
		for name, text := range map[string]string{*guardFile: g.Text(), *guardFile + ".cedar": single} {
			if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.Run("Stile", func(b *testing.B) {
		s, err := g.Begin(gate.Options{})
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			if d := s.Allow(gate.Event{Name: "refund", ID: "c", Arguments: arguments, Time: "0"}); d.Verdict != gate.Allow || !s.Cancel("c") {
				b.Fatal(d)
			}
		}
	})
	b.Run("cedar-go", func(b *testing.B) {
		set, err := cedargo.NewPolicySetFromBytes("p.cedar", []byte(single))
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			var context types.Record
			if err := context.UnmarshalJSON([]byte(arguments)); err != nil {
				b.Fatal(err)
			}
			if ok, d := cedargo.Authorize(set, nil, cedargo.Request{
				Principal: types.NewEntityUID("User", "a"), Action: types.NewEntityUID("Action", "refund"), Resource: types.NewEntityUID("Gateway", "g"), Context: context,
			}); !ok {
				b.Fatal(d)
			}
		}
	})
}

// BenchmarkPast measures a decision after some events, and a decision that reads the run again, as
// evaluators of temporal logic over recorded traces do.
func BenchmarkPast(b *testing.B) {
	g := guard(b, past)
	file := rules.Parse(source.NewFile("p.rules", imported(b, past)))
	const transfer = `{"to":"7","amount":5}`
	for _, before := range []int{10, 1_000, 10_000} {
		s, err := g.Begin(gate.Options{})
		if err != nil {
			b.Fatal(err)
		}
		var run []*rules.Event
		read := func(kind, name, fields string) *rules.Event {
			at := strconv.Itoa(len(run))
			e, err := rules.ReadEvent(rules.RawEvent{Kind: &kind, Name: name, Fields: []byte(fields), Time: []byte(at)}, 0)
			if err != nil {
				b.Fatal(err)
			}
			return e
		}
		for i := range before / 2 {
			at, id, account := strconv.Itoa(len(run)), fmt.Sprint("b", i), strconv.Itoa(i%20)
			if d := s.Allow(gate.Event{Name: "balance", ID: id, Arguments: `{"account":"` + account + `"}`, Time: at}); d.Verdict != gate.Allow {
				b.Fatal(d)
			}
			run = append(run, read("call", "balance", `{"account":"`+account+`"}`))
			s.Record(gate.Event{Kind: "result", ID: id, Content: `{"account":"` + account + `"}`, Time: strconv.Itoa(len(run))})
			run = append(run, read("result", "balance", `{"account":"`+account+`"}`))
		}
		now := strconv.Itoa(len(run))
		b.Run(fmt.Sprint(before, "/Stile"), func(b *testing.B) {
			for b.Loop() {
				if d := s.Allow(gate.Event{Name: "transfer", ID: "c", Arguments: transfer, Time: now}); d.Verdict != map[bool]gate.Verdict{true: gate.Allow, false: gate.Deny}[before > 10] {
					b.Fatal(d)
				}
				s.Cancel("c")
			}
		})
		b.Run(fmt.Sprint(before, "/re-reading"), func(b *testing.B) {
			for b.Loop() {
				m := rules.NewMonitor(file)
				for _, e := range run {
					m.Step(e)
				}
				if got := m.Try(read("call", "transfer", transfer)).Allowed(); got != (before > 10) {
					b.Fatal(got)
				}
			}
		})
	}
}
