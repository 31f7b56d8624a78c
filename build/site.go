package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"html"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/stile-playground/stile/build/internal/checkout"
	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/grammars"
	"github.com/stile-playground/stile/grammars/experiments"
	"github.com/stile-playground/stile/wasm/host"
)

// site is the static site: its files by path, without a leading slash.
type site struct {
	files map[string][]byte
	// first lists the files that a browser loads before the editor appears. drawing lists those
	// that it loads before the first drawing, except the layout engine. Both include index.html.
	first, drawing []string
	module, whole  string // the two modules, packed by brotli
}

// siteVerb builds the site into dist/.
func siteVerb(ctx context.Context, r repo, args []string) error {
	flags := flag.NewFlagSet("site", flag.ContinueOnError)
	forget := flags.Bool("forget", false, "make all browsers delete the offline copy of the site, and keep none")
	downloads := flags.Bool("downloads", false, "compile the command stile for all platforms and offer it on the site")
	worker := flags.String("worker", "", "the address of the worker that makes short links for this site")
	if err := flags.Parse(args); err != nil || flags.NArg() > 0 {
		return errUsage
	}
	if *worker != "" {
		if address, err := url.Parse(*worker); err != nil || address.Scheme != "https" || address.Host == "" {
			return fmt.Errorf("-worker expects an address that begins with https://, not %q", *worker)
		}
	}
	s, err := r.buildSiteWith(ctx, siteOptions{worker: strings.TrimSuffix(*worker, "/"), downloads: *downloads})
	if err != nil {
		return err
	}
	if *forget {
		if s.files[serviceWorker], err = r.bundleServiceWorker("", []string{}, map[string]string{}, nil, nil); err != nil {
			return err
		}
	}
	if err := r.writeSite(s); err != nil {
		return err
	}
	fmt.Printf("dist/: %d files\n", len(s.files))
	return nil
}

// writeSite replaces the contents of dist/ with the site.
func (r repo) writeSite(s site) error {
	if err := os.RemoveAll(r.Path("dist")); err != nil {
		return err
	}
	for _, name := range sortedNames(s.files) {
		if err := checkout.WriteFile(r.Path("dist", filepath.FromSlash(name)), s.files[name]); err != nil {
			return err
		}
	}
	return nil
}

// assets are the paths of the parts of the page, which index.html contains.
type assets struct {
	ModuleBr     string `json:"module_br"`
	ModuleGz     string `json:"module_gz"`
	FullBr       string `json:"whole_br"`
	FullGz       string `json:"whole_gz"`
	CoreWorker   string `json:"core_worker"`
	LayoutWorker string `json:"layout_worker"`
	Viz          string `json:"viz"`
	Gallery      string `json:"gallery"`
	LateStyle    string `json:"late_style"`
	Worker       string `json:"worker,omitempty"` // the address of the optional worker
	Version      string `json:"version"`          // a hash of the page's scripts and modules
	Solvers      struct {
		Worker  string                   `json:"worker"`
		Modules map[string]solverAddress `json:"modules"`
	} `json:"solvers"`
}

// siteOptions are the parts that a site may have.
type siteOptions struct {
	worker    string // the address of its worker, or ""
	downloads bool   // it offers the command stile
}

// buildSite builds a site without a worker and without downloads.
func (r repo) buildSite(ctx context.Context) (site, error) {
	return r.buildSiteWith(ctx, siteOptions{})
}

// buildSiteWith builds the module and the page and puts the site together.
func (r repo) buildSiteWith(ctx context.Context, o siteOptions) (site, error) {
	s := site{files: map[string][]byte{}}
	if err := r.NPM(ctx); err != nil {
		return s, err
	}
	first, err := r.module(ctx, coreModule)
	if err != nil {
		return s, err
	}
	whole, err := r.module(ctx, fullModule)
	if err != nil {
		return s, err
	}
	b, err := r.bundleWeb()
	if err != nil {
		return s, err
	}
	for name, data := range b.files {
		s.files[name] = data
	}
	r.packTogether(ctx, first, whole)
	a := assets{CoreWorker: b.entries["core-worker.ts"], LayoutWorker: b.entries["layout-worker.ts"], Gallery: "gallery/", LateStyle: b.entries["deferred.css"], Worker: o.worker}
	if a.ModuleBr, a.ModuleGz, err = r.addModule(ctx, &s, "stile-first", first); err != nil {
		return s, err
	}
	if a.FullBr, a.FullGz, err = r.addModule(ctx, &s, "stile", whole); err != nil {
		return s, err
	}
	s.files[guardModule] = whole
	a.Version = checkout.Hash([]byte(b.entries["main.ts"] + a.ModuleBr + a.FullBr))
	viz, err := os.ReadFile(r.Path("web", "node_modules", "@viz-js", "viz", "dist", "viz.js"))
	if err != nil {
		return s, err
	}
	a.Viz = "assets/viz." + checkout.Hash(viz) + ".js"
	s.files[a.Viz] = viz
	a.Solvers.Worker = b.entries["solver-worker.ts"]
	if a.Solvers.Modules, err = r.addSolvers(ctx, &s); err != nil {
		return s, err
	}
	examples, err := s.addGallery()
	if err != nil {
		return s, err
	}
	if err := r.addPublic(&s); err != nil {
		return s, err
	}
	list, err := r.allShipped(ctx, append(b.packages[:len(b.packages):len(b.packages)], vizPackage))
	if err != nil {
		return s, err
	}
	if err := r.addPackages(&s); err != nil {
		return s, err
	}
	if o.downloads {
		if err := r.addDownloads(ctx, &s); err != nil {
			return s, err
		}
	}
	if err := r.addDocs(&s, downloadsPage(&s), licencesPage(list)); err != nil {
		return s, err
	}
	opened := slices.IndexFunc(examples, func(e grammars.Example) bool { return e.ID == grammars.Default })
	if err := r.addIndex(ctx, &s, b, a, examples[opened]); err != nil {
		return s, err
	}
	if err := r.addServiceWorker(&s, a, b.optional); err != nil {
		return s, err
	}
	main := b.static(b.entries["main.ts"])
	s.first = append([]string{"index.html", b.styles["main.ts"], b.entries["prefetch.ts"]}, main...)
	s.module, s.whole = a.ModuleBr, a.FullBr
	s.drawing = append(append(s.first[:len(s.first):len(s.first)], b.static(a.CoreWorker)...), a.ModuleBr)
	s.drawing = append(s.drawing, b.static(a.LayoutWorker)...)
	return s, nil
}

