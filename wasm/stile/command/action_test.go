package command

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// The script of the GitHub action runs with the inputs and files that a runner provides.
func TestAction(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("paths of the test are those of Unix")
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(origin, "..", "action", "run.sh")
	folder(t, map[string]string{
		"specs/shop.agent": shopAgent, "specs/shop.tests": "accept User Ans\n", "new/shop.agent": strings.Replace(shopAgent, `"lookup" `, "", 1),
		"my runs/a.json": conversation("lookup"), "my runs/b.txt": "x", "bad.json": conversation("drop"), "tmp/x": "",
	})
	if os.Getenv("STILE_LONG") == "" {
		build(t, "tmp")
	}
	for _, c := range []struct {
		about   string
		inputs  []string
		code    int
		summary string // in the summary of the job
		out     string // in the log
	}{
		{"runs that pass", []string{"SPECS=specs", "TRACES=\n  my runs  \n", "INCLUDE=*.json"}, Pass, "1 of 1 runs pass all rules", "1 of 1 runs"},
		{"a folder with another file", []string{"SPECS=specs", "TRACES=my runs"}, Fail, "my runs/b.txt", "b.txt"},
		{"a violation", []string{"SPECS=specs", "TRACES=bad.json", "SARIF=out.sarif", "JUNIT=out.xml"}, Fail, `may not begin with "drop"`, "bad.json:1"},
		{"two traces", []string{"SPECS=specs/shop.agent", "TRACES=my runs/a.json\nbad.json"}, Fail, "1 of 2 runs", "bad.json"},
		{"two versions", []string{"COMMAND=diff", "SPECS=specs\nnew", "TRACES=my runs/a.json"}, Fail, "1 of 1 runs would now be stopped", "stopped"},
		{"tests", []string{"COMMAND=test", "SPECS=specs"}, Pass, "", "1 passed, 0 failed"},
		{"an unknown command", []string{"COMMAND=lint", "SPECS=specs"}, Error, "", `::error title=Stile::unknown command "lint"`},
		{"no specs", []string{"TRACES=bad.json"}, Error, "", "the input specs is empty"},
		{"no traces", []string{"SPECS=specs"}, Error, "", "the input traces is empty"},
		{"a missing file", []string{"SPECS=none", "TRACES=bad.json"}, Error, "", ""},
		{"a name that begins with a dash", []string{"SPECS=-x", "TRACES=bad.json"}, Error, "", ""},
	} {
		for _, name := range []string{"summary", "output"} {
			if err := os.WriteFile(name, nil, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.Command(bash, script)
		cmd.Env = append(os.Environ(), "RUNNER_TEMP="+mustAbs(t, "tmp"), "GITHUB_STEP_SUMMARY=summary", "GITHUB_OUTPUT=output")
		for _, input := range c.inputs {
			cmd.Env = append(cmd.Env, "STILE_"+input)
		}
		out, err := cmd.CombinedOutput()
		code := 0
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
			code = exit.ExitCode()
		} else if err != nil {
			t.Fatal(err)
		}
		summary, _ := os.ReadFile("summary")
		output, _ := os.ReadFile("output")
		if code != c.code || !strings.Contains(string(summary), c.summary) || !strings.Contains(string(out), c.out) || !strings.Contains(string(output), "exit-code="+string(rune('0'+c.code))) {
			t.Errorf("%s: exit %d, want %d\noutput: %s\nsummary: %s\n%s", c.about, code, c.code, output, summary, out)
		}
	}
	for _, name := range []string{"out.sarif", "out.xml"} {
		if info, err := os.Stat(name); err != nil || info.Size() == 0 {
			t.Errorf("no report: %v", err)
		}
	}
}

// Without Go, the action has an exit code.
func TestActionWithoutGo(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("paths of the test are those of Unix")
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Fatal(err)
	}
	script := mustAbs(t, filepath.Join(origin, "..", "action", "run.sh"))
	folder(t, map[string]string{"bin/x": "", "tmp/x": "", "output": ""})
	for _, name := range []string{"dirname", "rm", "tee", "cat", "cp"} {
		path, err := exec.LookPath(name)
		if err == nil {
			err = os.Symlink(path, filepath.Join("bin", name))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(bash, script)
	cmd.Env = []string{"PATH=" + mustAbs(t, "bin"), "RUNNER_TEMP=" + mustAbs(t, "tmp"), "GITHUB_OUTPUT=output", "STILE_SPECS=a", "STILE_TRACES=b"}
	out, err := cmd.CombinedOutput()
	output, _ := os.ReadFile("output")
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != Error || string(output) != "exit-code=2\n" || !strings.Contains(string(out), "Go is not installed") {
		t.Errorf("%v %s %s", err, output, out)
	}
}

// build writes the command to the place where the script keeps it between its uses in a job. The script would compile
// all packages again, because its flags differ from those of tests.
func build(t *testing.T, folder string) {
	t.Helper()
	root := mustAbs(t, filepath.Join(origin, "..", "..", ".."))
	cmd := exec.Command("go", "build", "-o", filepath.Join(mustAbs(t, folder), "stile-"+filepath.Base(root)), "./wasm/stile")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

func mustAbs(t *testing.T, name string) string {
	t.Helper()
	abs, err := filepath.Abs(name)
	if err != nil {
		t.Fatal(err)
	}
	return abs
}

// Every input of the action reaches the script.
func TestActionPassesItsInputs(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(origin, "..", "..", "..", "action.yml"))
	if err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile(filepath.Join(origin, "..", "action", "run.sh"))
	if err != nil {
		t.Fatal(err)
	}
	_, inputs, _ := strings.Cut(string(text), "\ninputs:\n")
	inputs, _, _ = strings.Cut(inputs, "\noutputs:\n")
	found := 0
	for _, line := range strings.Split(inputs, "\n") {
		name, ok := strings.CutSuffix(line, ":")
		if name = strings.TrimSpace(name); !ok || strings.HasPrefix(line, "    ") {
			continue
		}
		found++
		variable := "STILE_" + strings.ToUpper(name)
		if !strings.Contains(string(text), variable+": ${{ inputs."+name+" }}") || !strings.Contains(string(script), variable) {
			t.Errorf("the input %s does not reach the script", name)
		}
	}
	if found != 7 {
		t.Errorf("%d inputs", found)
	}
}
