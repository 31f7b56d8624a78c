package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/stile-playground/stile/build/internal/docs"
)

// allowedLicences are the licences that shipped dependencies may have. All of them allow
// redistribution with their text; EPL-2.0 does so for unchanged files, as here.
var allowedLicences = []string{"0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "EPL-2.0", "ISC", "MIT"}

// shipped is third-party work in the site or in the worker.
type shipped struct {
	Name, Version string
	Licence       string // an SPDX expression
	Where         string // the parts of the site or the worker that contain it
	Text          string // the complete licence
}

// allowed reports whether the list has one of the alternatives of an SPDX expression.
// Expressions with operators other than OR are not allowed.
func allowed(expression string) bool {
	for name := range strings.SplitSeq(strings.Trim(expression, "()"), " OR ") {
		if slices.Contains(allowedLicences, name) {
			return true
		}
	}
	return false
}

// allShipped lists all third-party work in the site and the worker. The error names work
// that must not be shipped, or that has no licence text.
func (r repo) allShipped(ctx context.Context, packages []string) ([]shipped, error) {
	list, err := r.shippedPackages(packages)
	if err != nil {
		return nil, err
	}
	modules, err := r.shippedModules(ctx)
	if err != nil {
		return nil, err
	}
	list = append(list, modules...)
	slices.SortFunc(list, func(a, b shipped) int { return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
	return list, checkShipped(list)
}

func checkShipped(list []shipped) error {
	var faults []error
	for _, s := range list {
		switch {
		case !allowed(s.Licence):
			faults = append(faults, fmt.Errorf("%s %s is under %q, which is not on the list of build/licences.go", s.Name, s.Version, s.Licence))
		case len(s.Text) < 200:
			faults = append(faults, fmt.Errorf("%s %s has no licence text", s.Name, s.Version))
		case s.Version == "":
			faults = append(faults, fmt.Errorf("%s has no version", s.Name))
		}
	}
	return errors.Join(faults...)
}

// shippedPackages returns the named packages of npm, from web/node_modules.
func (r repo) shippedPackages(names []string) ([]shipped, error) {
	var list []shipped
	for _, name := range names {
		folder := r.Path("web", "node_modules", filepath.FromSlash(name))
		text, err := os.ReadFile(filepath.Join(folder, "package.json"))
		if err != nil {
			return nil, err
		}
		var p struct{ Version, License string }
		if err := json.Unmarshal(text, &p); err != nil {
			return nil, fmt.Errorf("%s/package.json: %w", name, err)
		}
		s := shipped{Name: name, Version: p.Version, Licence: p.License, Where: "the page"}
		if s.Text, err = licenceIn(folder); err != nil {
			return nil, err
		}
		if name == vizPackage {
			parts, err := r.shippedViz(s)
			if err != nil {
				return nil, err
			}
			list = append(list, parts...)
			continue
		}
		list = append(list, s)
		for _, part := range compiledInto[name] {
			part.Version, part.Where = "as in "+name+" "+s.Version, s.Where
			if part.Text, err = r.standardLicence(part.Licence, part.Text); err != nil {
				return nil, err
			}
			list = append(list, part)
		}
	}
	return list, nil
}

// compiledInto has, by package, the third-party work that the package was compiled from and whose
// licence it does not include. The name of the author replaces the text of the licence.
var compiledInto = map[string][]shipped{
	"highs": {{Name: "HiGHS", Licence: "MIT", Text: "2026 HiGHS"}},
}

var licenceFile = regexp.MustCompile(`(?i)^(.*licen[cs]e|copying|notice)(-[a-z]+)?(\.(md|txt))?$`)

// licenceIn returns the texts of all licences in a folder.
func licenceIn(folder string) (string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return "", err
	}
	var texts []string
	for _, e := range entries {
		if e.IsDir() || !licenceFile.MatchString(e.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			return "", err
		}
		texts = append(texts, strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n")))
	}
	return strings.Join(texts, "\n\n"), nil
}

// vizPackage is the layout engine, which names its sources in a header comment and has no
// licence file.
const vizPackage = "@viz-js/viz"

// inViz are the parts of the layout engine: their licences and copyright holders. The
// header omits Emscripten's runtime, which is part of every program that Emscripten
// compiles.
var inViz = map[string]struct{ licence, owner string }{
	"Graphviz":              {"EPL-2.0", ""},
	"Expat":                 {"MIT", "1998-2000 Thai Open Source Software Center Ltd and Clark Cooper, 2001-2026 Expat maintainers"},
	"Emscripten, with musl": {"MIT", "2010-2026 Emscripten authors, 2005-2026 Rich Felker, et al."},
}

var (
	vizHead = regexp.MustCompile(`(?s)^/\*!\n.*?\nCopyright \(c\) ([^\n]+)\n.*?object code form:\n(.*?)\*/`)
	vizPart = regexp.MustCompile(`(?m)^(\S+) https://`)
)

// shippedViz returns the layout engine and the parts that it names.
func (r repo) shippedViz(viz shipped) ([]shipped, error) {
	script, err := os.ReadFile(r.Path("web", "node_modules", "@viz-js", "viz", "dist", "viz.js"))
	if err != nil {
		return nil, err
	}
	head := vizHead.FindStringSubmatch(string(script))
	if head == nil {
		return nil, fmt.Errorf("%s no longer lists its contents in its header; check it and fix build/licences.go", vizPackage)
	}
	if viz.Text, err = r.standardLicence(viz.Licence, head[1]); err != nil {
		return nil, err
	}
	names := []string{"Emscripten, with musl"}
	for _, m := range vizPart.FindAllStringSubmatch(head[2], -1) {
		names = append(names, m[1])
	}
	list := []shipped{viz}
	for _, name := range names {
		part, ok := inViz[name]
		if !ok {
			return nil, fmt.Errorf("%s has a part %q whose licence build/licences.go does not know", vizPackage, name)
		}
		s := shipped{Name: name, Version: "as in " + vizPackage + " " + viz.Version, Licence: part.licence, Where: "the page"}
		if s.Text, err = r.standardLicence(part.licence, part.owner); err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

// standardLicence returns the text of a licence in SPDX's list.
func (r repo) standardLicence(licence, owner string) (string, error) {
	text, err := os.ReadFile(r.Path("web", "node_modules", "spdx-license-list", "licenses", licence+".json"))
	if err != nil {
		return "", err
	}
	var l struct{ LicenseText string }
	if err := json.Unmarshal(text, &l); err != nil {
		return "", err
	}
	out := strings.TrimSpace(l.LicenseText)
	if blank := "<year> <copyright holders>"; strings.Contains(out, blank) {
		if owner == "" {
			return "", fmt.Errorf("the licence %s needs the name of an owner", licence)
		}
		out = strings.Replace(out, blank, owner, 1)
	}
	return out, nil
}

// shippedModules are the Go modules that are compiled into the module and the worker, and
// Go's standard library.
func (r repo) shippedModules(ctx context.Context) ([]shipped, error) {
	root, err := r.Command(ctx, nil, "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	where := map[string][]string{}
	found := map[string]shipped{}
	for _, program := range []struct{ name, system, pkg string }{{"the module", "wasip1", "./wasm/full"}, {"the worker", "js", "./wasm/worker/edge"}} {
		printed, err := r.Command(ctx, []string{"GOOS=" + program.system, "GOARCH=wasm", "GOFLAGS=-mod=readonly"}, "go", "list", "-deps", "-json=Module,Standard", program.pkg)
		if err != nil {
			return nil, err
		}
		for decoder := json.NewDecoder(strings.NewReader(printed)); ; {
			var p struct {
				Standard bool
				Module   *struct {
					Path, Version, Dir string
					Main               bool
				}
			}
			if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return nil, err
			}
			s := shipped{Name: "Go, its runtime and standard library", Version: runtime.Version()}
			folder := strings.TrimSpace(root)
			if !p.Standard {
				if p.Module == nil || p.Module.Main {
					continue
				}
				s.Name, s.Version, folder = p.Module.Path, p.Module.Version, p.Module.Dir
			}
			if !slices.Contains(where[s.Name], program.name) {
				where[s.Name] = append(where[s.Name], program.name)
			}
			if _, done := found[s.Name]; done {
				continue
			}
			if s.Text, err = licenceIn(folder); err != nil {
				return nil, err
			}
			s.Licence = licenceOf(s.Text)
			found[s.Name] = s
		}
	}
	var list []shipped
	for _, name := range sortedNames(found) {
		s := found[name]
		s.Where = strings.Join(where[name], ", ")
		list = append(list, s)
	}
	return list, nil
}

// licenceOf recognises a licence by its words, because Go's modules do not name theirs;
// "" if it is unknown.
func licenceOf(text string) string {
	words := strings.Join(strings.Fields(text), " ")
	for _, l := range []struct {
		name string
		has  []string
	}{
		{"MIT", []string{"Permission is hereby granted, free of charge", "The above copyright notice and this permission notice shall be included"}},
		{"BSD-3-Clause", []string{"Redistribution and use in source and binary forms", "Neither the name of", "THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT"}},
		{"BSD-2-Clause", []string{"Redistribution and use in source and binary forms", "THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT"}},
		{"Apache-2.0", []string{"Apache License Version 2.0, January 2004", "TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION"}},
	} {
		if !slices.ContainsFunc(l.has, func(part string) bool { return !strings.Contains(words, part) }) {
			return l.name
		}
	}
	return ""
}

// licencesPage returns the documentation's page of licences.
func licencesPage(list []shipped) docs.Page {
	page := docs.Page{
		Name: "licences", Title: "Licences", Group: "Build upon", Label: "Licences",
		Summary: "Third-party software in the site and in the worker, with versions and licences. The build generates this page.",
	}
	var b strings.Builder
	b.WriteString("<div class=\"scroll\" role=\"region\" aria-label=\"What is shipped\" tabindex=\"0\"><table>\n<thead><tr><th>what</th><th>version</th><th>licence</th><th>in</th></tr></thead>\n<tbody>\n")
	var texts []string
	of := map[string][]shipped{}
	for _, s := range list {
		if of[s.Text] == nil {
			texts = append(texts, s.Text)
		}
		of[s.Text] = append(of[s.Text], s)
		fmt.Fprintf(&b, "<tr><td><a href=\"#licence-%d\">%s</a></td><td>%s</td><td>%s</td><td>%s</td></tr>\n",
			slices.Index(texts, s.Text)+1, html.EscapeString(s.Name), html.EscapeString(s.Version), html.EscapeString(s.Licence), html.EscapeString(s.Where))
	}
	b.WriteString("</tbody>\n</table></div>\n<p>Stile itself is under the Apache licence, version 2.0. Data of the gallery and of the tests are named, with their sources, beside them. The source of Graphviz is at <a href=\"https://gitlab.com/graphviz/graphviz\">gitlab.com/graphviz/graphviz</a>.</p>\n")
	for i, text := range texts {
		var names []string
		for _, s := range of[text] {
			names = append(names, html.EscapeString(s.Name))
		}
		fmt.Fprintf(&b, "<h2 id=\"licence-%d\">%s</h2>\n<pre class=\"licence\" tabindex=\"0\">%s</pre>\n", i+1, strings.Join(names, ", "), html.EscapeString(text))
	}
	page.Body = b.String()
	return page
}
