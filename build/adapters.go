package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/stile-playground/stile/build/internal/packages"
)

// adapterSpecs are the specs of the examples of the adapters: an order only, and an agent whose runs have a question and an answer;
// and an agent that restricts the question, with a rule about later prompts.
var adapterSpecs = map[string]string{
	"shop.cfg": "S -> login work\nwork -> lookup work | refund work | logout\n",
	"shop.ltl": "careful: G(refund -> X !refund)\n",
	"desk.agent": `(define desk
  (:states
    (Ques (:text "[Question]") (:flags :env-input))
    (login (:text "[Login]"))
    (lookup (:text "[Lookup]"))
    (refund (:text "[Refund]"))
    (logout (:text "[Logout]"))
    (Obs (:text "[Observation]") (:flags :env-input))
    (Ans (:text "[Answer]")))
  (:behavior (next Ques login Obs (until (next (or lookup refund) Obs) logout) Obs Ans)))
`,
	"words.agent": `(define words
  (:states (Ques (:text "[Question]") (:flags :env-input) (:matches "[a-z ]+")) (login (:text "[Login]")) (Ans (:text "[Answer]")))
  (:behavior (next Ques login Ans)))
`,
	"again.rules": "m: message.user() -> count login() <= 0\n",
}

// adapterFolder has the SDKs of the adapters.
const adapterFolder = "build/adapters"

// checkAdapters runs the examples of the page about adapters, and the proxies of the command
// stile, against the real packages.
func checkAdapters(ctx context.Context, t *tester) (tally, error) {
	return t.runAdapters(ctx, "../adapters.mjs")
}

// checkAgents runs Claude Code and Codex with the hooks of the page about adapters. The packages have 650 MB, so the
// step is one of -long.
func checkAgents(ctx context.Context, t *tester) (tally, error) {
	if err := t.NPMIn(ctx, "build/agents", "--ignore-scripts"); err != nil {
		return tally{}, err
	}
	return t.runAdapters(ctx, "../../agents/agents.mjs")
}

// runAdapters installs the SDKs and the package stile-guard, compiles a guard, and runs a script in the folder of the guard.
func (t *tester) runAdapters(ctx context.Context, script string) (tally, error) {
	run := filepath.Join(adapterFolder, ".run")
	stile := t.Path(run, "stile")
	if err := t.NPMIn(ctx, adapterFolder); err != nil {
		return tally{}, err
	}
	if err := os.MkdirAll(t.Path(run), 0o755); err != nil {
		return tally{}, err
	}
	for name, text := range adapterSpecs {
		if err := os.WriteFile(t.Path(run, name), []byte(text), 0o644); err != nil {
			return tally{}, err
		}
	}
	if err := unpackGuard(t.Path(), t.Path(adapterFolder, "node_modules", "stile-guard")); err != nil {
		return tally{}, err
	}
	if _, err := t.Command(ctx, nil, "go", "build", "-o", stile, "./wasm/stile"); err != nil {
		return tally{}, err
	}
	for _, args := range [][]string{{"shop.cfg", "shop.ltl", "-o", "shop.guard"}, {"desk.agent", "-o", "desk.guard"}, {"words.agent", "-o", "words.guard"}, {"words.agent", "again.rules", "-o", "again.guard"}} {
		if _, err := t.CommandIn(ctx, run, nil, stile, append([]string{"compile"}, args...)...); err != nil {
			return tally{}, err
		}
	}
	if err := bundleGuardCode(t.Path("web", "src", "share", "guard-code.ts"), t.Path(run, "guard-code.mjs")); err != nil {
		return tally{}, err
	}
	printed, err := t.CommandIn(ctx, run, []string{"STILE=" + stile}, "node", script)
	return t.counted(printed, err)
}

// bundleGuardCode writes the module that fills in the examples of the Export tab, so that Node.js runs it.
func bundleGuardCode(source, to string) error {
	result := api.Build(api.BuildOptions{
		EntryPoints: []string{source}, Outfile: to, Bundle: true, Write: true,
		Format: api.FormatESModule, Target: api.ES2022, Platform: api.PlatformNeutral,
	})
	return esbuildError(result.Errors)
}

// unpackGuard replaces the contents of a folder with those of the package stile-guard. It does not
// use npm, which would remove the packages that the lock file does not name.
func unpackGuard(root, folder string) error {
	p, err := packages.NPM(root)
	if err != nil {
		return err
	}
	packed, err := gzip.NewReader(bytes.NewReader(p.Data))
	if err != nil {
		return err
	}
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	for archive := tar.NewReader(packed); ; {
		header, err := archive.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		name := filepath.Join(folder, filepath.FromSlash(strings.TrimPrefix(header.Name, "package/")))
		text, err := io.ReadAll(archive)
		if err == nil {
			err = os.MkdirAll(filepath.Dir(name), 0o755)
		}
		if err == nil {
			err = os.WriteFile(name, text, 0o644)
		}
		if err != nil {
			return err
		}
	}
}

// counted counts the lines "ok NAME" and "FAIL NAME" that a program printed, and prints the FAIL lines.
func (t *tester) counted(printed string, err error) (tally, error) {
	var counts tally
	for line := range strings.Lines(printed) {
		switch {
		case strings.HasPrefix(line, "ok "):
			counts.passed++
		case strings.HasPrefix(line, "FAIL "):
			counts.failed++
			t.printf("%s", line)
		}
	}
	if counts.failed > 0 {
		err = nil // already reported
	}
	return counts, err
}
