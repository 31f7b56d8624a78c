package command

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/stile-playground/stile/core/session"
)

// importFormats has the notation of each ending of a file that can be imported.
var importFormats = map[string]string{".gbnf": "gbnf", ".ebnf": "ebnf", ".lark": "lark", ".hoa": "hoa", ".cedar": "cedar", ".dw": "cedar"}

// importVerb writes a grammar, an automaton or policies of another tool in a notation of Stile.
func importVerb(_ context.Context, s Streams, args []string) (int, error) {
	flags := newFlags(s, "import")
	out := flags.String("o", "", "`file` to write; standard output without this flag")
	names, err := parse(flags, args)
	if err != nil {
		return Error, err
	}
	if len(names) != 1 {
		flags.Usage()
		return Error, errUsage
	}
	format := importFormats[strings.ToLower(filepath.Ext(names[0]))]
	if format == "" {
		return Error, fmt.Errorf("%s: unknown notation (expected .cedar, .dw, .ebnf, .gbnf, .hoa or .lark)", names[0])
	}
	text, err := os.ReadFile(names[0])
	if err != nil {
		return Error, err
	}
	var imported session.SpecImportResult
	if err := request("spec.import", session.SpecImportParams{Text: string(text), Format: format}, &imported); err != nil {
		return Error, err
	}
	for _, d := range imported.Diagnostics {
		fmt.Fprintf(s.Err, "%s:%d:%d: %s: %s\n", names[0], d.Line, d.Column, d.Severity, d.Message)
	}
	for _, note := range imported.Notes {
		fmt.Fprintln(s.Err, "note: "+note)
	}
	if imported.Text == "" {
		return Error, nil
	}
	if *out != "" {
		err = os.WriteFile(*out, []byte(imported.Text), 0o644)
	} else {
		_, err = io.WriteString(s.Out, imported.Text)
	}
	if err != nil {
		return Error, err
	}
	return Pass, nil
}
