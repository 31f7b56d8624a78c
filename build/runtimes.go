package main

import (
	"context"
	"strings"
)

const runtimesFolder = "build/runtimes"

// checkRuntimes compares the package stile-guard under Bun and Deno with the core, as the step go does under Node.js.
func checkRuntimes(ctx context.Context, t *tester) (tally, error) {
	if err := t.NPMIn(ctx, runtimesFolder); err != nil {
		return tally{}, err
	}
	var commands []string
	for _, program := range []string{"bun run", "deno run -A"} {
		commands = append(commands, t.Path(runtimesFolder, "node_modules", ".bin", program))
	}
	env := append(t.env(), "STILE_JS_RUNTIMES="+strings.Join(commands, "\n"))
	out, err := t.Command(ctx, env, "go", "test", "-v", "-timeout", "30m", "./wasm/guard")
	return tally{passed: strings.Count(out, "--- PASS"), failed: strings.Count(out, "--- FAIL")}, err
}
