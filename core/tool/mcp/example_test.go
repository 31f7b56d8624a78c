package mcp_test

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/tool/mcp"
	"github.com/stile-playground/stile/core/tool/web"
)

// The first request asks a server for its revisions of the protocol. The host performs it.
func ExampleConnect() {
	run := process.New(func(env *process.Env) (any, error) {
		return mcp.Connect(env, mcp.Server{Remote: web.Remote{URL: "https://shop.example/mcp"}})
	}, 1, meter.Budget{}, nil)
	defer run.Stop()
	out, err := run.Resume(nil, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range out.Effects {
		if e.HTTP != nil {
			fmt.Println(e.HTTP.Method, e.HTTP.URL, strings.Contains(e.HTTP.Body, `"server/discover"`))
		}
	}
	// Output:
	// POST https://shop.example/mcp true
}
