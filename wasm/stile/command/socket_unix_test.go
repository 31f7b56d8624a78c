//go:build unix

package command

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A socket is created with the mode 0600, also if the process permits wider ones, and the process permits them
// afterwards.
func TestSocketsBelongToTheirOwner(t *testing.T) {
	for _, mask := range []int{0, 0o022, 0o777} {
		path := filepath.Join(t.TempDir(), "s")
		before := syscall.Umask(mask)
		listener, err := listenPrivately(path)
		after := syscall.Umask(before)
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode() != fs.ModeSocket|0o600 || after != mask {
			t.Errorf("mask %o: %v, mask %o afterwards", mask, info.Mode(), after)
		}
		if err := listener.Close(); err != nil {
			t.Error(err)
		}
	}
}
