package main

import (
	"bytes"
	"context"
	"fmt"
	"os"

	"github.com/stile-playground/stile/build/internal/checkout"
	"github.com/stile-playground/stile/build/internal/typescript"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/session"
)

// generated returns the generated files, by name.
func generated(r repo) (map[string][]byte, error) {
	types, err := typescript.Wire()
	if err != nil {
		return nil, err
	}
	full, core := session.Full(), session.Core()
	templates, err := typescript.Templates(full.Notations)
	if err != nil {
		return nil, err
	}
	overview, err := architecture(r)
	if err != nil {
		return nil, err
	}
	providers, err := providersPage(r)
	if err != nil {
		return nil, err
	}
	examples, err := guardExamples(r)
	if err != nil {
		return nil, err
	}
	return map[string][]byte{
		"ARCHITECTURE.md":                 overview,
		"web/docs/providers.md":           providers,
		"web/src/core/wire.ts":            types,
		"web/src/core/notations.ts":       typescript.Notations(full.Notations, core.Notations, core.Methods),
		"web/src/edit/templates.ts":       templates,
		"web/src/models/endings.ts":       typescript.Endings(llm.CopiedEndings()),
		"web/src/share/guard-examples.ts": examples,
		"netlify.toml":                    netlifyTOML(),
	}, nil
}

// genVerb writes the generated files, or with -check only reports the stale ones.
func genVerb(_ context.Context, r repo, args []string) error {
	check := len(args) == 1 && args[0] == "-check"
	if len(args) > 0 && !check {
		return fmt.Errorf("gen accepts only the argument -check")
	}
	files, err := generated(r)
	if err != nil {
		return err
	}
	var stale []string
	for _, name := range sortedNames(files) {
		old, err := os.ReadFile(r.Path(name))
		if err == nil && bytes.Equal(old, files[name]) {
			continue
		}
		stale = append(stale, name)
		if !check {
			if err := checkout.WriteFile(r.Path(name), files[name]); err != nil {
				return err
			}
			fmt.Println("wrote", name)
		}
	}
	if check && len(stale) > 0 {
		return fmt.Errorf("stale: %v; run go run ./build gen", stale)
	}
	return nil
}
