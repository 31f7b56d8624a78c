package main

import "github.com/stile-playground/stile/wasm/host/standin/matrix"

// The table of web/docs/providers.md lies between these lines.
const (
	providersBegin = "<!-- providers -->\n"
	providersEnd   = "<!-- /providers -->\n"
)

// providersPage returns web/docs/providers.md with the results of runs with each simulated
// provider.
func providersPage(r repo) ([]byte, error) {
	before, after, err := between(r, "web/docs/providers.md", providersBegin, providersEnd)
	if err != nil {
		return nil, err
	}
	cells, err := matrix.Cells()
	if err != nil {
		return nil, err
	}
	return []byte(before + providersBegin + "\n" + matrix.Markdown(cells) + "\n" + providersEnd + after), nil
}
