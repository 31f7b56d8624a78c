package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/stile-playground/stile/core/lab"
	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/grammars/experiments"
	"github.com/stile-playground/stile/wasm/host"
)

// labVerb runs ready experiments with simulated models, natively, and prints their tables.
func labVerb(ctx context.Context, r repo, args []string) error {
	flags := flag.NewFlagSet("lab", flag.ContinueOnError)
	form := flags.String("form", lab.FormMarkdown, "how the table is written: "+strings.Join(lab.Forms, ", "))
	tasks := flags.Int("tasks", 0, "the most tasks of each source; 0: all")
	if err := flags.Parse(args); err != nil {
		return errUsage
	}
	all, err := experiments.All()
	if err != nil {
		return err
	}
	names := flags.Args()
	if len(names) == 0 {
		for _, l := range all {
			fmt.Printf("%-16s %s\n", l.Name, l.Title)
		}
		fmt.Println("\ngo run ./build lab NAME… runs some of them, go run ./build lab all all of them.")
		return nil
	}
	if len(names) == 1 && names[0] == "all" {
		names = nil
		for _, l := range all {
			names = append(names, l.Name)
		}
	}
	solvers := &host.Solvers{Web: r.path("web")}
	defer solvers.Close()
	for i, name := range names {
		if i > 0 {
			fmt.Println()
		}
		text, err := runLab(ctx, solvers, name, *form, lab.Settings{Tasks: *tasks})
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		fmt.Fprint(os.Stdout, text)
	}
	return nil
}

// runLab runs a ready experiment and returns its table in a form.
func runLab(ctx context.Context, solvers *host.Solvers, name, form string, settings lab.Settings) (string, error) {
	w, err := experiments.Workspace(name)
	if err != nil {
		return "", err
	}
	raw, err := json.Marshal(settings)
	if err != nil {
		return "", err
	}
	handler := host.Native(session.New())
	runner := host.Runner{Handler: handler, Solve: solvers.Solve}
	params := session.RunStartParams{Kind: session.RunLab, Workspace: session.RunWorkspace{Files: w.Files, Name: name + ".lab"}, Settings: raw}
	outcome, err := runner.Run(ctx, params)
	if err != nil {
		return "", err
	}
	var result lab.Result
	if err := json.Unmarshal(outcome.Result, &result); err != nil {
		return "", err
	}
	if form == lab.FormMarkdown { // with the notes of the run
		return result.Table.Markdown(), nil
	}
	var out session.LabExportResult
	err = host.Call(ctx, handler, "lab.export", session.LabExportParams{Files: w.Files, Name: name + ".lab", Outcomes: result.Outcomes, Form: form}, &out)
	return out.Text, err
}
