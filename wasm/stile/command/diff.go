package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/stile-playground/stile/core/backtest"
)

// names is a list of values of a repeated flag.
type names []string

func (n *names) String() string         { return strings.Join(*n, " ") }
func (n *names) Set(value string) error { *n = append(*n, value); return nil }

// judgedTwice are the runs of a part as both versions judge them.
type judgedTwice struct{ before, after []backtest.Run }

// diffVerb compares two versions of a spec on the same runs.
func diffVerb(ctx context.Context, s Streams, args []string) (int, error) {
	flags := newFlags(s, "diff")
	var read reading
	read.add(flags)
	form := flags.String("format", "text", "format of the report: text, json or markdown")
	var with names
	flags.Var(&with, "with", "`spec` that belongs to both versions; may be repeated")
	rest, err := parse(flags, args)
	if err != nil {
		return Error, err
	}
	if len(rest) < 3 {
		fmt.Fprintln(s.Err, "stile: diff needs a spec or a folder of specs, its later version, and traces")
		flags.Usage()
		return Error, errUsage
	}
	for _, name := range rest[2:] {
		if name != "-" && isSpec(name) {
			return Error, fmt.Errorf("diff compares two versions, and %s is a third spec; add a spec that belongs to both by -with", name)
		}
	}
	write := map[string]func(io.Writer, *backtest.Difference, int) error{"text": diffText, "json": diffJSON, "markdown": diffMarkdown}[*form]
	if write == nil {
		return Error, fmt.Errorf("unknown format %q; expected text, json or markdown", *form)
	}
	before, err := openVersion(rest[0], with)
	if err != nil {
		return Error, err
	}
	after, err := openVersion(rest[1], with)
	if err != nil {
		return Error, err
	}
	d, unread := backtest.NewDifference(before, after), 0
	t := traces{in: s.In, include: read.include}
	err = inOrder(ctx, func(ctx context.Context, emit func(backtest.Part) error) error {
		t.emit = emit
		return t.read(ctx, rest[2:])
	}, func(u backtest.Part) judgedTwice {
		return judgedTwice{before.JudgePart(u, read.options), after.JudgePart(u, read.options)}
	}, func(j judgedTwice) error {
		for _, r := range j.after {
			if r.Outcome == backtest.Unread || r.Outcome == backtest.Fault {
				unread++
			}
		}
		return d.Compare(before, after, j.before, j.after)
	})
	switch {
	case err != nil:
		return Error, err
	case d.Runs == 0:
		return Error, errors.New("no runs were found in the traces")
	}
	if err := write(s.Out, d, unread); err != nil {
		return Error, err
	}
	if len(d.Changes) > 0 || unread > 0 {
		return Fail, nil
	}
	return Pass, nil
}

// openVersion compiles one version, a spec or a folder of specs, together with the specs that both versions share.
func openVersion(name string, with []string) (*backtest.Specs, error) {
	s, err := openSpecs(append([]string{name}, with...))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return s, nil
}

// differenceLine returns the difference in one sentence.
func differenceLine(d *backtest.Difference, unread int) string {
	line := fmt.Sprintf("%d of %d runs would now be stopped, %d would now pass, %d change in another way",
		d.Stopped, d.Runs, d.Released, len(d.Changes)-d.Stopped-d.Released)
	if unread > 0 {
		line += fmt.Sprintf("; %d runs were not understood or not judged", unread)
	}
	return line
}

func diffText(w io.Writer, d *backtest.Difference, unread int) error {
	var b strings.Builder
	for _, c := range d.Changes {
		fmt.Fprintf(&b, "%s: run %d: %s → %s\n", c.Trace, c.Number, c.Before, c.After)
		for _, r := range c.Rules {
			fmt.Fprintf(&b, "    %s\n", ruleLine(r))
		}
	}
	for _, name := range d.Added {
		fmt.Fprintf(&b, "added rule: %s\n", name)
	}
	for _, name := range d.Removed {
		fmt.Fprintf(&b, "removed rule: %s\n", name)
	}
	b.WriteString(differenceLine(d, unread) + "\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// ruleLine returns the change of a rule in one line.
func ruleLine(r backtest.RuleChange) string {
	line := fmt.Sprintf("%s: %s → %s", r.Name, orNone(r.Before), orNone(r.After))
	if r.Reason != "" {
		line += ": " + oneLine(r.Reason)
	}
	if r.Line > 0 {
		line += fmt.Sprintf(" (line %d)", r.Line)
	}
	return line
}

func orNone(o backtest.Outcome) string {
	if o == "" {
		return "no such rule"
	}
	return string(o)
}

func diffJSON(w io.Writer, d *backtest.Difference, unread int) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(struct {
		*backtest.Difference
		Unread int `json:"unread"`
	}{d, unread})
}

func diffMarkdown(w io.Writer, d *backtest.Difference, unread int) error {
	var b strings.Builder
	fmt.Fprintf(&b, "### Stile: %s\n", differenceLine(d, unread))
	if len(d.Changes) > 0 {
		b.WriteString("\n| trace | run | before | after | rules |\n|---|---:|---|---|---|\n")
	}
	for i, c := range d.Changes {
		if i == maxListed {
			fmt.Fprintf(&b, "\n%d more changes are not listed.\n", len(d.Changes)-maxListed)
			break
		}
		var rules []string
		for _, r := range c.Rules {
			rules = append(rules, cellText(ruleLine(r)))
		}
		fmt.Fprintf(&b, "| %s | %d | %s | %s | %s |\n", cellText(c.Trace), c.Number, c.Before, c.After, strings.Join(rules, "<br>"))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
