package ltl_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stile-playground/stile/core/ltl"
)

// mona writes a formula for MONA (Henriksen et al. 1995) in the logic of strings:
// propositions are sets of positions.
func mona(f *ltl.Formula) string {
	var b strings.Builder
	b.WriteString("m2l-str;\n")
	for _, p := range f.Props() {
		b.WriteString("var2 " + p + ";\n")
	}
	m := monaWriter{}
	b.WriteString("ex1 x: (x = 0 & " + m.at(f, "x") + ");\n")
	return b.String()
}

type monaWriter struct{ variables int }

func (m *monaWriter) fresh() string {
	m.variables++
	return fmt.Sprintf("y%d", m.variables)
}

func (m *monaWriter) at(f *ltl.Formula, x string) string {
	until := func(holds, ends *ltl.Formula) string {
		y, z := m.fresh(), m.fresh()
		return fmt.Sprintf("(ex1 %s: (%s <= %s & %s & (all1 %s: ((%s <= %s & %s < %s) => %s))))", y, x, y, m.at(ends, y), z, x, z, z, y, m.at(holds, z))
	}
	always := func(f *ltl.Formula) string {
		y := m.fresh()
		return fmt.Sprintf("(all1 %s: (%s <= %s => %s))", y, x, y, m.at(f, y))
	}
	switch f.Op {
	case ltl.True:
		return "true"
	case ltl.False:
		return "false"
	case ltl.Last:
		return "(" + x + " = $)"
	case ltl.Prop:
		return x + " in " + f.Name
	case ltl.Not:
		return "~(" + m.at(f.Left, x) + ")"
	case ltl.And:
		return "(" + m.at(f.Left, x) + " & " + m.at(f.Right, x) + ")"
	case ltl.Or:
		return "(" + m.at(f.Left, x) + " | " + m.at(f.Right, x) + ")"
	case ltl.Implies:
		return "(" + m.at(f.Left, x) + " => " + m.at(f.Right, x) + ")"
	case ltl.Iff:
		return "(" + m.at(f.Left, x) + " <=> " + m.at(f.Right, x) + ")"
	case ltl.WeakNext:
		return m.at(ltl.New(ltl.Not, ltl.New(ltl.Next, ltl.New(ltl.Not, f.Left))), x)
	case ltl.Release:
		return "~" + until(ltl.New(ltl.Not, f.Left), ltl.New(ltl.Not, f.Right))
	case ltl.StrongRelease:
		return until(f.Right, ltl.New(ltl.And, f.Left, f.Right))
	case ltl.Next:
		// After the last position, + 1 wraps to the first one.
		y := m.fresh()
		return fmt.Sprintf("(ex1 %s: (%s = %s + 1 & %s < %s & %s))", y, y, x, x, y, m.at(f.Left, y))
	case ltl.Finally:
		y := m.fresh()
		return fmt.Sprintf("(ex1 %s: (%s <= %s & %s))", y, x, y, m.at(f.Left, y))
	case ltl.Globally:
		return always(f.Left)
	case ltl.Until:
		return until(f.Left, f.Right)
	case ltl.WeakUntil:
		return "(" + until(f.Left, f.Right) + " | " + always(f.Left) + ")"
	}
	panic("unexpected operator " + f.Op.String())
}

// runMONA returns the output of MONA for formulas, one process each, limited to 20 seconds
// for all; the output for formulas after the limit is missing.
func runMONA(b testing.TB, tool string, list ...*ltl.Formula) (out []string) {
	ctx, cancel := context.WithTimeout(b.Context(), 20*time.Second)
	defer cancel()
	file := filepath.Join(b.TempDir(), "f.mona")
	for _, f := range list {
		if err := os.WriteFile(file, []byte(mona(f)), 0o644); err != nil {
			b.Fatal(err)
		}
		printed, err := exec.CommandContext(ctx, tool, "-w", file).CombinedOutput()
		if ctx.Err() != nil {
			return out // the error is the timeout
		}
		if err != nil {
			b.Fatalf("%v: %s", err, printed)
		}
		out = append(out, string(printed))
	}
	return out
}

// BenchmarkMONA times MONA, if it is installed, on the formulas of BenchmarkTranslate: one
// process, limited to 20 seconds. Starting a process takes a few milliseconds, which matters for
// random formulas only; "start" measures it, with processes that translate one proposition.
func BenchmarkMONA(b *testing.B) {
	tool, err := exec.LookPath("mona")
	if err != nil {
		b.Skip("mona is not installed")
	}
	for _, f := range families {
		if f.letters != ltl.Powerset {
			continue
		}
		for _, n := range f.sizes {
			b.Run(fmt.Sprintf("%s/%s/%d", f.name, f.letters, n), func(b *testing.B) {
				for b.Loop() {
					runMONA(b, tool, parse(b, f.formula(n)))
				}
			})
		}
	}
	for _, name := range []string{"random", "start"} {
		list := randomFormulas(randomBenched, 1)
		for i := range list {
			if name == "start" {
				list[i] = ltl.NewProp("a")
			}
		}
		b.Run(fmt.Sprintf("%s/%s/%d", name, ltl.Powerset, len(list)), func(b *testing.B) {
			for b.Loop() {
				runMONA(b, tool, list...)
			}
		})
	}
}

// BenchmarkCorpus translates every formula of the conformance data.
func BenchmarkCorpus(b *testing.B) {
	type item struct {
		f *ltl.Formula
		a *ltl.Alphabet
	}
	var list []item
	for _, r := range records(b) {
		a, err := ltl.NewAlphabet(r.Props, r.Mode)
		if err != nil {
			b.Fatal(err)
		}
		list = append(list, item{parse(b, r.Formula), a})
	}
	b.ReportMetric(float64(len(list)), "formulas")
	for b.Loop() {
		for _, i := range list {
			if _, err := ltl.Translate(i.f, i.a, nil); err != nil {
				b.Fatal(err)
			}
		}
	}
}
