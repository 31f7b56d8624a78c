package host

import (
	"errors"
	"strings"
)

// hidden replaces a key in a text.
const hidden = "•••"

// minSecret is the minimal length of a key that is treated as a secret. Local servers accept any
// key, and people enter words like "ollama", which may occur in answers.
const minSecret = 12

// hide removes a key from a text. Some servers repeat a key that they reject, and everything
// passed to the core may be shared.
func hide(text, key string) string {
	if len(key) < minSecret {
		return text
	}
	return strings.ReplaceAll(text, key, hidden)
}

func hideIn(err error, key string) error {
	if len(key) < minSecret || !strings.Contains(err.Error(), key) {
		return err
	}
	return errors.New(hide(err.Error(), key))
}

// hider removes a key from a text that arrives in chunks.
type hider struct {
	key  string
	held string // the end of the text so far, a possible prefix of the key
}

// write accepts a chunk and returns the text that is safe to show.
func (h *hider) write(piece string) string {
	if len(h.key) < minSecret {
		return piece
	}
	text := hide(h.held+piece, h.key)
	keep := min(len(h.key)-1, len(text))
	for keep > 0 && !strings.HasSuffix(text, h.key[:keep]) {
		keep--
	}
	h.held = text[len(text)-keep:]
	return text[:len(text)-keep]
}

// rest returns the held text.
func (h *hider) rest() string {
	text := h.held
	h.held = ""
	return text
}