// serviceWorker is the script that caches the site for offline use.
const serviceWorker = "service-worker.js"

// guardModule is the name of the full module for the guards that run it. This name never changes.
const guardModule = "stile.wasm"

// addServiceWorker adds the service worker with the lists of files that it caches: at once the
// page, its parts, the gallery and the modules in the packing that the host serves, and on demand
// the documentation and optional files. Its version is a hash of all these files.
func (r repo) addServiceWorker(s *site, a assets, optional []string) error {
	var kept []string
	later := map[string]string{}
	var all bytes.Buffer
	for _, name := range sortedNames(s.files) {
		if strings.HasPrefix(name, "module/") || strings.HasPrefix(name, "download/") || strings.HasPrefix(name, packagesFolder) || name == guardModule {
			continue
		}
		if strings.HasPrefix(name, "docs/") || slices.Contains(optional, name) {
			later[name] = checkout.Hash(s.files[name])
		} else {
			kept = append(kept, name)
		}
		all.WriteString(name + checkout.Hash(s.files[name]))
	}
	var solvers []string
	for _, name := range sortedNames(a.Solvers.Modules) {
		solvers = append(solvers, a.Solvers.Modules[name].Br, a.Solvers.Modules[name].Gz)
	}
	modules := []map[string]string{{"br": a.ModuleBr, "gz": a.ModuleGz}, {"br": a.FullBr, "gz": a.FullGz}}
	all.WriteString(a.ModuleBr + a.FullBr)
	script, err := r.bundleServiceWorker(checkout.Hash(all.Bytes()), kept, later, modules, solvers)
	s.files[serviceWorker] = script
	return err
}

// addModule adds a module in the two forms that the page can fetch.
func (r repo) addModule(ctx context.Context, s *site, name string, module []byte) (br, gz string, err error) {
	packed, err := r.packedBrotli(ctx, module)
	if err != nil {
		return "", "", err
	}
	zipped, err := r.packedGzip(module)
	if err != nil {
		return "", "", err
	}
	name += "." + checkout.Hash(module) + ".wasm"
	br, gz = "module/br/"+name, "module/gz/"+name
	s.files[br], s.files[gz] = packed, zipped
	return br, gz, nil
}

func (s *site) addGallery() ([]grammars.Example, error) {
	examples, err := grammars.All()
	if err != nil {
		return nil, err
	}
	index, err := json.Marshal(examples)
	if err != nil {
		return nil, err
	}
	s.files["gallery/index.json"] = index
	for _, e := range examples {
		s.files["gallery/"+e.ID+".txtar"] = []byte(e.Workspace().Archive())
		if e.Recorded {
			s.files["gallery/"+e.ID+".run.json"] = e.Recording
		}
	}
	ready, err := experiments.List()
	if err != nil {
		return nil, err
	}
	if s.files["gallery/experiments/index.json"], err = json.Marshal(ready); err != nil {
		return nil, err
	}
	for _, e := range ready {
		w, err := experiments.Workspace(e.Name)
		if err != nil {
			return nil, err
		}
		s.files["gallery/experiments/"+e.Name+".txtar"] = []byte(w.Archive())
	}
	for _, name := range grammars.RecordFiles() {
		if s.files["gallery/"+name], err = grammars.Records(name); err != nil {
			return nil, err
		}
	}
	return examples, nil
}

// addPublic adds the files of web/public unchanged.
func (r repo) addPublic(s *site) error {
	root := r.Path("web", "public")
	return filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(root, name)
		s.files[filepath.ToSlash(relative)] = data
		return err
	})
}

