package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
)

// benchVerb runs the core's benchmarks and prints their times; a pattern picks
// some of them.
func benchVerb(ctx context.Context, r repo, args []string) error {
	pattern := "."
	switch len(args) {
	case 0:
	case 1:
		pattern = args[0]
	default:
		return fmt.Errorf("bench takes one pattern")
	}
	cmd := exec.CommandContext(ctx, "go", "test", "-run", "^$", "-bench", pattern, "-benchmem", "./core/...", "./wasm/host/...")
	cmd.Dir = string(r)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd.Run()
}
