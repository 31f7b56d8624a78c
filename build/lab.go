package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"

	"github.com/stile-playground/stile/core/lab"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/grammars/experiments"
	"github.com/stile-playground/stile/wasm/host"
)

// labVerb runs ready experiments natively and prints their tables: with simulated models,
// and with an endpoint if one is given.
func labVerb(ctx context.Context, r repo, args []string) (err error) {
	flags := flag.NewFlagSet("lab", flag.ContinueOnError)
	form := flags.String("form", lab.FormMarkdown, "the format of the table: "+strings.Join(lab.Forms, ", "))
	tasks := flags.Int("tasks", 0, "the maximum number of tasks of each source; 0: all")
	concurrent := flags.Int("concurrent", 0, "the number of concurrent cells; 0: that of the experiment")
	var e llm.Endpoint
	flags.StringVar(&e.URL, "endpoint", "", "the address of an endpoint, such as http://localhost:11434 or https://api.example/v1; \"\": only simulated models")
	flags.StringVar(&e.Format, "format", "", "its wire format: openai, responses, completions, anthropic, ollama, ollama-generate, gemini or bedrock")
	flags.StringVar(&e.Model, "model", "", "its model")
	key := flags.String("key", "", "the name of the environment variable that has its key")
	logged := flags.String("requests", "", "a file to which the requests to the endpoint are appended, one line of JSON each, without the key")
	price := priceFlags(flags)
	calls := flags.Int("calls", 0, "the maximum number of requests to the endpoint in each experiment, or of calls of simulated models without one; 0: that of the experiment")
	if err := flags.Parse(args); err != nil {
		return errUsage
	}
	settings := lab.Settings{Tasks: *tasks, Concurrent: *concurrent}
	if e.URL != "" || e.Model != "" {
		e.Name = "lab"
		e.Price = *price
		if err := e.Check(); err != nil {
			return err
		}
		settings.Endpoints = []llm.Endpoint{e}
	} else if *price != nil {
		return errors.New("-prompt-price and -completion-price need -endpoint and -model: simulated models cost nothing")
	} else if *logged != "" {
		return errors.New("-requests needs -endpoint and -model: simulated models send no requests")
	}
	if *calls > 0 {
		settings.Budget = &meter.Budget{Calls: *calls}
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
	solvers := &host.Solvers{Web: r.Path("web")}
	defer solvers.Close()
	runner := host.Runner{Solve: solvers.Solve, Key: func(endpoint, url string) string {
		if len(settings.Endpoints) == 1 && endpoint == e.Name && host.Under(url, e.Base()) {
			return os.Getenv(*key)
		}
		return ""
	}}
	if *logged != "" {
		file, failed := os.OpenFile(*logged, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if failed != nil {
			return failed
		}
		defer func() { err = errors.Join(err, file.Close()) }()
		runner.Client = &http.Client{Transport: &requestLog{to: file}}
	}
	for i, name := range names {
		if i > 0 {
			fmt.Println()
		}
		text, err := runLab(ctx, runner, name, *form, settings)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		fmt.Fprint(os.Stdout, text)
	}
	return nil
}

// priceFlags defines the flags of the price of an endpoint, which is nil unless one of them is given.
func priceFlags(flags *flag.FlagSet) **llm.Price {
	var price *llm.Price
	define := func(name, usage string, to func(p *llm.Price) *float64) {
		flags.Func(name, usage, func(text string) error {
			dollars, err := strconv.ParseFloat(text, 64)
			if err != nil || !(dollars >= 0 && dollars < 1e9) {
				return errors.New("expected dollars, 0 or more")
			}
			if price == nil {
				price = &llm.Price{}
			}
			*to(price) = dollars
			return nil
		})
	}
	define("prompt-price", "the price of the model's prompt tokens in dollars per million; without prices, those of known models are used, and the cost of others is unknown", func(p *llm.Price) *float64 { return &p.Prompt })
	define("completion-price", "the price of its completion tokens in dollars per million", func(p *llm.Price) *float64 { return &p.Completion })
	return &price
}

// requestLog appends each request to a log before it sends it. Without its line, no request is sent.
type requestLog struct {
	mu sync.Mutex
	to io.Writer
}

func (l *requestLog) RoundTrip(request *http.Request) (*http.Response, error) {
	sent := request.Clone(request.Context())
	var body []byte
	if request.Body != nil {
		var err error
		if body, err = io.ReadAll(request.Body); err != nil {
			return nil, errors.Join(err, request.Body.Close())
		}
		if err := request.Body.Close(); err != nil {
			return nil, err
		}
		sent.Body = io.NopCloser(bytes.NewReader(body))
	}
	line := struct {
		URL  string          `json:"url"`
		Body json.RawMessage `json:"body"`
	}{request.URL.String(), body}
	if !json.Valid(body) {
		line.Body, _ = json.Marshal(string(body)) // strings always marshal
	}
	l.mu.Lock()
	lines := json.NewEncoder(l.to) // writes each line at once
	lines.SetEscapeHTML(false)     // so that a search finds prompts with < and &
	err := lines.Encode(line)
	l.mu.Unlock()
	if err != nil {
		return nil, fmt.Errorf("the request could not be logged, so it was not sent: %w", err)
	}
	return http.DefaultTransport.RoundTrip(sent)
}

// runLab runs a ready experiment with a runner and returns its table in a format.
func runLab(ctx context.Context, runner host.Runner, name, form string, settings lab.Settings) (string, error) {
	w, err := experiments.Workspace(name)
	if err != nil {
		return "", err
	}
	raw, err := json.Marshal(settings)
	if err != nil {
		return "", err
	}
	handler := host.Native(session.New())
	runner.Handler = handler
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
