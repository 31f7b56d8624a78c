package command

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// Limits of one unit of a trace, in bytes: a file, or a line of a file of runs. The memory of
// a check is proportional to the largest unit, not to the size of the files.
const (
	maxUnit = 256 << 20
	maxPeek = 64 << 10 // of the first line that decides whether lines are runs
)

// unit is a text that is judged by itself: a file, or a line of a file.
type unit struct {
	trace string // the name of the file
	line  int    // lines before the text
	runs  int    // runs before it, if the text is a line
	alone bool   // the text is a line
	text  string
	fault error // the text was not read
}

// traces reads units from the arguments of a command line.
type traces struct {
	in      io.Reader
	include string // a pattern of file names in folders and archives
	emit    func(u unit) error
}

// read emits the units of the traces in order. A file that cannot be read is a unit with a
// fault.
func (t *traces) read(ctx context.Context, names []string) error {
	for _, name := range names {
		if err := t.argument(ctx, name); err != nil {
			return err
		}
	}
	return nil
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
		if strings.EqualFold(filepath.Ext(p), ".zip") {
			return t.archive(ctx, p)
		}
		return t.file(ctx, p)
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
		return t.emit(unit{trace: filepath.ToSlash(name), fault: err})
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
			err = t.emit(unit{trace: filepath.ToSlash(name) + "/" + f.Name, fault: err})
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
		return t.emit(unit{trace: filepath.ToSlash(name), fault: err})
	}
	defer f.Close()
	return t.stream(ctx, filepath.ToSlash(name), f)
}

// stream reads one file, by lines if each line is a run.
func (t *traces) stream(ctx context.Context, name string, in io.Reader) error {
	if strings.EqualFold(path.Ext(name), ".gz") {
		unpacked, err := gzip.NewReader(in)
		if err != nil {
			return t.emit(unit{trace: name, fault: err})
		}
		in = unpacked
	}
	buffered := bufio.NewReaderSize(in, maxPeek)
	first, _ := buffered.Peek(maxPeek)
	if linesAreRuns(first) {
		return t.lines(ctx, name, buffered)
	}
	text, err := io.ReadAll(io.LimitReader(buffered, maxUnit+1))
	return t.emit(newUnit(name, text, err))
}

// newUnit returns the unit of a text, with a fault if it is none.
func newUnit(name string, text []byte, err error) unit {
	u := unit{trace: name}
	switch {
	case err != nil:
		u.fault = err
	case len(text) > maxUnit:
		u.fault = fmt.Errorf("longer than %d MiB; split it, or write one run on each line", maxUnit>>20)
	case bytes.IndexByte(text, 0) >= 0 || !utf8.Valid(text):
		u.fault = errors.New("not a text in UTF-8")
	default:
		u.text = string(text)
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
			return t.emit(unit{trace: name, line: line, runs: runs, alone: true, fault: err})
		}
		if trimmed := bytes.TrimSpace(text); len(trimmed) > 0 {
			u := newUnit(name, trimmed, nil)
			u.line, u.runs, u.alone = line, runs, true
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

// readLine returns the next line, without a bound on the size of the reader's buffer, up to
// maxUnit.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		if err != bufio.ErrBufferFull {
			return line, err
		}
		if len(line) > maxUnit {
			return nil, fmt.Errorf("a line is longer than %d MiB", maxUnit>>20)
		}
	}
}

// runKeys are the keys under which a line of a data set contains a whole run.
var runKeys = []string{"messages", "traj", "trajectory", "conversation", "history", "contents", "input"}

// linesAreRuns reports whether the first line of a file is a run by itself: a JSON object
// with a list of messages under a known key and without the key of a single message or
// event, or a list of messages, with more lines after it.
func linesAreRuns(first []byte) bool {
	line, rest, more := bytes.Cut(bytes.TrimPrefix(first, []byte("\ufeff")), []byte("\n"))
	line = bytes.TrimSpace(line)
	if !more && len(first) < maxPeek || more && len(bytes.TrimSpace(rest)) == 0 && len(first) < maxPeek {
		return false // a single line is judged as a file
	}
	if len(line) == 0 {
		return false
	}
	if line[0] == '[' {
		return startsMessage(line[1:])
	}
	found := false
	for key, value := range members(line) {
		switch key {
		case "role", "type", "event", "parentUuid", "jsonrpc", "resourceSpans":
			return false
		}
		for _, k := range runKeys {
			found = found || key == k && len(value) > 0 && value[0] == '['
		}
	}
	return found
}

// startsMessage reports whether a list begins with an object that has a role.
func startsMessage(list []byte) bool {
	for key := range members(bytes.TrimSpace(list)) {
		if key == "role" {
			return true
		}
	}
	return false
}

// members returns the members of the object at the beginning of a text, each with the
// beginning of its value. It ends silently where the text ends or is not JSON.
func members(text []byte) func(yield func(key string, value []byte) bool) {
	return func(yield func(key string, value []byte) bool) {
		d := json.NewDecoder(bytes.NewReader(text))
		if t, err := d.Token(); err != nil || t != json.Delim('{') {
			return
		}
		for d.More() {
			key, err := d.Token()
			name, ok := key.(string)
			if err != nil || !ok {
				return
			}
			value := bytes.TrimLeft(text[d.InputOffset():], " \t\r\n:")
			if !yield(name, value) || skip(d) != nil {
				return
			}
		}
	}
}

// skip reads one value.
func skip(d *json.Decoder) error {
	for depth := 0; ; {
		t, err := d.Token()
		if err != nil {
			return err
		}
		switch t {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth == 0 {
			return nil
		}
	}
}
