package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"time"
)

// pageVerb is the pattern of the verb bench that measures the page instead of the core.
const pageVerb = "page"

// figure is something that was measured in the page, several times.
type figure struct {
	Group, Name, Unit string
	Values            []float64
}

// pageTargets are what the page promises: at most so much of the median, or of the
// worst where worst is set. A figure's group has to begin with the first word.
var pageTargets = []struct {
	group, name string
	most        float64
	worst       bool
}{
	{"load, 4x slower, 10 Mbit", "typing possible", 1500, false},
	{"load, 4x slower, 10 Mbit", "editor", 1500, false},
	{"load, 4x slower, 10 Mbit", "first drawing", 2000, false},
	{"load, 4x slower, 10 Mbit", "drawing of the page's own", 2500, false},
	{"typing in a 200-line grammar", "keystroke to diagnostics", 50, false},
	{"typing in a 200-line grammar", "keystroke to drawing", 50, false},
	{"typing in a 200-line agent of 40 states", "keystroke to drawing", 50, false},
	{"typing in a 200-line grammar", "longest task", 50, true},
	{"typing in a 200-line agent of 40 states", "longest task", 50, true},
	{"a file of 10,000 lines, typing", "keystroke to letter", 50, false},
	{"a file of 10,000 lines, typing", "longest task", 50, true},
	{"a file of 10,000 lines, scrolling", "frame", 20, false},
	{"a file of 10,000 lines, scrolling", "longest task", 50, true},
}

// benchPage measures the page in Chromium: how soon it is there, how fast it answers to
// typing, and what it holds after a thousand edits.
func (r repo) benchPage(ctx context.Context, out io.Writer, parts []string) error {
	s, err := r.buildSite(ctx)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: r.servePacked(&s), ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = server.Serve(listener) }() // ends with Close
	defer server.Close()
	cmd := exec.CommandContext(ctx, "node", append([]string{"build/peers/page.mjs", "http://" + listener.Addr().String() + "/"}, parts...)...)
	cmd.Dir = string(r)
	cmd.Stderr = os.Stderr
	printed, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	var figures []figure
	lines := bufio.NewScanner(printed)
	for lines.Scan() {
		var f figure
		if err := json.Unmarshal(lines.Bytes(), &f); err != nil {
			return fmt.Errorf("page.mjs printed %q: %w", lines.Text(), err)
		}
		figures = append(figures, f)
		fmt.Fprintf(os.Stderr, "bench: %s: %s\n", f.Group, f.Name)
	}
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("node build/peers/page.mjs: %w", err)
	}
	writeFigures(out, figures)
	return nil
}

// servePacked serves a site with texts packed as hosts pack them.
func (r repo) servePacked(s *site) http.Handler {
	plain := serveSite(func() *site { return s })
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
		packed, err := r.packedBrotli(data)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", contentType(name))
		setHeaders(w, name)
		w.Header().Set("Content-Encoding", "br")
		w.Header().Set("Content-Length", fmt.Sprint(len(packed)))
		_, _ = w.Write(packed) // a client that went away is no fault of ours
	})
}

// writeFigures writes figures as tables in Markdown.
func writeFigures(out io.Writer, figures []figure) {
	fmt.Fprintln(out, "# The page\n\nOver all runs. A target is met by the median, or by the worst where it says so.")
	group := ""
	for _, f := range figures {
		if f.Group != group {
			group = f.Group
			fmt.Fprintf(out, "\n## %s\n\n| | median | best | worst | runs | target |\n|---|---:|---:|---:|---:|---:|\n", strings.ToUpper(group[:1])+group[1:])
		}
		sorted := slices.Sorted(slices.Values(f.Values))
		median, worst := sorted[len(sorted)/2], sorted[len(sorted)-1]
		target := ""
		for _, t := range pageTargets {
			if t.group != f.Group || t.name != f.Name {
				continue
			}
			reached, of := median, ""
			if t.worst {
				reached, of = worst, " at worst"
			}
			target = "≤ " + measure(t.most, f.Unit) + of + mark(reached <= t.most)
		}
		fmt.Fprintf(out, "| %s | %s | %s | %s | %d | %s |\n", f.Name, measure(median, f.Unit), measure(sorted[0], f.Unit), measure(worst, f.Unit), len(sorted), target)
	}
}

func measure(value float64, unit string) string {
	digits := 0
	if unit == "MB" {
		digits = 2
	}
	return strings.TrimSpace(fmt.Sprintf("%.*f %s", digits, value, unit))
}
