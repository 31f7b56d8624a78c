package sidecar

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strings"
)

// maxEnded bounds the names of dropped sessions that a server remembers, so that no event begins them again: 4 MB.
const maxEnded = 100_000

// ended are hashes of the names of sessions that ended and made room: the latest ones, and those before them.
type ended struct{ latest, before map[[16]byte]bool }

func (e *ended) add(hash [16]byte) {
	if len(e.latest) >= maxEnded/2 || e.latest == nil {
		e.latest, e.before = map[[16]byte]bool{}, e.latest
	}
	e.latest[hash] = true
}

func (e *ended) has(id string) bool {
	hash := hashOfName(id)
	return e.latest[hash] || e.before[hash]
}

func hashOfName(id string) [16]byte {
	sum := sha256.Sum256([]byte(id))
	return [16]byte(sum[:16])
}

// text returns the hashes for the journal, the earlier ones first.
func (e *ended) text() string {
	var b strings.Builder
	for _, generation := range []map[[16]byte]bool{e.before, e.latest} {
		for _, hash := range slices.SortedFunc(maps.Keys(generation), func(a, b [16]byte) int { return slices.Compare(a[:], b[:]) }) {
			b.WriteString(hex.EncodeToString(hash[:]))
		}
	}
	return b.String()
}

// read adds the hashes of a text of a journal.
func (e *ended) read(text string) error {
	data, err := hex.DecodeString(text)
	if err != nil || len(data)%16 != 0 {
		return errLine
	}
	for hash := range slices.Chunk(data, 16) {
		e.add([16]byte(hash))
	}
	return nil
}
