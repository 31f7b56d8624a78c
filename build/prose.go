package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/stile-playground/stile/build/internal/checkout"
	"github.com/stile-playground/stile/build/internal/prose"
)

// proseRoots are the folders and files whose English is checked.
var proseRoots = []string{"build", "core", "docs", "grammars", "wasm", "web", "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"}

// proseAlert is a phrase that the house style rejects.
type proseAlert struct {
	file    string
	line    int
	rule    string
	message string
	text    string // the sentence
}

func (a proseAlert) String() string {
	return fmt.Sprintf("%s:%d: %s (%s)\n    %s", a.file, a.line, a.message, a.rule, a.text)
}

// proseVerb prints the alerts of folders or files, or counts phrases.
func proseVerb(ctx context.Context, r repo, args []string) error {
	flags := flag.NewFlagSet("prose", flag.ContinueOnError)
	counts := flags.Bool("counts", false, "count phrases per 1,000 words of comments and compare with Go's standard library")
	if err := flags.Parse(args); err != nil {
		return errUsage
	}
	names := flags.Args()
	if len(names) == 0 {
		names = proseRoots
	}
	texts, err := r.proseTexts(names)
	if err != nil {
		return err
	}
	if *counts {
		table, exceeded, err := r.proseCounts(ctx, texts)
		fmt.Print(table)
		if err == nil && exceeded > 0 {
			err = errFailed
		}
		return err
	}
	alerts, err := r.proseAlerts(ctx, texts)
	if err != nil {
		return err
	}
	for _, a := range alerts {
		fmt.Println(a)
	}
	fmt.Printf("%d alerts\n", len(alerts))
	if len(alerts) > 0 {
		return errFailed
	}
	return nil
}

// proseTexts extracts the texts of folders and files. A missing folder or file has no texts.
func (r repo) proseTexts(names []string) (out []prose.Text, err error) {
	for _, name := range names {
		if _, err := os.Stat(r.Path(filepath.FromSlash(name))); errors.Is(err, os.ErrNotExist) {
			continue
		}
		texts, err := prose.Extract(string(r.Dir), name)
		if err != nil {
			return nil, err
		}
		out = append(out, texts...)
	}
	return out, nil
}

// vale builds the linter, whose module is separate from ours (build/prose/go.mod): it has
// 60 dependencies, and none of them is part of the site. It needs no C compiler.
func (r repo) vale(ctx context.Context) (program string, err error) {
	program = r.Cache("vale")
	defer checkout.Progress("compiling the linter of English")()
	_, err = r.CommandIn(ctx, "build/prose", []string{"CGO_ENABLED=0", "GOFLAGS=-mod=readonly"}, "go", "build", "-o", program, "github.com/errata-ai/vale/v2/cmd/vale")
	return program, err
}

// proseAlerts has Vale read the sentences of texts, one per line, and returns its alerts
// in the order of their places.
func (r repo) proseAlerts(ctx context.Context, texts []prose.Text) (out []proseAlert, err error) {
	program, err := r.vale(ctx)
	if err != nil {
		return nil, err
	}
	folder := r.Cache("prose")
	if err := os.RemoveAll(folder); err != nil {
		return nil, err
	}
	sentences := map[string][]prose.Sentence{}
	for _, t := range texts {
		// Vale interprets a colon and a question mark in a path as parts of a URL.
		name := strings.ReplaceAll(t.File, "/", "~") + "." + string(t.Kind) + ".txt"
		sentences[name] = append(sentences[name], t.Sentences()...)
	}
	for name, list := range sentences {
		var text strings.Builder
		for _, s := range list {
			text.WriteString(s.Text)
			text.WriteByte('\n')
		}
		if err := checkout.WriteFile(filepath.Join(folder, name), []byte(text.String())); err != nil {
			return nil, err
		}
	}
	cmd := exec.CommandContext(ctx, program, "--config", r.Path("build", "prose", ".vale.ini"), "--ignore-syntax", "--no-exit", "--output=JSON", folder)
	printed, err := cmd.Output()
	checkout.Charge(ctx, cmd)
	if err != nil {
		return nil, fmt.Errorf("vale: %w\n%s", err, checkout.Tail(string(printed), 20))
	}
	var found map[string][]struct {
		Line    int
		Span    []int
		Check   string
		Message string
	}
	if err := json.Unmarshal(printed, &found); err != nil {
		return nil, fmt.Errorf("vale: %w\n%s", err, checkout.Tail(string(printed), 20))
	}
	for file, alerts := range found {
		list := sentences[filepath.Base(file)]
		for _, a := range alerts {
			if a.Line < 1 || a.Line > len(list) || len(a.Span) == 0 {
				return nil, fmt.Errorf("vale: an alert at line %d of %s, which has %d", a.Line, file, len(list))
			}
			s := list[a.Line-1]
			out = append(out, proseAlert{s.File, s.LineAt(a.Span[0]), a.Check, a.Message, s.Text})
		}
	}
	slices.SortFunc(out, func(a, b proseAlert) int {
		return cmp.Or(strings.Compare(a.file, b.file), cmp.Compare(a.line, b.line), strings.Compare(a.rule, b.rule), strings.Compare(a.message, b.message))
	})
	return out, nil
}

// proseLimit is the maximum ratio of a phrase's rate to that in Go's standard library.
const proseLimit = 2

// proseCounts compares the rates of phrases with those of Go's standard library, and
// returns a table and the number of phrases that exceed the limit.
func (r repo) proseCounts(ctx context.Context, texts []prose.Text) (table string, exceeded int, err error) {
	root, err := r.Command(ctx, nil, "go", "env", "GOROOT")
	if err != nil {
		return "", 0, err
	}
	standard, err := prose.Standard(strings.TrimSpace(root))
	if err != nil {
		return "", 0, err
	}
	ours := prose.Count(prose.Comments(texts))
	var out strings.Builder
	fmt.Fprintf(&out, "per 1,000 words of comments: Stile (%d words), Go's standard library (%d words), allowed occurrences\n", ours.Words, standard.Words)
	for i, m := range prose.Markers {
		allowed := int(math.Ceil(proseLimit * standard.Rate(i) * float64(ours.Words) / 1000))
		verdict := "ok"
		if ours.Counts[i] > allowed {
			verdict = "too many"
			exceeded++
		}
		fmt.Fprintf(&out, "%6.2f %6.2f   %4d of %4d  %-8s  %s\n", ours.Rate(i), standard.Rate(i), ours.Counts[i], allowed, verdict, m.Name)
	}
	return out.String(), exceeded, nil
}

// checkProse fails if Vale has alerts, or if a phrase is more than twice as frequent in
// comments as in Go's standard library.
func checkProse(ctx context.Context, t *tester) (tally, error) {
	texts, err := t.proseTexts(proseRoots)
	if err != nil {
		return tally{}, err
	}
	alerts, err := t.proseAlerts(ctx, texts)
	if err != nil {
		return tally{}, err
	}
	for _, a := range alerts {
		t.printf("FAIL prose: %s\n", a)
	}
	table, exceeded, err := t.proseCounts(ctx, texts)
	if err != nil {
		return tally{}, err
	}
	t.printf("%s", table)
	counts := tally{failed: len(alerts) + exceeded, passed: len(prose.Markers) - exceeded}
	if len(alerts) == 0 {
		counts.passed++
	}
	return counts, nil
}
