package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"html"
	"os"
	"strings"

	"github.com/stile-playground/stile/build/internal/checkout"
	"github.com/stile-playground/stile/build/internal/docs"
	"github.com/stile-playground/stile/build/internal/packages"
)

// platform is a system that the site offers the command stile for.
type platform struct{ os, arch, title string }

func platforms() []platform {
	return []platform{
		{"linux", "amd64", "Linux, x86-64"},
		{"linux", "arm64", "Linux, ARM64"},
		{"darwin", "arm64", "macOS, Apple silicon"},
		{"darwin", "amd64", "macOS, Intel"},
		{"windows", "amd64", "Windows, x86-64"},
	}
}

// file returns the path of the command in the site.
func (p platform) file() string {
	name := "download/stile-" + p.os + "-" + p.arch
	if p.os == "windows" {
		name += ".exe"
	}
	return name
}

// checksums lists the downloads with their hashes, as sha256sum -c reads them.
const checksums = "download/SHA256SUMS"

// addDownloads compiles the command stile for all platforms.
func (r repo) addDownloads(ctx context.Context, s *site) error {
	var sums strings.Builder
	for _, p := range platforms() {
		data, err := r.compileCommand(ctx, p)
		if err != nil {
			return err
		}
		s.files[p.file()] = data
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(data), strings.TrimPrefix(p.file(), "download/"))
	}
	s.files[checksums] = []byte(sums.String())
	return nil
}

// packagesFolder has the packages of the runtimes for compiled guards.
const packagesFolder = "packages/"

// addPackages adds the packages of the runtimes for compiled guards. npm and pip install them
// from the address of the site.
func (r repo) addPackages(s *site) error {
	for _, write := range []func(string) (packages.Package, error){packages.NPM, packages.Wheel} {
		p, err := write(r.Path())
		if err != nil {
			return err
		}
		s.files[packagesFolder+p.File] = p.Data
	}
	return nil
}

// compileCommand compiles the command stile as one static binary. Equal sources give equal
// bytes.
func (r repo) compileCommand(ctx context.Context, p platform) ([]byte, error) {
	defer checkout.Progress("compiling the command for " + p.title)()
	file := r.Cache(p.file())
	env := []string{"GOOS=" + p.os, "GOARCH=" + p.arch, "CGO_ENABLED=0", "GOFLAGS=-mod=readonly"}
	if _, err := r.Command(ctx, env, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", file, "./wasm/stile"); err != nil {
		return nil, err
	}
	return os.ReadFile(file)
}

// downloadsPage lists the downloads of a site, or explains how to build the command.
func downloadsPage(s *site) docs.Page {
	page := docs.Page{
		Name: "downloads", Title: "Downloads", Group: "Use", Label: "Downloads",
		Summary: "The command stile for five platforms, as one file without dependencies, and the packages of guards.",
	}
	var b strings.Builder
	if _, offered := s.files[checksums]; offered {
		b.WriteString("<div class=\"scroll\" role=\"region\" aria-label=\"Downloads\" tabindex=\"0\"><table>\n<thead><tr><th>platform</th><th>file</th><th>size</th></tr></thead>\n<tbody>\n")
		for _, p := range platforms() {
			fmt.Fprintf(&b, "<tr><td>%s</td><td><a href=\"../%s\" download>%s</a></td><td>%.1f MB</td></tr>\n",
				html.EscapeString(p.title), p.file(), strings.TrimPrefix(p.file(), "download/"), float64(len(s.files[p.file()]))/1e6)
		}
		fmt.Fprintf(&b, "</tbody>\n</table></div>\n<p><a href=\"../%s\">SHA256SUMS</a> lists the checksums; <code>sha256sum -c --ignore-missing SHA256SUMS</code> compares them. On Linux and macOS, make the file executable with <code>chmod +x</code>.</p>\n", checksums)
	} else {
		b.WriteString("<p>This site was built without downloads; <code>go run ./build site -downloads</code> adds them.</p>\n")
	}
	b.WriteString("<p>With Go 1.26 or newer, <code>go install github.com/stile-playground/stile/wasm/stile@latest</code> builds the command from its source. <a href=\"command.html\">Backtests and CI</a> documents it.</p>\n")
	b.WriteString("<h2>Packages</h2>\n<p>The runtimes for <a href=\"guard.html\">compiled guards</a>, without dependencies. <code>npm install</code> and <code>pip install</code> accept the addresses of these files:</p>\n<ul>\n")
	for _, name := range sortedNames(s.files) {
		if file, ok := strings.CutPrefix(name, packagesFolder); ok {
			fmt.Fprintf(&b, "<li><a href=\"../%s\" download>%s</a>, %.0f kB</li>\n", name, html.EscapeString(file), float64(len(s.files[name]))/1e3)
		}
	}
	b.WriteString("</ul>\n")
	page.Body = b.String()
	return page
}
