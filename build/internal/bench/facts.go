package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/stile-playground/stile/build/internal/report"
)

// facts fills in the commit and the machine of a report.
func (r *reporter) facts(ctx context.Context) error {
	r.Machine = report.Machine{System: runtime.GOOS + "/" + runtime.GOARCH, Cores: runtime.NumCPU(), Go: runtime.Version(), Processor: processor(), Load: load()}
	node, err := r.Command(ctx, nil, "node", "--version")
	if err != nil {
		return err
	}
	r.Machine.Node = strings.TrimSpace(node)
	if err := r.NPMTests(ctx); err != nil {
		return err
	}
	if browser, err := r.Command(ctx, nil, "node", "build/peers/version.mjs"); err == nil {
		r.Machine.Chromium = strings.TrimSpace(browser)
	} else {
		r.miss("Chromium does not start: %v", err)
	}
	r.Commit, r.Date = "unknown", "unknown"
	if printed, err := r.Command(ctx, nil, "git", "log", "-1", "--format=%h %cI"); err == nil {
		r.Commit, r.Date, _ = strings.Cut(strings.TrimSpace(printed), " ")
		if changed, err := r.Command(ctx, nil, "git", "status", "--porcelain", "--untracked-files=no"); err == nil && strings.TrimSpace(changed) != "" {
			r.Commit += "+"
		}
	}
	return nil
}

// processor returns the name that Linux has for the first processor; "" elsewhere.
func processor() string {
	raw, err := os.ReadFile(filepath.FromSlash("/proc/cpuinfo"))
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(raw)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// load returns the load average of the last minute, or 0 if it is unknown.
func load() (minute float64) {
	raw, err := os.ReadFile(filepath.FromSlash("/proc/loadavg"))
	if err != nil {
		return 0
	}
	if _, err := fmt.Sscan(string(raw), &minute); err != nil {
		return 0
	}
	return minute
}
