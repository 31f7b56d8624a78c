package command

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

const (
	neverDelete = "never: !delete_all()\n"
	toolList    = `{"tools":[{"name":"pay","inputSchema":{"type":"object","properties":{"amount":{"type":"number"}},"required":["amount"]}}]}`
)

// Input that would be skipped is an error.
func TestSkippedInputIsAnError(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need rights on Windows")
	}
	folder(t, map[string]string{
		"r.rules": neverDelete, "empty.rules": "# no rule\n", "good.json": conversation("lookup"), "hidden/.x": "",
		"runs/a.json": conversation("lookup"), "tools.json": conversation("delete_all"), "real/tools.json": toolList, "real/r.rules": neverDelete,
		"mixed/r.rules": neverDelete, "mixed/sub/run.json": conversation("delete_all"),
		"cut/r.rules": neverDelete, "cut/run.json": conversation("delete_all")[:60], "lines/r.rules": neverDelete, "lines/x.jsonl": "{}\n",
		"docs/r.rules": neverDelete, "docs/README.md": "x", "docs/accepted.json": `{"version":1,"accepted":[]}`, "docs/tools.json": toolList,
		"other/never.rules": neverDelete,
	})
	if err := os.Mkdir("none", 0o755); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"links/r.rules": "../r.rules", "loop/a.rules": "b.rules", "loop/b.rules": "a.rules", "dir/r.rules": "../real", "dangling/r.rules": "nothing"} {
		if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, link); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args string
		code int
		errs string
	}{
		{"r.rules good.json", Pass, ""},
		{"r.rules runs -include [", Error, "syntax error in pattern"},
		{"r.rules runs -include *.txt", Error, `no runs were found in runs: it has no files whose names match "*.txt"`},
		{"r.rules good.json none", Error, "no runs were found in none"},
		{"r.rules good.json hidden", Error, "no runs were found in hidden"},
		{"r.rules good.json tools.json", Error, "tools.json has the name of a file that declares tools"},
		{"real good.json", Pass, ""},
		{"r.rules real/tools.json good.json", Pass, ""},
		{"mixed good.json", Error, "mixed contains specs and also mixed/sub/run.json"},
		{"cut good.json", Error, "cut contains specs and also cut/run.json"},
		{"lines good.json", Error, "lines contains specs and also lines/x.jsonl"},
		{"docs good.json", Pass, ""},
		{"empty.rules good.json", Error, "no spec has a rule"},
		{"links runs", Pass, ""},
		{"loop runs", Error, "loop/"},
		{"dir runs", Error, "dir/r.rules"},
		{"dangling runs", Error, "dangling/r.rules"},
	} {
		_, errs, code := stile("", append([]string{"check"}, strings.Fields(c.args)...)...)
		if code != c.code || !strings.Contains(filepath.ToSlash(errs), c.errs) {
			t.Errorf("%s: exit %d, want %d: %s", c.args, code, c.code, errs)
		}
	}
	if _, errs, code := stile("", "diff", "r.rules", "other/never.rules", "real/r.rules", "good.json"); code != Error || !strings.Contains(errs, "third spec") {
		t.Errorf("diff: %d %s", code, errs)
	}
	if _, errs, code := stile("", "check", "links", "tools.json"); code != Error {
		t.Errorf("a trace with the name of a declaration: %d %s", code, errs)
	}
}

// A run that was not understood is never accepted by a baseline.
func TestBaselineAcceptsNoUnreadRuns(t *testing.T) {
	folder(t, map[string]string{"r.rules": neverDelete, "cut.json": conversation("lookup", "delete_all")[:200], "bad.json": conversation("delete_all")})
	if _, errs, code := stile("", "check", "r.rules", "cut.json", "bad.json", "-baseline", "b", "-update-baseline"); code != Fail {
		t.Errorf("update: %d %s", code, errs)
	}
	text, err := os.ReadFile("b")
	if err != nil || strings.Contains(string(text), "unread") || !strings.Contains(string(text), "violated") {
		t.Errorf("%v %s", err, text)
	}
	text = []byte(strings.Replace(string(text), `"violated"`, `"unread"`, 1))
	if err := os.WriteFile("b", text, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, errs, code := stile("", "check", "r.rules", "cut.json", "-baseline", "b"); code != Fail {
		t.Errorf("check: %d %s", code, errs)
	}
}

// A hook of pre-commit runs whatever file changes: specs depend on files with any name.
func TestPreCommitHooks(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(origin, "..", "..", "..", ".pre-commit-hooks.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	hooks := strings.Split("\n"+string(text), "\n- id: ")[1:]
	for _, hook := range hooks {
		name, fields, _ := strings.Cut(hook, "\n")
		known := map[string]string{}
		for _, line := range strings.Split(fields, "\n") {
			key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
			known[key] = value
		}
		if known["entry"] != "stile "+strings.TrimPrefix(name, "stile-") || known["always_run"] != "true" || known["pass_filenames"] != "false" || known["language"] != "golang" || known["files"] != "" || known["types"] != "" {
			t.Errorf("%s: %v", name, known)
		}
	}
	if len(hooks) != 2 {
		t.Errorf("%d hooks", len(hooks))
	}
}
