package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
)

// architecture returns ARCHITECTURE.md with its table of layers regenerated from
// the rows in core/imports_test.go and the package comments.
func architecture(r repo) ([]byte, error) {
	rows, err := layers(r.Path("core/imports_test.go"))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteString("| row | package | contents |\n|---:|---|---|\n")
	for _, n := range slices.Sorted(maps.Keys(rows)) {
		slices.Sort(rows[n])
		for i, name := range rows[n] {
			synopsis, err := packageSynopsis(r.Path(path.Join("core", name)))
			if err != nil {
				return nil, err
			}
			number := ""
			if i == 0 {
				number = strconv.Itoa(n)
			}
			fmt.Fprintf(&b, "| %s | `%s` | %s |\n", number, name, strings.ReplaceAll(synopsis, "|", `\|`))
		}
	}
	return withSection(r, "ARCHITECTURE.md", "layers", b.String())
}

// withSection returns a file with another text between the lines <!-- LABEL --> and <!-- /LABEL -->.
func withSection(r repo, name, label, section string) ([]byte, error) {
	text, err := os.ReadFile(r.Path(name))
	if err != nil {
		return nil, err
	}
	begin, end := "<!-- "+label+" -->\n", "<!-- /"+label+" -->\n"
	before, rest, ok := strings.Cut(string(text), begin)
	_, after, ends := strings.Cut(rest, end)
	if !ok || !ends {
		return nil, fmt.Errorf("%s: missing the lines %q and %q", name, begin, end)
	}
	return []byte(before + begin + section + end + after), nil
}

// layers reads the variable row of core/imports_test.go: package names by row.
func layers(file string) (map[int][]string, error) {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		return nil, err
	}
	rows := map[int][]string{}
	ast.Inspect(f, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 || spec.Names[0].Name != "row" {
			return true
		}
		table, ok := spec.Values[0].(*ast.CompositeLit)
		if !ok {
			return true
		}
		for _, e := range table.Elts {
			pair, _ := e.(*ast.KeyValueExpr)
			if pair == nil {
				continue
			}
			key, isKey := pair.Key.(*ast.BasicLit)
			value, isValue := pair.Value.(*ast.BasicLit)
			if !isKey || !isValue {
				continue
			}
			name, _ := strconv.Unquote(key.Value)
			number, _ := strconv.Atoi(value.Value)
			rows[number] = append(rows[number], name)
		}
		return false
	})
	if len(rows) == 0 {
		return nil, fmt.Errorf("%s: missing the table row", file)
	}
	return rows, nil
}

// packageSynopsis returns the first sentence of a package comment, without its
// "Package NAME" and with a capital letter.
func packageSynopsis(dir string) (string, error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	for _, entry := range files {
		if !strings.HasSuffix(entry.Name(), ".go") || strings.HasSuffix(entry.Name(), "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path.Join(dir, entry.Name()), nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			return "", err
		}
		if f.Doc == nil {
			continue
		}
		// A no-break space keeps Synopsis from ending the sentence at "et al.".
		synopsis := new(doc.Package).Synopsis(strings.NewReplacer("al. ", "al.\u00a0", "al.\n", "al.\u00a0").Replace(f.Doc.Text()))
		synopsis = strings.TrimSuffix(strings.TrimPrefix(synopsis, "Package "+f.Name.Name+" "), ".")
		return strings.ToUpper(synopsis[:1]) + synopsis[1:], nil
	}
	return "", fmt.Errorf("%s: no package comment", dir)
}
