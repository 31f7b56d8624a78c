// Command beam judges recorded runs of agents as "stile check" does, on as many machines as a runner of Apache
// Beam has. Its reports are byte for byte those of "stile check". The default runner is Prism, in the process of the command.
//
//	go run . shop.agent traces/
//	go run . -runner flink -endpoint localhost:8099 -output gs://bucket/tally.json shop.agent 'gs://bucket/runs/*.jsonl'
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/stile-playground/stile/wasm/stile/command"
)

var (
	setup  command.Setup
	form   = flag.String("format", "text", "format of the report on standard output: text, markdown, json or sarif")
	output = flag.String("output", "", "`file` for the merged counts and findings, which the workers of the runner and this command can access; default: a temporary file")
)

func main() {
	setup.Add(flag.CommandLine)
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: beam [FLAG…] SPEC… TRACE…")
		flag.PrintDefaults()
	}
	flag.Parse()
	beam.Init()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code, err := run(ctx, os.Stdout, flag.Args())
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "beam: "+err.Error())
	}
	os.Exit(code)
}

// run judges the runs of a command line and writes the report. It returns an exit code of package command.
func run(ctx context.Context, w io.Writer, args []string) (code int, err error) {
	job, names, err := setup.Job(ctx, args)
	if err != nil {
		return command.Error, err
	}
	if names, err = expand(ctx, names); err != nil {
		return command.Error, err
	}
	job.All = command.Lists(*form)
	path := *output
	if path == "" {
		folder, err := os.MkdirTemp("", "stile")
		if err != nil {
			return command.Error, err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
		path = folder + "/tally.json"
	}
	t, judge, err := check(ctx, job, names, path)
	if err != nil {
		return command.Error, err
	}
	if err := judge.Write(w, *form, t); err != nil {
		return command.Error, err
	}
	if t.Failing > 0 {
		return command.Fail, nil
	}
	return command.Pass, nil
}

// expand replaces the patterns with a scheme by the files that match them, which are sorted.
func expand(ctx context.Context, names []string) (out []string, err error) {
	for _, name := range names {
		if _, err := os.Stat(name); err == nil {
			out = append(out, name)
			continue
		}
		fs, err := filesystem.New(ctx, name)
		if err != nil {
			return nil, err
		}
		found, err := fs.List(ctx, name)
		if err = errors.Join(err, fs.Close()); err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("no file matches %s", name)
		}
		out = append(out, found...)
	}
	if len(out) == 0 {
		return nil, errors.New("no traces")
	}
	return out, nil
}