// addIndex fills in web/index.html: the first response shows the first example
// with its drawing, before any script has run.
func (r repo) addIndex(ctx context.Context, s *site, b bundle, a assets, example grammars.Example) error {
	template, err := os.ReadFile(r.Path("web", "index.html"))
	if err != nil {
		return err
	}
	text, drawing, err := drawExample(ctx, example)
	if err != nil {
		return err
	}
	line, err := drawingLine(drawing, nil)
	if err != nil {
		return err
	}
	svg, err := r.prerender(ctx, line)
	if err != nil {
		return err
	}
	listed, err := json.Marshal(a)
	if err != nil {
		return err
	}
	values := b.values("main.ts", listed)
	for name, value := range map[string]string{
		"early": b.entries["prefetch.ts"], "module": a.ModuleBr,
		"oembed":     oembedLinks(a.Worker, example),
		"example.id": html.EscapeString(example.ID), "example.title": html.EscapeString(example.Title),
		"example.name": html.EscapeString(example.Main), "example.text": html.EscapeString(text), "drawing": strings.TrimSpace(string(svg)),
	} {
		values[name] = value
	}
	index, err := fillIn(string(template), values)
	if err != nil {
		return fmt.Errorf("web/index.html: %w", err)
	}
	s.files["index.html"] = []byte(index)
	return r.addEmbed(s, b, listed)
}

// oembedLinks returns the links to the worker's oEmbed reply for the address of the site,
// which embeds the default example. Without a worker there are none.
func oembedLinks(worker string, example grammars.Example) string {
	if worker == "" {
		return ""
	}
	var b strings.Builder
	for _, format := range []string{"json", "xml"} {
		kind := map[string]string{"json": "application/json+oembed", "xml": "text/xml+oembed"}[format]
		address := worker + "/oembed?url=" + url.QueryEscape("?example="+example.ID) + "&format=" + format
		fmt.Fprintf(&b, "<link rel=\"alternate\" type=\"%s\" href=\"%s\" title=\"%s\">\n", kind, html.EscapeString(address), html.EscapeString("Stile: "+example.Title))
	}
	return b.String()
}

// addEmbed adds the page for embedding.
func (r repo) addEmbed(s *site, b bundle, assets []byte) error {
	template, err := os.ReadFile(r.Path("web", "embed.html"))
	if err != nil {
		return err
	}
	page, err := fillIn(string(template), b.values("embed.ts", assets))
	if err != nil {
		return fmt.Errorf("web/embed.html: %w", err)
	}
	s.files["embed.html"] = []byte(page)
	return nil
}

// values returns the values of the placeholders that every document of the page has.
func (b bundle) values(entry string, assets []byte) map[string]string {
	var preload strings.Builder
	for _, f := range b.static(b.entries[entry])[1:] {
		fmt.Fprintf(&preload, `<link rel="modulepreload" href="%s">`, f)
	}
	return map[string]string{"style": b.styles[entry], "script": b.entries[entry], "preload": preload.String(), "assets": string(assets)}
}

var placeholder = regexp.MustCompile(`\{\{([a-z.]+)\}\}`)

// fillIn replaces {{name}} with values. Every value must have a placeholder and every
// placeholder a value.
func fillIn(template string, values map[string]string) (string, error) {
	values = maps.Clone(values)
	values["policy"] = html.EscapeString(policy())
	used := map[string]bool{}
	var fault error
	out := placeholder.ReplaceAllStringFunc(template, func(place string) string {
		name := strings.Trim(place, "{}")
		value, ok := values[name]
		if !ok {
			fault = fmt.Errorf("missing value for %s", place)
		}
		used[name] = true
		return value
	})
	for _, name := range sortedNames(values) {
		if !used[name] && fault == nil {
			fault = fmt.Errorf("missing placeholder {{%s}}", name)
		}
	}
	return out, fault
}

// drawExample returns the text of an example's spec and its drawing.
func drawExample(ctx context.Context, e grammars.Example) (text string, drawing session.Drawing, err error) {
	h := host.Native(session.New())
	var opened session.WorkspaceImportResult
	archive := base64.StdEncoding.EncodeToString([]byte(e.Workspace().Archive()))
	if err := host.Call(ctx, h, "workspace.import", session.WorkspaceImportParams{Name: e.ID + ".txtar", Base64: archive}, &opened); err != nil {
		return "", drawing, err
	}
	var analysed session.DocumentAnalyzeResult
	if err := host.Call(ctx, h, "document.analyze", session.DocumentParams{Files: opened.Files, Name: e.Main}, &analysed); err != nil {
		return "", drawing, err
	}
	if analysed.Drawing == nil {
		return "", drawing, fmt.Errorf("the example %s has no drawing", e.ID)
	}
	for _, f := range opened.Files {
		if f.Name == e.Main {
			text = f.Text
		}
	}
	return text, *analysed.Drawing, nil
}

// drawingLine writes a drawing, with the places of its parts if they are known, as a line
// of JSON for prerender.
func drawingLine(d session.Drawing, layout json.RawMessage) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(struct {
		Drawing session.Drawing `json:"drawing"`
		Layout  json.RawMessage `json:"layout,omitempty"`
	}{d, layout})
	return b.Bytes(), err
}
