package command

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/gate"
	"github.com/stile-playground/stile/core/gate/compile"
	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/core/workspace"
)

// guardFlags are the flags with which specs become a guard.
type guardFlags struct{ options compile.Options }

func (g *guardFlags) add(flags *flag.FlagSet) {
	flags.StringVar(&g.options.Name, "name", "", "name of the guard")
	flags.BoolVar(&g.options.Texts, "texts", false, "write the texts of the specs to the guard")
	flags.Var((*names)(&g.options.Tools), "tool", "`name` of a tool that may be called; may be repeated. Without it, the specs define the tools")
	flags.Var((*names)(&g.options.Unchecked), "unchecked", "`keyword` of JSON Schema that the guard does not check; may be repeated. Without it, an unsupported keyword is an error")
	flags.Func("options", "how parts of conversations become states, `JSON` as the Trace tab writes it: {\"mapping\": […], \"roles\": {…}}", func(text string) error {
		d := json.NewDecoder(strings.NewReader(text))
		d.DisallowUnknownFields()
		var o struct {
			Mapping *json.RawMessage `json:"mapping"`
			Roles   *json.RawMessage `json:"roles"`
		}
		if err := d.Decode(&o); err != nil {
			return err
		}
		if o.Mapping != nil {
			if err := json.Unmarshal(*o.Mapping, &g.options.Mapping); err != nil {
				return err
			}
		}
		if o.Roles != nil {
			return json.Unmarshal(*o.Roles, &g.options.Roles)
		}
		return nil
	})
}

// text returns the text of a compiled guard: of the only named file if it ends in .guard, otherwise of the
// guard that it compiles from the named specs.
func (g *guardFlags) text(names []string) (string, error) {
	if len(names) == 1 && filepath.Ext(names[0]) == ".guard" {
		text, err := os.ReadFile(names[0])
		if err == nil {
			if _, err = gate.Read(string(text)); err != nil {
				err = fmt.Errorf("%s: %w", names[0], err)
			}
		}
		return string(text), err
	}
	for _, name := range names {
		if filepath.Ext(name) == ".guard" {
			return "", fmt.Errorf("%s: a compiled guard is used alone; compile its specs and the others to one guard", name)
		}
	}
	files, err := specFiles(names)
	if err != nil {
		return "", err
	}
	if files, err = withContracts(files, names); err != nil {
		return "", err
	}
	g.options.Version = Version()
	file, err := compile.Compile(session.Notations(), files, g.options)
	if err != nil {
		return "", located(err)
	}
	if err := unused(names, file); err != nil {
		return "", err
	}
	return compile.Text(file)
}

// unused returns an error for a named file that contributes nothing to a guard. The files of a folder may have other purposes.
func unused(names []string, f *gate.File) error {
	for _, name := range names {
		base := filepath.Base(name)
		if info, err := os.Stat(name); err != nil || info.IsDir() || isSpec(base) {
			continue
		}
		if !slices.ContainsFunc(f.Sources, func(s gate.Source) bool { return s.Name == base }) {
			return fmt.Errorf("%s is neither a spec nor a declaration of tools, so the guard would not contain it", name)
		}
	}
	return nil
}

// withContracts adds the JSON files of the named folders, which may declare the schemas of tools.
func withContracts(files []workspace.File, names []string) ([]workspace.File, error) {
	for _, name := range names {
		if info, err := os.Stat(name); err != nil || !info.IsDir() {
			continue
		}
		w, err := readWorkspace(name)
		if err != nil {
			return nil, err
		}
		for _, f := range w.Files {
			known := slices.ContainsFunc(files, func(other workspace.File) bool { return other.Name == f.Name })
			if !known && filepath.Ext(f.Name) == ".json" && !strings.Contains(f.Name, "/") {
				files = append(files, f)
			}
		}
	}
	return files, nil
}

func compileVerb(_ context.Context, s Streams, args []string) (int, error) {
	flags := newFlags(s, "compile")
	var g guardFlags
	g.add(flags)
	out := flags.String("o", "", "`file` to write; standard output without this flag")
	names, err := parse(flags, args)
	if err != nil {
		return Error, err
	}
	if len(names) == 0 {
		flags.Usage()
		return Error, errUsage
	}
	text, err := g.text(names)
	if err != nil {
		return Error, err
	}
	if *out == "" {
		_, err = io.WriteString(s.Out, text)
	} else {
		err = writeFile(*out, func(w io.Writer) error {
			_, err := io.WriteString(w, text)
			return err
		})
	}
	if err != nil {
		return Error, err
	}
	return Pass, nil
}

