package checkout

import (
	"context"
	"os"
	"strings"
	"testing"
)

// A program that reports progress on standard error, as go does of its downloads, does
// not spoil the output that is decoded.
func TestCommandOutputExcludesStandardError(t *testing.T) {
	if os.Getenv("STILE_TEST_CHILD") != "" {
		os.Stderr.WriteString("go: downloading example.com v1.0.0\n")
		os.Stdout.WriteString(`{"ok":true}`)
		if os.Getenv("STILE_TEST_CHILD") == "fail" {
			os.Exit(1)
		}
		os.Exit(0)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	run := func(mode string) (out, transcript string, err error) {
		return Dir(t.TempDir()).Run(context.Background(), ".", []string{"STILE_TEST_CHILD=" + mode}, self, "-test.run=^TestCommandOutputExcludesStandardError$")
	}
	out, transcript, err := run("succeed")
	if err != nil || out != `{"ok":true}` {
		t.Errorf("standard output is %q, %v", out, err)
	}
	if !strings.Contains(transcript, "downloading") || !strings.Contains(transcript, `{"ok":true}`) {
		t.Errorf("the transcript is %q", transcript)
	}
	if _, _, err := run("fail"); err == nil || !strings.Contains(err.Error(), "downloading") {
		t.Errorf("the error does not have the end of standard error: %v", err)
	}
}
