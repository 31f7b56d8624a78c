package monitor

// phase is the state of a run between two turns, with the data that only this state has.
// Only the following types implement it; the arrows lead to their successors:
//
//	prompting   only a prompt may follow   → prompting, writing, waiting, ended
//	writing     the model fills a state    → writing, prompting
//	waiting     the environment fills one  → prompting, ended
//	conversing  surface "tools"            → conversing, ended
//	ended       nothing may follow
//
// A phase changes only in the file that is named after it.
type phase interface {
	// turn lets the model or the environment write, whichever is next.
	turn(r *runner) error
}

// reading is a phase whose text the model writes.
type reading interface {
	phase
	// read reads up to the end of the next prompt, or the end of the text. If final is
	// true, no more text follows. stop reports that the model must not continue its reply:
	// because the text was corrected, or because another author is next.
	read(r *runner, final bool) (stop bool, err error)
	// stopped appends the stop text at which the model's reply ended.
	stopped(r *runner, stop string)
}

// ended is the phase of a finished run.
type ended struct{}

func (ended) turn(*runner) error { return nil }

func (r *runner) over() bool {
	_, over := r.phase.(ended)
	return over
}

// progress reads all text that has arrived and reports whether the model must stop its reply.
func (r *runner) progress(final bool) (stop bool, err error) {
	for {
		p, ok := r.phase.(reading)
		if !ok {
			return true, nil
		}
		before := r.at
		if stop, err = p.read(r, final); stop || err != nil || r.at == before {
			return stop, err
		}
	}
}

// readGiven reads the text that the monitor wrote: a prompt if complete is true, otherwise the beginning of one.
func (r *runner) readGiven(complete bool) error {
	_, err := r.progress(complete)
	if w, ok := r.phase.(*writing); ok {
		w.given = complete
	}
	return err
}
