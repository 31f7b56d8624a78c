package monitor

import "strings"

// correct puts a violation right: what was wrong is thrown away, and the text
// goes on with the longest common prefix of what may stand there.
func (r *runner) correct(v violation) error {
	if v.content {
		r.correctContent(v)
		return nil
	}
	wrong := strings.TrimSpace(r.text[v.at:])
	if !v.silent {
		r.fault(v)
	} else {
		r.discard(v.at)
	}
	allowed := r.allowed()
	if len(allowed) == 0 || r.run.Complete() && len(r.segments) >= r.settings.MaxSteps {
		r.done = true // nothing may follow, or nothing more should
		return nil
	}
	texts := make([]string, len(allowed))
	for i, s := range allowed {
		texts[i] = r.a.States[s].Text
	}
	given := commonPrefix(texts)
	forced := len(texts) == 1 || r.settings.Forced || r.tries >= r.settings.MaxCorrections
	if forced {
		given = r.prompts.apart(allowed[closest(texts, wrong)])
	}
	r.expecting, r.given = true, given
	r.correcting(forced)
	r.text = strings.TrimRight(r.text, " \t\r\n")
	r.at = min(r.at, len(r.text))
	r.newLine()
	r.write(given)
	r.env.Emit(CorrectionEvent{Kind: "monitor.correction", Text: given, Allowed: r.names(allowed), Forced: forced})
	return r.read(forced)
}

// correctContent puts the content of the open state right.
func (r *runner) correctContent(v violation) {
	options := r.a.States[r.last].OneOf
	written := strings.TrimLeft(r.text[r.content:], " \t\r\n")
	r.fault(v)
	right := options
	if fit := bestFit(options, written); fit != "" {
		right = nil
		for _, o := range options {
			if strings.HasPrefix(o, fit) {
				right = append(right, o)
			}
		}
	}
	given := commonPrefix(right)
	forced := len(right) == 1 || r.settings.Forced || r.tries >= r.settings.MaxCorrections
	if forced {
		given = right[closest(right, written)]
	}
	r.correcting(forced)
	if given != "" {
		r.write(" " + given)
	}
	r.env.Emit(CorrectionEvent{Kind: "monitor.correction", Text: given, Allowed: right, Forced: forced})
	r.at = len(r.text)
	if forced {
		r.closeSegment("correction")
		r.newLine()
	}
}

func (r *runner) correcting(forced bool) {
	r.tries++
	r.stats.Corrections++
	if forced {
		r.stats.Forced++
	}
}

// bestFit returns the longest beginning of a text that is also the beginning of
// an option.
func bestFit(options []string, text string) string {
	best := ""
	for _, o := range options {
		if common := commonPrefix([]string{o, text}); len(common) > len(best) {
			best = common
		}
	}
	return best
}

// closest returns the index of the text that shares the longest beginning with
// what was written, which is most likely what the model meant; of equals the
// first.
func closest(texts []string, written string) int {
	best, length := 0, -1
	for i, t := range texts {
		if n := len(commonPrefix([]string{t, written})); n > length {
			best, length = i, n
		}
	}
	return best
}
