package gate

import (
	"slices"
	"sync"
)

// listed are the calls that may be allowed in a state.
type listed struct {
	next   []string
	mayEnd bool
}

const (
	// maxKnown bounds the states whose lists a guard remembers for the same modes.
	maxKnown = 256
	// maxModes bounds the different modes of a guard's sessions that share lists.
	maxModes = 16
)

// lists are the lists that the sessions of a guard share, so that the memory of a session does not contain them.
type lists struct {
	mu      sync.Mutex
	byModes map[string]*known
}

// known are the lists of states by their keys, for sessions with the same modes.
type known struct {
	mu     sync.Mutex
	listed map[string]listed
}

// of returns the lists for modes.
func (l *lists) of(modes map[string]Mode) *known {
	var names []string
	for name, mode := range modes {
		names = append(names, quote(name)+string(mode))
	}
	slices.Sort(names)
	key := join(names, quote)
	l.mu.Lock()
	defer l.mu.Unlock()
	k := l.byModes[key]
	if k == nil {
		if l.byModes == nil || len(l.byModes) >= maxModes {
			l.byModes = map[string]*known{}
		}
		k = &known{listed: map[string]listed{}}
		l.byModes[key] = k
	}
	return k
}

func (k *known) get(key string) (listed, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	found, ok := k.listed[key]
	return found, ok
}

func (k *known) put(key string, l listed) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.listed) >= maxKnown {
		clear(k.listed)
	}
	k.listed[key] = l
}
