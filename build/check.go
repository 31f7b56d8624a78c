package main

import (
	"context"
	"os"

	"github.com/stile-playground/stile/wasm/stile/command"
)

// checkVerb runs the tests of workspaces with the command stile.
func checkVerb(ctx context.Context, _ repo, args []string) error {
	switch command.Run(ctx, append([]string{"test"}, args...), command.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}) {
	case command.Pass:
		return nil
	case command.Fail:
		return errFailed
	}
	return errUsage
}
