package guard

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/gate/compile"
	"github.com/stile-playground/stile/core/workspace"
)

// The annotations of the Python package, which py.typed publishes, name every parameter and result of its public methods, and the
// types of the values.
func TestPythonAnnotations(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Fatal("python3 is not installed")
	}
	text, err := compiled([]workspace.File{{Name: "shop.agent", Text: shop}}, compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("python3", "testdata/types.py")
	cmd.Stdin = strings.NewReader(text)
	if out, err := cmd.CombinedOutput(); err != nil || !strings.HasPrefix(string(out), "ok ") {
		t.Errorf("%v\n%s", err, out)
	}
}
