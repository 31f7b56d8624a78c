package command

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/stile-playground/stile/core/backtest"
	"github.com/stile-playground/stile/core/infer"
	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/meter"
)

type learning struct {
	reading
	failing        names
	outcome        string
	out            string
	properties     string
	options        infer.Options
	support        int
	accept, refuse names
	questions      int
}

func (l *learning) add(flags *flag.FlagSet) {
	l.reading.add(flags)
	flags.Var(&l.failing, "failing", "`TRACE` whose runs a spec should reject; may be repeated")
	flags.StringVar(&l.outcome, "outcome", "", "`member` of the object of a run, such as reward: the run fails unless it is true, at least 1, or a text such as passed")
	flags.StringVar(&l.out, "o", "", "new `file` for the agent; the default is standard output")
	flags.StringVar(&l.properties, "properties", "", "new `file` for the formulas")
	flags.IntVar(&l.options.States, "states", infer.MaxStates, "largest number of states")
	flags.BoolVar(&l.options.Strict, "strict", false, "keep this number even if automata from a part of the runs reject the others")
	flags.BoolVar(&l.options.Verdicts, "verdicts", false, "merge states by passing and failing runs alone, not by frequencies")
	flags.IntVar(&l.support, "support", 0, "runs to which a formula has to apply; 0 is a twentieth of them")
	flags.Var(&l.accept, "accept", "`steps` of a run that the agent accepts, separated by spaces; may be repeated")
	flags.Var(&l.refuse, "refuse", "`steps` of a run that the agent rejects; may be repeated")
	flags.IntVar(&l.questions, "questions", 5, "number of runs to ask about: the shortest ones on which this agent and a stricter one differ")
}

// learnVerb proposes an agent and formulas from runs.
func learnVerb(ctx context.Context, s Streams, args []string) (int, error) {
	flags := newFlags(s, "learn")
	var l learning
	l.add(flags)
	traceNames, err := parse(flags, args)
	if err != nil {
		return Error, err
	}
	if len(traceNames) == 0 {
		flags.Usage()
		return Error, errUsage
	}
	for _, name := range []string{l.out, l.properties} {
		if _, err := os.Stat(name); name != "" && err == nil {
			return Error, fmt.Errorf("%s exists; learn writes new files only", name)
		}
	}
	runs, unread, err := l.read(ctx, s, traceNames, false, nil)
	if err == nil && len(l.failing) > 0 {
		var more int
		runs, more, err = l.read(ctx, s, l.failing, true, runs)
		unread += more
	}
	if err != nil {
		return Error, err
	}
	if err := l.propose(s, runs); err != nil {
		return Error, err
	}
	if unread > 0 {
		fmt.Fprintf(s.Err, "%d runs were not understood, and nothing was learned from them\n", unread)
		return Fail, nil
	}
	return Pass, nil
}

// read adds the runs of traces to a list, and counts those that were not understood.
func (l *learning) read(ctx context.Context, s Streams, traceNames []string, failing bool, runs []infer.Run) (all []infer.Run, unread int, err error) {
	t := traces{in: s.In, include: l.include}
	err = inOrder(ctx, func(ctx context.Context, emit func(backtest.Part) error) error {
		t.emit = emit
		return t.read(ctx, traceNames)
	}, func(p backtest.Part) []backtest.Recorded {
		return backtest.ReadPart(p, l.reading.options.Format, l.outcome)
	}, func(list []backtest.Recorded) error {
		for _, r := range list {
			if r.Fault != "" {
				unread++
				fmt.Fprintf(s.Err, "%s: unread: %s\n", r.Name, r.Fault)
				continue
			}
			runs = append(runs, infer.Run{Name: r.Name, Steps: infer.FromConversation(r.Parts), Failed: failing || r.Failed})
		}
		return nil
	})
	return runs, unread, err
}

// decided splits each value of a flag into the symbols of a word.
func decided(list names) (out [][]string) {
	for _, words := range list {
		out = append(out, strings.Fields(words))
	}
	return out
}

func (l *learning) propose(s Streams, runs []infer.Run) error {
	budget := func() *meter.Meter { return meter.New(language.AnalysisBudget) }
	l.options.Accept, l.options.Refuse = decided(l.accept), decided(l.refuse)
	name := "learned"
	if base := strings.TrimSuffix(filepath.Base(l.out), ".agent"); l.out != "" && base != "" {
		name = infer.StateName(base)
	}
	p, err := infer.Propose(runs, l.options, name, budget())
	if err != nil {
		return err
	}
	if l.out == "" {
		fmt.Fprint(s.Out, p.Text)
	} else if err := writeNew(l.out, p.Text); err != nil {
		return err
	}
	report := s.Out
	if l.out == "" {
		report = s.Err
	}
	fmt.Fprintf(report, "%d states from %d passing and %d failing runs\n", p.States, p.Pass, p.Fail)
	for _, remark := range p.Reservations() {
		fmt.Fprintln(report, remark)
	}
	if err := l.ask(report, runs, p, name); err != nil {
		return err
	}
	if l.properties == "" {
		return nil
	}
	found, err := infer.Find(runs, infer.PropertyOptions{Support: l.support}, budget())
	if err != nil {
		return err
	}
	var text strings.Builder
	n := 0
	for _, q := range found.List {
		if q.Chosen {
			n++
			text.WriteString(q.Text + "\n")
		}
	}
	if n == 0 {
		return errors.New("no formula holds on the passing runs and rejects another run; -properties was not written")
	}
	fmt.Fprintf(report, "%d formulas\n", n)
	return writeNew(l.properties, text.String())
}

// ask lists the shortest runs on which the proposal and a stricter one differ.
func (l *learning) ask(report io.Writer, runs []infer.Run, p *infer.Proposal, name string) error {
	if l.questions <= 0 || l.options.Strict {
		return nil
	}
	strict := l.options
	strict.Strict = true
	other, err := infer.Propose(runs, strict, name, meter.New(language.AnalysisBudget))
	if err != nil {
		return err
	}
	questions, err := infer.Ask(p.Text, other.Text, l.questions, meter.New(language.AnalysisBudget))
	if err != nil || len(questions) == 0 {
		return err
	}
	fmt.Fprintln(report, "a stricter agent differs on these runs; decide with -accept or -refuse:")
	for _, q := range questions {
		verdict := "rejected"
		if q.Left {
			verdict = "accepted"
		}
		fmt.Fprintf(report, "    %s here: %s\n", verdict, strings.Join(q.Steps, " "))
	}
	return nil
}

// writeNew writes a file that does not exist.
func writeNew(name, text string) (err error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	_, err = f.WriteString(text)
	return err
}
