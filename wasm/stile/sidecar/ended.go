package sidecar

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strings"
)

// MaxEnded bounds the names that [Ended] remembers: 4 MB.
const MaxEnded = 100_000

// Ended are hashes of the names of sessions that a server has forgotten, so that no event begins them again: the latest
// ones, and those before them. The name of a session may permit to use it. The zero value is empty.
type Ended struct{ latest, before map[[16]byte]bool }

// Add remembers a name. It may forget the earlier half of the names.
func (e *Ended) Add(name string) { e.add(HashOf(name)) }

func (e *Ended) add(hash [16]byte) {
	if len(e.latest) >= MaxEnded/2 || e.latest == nil {
		e.latest, e.before = map[[16]byte]bool{}, e.latest
	}
	e.latest[hash] = true
}

// Has reports whether a name is remembered.
func (e *Ended) Has(name string) bool {
	hash := HashOf(name)
	return e.latest[hash] || e.before[hash]
}

// Len returns the number of names.
func (e *Ended) Len() int { return len(e.latest) + len(e.before) }

// HashOf returns the hash of the name of a session.
func HashOf(name string) [16]byte {
	sum := sha256.Sum256([]byte(name))
	return [16]byte(sum[:16])
}

// text returns the hashes for the journal, the earlier ones first.
func (e *Ended) text() string {
	var b strings.Builder
	for _, generation := range []map[[16]byte]bool{e.before, e.latest} {
		for _, hash := range slices.SortedFunc(maps.Keys(generation), func(a, b [16]byte) int { return slices.Compare(a[:], b[:]) }) {
			b.WriteString(hex.EncodeToString(hash[:]))
		}
	}
	return b.String()
}

// read adds the hashes of a text of a journal.
func (e *Ended) read(text string) error {
	data, err := hex.DecodeString(text)
	if err != nil || len(data)%16 != 0 {
		return errLine
	}
	for hash := range slices.Chunk(data, 16) {
		e.add([16]byte(hash))
	}
	return nil
}
