// Package traceset reads the traces that vendors' libraries wrote, for tests.
package traceset

import (
	"archive/tar"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"strings"
)

// Call is a call that ran.
type Call struct {
	Name   string
	Args   json.RawMessage
	Result string
}

// Trace is a trace of the set.
type Trace struct {
	File, Variant string
	Text          string `json:"-"`
	Calls         []Call // that ran
	InFile        struct {
		User, Results bool
		Calls         []string // names; some are texts with the name of a tool
	} `json:"in_file"`
	Expected struct{ Verdict string }
}

// Read returns the traces of an archive, and the agent that judges them.
func Read(name string) (traces []Trace, agent string, err error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, "", err
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		return nil, "", err
	}
	texts := map[string]string{}
	for archive := tar.NewReader(unzipped); ; {
		header, err := archive.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, "", err
		}
		text, err := io.ReadAll(archive)
		if err != nil {
			return nil, "", err
		}
		texts[header.Name] = string(text)
	}
	for line := range strings.Lines(texts["index.jsonl"]) {
		var t Trace
		if err := json.Unmarshal([]byte(line), &t); err != nil {
			return nil, "", err
		}
		t.Text = texts[t.File]
		traces = append(traces, t)
	}
	return traces, texts["shop.agent"], nil
}
