package command

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/stile-playground/stile/wasm/stile/sidecar"
)

// mcpProxyVerb judges the calls between an MCP client and a server.
func mcpProxyVerb(ctx context.Context, s Streams, args []string) (int, error) {
	flags := newFlags(s, "mcp-proxy")
	var g guarding
	g.add(flags)
	var h httpFlags
	h.add(flags)
	idle := flags.Duration("idle", defaultIdle, "`time` without messages after which the run of a session over HTTP may be ended, if there are too many; not with -session")
	url := flags.String("url", "", "`address` of a server with streamable HTTP; without it, the proxy starts the command after -- and uses stdio")
	var program []string
	if i := slices.Index(args, "--"); i >= 0 {
		args, program = args[:i], args[i+1:]
	}
	specs, err := parse(flags, args)
	if err != nil {
		return Error, err
	}
	if (*url == "") == (len(program) == 0) {
		return Error, errors.New("expected SPEC… -- COMMAND ARGUMENT… or -url ADDRESS SPEC…")
	}
	if *idle <= 0 {
		return Error, errors.New("-idle has to be a positive time, such as 30m")
	}
	guard, o, err := g.start(s, specs)
	if err != nil {
		return Error, err
	}
	o.Clock = sidecar.SystemClock
	if *url != "" {
		return h.serve(ctx, s, *url, func(path string) handler {
			return newMCPServer(guard, o, path, h.session, *idle, func(line string) { fmt.Fprintln(s.Err, "stile: "+line) })
		})
	}
	run, err := newMCPRun(guard, o)
	if err != nil {
		return Error, err
	}
	if err := run.stdio(ctx, s, program); err != nil {
		return Error, err
	}
	return Pass, nil
}
