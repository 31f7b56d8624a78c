package packages

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/gate/compile"
	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/workspace"
)

const root = "../../.."

func TestPackagesAreDeterministic(t *testing.T) {
	for _, write := range []func(string) (Package, error){NPM, Wheel} {
		first, err := write(root)
		if err != nil {
			t.Fatal(err)
		}
		second, err := write(root)
		if err != nil || !bytes.Equal(first.Data, second.Data) || first.File != second.File {
			t.Errorf("%s differs: %v", first.File, err)
		}
		if len(first.Data) > 62_000 {
			t.Errorf("%s has %d bytes", first.File, len(first.Data))
		}
	}
}

// Both packages have one version, and the constants of the sources name it.
func TestVersionsAgree(t *testing.T) {
	tarball, err := NPM(root)
	if err != nil {
		t.Fatal(err)
	}
	wheel, err := Wheel(root)
	if err != nil {
		t.Fatal(err)
	}
	version := strings.TrimSuffix(strings.TrimPrefix(tarball.File, "stile-guard-"), ".tgz")
	if wheel.File != "stile_guard-"+version+"-py3-none-any.whl" {
		t.Errorf("%s and %s", tarball.File, wheel.File)
	}
	for _, name := range []string{"js/index.js", "js/CHANGELOG.md", "python/CHANGELOG.md"} {
		text, err := os.ReadFile(filepath.Join(root, "wasm", "guard", name))
		if err != nil || !strings.Contains(string(text), version) {
			t.Errorf("%s does not name the version %s: %v", name, version, err)
		}
	}
}

// prepare writes a package and a guard to a new folder.
func prepare(t *testing.T, p Package, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	file, err := compile.Compile(language.Table(), []workspace.File{{Name: "shop.cfg", Text: "S -> login work\nwork -> refund work | logout\n"}}, compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	text, err := compile.Text(file)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, data := range map[string]string{p.File: string(p.Data), "shop.guard": text} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func run(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return string(out)
}

const expected = "deny call\nallow\ndeny call\n"

// npm installs the tarball without a network, and the example of its README works.
func TestTarballIsInstalled(t *testing.T) {
	p, err := NPM(root)
	dir := prepare(t, p, err)
	run(t, dir, "npm", "install", "--offline", "--no-audit", "--no-fund", "--cache", filepath.Join(dir, "cache"), "./"+p.File)
	script := `import { readFileSync } from "node:fs";
import { Guard } from "stile-guard";
const session = Guard.read(readFileSync("shop.guard", "utf8")).begin();
for (const [name, id] of [["refund", "a"], ["login", "b"], ["login", "c"]]) {
  const d = session.allow({ name, id, arguments: { order: 7 } });
  console.log(d.verdict + (d.verdict === "allow" ? "" : " " + d.code.split(".")[1]));
}`
	if err := os.WriteFile(filepath.Join(dir, "example.mjs"), []byte(script), 0o644); err != nil {
		t.Fatal(err)
	}
	if out := run(t, dir, "node", "example.mjs"); out != expected {
		t.Errorf("%s", out)
	}
}

// pip installs the wheel without an index. Without pip, Python imports it as the archive that it
// is.
func TestWheelIsInstalled(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not installed")
	}
	p, err := Wheel(root)
	dir := prepare(t, p, err)
	path := filepath.Join(dir, "installed")
	if exec.Command("python3", "-m", "pip", "--version").Run() == nil {
		run(t, dir, "python3", "-m", "pip", "install", "--quiet", "--no-index", "--no-cache-dir", "--disable-pip-version-check", "--target", path, "./"+p.File)
	} else {
		t.Log("pip is not installed; Python imports the archive")
		path = filepath.Join(dir, p.File)
	}
	script := `import sys
sys.path.insert(0, sys.argv[1])
from stile_guard import Guard
with open("shop.guard", encoding="utf-8", newline="") as file:
    session = Guard.read(file.read()).begin()
for name, id in (("refund", "a"), ("login", "b"), ("login", "c")):
    d = session.allow({"name": name, "id": id, "arguments": {"order": 7}})
    print(d.verdict + ("" if d.verdict == "allow" else " " + d.code.split(".")[1]))`
	if out := run(t, dir, "python3", "-c", script, path); strings.ReplaceAll(out, "\r\n", "\n") != expected {
		t.Errorf("%s", out)
	}
}
