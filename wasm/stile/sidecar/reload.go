package sidecar

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/gate"
)

// Reloaded is the result of a reload.
type Reloaded struct {
	Hash   string // of the guard, also if it is unchanged
	Same   bool   // the specs are those that the server already has
	Moved  int    // sessions that moved to the new guard
	Kept   int    // sessions that keep an earlier guard
	Groups []Kept // of the kept sessions
}

// Kept are sessions that keep an earlier guard for the same reason.
type Kept struct {
	Sessions   int              `json:"sessions"`
	Example    string           `json:"example"` // name of one of them
	Difference *gate.Difference `json:"difference"`
	Text       string           `json:"text"` // the difference as a sentence
}

// maxGroups bounds the groups of a result; the last group has the sessions of all further ones.
const maxGroups = 20

// String returns the hash and the numbers, and a line for each group.
func (r Reloaded) String() string {
	if r.Same {
		return "unchanged: " + r.Hash
	}
	return fmt.Sprintf("loaded %s: %d sessions moved to the new specs, %d keep the earlier ones%s", r.Hash, r.Moved, r.Kept, r.reasons())
}

func (r Reloaded) reasons() string {
	var b strings.Builder
	for _, k := range r.Groups {
		fmt.Fprintf(&b, "\n  %d of them, such as %q: %s", k.Sessions, k.Example, k.Text)
	}
	return b.String()
}

func (r *Reloaded) keep(id string, d *gate.Difference) {
	r.Kept++
	text := d.String()
	for i := range r.Groups {
		if r.Groups[i].Text == text || i == maxGroups-1 {
			r.Groups[i].Sessions++
			return
		}
	}
	r.Groups = append(r.Groups, Kept{1, id, d, text})
}

// move is a session with its successor.
type move struct {
	id   string
	next *gate.Session
}

// plan prepares the moves of all sessions to a guard, and collects the reasons for which others keep theirs.
func (s *Server) plan(to *gate.Guard) (moves []move, r Reloaded) {
	r.Hash, r.Groups = to.Hash, []Kept{}
	adoptions := map[*gate.Guard]*gate.Adoption{}
	for _, id := range sorted(s.sessions) {
		e := s.sessions[id]
		if e.Ended() || e.guard.Hash == to.Hash {
			continue
		}
		if adoptions[e.guard] == nil {
			adoptions[e.guard] = to.Adopt(e.guard)
		}
		if next, difference := adoptions[e.guard].Move(e.Session, s.of(id)); difference != nil {
			r.keep(id, difference)
		} else {
			moves = append(moves, move{id, next})
		}
	}
	return moves, r
}

// adopt moves sessions to the current guard.
func (s *Server) adopt(moves []move, r Reloaded) (Reloaded, error) {
	for _, m := range moves {
		e := s.sessions[m.id]
		// The session changes before its line is appended, because append may write the whole journal again.
		e.Session, e.guard = m.next, s.guard
		if err := s.append(line{Session: m.id, Op: "state", Guard: s.guard.Hash, Text: m.next.Save()}); err != nil {
			return r, err
		}
		r.Moved++
	}
	return r, nil
}

// Reload replaces the guard by one that is read, such as from files. It returns the number of sessions that moved to
// the new guard, and the reasons for which others keep an earlier one. With [Options.Strict], such a session is an
// error. If it returns an error, nothing has changed, except after an error of the journal. The health of the server
// has the error until another reload succeeds.
func (s *Server) Reload(read func() (string, error)) (Reloaded, error) {
	text, err := read()
	s.mu.Lock()
	defer s.mu.Unlock()
	var r Reloaded
	if err == nil {
		r, err = s.replace(text)
	}
	result := loaded
	s.refused = ""
	switch {
	case err != nil:
		result, s.refused = failed, err.Error()
	case r.Same:
		result = unchanged
	}
	s.metrics.reloads[result]++
	return r, err
}

// replace moves the sessions to a guard. After an error of the journal or the log it changes nothing, because the journal may have
// the only copy of a missing line of the log.
func (s *Server) replace(text string) (Reloaded, error) {
	if s.broken != nil {
		return Reloaded{}, s.broken
	}
	g, err := gate.Read(text)
	if err == nil {
		_, err = g.Begin(s.of(""))
	}
	if err != nil || g.Hash == s.guard.Hash {
		return Reloaded{Hash: s.guard.Hash, Same: true}, err
	}
	moves, r := s.plan(g)
	if s.options.Strict && r.Kept > 0 {
		return Reloaded{}, fmt.Errorf("open sessions that cannot move to the new specs: %d%s", r.Kept, r.reasons())
	}
	s.guard = g
	if err := s.append(line{Op: "guard", Text: text}); err != nil {
		return r, err
	}
	s.reloaded, err = s.adopt(moves, r)
	return s.reloaded, err
}
