package command

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
)

// hookState is the content of a session's file.
type hookState struct {
	Session string   `json:"session"` // the state of the guard, "" before the first event
	Asked   []string `json:"asked"`   // identifiers of calls that a person decides
}

// maxAsked bounds the calls that wait for a person's decision; the oldest ones beyond it are forgotten and so refused.
const maxAsked = 64

// at judges an event with the state in the named file, and replaces that state before it answers. Hooks of
// one session wait for each other.
func (h *hook) at(name string, e hookEvent) (answer any, err error) {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return nil, err
	}
	unlock, err := lockFile(name + ".lock")
	if err != nil {
		return nil, err
	}
	defer unlock()
	text, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		h.session, err = h.guard.Begin(h.options)
	} else if err == nil {
		if err = json.Unmarshal(text, &h.state); err == nil {
			h.session, err = h.guard.Load(h.state.Session, h.options)
		}
	}
	if err != nil {
		return nil, err
	}
	if answer, err = h.judge(e); err != nil {
		return nil, err
	}
	// A call and a prompt do not happen if their decision cannot be logged, so the state before them remains.
	if err := *h.logged; err != nil && (e.Event == "PreToolUse" || e.Event == "UserPromptSubmit") {
		return nil, err
	}
	h.state.Session = h.session.Save()
	text, err = json.Marshal(h.state)
	if err != nil {
		return nil, err
	}
	return answer, replaceFile(name, text)
}

// replaceFile writes a file, so that after a crash it has the old or the new text.
func replaceFile(name string, text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), "new-*")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
