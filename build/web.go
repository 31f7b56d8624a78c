package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/stile-playground/stile/build/internal/checkout"
)

// bundle is the output of esbuild for web/src.
type bundle struct {
	files   map[string][]byte // by path in the site, "assets/main.ABC.js"
	entries map[string]string // path in the site, by entry point: "main.ts"
	styles  map[string]string // path of the style sheet, by entry point
	imports map[string][]string
	// packages are the bundled packages of npm, by name.
	packages []string
	// optional are the scripts of features that few people use.
	optional []string
}

// static returns a script with its static imports, in order.
func (b bundle) static(file string) []string {
	out := []string{file}
	for i := 0; i < len(out); i++ {
		for _, f := range b.imports[out[i]] {
			if !slices.Contains(out, f) {
				out = append(out, f)
			}
		}
	}
	return out
}

// fullEmacs keeps the package for Emacs keys complete. The package marks the calls that bind its
// keys as free of side effects, so a bundler would drop them and no key would work.
var fullEmacs = api.Plugin{Name: "full-emacs", Setup: func(b api.PluginBuild) {
	b.OnLoad(api.OnLoadOptions{Filter: `@replit.codemirror-emacs.dist.index\.js$`}, func(args api.OnLoadArgs) (api.OnLoadResult, error) {
		text, err := os.ReadFile(args.Path)
		const wrong = "/*@__PURE__*/EmacsHandler."
		if err == nil && !strings.Contains(string(text), wrong) {
			err = fmt.Errorf("%s no longer marks its calls as pure; remove the workaround in build/web.go", args.Path)
		}
		contents := strings.ReplaceAll(string(text), wrong, "EmacsHandler.")
		return api.OnLoadResult{Contents: &contents, Loader: api.LoaderJS}, err
	})
}}

// packageOf returns the npm package of a file; "" for our own.
func packageOf(file string) string {
	at := strings.LastIndex(file, "node_modules/")
	if at < 0 {
		return ""
	}
	parts := strings.Split(file[at+len("node_modules/"):], "/")
	if strings.HasPrefix(parts[0], "@") && len(parts) > 1 {
		return parts[0] + "/" + parts[1]
	}
	return parts[0]
}

// bundleWeb bundles the page and its workers.
func (r repo) bundleWeb() (bundle, error) {
	entries := []string{"core/prefetch.ts", "main.ts", "embed.ts", "core/core-worker.ts", "draw/layout-worker.ts", "solver/solver-worker.ts", "ui/deferred.css"}
	points := make([]string, len(entries))
	for i, e := range entries {
		points[i] = filepath.Join("src", e)
	}
	result := api.Build(api.BuildOptions{
		AbsWorkingDir: r.Path("web"), EntryPoints: points, Outdir: "dist", Bundle: true, Splitting: true, Metafile: true,
		Format: api.FormatESModule, Target: api.ES2022, Platform: api.PlatformBrowser,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true, LegalComments: api.LegalCommentsNone,
		EntryNames: "[name].[hash]", ChunkNames: "[name].[hash]", AssetNames: "[name].[hash]",
		Loader:  map[string]api.Loader{".svg": api.LoaderFile, ".woff2": api.LoaderFile},
		Plugins: []api.Plugin{fullEmacs},
		// Node's modules that the solvers import under Node only.
		External: []string{"fs", "path", "url", "crypto", "worker_threads", "node:module"},
	})
	b := bundle{files: map[string][]byte{}, entries: map[string]string{}, styles: map[string]string{}, imports: map[string][]string{}}
	if err := esbuildError(result.Errors); err != nil {
		return b, err
	}
	for _, f := range result.OutputFiles {
		b.files[path.Join("assets", filepath.Base(f.Path))] = f.Contents
	}
	var meta struct {
		Outputs map[string]struct {
			EntryPoint string
			CSSBundle  string `json:"cssBundle"`
			Imports    []struct{ Path, Kind string }
			Inputs     map[string]struct{ BytesInOutput int }
		}
	}
	if err := json.Unmarshal([]byte(result.Metafile), &meta); err != nil {
		return b, err
	}
	place := func(output string) string { return path.Join("assets", path.Base(output)) }
	for output, m := range meta.Outputs {
		if m.EntryPoint != "" {
			b.entries[path.Base(m.EntryPoint)] = place(output)
		}
		if m.CSSBundle != "" {
			b.styles[path.Base(m.EntryPoint)] = place(m.CSSBundle)
		}
		for input, part := range m.Inputs {
			if name := packageOf(input); name != "" && part.BytesInOutput > 0 && !slices.Contains(b.packages, name) {
				b.packages = append(b.packages, name)
			}
			if (strings.HasPrefix(packageOf(input), "@replit/") || slices.Contains(solverPackages, packageOf(input))) && !slices.Contains(b.optional, place(output)) {
				b.optional = append(b.optional, place(output))
			}
		}
		for _, i := range m.Imports {
			if i.Kind == "import-statement" {
				b.imports[place(output)] = append(b.imports[place(output)], place(i.Path))
			}
		}
	}
	slices.Sort(b.packages)
	for _, e := range entries {
		if b.entries[path.Base(e)] == "" {
			return b, fmt.Errorf("esbuild produced no output for web/src/%s", e)
		}
	}
	return b, nil
}

