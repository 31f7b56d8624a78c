// Command stile judges recorded runs of agents by the specs of a repository: in continuous
// integration, before a commit, or over the logs of a week.
//
//	stile check shop.agent shop.ltl traces/     # which runs break which rule
//	stile diff old.agent new.agent traces/      # which runs would be judged otherwise
//	stile test specs/                           # the specs' own tests
//	stile guard shop.agent                      # judge calls before they are made
//
// It contains the same core as the playground, compiled for the machine, and needs no
// other file. Package [command] documents the exit codes.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/stile-playground/stile/wasm/stile/command"
)

// garbage is the growth of the heap, in percent, after which it is collected: the heap of a check is
// small, and most of it belongs to runs that were judged.
const garbage = 300

func main() {
	debug.SetGCPercent(garbage)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := command.Run(ctx, os.Args[1:], command.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr})
	stop()
	os.Exit(code)
}
