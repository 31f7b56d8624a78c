package command

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/backtest"
)

// Limits of one part of a trace, in bytes: a file, or a line of a file of runs. The memory of
// a check is proportional to the largest part, not to the size of the files.
const (
	maxPart = 256 << 20
	maxPeek = 64 << 10 // bytes of the first line that are read to decide whether each line is a run
)

// traces reads parts from the arguments of a command line.
type traces struct {
	in      io.Reader
	include string // a pattern of file names in folders and archives
	emit    func(u backtest.Part) error
	files   int                                          // files that were read or visited
	visit   func(ctx context.Context, name string) error // called with each file and archive; nil reads it
}

// read emits the parts of the traces in order. A file that cannot be read is a part with a
// fault.
func (t *traces) read(ctx context.Context, names []string) error {
	for _, name := range names {
		files := t.files
		if err := t.argument(ctx, name); err != nil {
			return err
		}
		if t.files == files {
			return fmt.Errorf("no runs were found in %s: it has no files%s", name, t.restricted())
		}
	}
	return nil
}

// restricted describes the restriction of file names for an error, or is "".
func (t *traces) restricted() string {
	if t.include == "" {
		return ""
	}
	return fmt.Sprintf(" whose names match %q", t.include)
}

func (t *traces) argument(ctx context.Context, name string) error {
	if name == "-" {
		return t.stream(ctx, "standard input", t.in)
	}
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return t.folder(ctx, name)
	}
	return t.one(ctx, name)
}

// one reads a file or an archive.
func (t *traces) one(ctx context.Context, name string) error {
	switch {
	case t.visit != nil:
		t.files++
		return t.visit(ctx, name)
	case strings.EqualFold(filepath.Ext(name), ".zip"):
		return t.archive(ctx, name)
	}
	return t.file(ctx, name)
}

// folder reads the files of a folder in the order of their paths. Hidden files are skipped.
func (t *traces) folder(ctx context.Context, name string) error {
	return filepath.WalkDir(name, func(p string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if hidden := strings.HasPrefix(entry.Name(), ".") && p != name; hidden {
			if entry.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		if entry.IsDir() || !t.included(entry.Name()) {
			return nil
		}
		if info, err := os.Stat(p); err == nil && !info.Mode().IsRegular() { // reading a pipe may take forever
			t.files++
			return t.emit(backtest.Part{Name: filepath.ToSlash(p), Fault: "not a regular file"})
		}
		return t.one(ctx, p)
	})
}

func (t *traces) included(base string) bool {
	if t.include == "" {
		return true
	}
	ok, err := path.Match(t.include, base)
	return ok && err == nil
}

func (t *traces) archive(ctx context.Context, name string) error {
	z, err := zip.OpenReader(name)
	if err != nil {
		t.files++
		return t.emit(backtest.Part{Name: filepath.ToSlash(name), Fault: err.Error()})
	}
	defer z.Close()
	for _, f := range z.File {
		base := path.Base(f.Name)
		if f.FileInfo().IsDir() || strings.HasPrefix(base, ".") || strings.HasPrefix(f.Name, "__MACOSX/") || !t.included(base) {
			continue
		}
		in, err := f.Open()
		if err == nil {
			err = t.stream(ctx, filepath.ToSlash(name)+"/"+f.Name, in)
			err = errors.Join(err, in.Close())
		} else {
			t.files++
			err = t.emit(backtest.Part{Name: filepath.ToSlash(name) + "/" + f.Name, Fault: err.Error()})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (t *traces) file(ctx context.Context, name string) error {
	f, err := os.Open(name)
	if err != nil {
		t.files++
		return t.emit(backtest.Part{Name: filepath.ToSlash(name), Fault: err.Error()})
	}
	defer f.Close()
	return t.stream(ctx, filepath.ToSlash(name), f)
}

// stream reads one file, by lines if each line is a run.
func (t *traces) stream(ctx context.Context, name string, in io.Reader) error {
	t.files++
	if strings.EqualFold(path.Ext(name), ".gz") {
		unpacked, err := gzip.NewReader(in)
		if err != nil {
			return t.emit(backtest.Part{Name: name, Fault: err.Error()})
		}
		in = unpacked
	}
	buffered := bufio.NewReaderSize(in, maxPeek)
	first, _ := buffered.Peek(maxPeek)
	if backtest.LinesAreRuns(string(first)) {
		return t.lines(ctx, name, buffered)
	}
	text, err := io.ReadAll(io.LimitReader(buffered, maxPart+1))
	return t.emit(newPart(name, text, err))
}

// newPart returns a part with a text, or with a fault if err is not nil, or if the text is too long or not UTF-8.
func newPart(name string, text []byte, err error) backtest.Part {
	u := backtest.Part{Name: name}
	switch {
	case err != nil:
		u.Fault = err.Error()
	case len(text) > maxPart:
		u.Fault = fmt.Sprintf("longer than %d MiB; split it, or write one run on each line", maxPart>>20)
	case bytes.IndexByte(text, 0) >= 0 || !utf8.Valid(text):
		u.Fault = "not a text in UTF-8"
	default:
		u.Text = string(text)
	}
	return u
}

// lines reads a file with one run on each line.
func (t *traces) lines(ctx context.Context, name string, in *bufio.Reader) error {
	for line, runs := 0, 0; ; line++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		text, err := readLine(in)
		if err != nil && err != io.EOF {
			return t.emit(backtest.Part{Name: name, Line: line, Runs: runs, Alone: true, Fault: err.Error()})
		}
		if trimmed := bytes.TrimSpace(text); len(trimmed) > 0 {
			u := newPart(name, trimmed, nil)
			u.Line, u.Runs, u.Alone = line, runs, true
			if err := t.emit(u); err != nil {
				return err
			}
			runs++
		}
		if err == io.EOF {
			return nil
		}
	}
}

// readLine returns the next line, also if the line exceeds the reader's buffer. A line longer than maxPart is
// an error.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		if err != bufio.ErrBufferFull {
			return line, err
		}
		if len(line) > maxPart {
			return nil, fmt.Errorf("a line is longer than %d MiB", maxPart>>20)
		}
	}
}
