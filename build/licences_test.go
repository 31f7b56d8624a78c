package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const mitText = `Permission is hereby granted, free of charge, to any person obtaining a copy.
The above copyright notice and this permission notice shall be included in all copies.
` + "THE SOFTWARE IS PROVIDED \"AS IS\", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES."

func TestOnlyAllowedLicencesAreShipped(t *testing.T) {
	for expression, want := range map[string]bool{
		"MIT": true, "(MIT OR GPL-3.0-only)": true, "GPL-2.0-only OR Apache-2.0": true, "EPL-2.0": true, "ISC": true,
		"": false, "GPL-3.0-only": false, "AGPL-3.0-or-later": false, "MIT AND GPL-3.0-only": false, "UNLICENSED": false, "SEE LICENSE IN x": false, "mit": false,
	} {
		if got := allowed(expression); got != want {
			t.Errorf("%q: %v", expression, got)
		}
	}
	sound := shipped{Name: "a", Version: "1.0.0", Licence: "MIT", Text: mitText}
	if err := checkShipped([]shipped{sound}); err != nil {
		t.Error(err)
	}
	for fault, change := range map[string]func(*shipped){
		"not on the list": func(s *shipped) { s.Licence = "GPL-3.0-only" },
		"no licence text": func(s *shipped) { s.Text = "" },
		"no version":      func(s *shipped) { s.Version = "" },
	} {
		broken := sound
		change(&broken)
		if err := checkShipped([]shipped{sound, broken}); err == nil || !strings.Contains(err.Error(), fault) {
			t.Errorf("%s: %v", fault, err)
		}
	}
}

func TestLicencesAreRecognisedByText(t *testing.T) {
	for text, want := range map[string]string{
		mitText: "MIT", strings.ReplaceAll(mitText, " ", "\n  "): "MIT", "": "", "All rights reserved.": "", mitText[:60]: "",
	} {
		if got := licenceOf(text); got != want {
			t.Errorf("%.40q is taken for %q", text, got)
		}
	}
}

func TestNPMPackagesAreRecognisedByPath(t *testing.T) {
	for file, want := range map[string]string{
		"src/main.ts": "", "node_modules/lit/index.js": "lit", "node_modules/@lit/reactive-element/a.js": "@lit/reactive-element", "../node_modules/a/node_modules/@b/c/d.js": "@b/c",
	} {
		if got := packageOf(file); got != want {
			t.Errorf("%s is of %q", file, got)
		}
	}
}

func TestGoModuleLicencesAreFound(t *testing.T) {
	r, err := findRepo()
	if err != nil {
		t.Fatal(err)
	}
	list, err := r.shippedModules(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := checkShipped(list); err != nil {
		t.Error(err)
	}
	names := []string{}
	for _, s := range list {
		names = append(names, s.Name+": "+s.Where)
	}
	want := []string{"Go, its runtime and standard library: the module, the worker", "github.com/syumai/workers: the worker", "golang.org/x/tools: the module, the worker"}
	if !slices.Equal(names, want) {
		t.Errorf("shipped are %q", names)
	}
	page := licencesPage(list)
	for _, s := range list {
		if !strings.Contains(page.Body, s.Name) || !strings.Contains(page.Body, s.Version) {
			t.Errorf("the page leaves %s out", s.Name)
		}
	}
}

// exactVersion matches one version, also of a package under another name ("npm:NAME@VERSION").
var exactVersion = regexp.MustCompile(`^(npm:[@\w./-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$`)

// Downloads are pinned, byte for byte.
func TestEveryDependencyIsPinned(t *testing.T) {
	r, err := findRepo()
	if err != nil {
		t.Fatal(err)
	}
	found, err := filepath.Glob(r.Path("*", "package.json"))
	if err != nil {
		t.Fatal(err)
	}
	more, err := filepath.Glob(r.Path("*", "*", "package.json"))
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, file := range append(found, more...) {
		if strings.Contains(file, "node_modules") || strings.Contains(file, ".cache") {
			continue
		}
		checked++
		var p struct{ Dependencies, DevDependencies, PeerDependencies, OptionalDependencies map[string]string }
		read(t, file, &p)
		count := 0
		for _, group := range []map[string]string{p.Dependencies, p.DevDependencies, p.PeerDependencies, p.OptionalDependencies} {
			for _, name := range sortedNames(group) {
				count++
				if !exactVersion.MatchString(group[name]) {
					t.Errorf("%s: %s is wanted as %q, which is not one version", file, name, group[name])
				}
			}
		}
		if count == 0 {
			continue
		}
		var lock struct {
			LockfileVersion int
			Packages        map[string]struct {
				Version, Integrity string
				Link               bool
			}
		}
		read(t, filepath.Join(filepath.Dir(file), "package-lock.json"), &lock)
		if lock.LockfileVersion < 3 || len(lock.Packages) <= count {
			t.Errorf("the lock beside %s is of version %d with %d packages", file, lock.LockfileVersion, len(lock.Packages))
		}
		for _, name := range sortedNames(lock.Packages) {
			if l := lock.Packages[name]; name != "" && (l.Integrity == "" || l.Version == "") {
				t.Errorf("the lock beside %s has no sum for %s", file, name)
			}
		}
	}
	if checked < 4 {
		t.Errorf("only %d package.json were found", checked)
	}
	gomod, err := os.ReadFile(r.Path("go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(r.Path("go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(gomod), "replace ") {
		t.Error("go.mod replaces a module")
	}
	for _, m := range regexp.MustCompile(`(?m)^\s+(\S+\.\S+/\S+) (v\S+)`).FindAllStringSubmatch(string(gomod), -1) {
		if !strings.Contains(string(sums), m[1]+" "+m[2]+" h1:") {
			t.Errorf("go.sum has no sum for %s %s", m[1], m[2])
		}
	}
}

func read(t *testing.T, file string, into any) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}
