package command

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/stile-playground/stile/core/gate"
)

// maxLogLine bounds a line of a log, in bytes.
const maxLogLine = 1 << 20

// chains are the runs of a log: each line has the hash of the line before it in its run.
type chains struct {
	guard string           // the hash that a first line has; "" for any
	open  map[chainEnd]int // runs by their last line
	runs  int
	lines int
}

type chainEnd struct {
	session string
	n       int
	hash    string
}

// verifyVerb checks the chain of hashes of a log of decisions.
func verifyVerb(_ context.Context, s Streams, args []string) (int, error) {
	flags := newFlags(s, "verify")
	var last names
	flags.Var(&last, "last", "`hash` of the last line of a run, as its saved state has it in log; may be repeated. Without it, lines that are missing at the end are not found")
	guard := flags.String("guard", "", "`hash` of the guard, which the first line of each run has; default: any")
	rest, err := parse(flags, args)
	if err != nil {
		return Error, err
	}
	if len(rest) != 1 {
		return Error, errors.New("expected one LOG")
	}
	file, err := os.Open(rest[0])
	if err != nil {
		return Error, err
	}
	c := chains{guard: *guard, open: map[chainEnd]int{}}
	fault, err := c.read(file)
	if err = errors.Join(err, file.Close()); err != nil {
		return Error, err
	}
	if fault == nil {
		fault = c.endsWith(last)
	}
	if fault != nil {
		fmt.Fprintf(s.Out, "%s: %s\n", rest[0], fault)
		return Fail, nil
	}
	if c.lines == 0 {
		return Error, errors.New(rest[0] + " has no lines")
	}
	fmt.Fprintf(s.Out, "%s: %d lines of %d runs follow each other\n", rest[0], c.lines, c.runs)
	return Pass, nil
}

// read adds the lines of a log. The fault names the first line that does not follow an earlier one.
func (c *chains) read(r io.Reader) (fault, err error) {
	lines := bufio.NewReaderSize(r, maxLogLine)
	for {
		line, err := lines.ReadSlice('\n')
		if errors.Is(err, io.EOF) && len(line) == 0 {
			return nil, nil
		}
		c.lines++
		switch {
		case errors.Is(err, io.EOF):
			return fmt.Errorf("line %d is incomplete", c.lines), nil
		case errors.Is(err, bufio.ErrBufferFull):
			return fmt.Errorf("line %d is longer than %d bytes", c.lines, maxLogLine), nil
		case err != nil:
			return nil, err
		}
		if fault := c.add(string(bytes.TrimSuffix(line, []byte("\n")))); fault != nil {
			return fault, nil
		}
	}
}

// add adds a line. A line of a sidecar begins with the name of its session.
func (c *chains) add(line string) error {
	var session string
	if before, after, ok := strings.Cut(line, " {"); ok && !strings.HasPrefix(line, "{") {
		session, line = before, "{"+after
	}
	var l struct {
		N    int
		Prev string
	}
	if err := json.Unmarshal([]byte(line), &l); err != nil || l.N < 1 || l.Prev == "" {
		return fmt.Errorf("line %d is not a line of a log", c.lines)
	}
	if l.N == 1 {
		if c.guard != "" && l.Prev != c.guard {
			return fmt.Errorf("line %d begins a run of the guard %s", c.lines, l.Prev)
		}
		c.runs++
	} else {
		before := chainEnd{session, l.N - 1, l.Prev}
		if c.open[before] == 0 {
			return fmt.Errorf("line %d has the number %d of its run, but the line before it is missing, changed or later", c.lines, l.N)
		}
		if c.open[before]--; c.open[before] == 0 {
			delete(c.open, before)
		}
	}
	c.open[chainEnd{session, l.N, gate.Sum(line)}]++
	return nil
}

// endsWith returns a fault for a hash that is not that of the last line of a run.
func (c *chains) endsWith(last []string) error {
	ends := map[string]bool{}
	for end := range c.open {
		ends[end.hash] = true
	}
	for _, hash := range last {
		if !ends[hash] {
			return fmt.Errorf("no run ends with the line %s: lines are missing at the end, or follow it", hash)
		}
	}
	return nil
}
