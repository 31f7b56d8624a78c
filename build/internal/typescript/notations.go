package typescript

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/core/workspace"
)

const generatedHead = "// Written by `go run ./build gen` from the rows of the notations in core; change them there.\n"

// Notations returns notations.ts: a row for each notation with a name, the kinds of runs
// that files start, and the methods of the module that the page loads first.
func Notations(table, core notation.Table, methods []session.Method) []byte {
	var rows strings.Builder
	var names, runs []string
	for i := range table {
		n := &table[i]
		if n.Name == "" {
			continue
		}
		names = append(names, n.Name)
		fmt.Fprintf(&rows, "  { name: %s, ending: %s", quoted(n.Name), quoted(string(n.Kind)))
		if n.Offer != "" {
			fmt.Fprintf(&rows, ", offer: %s", quoted(n.Offer))
		}
		if len(n.Runs) > 0 && !n.Panel {
			run := n.Runs[0]
			fmt.Fprintf(&rows, ", run: %s", quoted(run))
			if !slices.Contains(runs, run) {
				runs = append(runs, run)
			}
		}
		flag := func(name string, set bool) {
			if set {
				fmt.Fprintf(&rows, ", %s: true", name)
			}
		}
		flag("first", core.Kind(n.Kind).Analyze != nil)
		flag("steps", n.Walk != nil)
		flag("embed", n.Embed != "")
		rows.WriteString(" },\n")
	}
	var b strings.Builder
	b.WriteString(generatedHead)
	b.WriteString("\n/** The name of a notation. */\nexport type NotationName =\n  | " + union(names) + ";\n")
	b.WriteString("\n/** The kinds of runs that files start, in the order of the notations. */\nexport type FileRun =\n  | " + union(runs) + ";\n")
	b.WriteString(`
/** A notation. */
export interface Notation {
  readonly name: NotationName;
  /** The ending of file names; for a problem, the ending of its folder's name. */
  readonly ending: string;
  /** The label in the list of new files, whose texts are in edit/templates.ts. */
  readonly offer?: string;
  /** The kind of run that a file starts. */
  readonly run?: FileRun;
  /** The module that the page loads first analyses files of this notation. */
  readonly first?: true;
  /** Words or runs of files of this notation can be stepped through. */
  readonly steps?: true;
  /** A Markdown code block whose language is this file extension is drawn. */
  readonly embed?: true;
}

export const notations: readonly Notation[] = [
` + rows.String() + "];\n")
	b.WriteString("\n/** The text of a new file. */\nexport const newText = " + quoted(table.Kind(workspace.KindGrammar).Template) + ";\n")
	b.WriteString("\n/** The methods that the module that the page loads first answers. */\nexport const firstMethods: ReadonlySet<string> = new Set([\n")
	for _, m := range methods {
		fmt.Fprintf(&b, "  %s,\n", quoted(m.Name))
	}
	b.WriteString("]);\n")
	return []byte(b.String())
}

// Endings returns endings.ts: the path endings that the base address of an endpoint lacks.
func Endings(endings []string) []byte {
	list := make([]string, len(endings))
	for i, end := range endings {
		list[i] = quoted(end)
	}
	return []byte("// Written by `go run ./build gen` from core/llm; change the list there.\n" +
		"\n/** The path endings of request addresses, which people copy; the base address lacks them. */\n" +
		"export const copiedEndings: readonly string[] = [" + strings.Join(list, ", ") + "];\n")
}

// Templates returns templates.ts: the files of every offered template and starter by ending. The
// error names a template or starter that is not an archive.
func Templates(table notation.Table) ([]byte, error) {
	var b strings.Builder
	b.WriteString(generatedHead)
	b.WriteString("\n/** The texts of new files by ending, then by name in a new folder; \"\" is the name of a file without one. */\nexport const templates: Readonly<Record<string, Readonly<Record<string, string>>>> = {\n")
	for i := range table {
		n := &table[i]
		if n.Offer == "" || n.Template == "" {
			continue
		}
		files := []workspace.File{{Text: n.Template}}
		if n.Folder {
			w, err := workspace.ParseArchive(n.Template)
			if err != nil {
				return nil, fmt.Errorf("the template of %s: %w", n.Name, err)
			}
			files = w.Files
		}
		fmt.Fprintf(&b, "  %s: {\n", n.Kind)
		for _, f := range files {
			fmt.Fprintf(&b, "    %s: %s,\n", quoted(f.Name), quoted(f.Text))
		}
		b.WriteString("  },\n")
	}
	b.WriteString("};\n")
	b.WriteString("\n/** New workspaces by ending: their purpose, and their files with the spec first; none for a template alone. */\nexport const starters: Readonly<Record<string, { readonly about: string; readonly files?: readonly (readonly [name: string, text: string])[] }>> = {\n")
	for i := range table {
		n := &table[i]
		if n.Offer == "" || n.Template == "" {
			continue
		}
		fmt.Fprintf(&b, "  %s: {\n    about: %s,\n", n.Kind, quoted(n.About))
		if n.Starter != "" {
			w, err := workspace.ParseArchive(n.Starter)
			if err != nil {
				return nil, fmt.Errorf("the starter of %s: %w", n.Name, err)
			}
			b.WriteString("    files: [\n")
			for _, f := range w.Files {
				fmt.Fprintf(&b, "      [%s, %s],\n", quoted(f.Name), quoted(f.Text))
			}
			b.WriteString("    ],\n")
		}
		b.WriteString("  },\n")
	}
	b.WriteString("};\n")
	return []byte(b.String()), nil
}

func union(names []string) string {
	var list []string
	for _, name := range names {
		list = append(list, quoted(name))
	}
	return strings.Join(list, "\n  | ")
}

// quoted returns a text as a TypeScript literal.
func quoted(text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a string always has JSON
	return strings.TrimSuffix(b.String(), "\n")
}
