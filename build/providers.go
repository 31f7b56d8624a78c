package main

import "github.com/stile-playground/stile/wasm/host/standin/matrix"

// providersPage returns web/docs/providers.md with the results of runs with each simulated
// provider.
func providersPage(r repo) ([]byte, error) {
	cells, err := matrix.Cells()
	if err != nil {
		return nil, err
	}
	return withSection(r, "web/docs/providers.md", "providers", "\n"+matrix.Markdown(cells)+"\n")
}
