package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// debianTools are the peers that Debian packages, with the packages that they need
// besides the C and C++ libraries.
var debianTools = map[string][]string{
	"mona": {"mona"},
	"z3":   {"z3", "libz3-4"},
}

// debianTool makes a peer of debianTools callable by its name: an installed one, or
// Debian's, unpacked below .cache, which needs no root rights. The error reports why
// neither is available; the benchmark then continues without the peer.
func (r *reporter) debianTool(ctx context.Context, name string) error {
	if _, err := exec.LookPath(name); err == nil {
		return nil
	}
	root := r.Cache("debian", name)
	if _, err := os.Stat(filepath.Join(root, "usr", "bin", name)); err != nil {
		if err := r.unpackDebian(ctx, root, debianTools[name]); err != nil {
			return fmt.Errorf("%s is not installed, and cannot be installed from Debian: %w", name, err)
		}
	}
	libraries, err := filepath.Glob(filepath.Join(root, "usr", "lib", "*-linux-gnu*"))
	if err != nil {
		return err
	}
	return errors.Join(before("PATH", filepath.Join(root, "usr", "bin")), before("LD_LIBRARY_PATH", libraries...))
}

// unpackDebian unpacks Debian's packages into a folder.
func (r *reporter) unpackDebian(ctx context.Context, root string, packages []string) error {
	if err := os.MkdirAll(root, 0o755); err != nil {
		return err
	}
	if _, err := r.CommandIn(ctx, filepath.Join(".cache", "debian", filepath.Base(root)), nil, "apt-get", append([]string{"download", "--quiet"}, packages...)...); err != nil {
		return err
	}
	archives, err := filepath.Glob(filepath.Join(root, "*.deb"))
	if err != nil {
		return err
	}
	for _, archive := range archives {
		if _, err := r.Command(ctx, nil, "dpkg-deb", "--extract", archive, root); err != nil {
			return err
		}
	}
	return nil
}

// before puts folders before those that an environment variable lists, for this process
// and its children.
func before(variable string, folders ...string) error {
	list := os.Getenv(variable)
	for _, folder := range folders {
		if list == "" {
			list = folder
		} else {
			list = folder + string(filepath.ListSeparator) + list
		}
	}
	return os.Setenv(variable, list)
}
