package session

import (
	"encoding/base64"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

func shareMethods() []Method {
	return []Method{
		method("share.decode", (*Session).shareDecode),
		pure("workspace.export", workspaceExport),
		method("workspace.import", (*Session).workspaceImport),
	}
}

// ShareDecodeParams are the fragment of a link, with or without "#".
type ShareDecodeParams struct {
	Fragment string `json:"fragment"`
}

// ShareDecodeResult is the content of a link.
type ShareDecodeResult struct {
	Files []File  `json:"files"`
	Main  string  `json:"main"`
	Log   *RunLog `json:"log,omitempty"`
}

func (s *Session) shareDecode(p ShareDecodeParams) (ShareDecodeResult, error) {
	w, run, err := workspace.DecodeLink(p.Fragment)
	if err != nil {
		return ShareDecodeResult{}, err
	}
	out := ShareDecodeResult{Files: orEmpty(w.Files), Main: s.table.Notations.Main(w.Files)}
	if run != "" {
		out.Log = &RunLog{}
		if err := json.Unmarshal([]byte(run), out.Log); err != nil {
			return ShareDecodeResult{}, source.NewError("share.damaged", "the recorded run in this link cannot be read; ask for the link again")
		}
	}
	return out, nil
}

// WorkspaceImportParams are the bytes of a file that a person opened, in base64, because
// they may be binary.
type WorkspaceImportParams struct {
	Name   string `json:"name"`
	Base64 string `json:"base64"`
}

// WorkspaceImportResult is the workspace that the imported bytes contain.
type WorkspaceImportResult struct {
	Files []File `json:"files"`
	Main  string `json:"main"`
}

func (s *Session) workspaceImport(p WorkspaceImportParams) (WorkspaceImportResult, error) {
	data, err := base64.StdEncoding.DecodeString(p.Base64)
	if err != nil {
		return WorkspaceImportResult{}, source.NewError("protocol.params", `invalid base64 in "base64": `+err.Error())
	}
	w, err := workspace.Open(p.Name, data)
	if err != nil {
		return WorkspaceImportResult{}, err
	}
	return WorkspaceImportResult{Files: w.Files, Main: s.table.Notations.Main(w.Files)}, nil
}

// WorkspaceExportParams are the files of a workspace.
type WorkspaceExportParams struct {
	Files []File `json:"files"`
}

// WorkspaceExportResult is the workspace as one archive.
type WorkspaceExportResult struct {
	Archive string `json:"archive"`
}

func workspaceExport(p WorkspaceExportParams) (WorkspaceExportResult, error) {
	w := workspace.Workspace{Files: p.Files}
	if err := w.Check(); err != nil {
		return WorkspaceExportResult{}, err
	}
	return WorkspaceExportResult{Archive: w.Archive()}, nil
}

// ShareEncodeParams are the content of a link.
type ShareEncodeParams struct {
	Files []File  `json:"files"`
	Log   *RunLog `json:"log,omitempty"`
}

// ShareEncodeResult is the fragment of a link, from "#" on.
type ShareEncodeResult struct {
	Fragment string `json:"fragment"`
}

func shareEncode(p ShareEncodeParams) (ShareEncodeResult, error) {
	run := ""
	if p.Log != nil {
		text, err := json.Marshal(p.Log)
		if err != nil {
			return ShareEncodeResult{}, err
		}
		run = string(text) + "\n"
	}
	fragment, err := workspace.EncodeLink(workspace.Workspace{Files: p.Files}, run)
	return ShareEncodeResult{Fragment: fragment}, err
}
