// Package checkout gives the commands of the build tool access to the repository on disk:
// its paths, its cache, the programs that run in it and its npm packages.
package checkout

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// ModulePath is the path of Stile's Go module.
const ModulePath = "github.com/stile-playground/stile"

// Dir is the root of the repository.
type Dir string

// Path returns a path below the root.
func (d Dir) Path(elements ...string) string {
	return filepath.Join(append([]string{string(d)}, elements...)...)
}

// Cache returns a path in the folder of files that can be rebuilt.
func (d Dir) Cache(elements ...string) string {
	return d.Path(append([]string{".cache"}, elements...)...)
}

// Find looks for the repository from the working directory upwards.
func Find() (Dir, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && strings.HasPrefix(string(text), "module "+ModulePath+"\n") {
			return Dir(dir), nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("not in the repository: no go.mod of Stile in this folder or above it")
		}
		dir = parent
	}
}

// Hash names contents: 16 hexadecimal digits.
func Hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

// WriteFile writes a complete file or none, and makes its folder.
func WriteFile(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	part, err := os.CreateTemp(filepath.Dir(name), ".part-*")
	if err != nil {
		return err
	}
	_, err = part.Write(data)
	if e := part.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Chmod(part.Name(), 0o644)
	}
	if err == nil {
		err = os.Rename(part.Name(), name)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}
