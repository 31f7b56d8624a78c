package monitor

// waiting is the phase in which the environment fills a state.
type waiting struct{ opened }

func (w *waiting) turn(r *runner) error {
	content, last, err := r.environment().fill(w.state)
	if err != nil {
		return err
	}
	r.write(byOthers, " "+content)
	r.close(w.opened, "environment")
	r.newLine()
	r.phase = &prompting{}
	if last && r.run.Complete() {
		r.phase = ended{}
	}
	return nil
}