func esbuildError(messages []api.Message) error {
	var faults []error
	for _, m := range messages {
		where := ""
		if m.Location != nil {
			where = fmt.Sprintf("web/%s:%d:%d: ", m.Location.File, m.Location.Line, m.Location.Column)
		}
		faults = append(faults, errors.New(where+m.Text))
	}
	return errors.Join(faults...)
}

// prerender draws the output of drawingLine with the page's code, run by Node, and
// returns a line of SVG for each line.
func (r repo) prerender(ctx context.Context, drawings []byte) ([]byte, error) {
	result := api.Build(api.BuildOptions{
		AbsWorkingDir: r.Path("web"), EntryPoints: []string{"tools/prerender.mjs"}, Bundle: true, Platform: api.PlatformNode,
		Format: api.FormatESModule, Target: api.ES2022, Outfile: "prerender.mjs", External: []string{"@viz-js/viz"},
	})
	if err := esbuildError(result.Errors); err != nil {
		return nil, err
	}
	return r.cached("svg", slices.Concat(result.OutputFiles[0].Contents, drawings), func() ([]byte, error) {
		// It runs in node_modules, where Node finds the layout engine.
		script := r.Path("web", "node_modules", ".stile-prerender.mjs")
		if err := checkout.WriteFile(script, result.OutputFiles[0].Contents); err != nil {
			return nil, err
		}
		return r.Pipe(ctx, drawings, "node", script)
	})
}

func sortedNames[V any](m map[string]V) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.SortFunc(names, strings.Compare)
	return names
}

// bundleServiceWorker bundles the script that caches the site for offline use. files lists the
// cached files; without files the script removes itself. later lists the files that the script
// caches on first use, with their hashes; solvers lists the modules of solvers, which it also
// caches on first use.
func (r repo) bundleServiceWorker(version string, files []string, later map[string]string, modules []map[string]string, solvers []string) ([]byte, error) {
	define := map[string]string{}
	for name, value := range map[string]any{"VERSION": version, "FILES": files, "LATER": later, "MODULES": modules, "SOLVERS": solvers} {
		text, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		define[name] = string(text)
	}
	result := api.Build(api.BuildOptions{
		AbsWorkingDir: r.Path("web"), EntryPoints: []string{"src/service-worker.ts"}, Bundle: true, Format: api.FormatIIFE, Target: api.ES2022,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true, LegalComments: api.LegalCommentsNone, Define: define, Outfile: "service-worker.js",
	})
	if err := esbuildError(result.Errors); err != nil {
		return nil, err
	}
	return result.OutputFiles[0].Contents, nil
}
