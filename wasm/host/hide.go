package host

import (
	"errors"
	"strings"
)

// hidden stands where a key was.
const hidden = "•••"

// minSecret is the length from which a key is a secret. Servers of one's own take
// any, and people type "ollama", which answers may well say.
const minSecret = 12

// hide takes a key out of a text. Servers have been seen to send back the key
// that they refuse, and what the core is told may be shared.
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

// hider takes a key out of a text that comes in pieces.
type hider struct {
	key  string
	held string // the end of what came, which may begin the key
}

// write takes a piece and returns what can be shown.
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

// rest returns what was held back.
func (h *hider) rest() string {
	text := h.held
	h.held = ""
	return text
}
