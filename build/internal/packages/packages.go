// Package packages writes the packages of the runtimes for compiled guards: a tarball for npm
// and a wheel for pip. Equal sources give equal bytes.
package packages

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Package is a file for a package manager.
type Package struct {
	File string // its name
	Data []byte
}

// file is a part of a package.
type file struct {
	name string
	data []byte
}

// repository is the source that packages name as their origin.
const repository = "https://github.com/stile-playground/stile"

// epoch is the time of all files: the first that a zip archive represents.
var epoch = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// NPM returns the package stile-guard of the repository at root.
func NPM(root string) (Package, error) {
	folder := filepath.Join(root, "wasm", "guard", "js")
	names := []string{"CHANGELOG.md", "README.md"}
	adapters, err := os.ReadDir(filepath.Join(folder, "adapters"))
	if err != nil {
		return Package{}, err
	}
	for _, entry := range adapters {
		names = append(names, "adapters/"+entry.Name())
	}
	files, err := read(folder, append(names, "aggregates.js", "conds.js", "index.d.ts", "index.js", "json.js", "monitor.js", "package.json", "program.js", "rules.js", "schema.js", "stack.js", "stream.js", "tables.js", "values.js")...)
	if err != nil {
		return Package{}, err
	}
	var manifest struct{ Name, Version string }
	for _, f := range files {
		if f.name == "package.json" {
			err = json.Unmarshal(f.data, &manifest)
		}
	}
	if err != nil {
		return Package{}, err
	}
	if files, err = complete(root, files, "wasm/guard/js"); err != nil {
		return Package{}, err
	}
	var b bytes.Buffer
	packed, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return Package{}, err
	}
	packed.OS = 255 // unknown, so that all platforms write equal bytes
	archive := tar.NewWriter(packed)
	for _, f := range files {
		header := &tar.Header{Name: "package/" + f.name, Mode: 0o644, Size: int64(len(f.data)), ModTime: epoch, Format: tar.FormatUSTAR}
		if err := archive.WriteHeader(header); err != nil {
			return Package{}, err
		}
		if _, err := archive.Write(f.data); err != nil {
			return Package{}, err
		}
	}
	if err := errors.Join(archive.Close(), packed.Close()); err != nil {
		return Package{}, err
	}
	return Package{manifest.Name + "-" + manifest.Version + ".tgz", b.Bytes()}, nil
}

var versionLine = regexp.MustCompile(`(?m)^__version__ = "([0-9.]+)"$`)

// Wheel returns the package stile_guard of the repository at root (PEP 427).
func Wheel(root string) (Package, error) {
	folder := filepath.Join(root, "wasm", "guard", "python")
	files, err := read(folder, "stile_guard/__init__.py", "stile_guard/_aggregates.py", "stile_guard/_conds.py", "stile_guard/_json.py", "stile_guard/_monitor.py", "stile_guard/_rules.py", "stile_guard/_schema.py", "stile_guard/_stack.py", "stile_guard/_stream.py", "stile_guard/_tables.py", "stile_guard/_values.py", "stile_guard/py.typed")
	if err != nil {
		return Package{}, err
	}
	documents, err := read(folder, "README.md", "CHANGELOG.md")
	if err != nil {
		return Package{}, err
	}
	found := versionLine.FindSubmatch(files[0].data)
	if found == nil {
		return Package{}, errors.New("stile_guard has no __version__")
	}
	version := string(found[1])
	extra, err := complete(root, append(files[:len(files):len(files)], documents[1]), "wasm/guard/python")
	if err != nil {
		return Package{}, err
	}
	info := "stile_guard-" + version + ".dist-info/"
	for _, f := range extra[len(files):] {
		files = append(files, file{info + f.name, f.data})
	}
	metadata := "Metadata-Version: 2.1\nName: stile-guard\nVersion: " + version +
		"\nSummary: Judges the tool calls of an agent by a compiled Stile guard, before they are made\nLicense: Apache-2.0\nLicense-File: LICENSE\n" +
		"Project-URL: Source, " + repository + "\nRequires-Python: >=3.10\nClassifier: License :: OSI Approved :: Apache Software License\n" +
		"Classifier: Programming Language :: Python :: 3\nDescription-Content-Type: text/markdown\n\n" + string(documents[0].data)
	files = append(files,
		file{info + "METADATA", []byte(metadata)},
		file{info + "WHEEL", []byte("Wheel-Version: 1.0\nGenerator: stile\nRoot-Is-Purelib: true\nTag: py3-none-any\n")})
	var record strings.Builder
	for _, f := range files {
		sum := sha256.Sum256(f.data)
		fmt.Fprintf(&record, "%s,sha256=%s,%d\n", f.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(f.data))
	}
	files = append(files, file{info + "RECORD", []byte(record.String() + info + "RECORD,,\n")})
	var b bytes.Buffer
	archive := zip.NewWriter(&b)
	archive.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestCompression) })
	for _, f := range files {
		header := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: epoch}
		header.SetMode(0o644)
		w, err := archive.CreateHeader(header)
		if err == nil {
			_, err = io.Copy(w, bytes.NewReader(f.data))
		}
		if err != nil {
			return Package{}, err
		}
	}
	if err := archive.Close(); err != nil {
		return Package{}, err
	}
	data, err := compact(b.Bytes())
	if err != nil {
		return Package{}, err
	}
	return Package{"stile_guard-" + version + "-py3-none-any.whl", data}, nil
}

// compact writes an archive again without the second times and sizes of its files, 34 bytes each.
func compact(data []byte) ([]byte, error) {
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	out := zip.NewWriter(&b)
	for _, f := range archive.File {
		raw, err := f.OpenRaw()
		if err != nil {
			return nil, err
		}
		header := f.FileHeader
		header.Extra = nil
		header.Flags &^= 0x8 // the header contains the sizes, so that none follow the file
		w, err := out.CreateRaw(&header)
		if err == nil {
			_, err = io.Copy(w, raw)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := out.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// read reads files of a folder. Line ends are those of Unix, so that all platforms write equal
// bytes.
func read(folder string, names ...string) ([]file, error) {
	var out []file
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(name)))
		if err != nil {
			return nil, err
		}
		out = append(out, file{name, bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))})
	}
	return out, nil
}

// complete adds the licence and the provenance: the repository, the folder, and the hash of each
// file.
func complete(root string, files []file, folder string) ([]file, error) {
	licence, err := read(root, "LICENSE")
	if err != nil {
		return nil, err
	}
	files = append(slices.Clone(files), licence...)
	hashes := map[string]string{}
	for _, f := range files {
		hashes[f.name] = fmt.Sprintf("%x", sha256.Sum256(f.data))
	}
	provenance, err := json.MarshalIndent(map[string]any{"repository": repository, "folder": folder, "sha256": hashes}, "", "  ")
	if err != nil {
		return nil, err
	}
	return append(files, file{"PROVENANCE.json", append(provenance, '\n')}), nil
}
