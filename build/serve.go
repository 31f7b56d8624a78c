package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"html"
	"io/fs"
	"mime"
	"net"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// defaultPort differs from the ports of the model servers in the page's presets, so that
// both run on one machine.
const defaultPort = 6174

// serveVerb builds the site and serves it on this machine only. It watches
// the source files and rebuilds after a change.
//
//stile:norace serves until a person interrupts it
func serveVerb(ctx context.Context, r repo, args []string) error {
	flags := flag.NewFlagSet("serve", flag.ContinueOnError)
	port := flags.Int("port", defaultPort, "the port to listen on")
	watch := flags.Bool("watch", true, "rebuild when a file changes")
	lan := flags.Bool("lan", true, "let the page call plain http, for model servers in the local network")
	if err := flags.Parse(args); err != nil {
		return errUsage
	}
	// Open the port first: after a minute of building the error would be late.
	listener, err := net.Listen("tcp", fmt.Sprintf("localhost:%d", *port))
	if err != nil {
		return fmt.Errorf("cannot listen on port %d (%w); choose another: go run ./build serve -port %d", *port, err, *port+1)
	}
	fmt.Println("building …")
	s, err := r.buildSite(ctx)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	var current atomic.Pointer[site]
	current.Store(&s)
	csp := policy()
	if *lan {
		csp = localPolicy()
	}
	server := &http.Server{Handler: serveSite(current.Load, csp), ReadHeaderTimeout: 10 * time.Second}
	done := make(chan error, 1)
	go func() { done <- server.Serve(listener) }()
	fmt.Printf("Stile is at http://localhost:%d   (interrupt to stop)\n", listener.Addr().(*net.TCPAddr).Port)
	if *watch {
		go r.watch(ctx, func() { r.rebuild(ctx, &current) })
	}
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return server.Close()
	}
}

func (r repo) rebuild(ctx context.Context, current *atomic.Pointer[site]) {
	began := time.Now()
	s, err := r.buildSite(ctx)
	switch {
	case ctx.Err() != nil:
	case err != nil:
		fmt.Fprintln(os.Stderr, "not built:", err)
	default:
		current.Store(&s)
		fmt.Printf("built anew in %.1f s; reload the page\n", time.Since(began).Seconds())
	}
}

// serveSite serves a site like a static host: each request gets the current files. csp is
// the content security policy in the headers; it replaces the built one in the pages.
func serveSite(current func() *site, csp string) http.Handler {
	built, sent := []byte(html.EscapeString(policy())), []byte(html.EscapeString(csp))
	return http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		if request.Method != http.MethodGet && request.Method != http.MethodHead {
			http.Error(w, "only GET is answered here", http.StatusMethodNotAllowed)
			return
		}
		files := current().files
		name, folder := path.Clean(request.URL.Path), false
		if _, folder = files[strings.TrimPrefix(path.Join(name, "index.html"), "/")]; folder && !strings.HasSuffix(request.URL.Path, "/") {
			// The links of the page are relative to the folder.
			http.Redirect(w, request, path.Base(name)+"/", http.StatusMovedPermanently)
			return
		}
		if folder {
			name = path.Join(name, "index.html")
		}
		data, ok := files[strings.TrimPrefix(name, "/")]
		if !ok && path.Ext(name) == "" { // an address without the extension
			name += ".html"
			data, ok = files[strings.TrimPrefix(name, "/")]
		}
		if !ok {
			http.Error(w, "there is no "+path.Clean(request.URL.Path), http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", contentType(name))
		w.Header().Set("Cache-Control", "no-cache") // for files whose names do not depend on their contents
		setHeaders(w, name)
		w.Header().Set("Content-Security-Policy", csp)
		if path.Ext(name) == ".html" {
			data = bytes.ReplaceAll(data, built, sent)
		}
		w.Header().Set("Content-Length", fmt.Sprint(len(data)))
		if request.Method == http.MethodGet {
			_, _ = w.Write(data) // a closed connection is the client's decision
		}
	})
}

// servePacked serves a site with texts packed as hosts pack them.
func (r repo) servePacked(s *site) http.Handler {
	plain := serveSite(func() *site { return s }, policy())
	return http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		name := strings.TrimPrefix(path.Clean(request.URL.Path), "/")
		if name == "" {
			name = "index.html"
		}
		data, ok := s.files[name]
		packable := slices.Contains([]string{".css", ".html", ".js", ".json", ".svg", ".txtar"}, path.Ext(name))
		if !ok || !packable || !strings.Contains(request.Header.Get("Accept-Encoding"), "br") {
			plain.ServeHTTP(w, request)
			return
		}
		packed, err := r.packedBrotli(request.Context(), data)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", contentType(name))
		setHeaders(w, name)
		w.Header().Set("Content-Encoding", "br")
		w.Header().Set("Content-Length", fmt.Sprint(len(packed)))
		_, _ = w.Write(packed) // a closed connection is the client's decision
	})
}

func contentType(name string) string {
	switch ext := path.Ext(name); ext {
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".txtar", ".md":
		return "text/plain; charset=utf-8"
	default:
		if t := mime.TypeByExtension(ext); t != "" {
			return t
		}
		return "application/octet-stream"
	}
}

// watchEvery is the interval at which the files are checked. Reading a few hundred
// directory entries is cheap, and needs no notifications of the system.
const watchEvery = time.Second

// watch calls changed whenever a source file was changed, until ctx ends.
func (r repo) watch(ctx context.Context, changed func()) {
	seen := r.newest()
	ticker := time.NewTicker(watchEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if now := r.newest(); now != seen {
				seen = now
				changed()
			}
		}
	}
}

// newest returns a summary of the source files' state.
func (r repo) newest() string {
	var last time.Time
	count := 0
	for _, dir := range []string{"core", "grammars", "wasm", "web"} {
		_ = filepath.WalkDir(r.Path(dir), func(name string, entry fs.DirEntry, err error) error {
			if err != nil {
				return nil // the file was deleted just now, which changes the count
			}
			if entry.IsDir() && entry.Name() == "node_modules" {
				return filepath.SkipDir
			}
			if info, err := entry.Info(); err == nil && !entry.IsDir() {
				count++
				if info.ModTime().After(last) {
					last = info.ModTime()
				}
			}
			return nil
		})
	}
	return fmt.Sprint(count, last.UnixNano())
}