func explainVerb(_ context.Context, s Streams, args []string) (int, error) {
	flags := newFlags(s, "explain")
	names, err := parse(flags, args)
	if err != nil {
		return Error, err
	}
	if len(names) != 1 {
		return Error, errors.New("explain needs one compiled guard")
	}
	text, err := os.ReadFile(names[0])
	if err != nil {
		return Error, err
	}
	g, err := gate.Read(string(text))
	if err != nil && isSpec(names[0]) {
		return Error, fmt.Errorf("%s is a spec; compile it first: stile compile %[1]s -o FILE.guard", names[0])
	}
	if err != nil {
		return Error, fmt.Errorf("%s: %w", names[0], err)
	}
	if _, err := io.WriteString(s.Out, explainGuard(g, len(text))); err != nil {
		return Error, err
	}
	return Pass, nil
}

// explainGuard describes a compiled guard: its sources, the sizes of its tables, its rules.
func explainGuard(g *gate.Guard, size int) string {
	var b strings.Builder
	f := g.File
	fmt.Fprintf(&b, "guard %s: format %d, %d bytes, compiled by stile %s\nsha256 %s\n\nsources\n", f.Name, f.Format, size, f.Version, g.Hash)
	for _, source := range f.Sources {
		fmt.Fprintf(&b, "  %s  %s\n", source.SHA256, source.Name)
	}
	if f.Tools != nil {
		fmt.Fprintf(&b, "\ntools: %s\n", strings.Join(f.Tools, ", "))
	}
	for _, spec := range f.Specs {
		fmt.Fprintf(&b, "\n%s: ", spec.Name)
		if spec.Kind == "dfa" {
			fmt.Fprintf(&b, "a table of %d states and %d letters\n", len(spec.Next), len(spec.Letters))
		} else {
			fmt.Fprintf(&b, "a grammar of %d productions and %d letters\n", len(spec.Productions), len(spec.Letters))
			if spec.Nested() {
				fmt.Fprintf(&b, "  the state of a session grows with the nesting of its run, to at most %d open productions\n", gate.MaxOpen)
			} else {
				b.WriteString("  the state of a session is bounded\n")
			}
		}
		for i, c := range spec.Contents {
			if c == nil {
				continue
			}
			if c.Empty {
				fmt.Fprintf(&b, "  content of %s: empty\n", spec.Letters[i])
			}
			if c.OneOf != nil {
				fmt.Fprintf(&b, "  content of %s: one of %s\n", spec.Letters[i], strings.Join(c.OneOf, ", "))
			}
			if c.Pattern != nil {
				fmt.Fprintf(&b, "  content of %s: matches %s (%d states)\n", spec.Letters[i], c.Pattern.Source, len(c.Pattern.Next))
			}
			if c.MaxChars > 0 {
				fmt.Fprintf(&b, "  content of %s: at most %d characters\n", spec.Letters[i], c.MaxChars)
			}
		}
		if spec.Prompts != nil {
			fmt.Fprintf(&b, "  texts: %d prompts\n", len(spec.Prompts))
		}
		for _, p := range spec.Properties {
			fmt.Fprintf(&b, "  property %s: a table of %d states\n", p.Name, len(p.Next))
		}
	}
	for _, rules := range f.Rules {
		fmt.Fprintf(&b, "\n%s: %s\n", rules.Name, strings.Join(rules.Rules, ", "))
		if rules.Programs == nil {
			b.WriteString("  the runtimes for JavaScript and Python refuse this guard; compile it again\n")
		}
	}
	for _, s := range f.Schemas {
		fmt.Fprintf(&b, "\n%s: a schema of %d nodes for the arguments of %s\n", s.Name, len(s.Nodes), s.Tool)
		if len(s.Unchecked) > 0 {
			fmt.Fprintf(&b, "  not checked: %s\n", strings.Join(s.Unchecked, ", "))
		}
	}
	return b.String()
}
