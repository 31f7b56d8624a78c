package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/stile-playground/stile/build/internal/checkout"
)

// testPackages are packages of web that only the tests require. A site is built without
// them.
var testPackages = []string{"@playwright/test", "@sparticuz/chromium", "@axe-core/playwright", "typescript", "@typescript/native", "typescript-eslint", "eslint", "prettier"}

// checkFresh builds the site as on a new machine: from a copy of the checkout's files, with empty
// caches of npm and of Go's modules, by the commands of the README. The step needs the registries
// of Go modules and npm packages. With -long, Go's build cache is empty, too. Otherwise it is
// shared, which is safe because Go names its entries by all inputs of a compilation. These include
// the folder unless paths are trimmed, as here and in all steps.
func checkFresh(ctx context.Context, t *tester) (tally, error) {
	dir := filepath.Join(os.TempDir(), "stile-fresh-"+checkout.Hash([]byte(t.Dir)))
	if err := os.RemoveAll(dir); err != nil { // of an interrupted run
		return tally{}, err
	}
	defer func() { _ = os.RemoveAll(dir) }() // otherwise it fills the disk until the system cleans up
	fresh := repo{checkout.Dir(filepath.Join(dir, "stile"))}
	if err := t.copyFiles(ctx, fresh); err != nil {
		return tally{}, err
	}
	// The compressed files are named by their contents, so sharing them is safe and saves the
	// minute of compressing a solver.
	if err := copyNewFiles(t.Cache("packed"), fresh.Cache("packed")); err != nil {
		return tally{}, err
	}
	env := []string{
		"npm_config_cache=" + filepath.Join(dir, "npm"),
		"GOMODCACHE=" + filepath.Join(dir, "gomodcache"), "GOFLAGS=-trimpath -modcacherw", // so that RemoveAll can remove it
	}
	if t.long {
		env = append(env, "GOCACHE="+filepath.Join(dir, "gocache"))
	}
	var counts tally
	for _, check := range []func() error{
		func() error {
			_, err := fresh.Command(ctx, env, "go", "run", "./build", "site")
			return err
		},
		func() error {
			_, err := os.Stat(fresh.Path("dist", "index.html"))
			return err
		},
		fresh.withoutTestPackages,
	} {
		n, err := verdict(check())
		counts.add(n)
		if err != nil {
			return counts, fmt.Errorf("fresh: %w", err)
		}
	}
	return counts, copyNewFiles(fresh.Cache("packed"), t.Cache("packed"))
}

// copyNewFiles copies the files of a folder that another folder lacks. A missing folder
// has no files.
func copyNewFiles(from, to string) error {
	entries, err := os.ReadDir(from)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for _, entry := range entries {
		target := filepath.Join(to, entry.Name())
		if _, err := os.Stat(target); err == nil || entry.IsDir() {
			continue
		}
		data, err := os.ReadFile(filepath.Join(from, entry.Name()))
		if err != nil {
			return err
		}
		if err := checkout.WriteFile(target, data); err != nil {
			return err
		}
	}
	return nil
}

// copyFiles copies the checkout's files to another folder: the tracked and the untracked
// but not ignored ones, as they are on disk.
func (r repo) copyFiles(ctx context.Context, to repo) error {
	listed, err := r.Command(ctx, nil, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	if err != nil {
		return err
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(listed, "\x00"), "\x00") {
		data, err := os.ReadFile(r.Path(filepath.FromSlash(name)))
		if errors.Is(err, os.ErrNotExist) {
			continue // deleted, and not committed yet
		}
		if err != nil {
			return err
		}
		if err := checkout.WriteFile(to.Path(filepath.FromSlash(name)), data); err != nil {
			return err
		}
	}
	return nil
}

// withoutTestPackages fails if a package that only tests need is installed.
func (r repo) withoutTestPackages() error {
	for _, name := range testPackages {
		if _, err := os.Stat(r.Path("web", "node_modules", filepath.FromSlash(name))); err == nil {
			return fmt.Errorf("%s is installed, which only tests need", name)
		} else if !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}
