package gate

// The types of this file are the state of a text that is being written, in JSON.

type savedText struct {
	Bytes   int              `json:"bytes"`
	Stopped *savedStop       `json:"stopped"`
	Specs   []*savedSpecText `json:"specs"` // null for a spec without prompts
}

type savedStop struct {
	Verdict Verdict `json:"verdict"`
	Rule    string  `json:"rule"`
	Code    string  `json:"code"`
	Reason  string  `json:"reason"`
	At      int     `json:"at"`
}

type savedSpecText struct {
	Place   savedPlace       `json:"place"`
	Letter  int              `json:"letter"`
	Held    string           `json:"held"`
	Begun   int              `json:"begun"`
	Content savedRun         `json:"content"`
	Plain   []savedCandidate `json:"plain"`
}

type savedCandidate struct {
	Letter  int      `json:"letter"`
	Code    string   `json:"code"`
	Reason  string   `json:"reason"`
	At      int      `json:"at"`
	Content savedRun `json:"content"`
}

type savedRun struct {
	State int    `json:"state"`
	Ahead int    `json:"ahead"`
	Chars int    `json:"chars"`
	Wait  int    `json:"wait"`
	Text  string `json:"text"`
	Words int    `json:"words"`
	Done  int    `json:"done"`
}

// save returns the member of a state, "" without a text.
func (t *textStream) save() string {
	if t == nil {
		return ""
	}
	stopped := "null"
	if f := t.stopped; f != nil {
		stopped = `{"verdict":` + quote(string(t.verdict)) + `,"rule":` + quote(f.Rule) + `,"code":` + quote(f.Code) + `,"reason":` + quote(f.Reason) + `,"at":` + number(f.at) + "}"
	}
	return `,"stream":{"bytes":` + number(t.bytes) + `,"stopped":` + stopped + `,"specs":` + join(t.specs, (*specStream).save) + "}"
}

func (t *specStream) save() string {
	if t == nil {
		return "null"
	}
	plain := join(t.plain, func(c candidate) string {
		return `{"letter":` + number(c.letter) + `,"code":` + quote(c.code) + `,"reason":` + quote(c.reason) + `,"at":` + number(c.at) + `,"content":` + c.content.save() + "}"
	})
	return `{"place":` + t.place.save() + `,"letter":` + number(t.letter) + `,"held":` + quote(t.held) + `,"begun":` + number(t.begun) + `,"content":` + t.content.save() + `,"plain":` + plain + "}"
}

func (r textRun) save() string {
	return `{"state":` + number(r.state) + `,"ahead":` + number(r.ahead) + `,"chars":` + number(r.chars) + `,"wait":` + number(r.wait) + `,"text":` + quote(r.text) +
		`,"words":` + number(bit(r.words)) + `,"done":` + number(bit(r.done)) + "}"
}

// textOf restores a text that was being written.
func (g *Guard) textOf(in savedText) (*textStream, bool) {
	t := &textStream{bytes: in.Bytes}
	ok := in.Bytes >= 0 && in.Bytes <= maxFed && len(in.Specs) == len(g.specs)
	if s := in.Stopped; s != nil {
		ok = ok && (s.Verdict == Deny || s.Verdict == Ask)
		t.stopped, t.verdict = &located{Finding{s.Rule, s.Code, s.Reason}, s.At}, s.Verdict
	}
	for i := 0; ok && i < len(in.Specs); i++ {
		saved, spec := in.Specs[i], g.specs[i]
		if ok = (saved == nil) == (spec.Prompts == nil); saved == nil {
			t.specs = append(t.specs, nil)
			continue
		}
		one := &specStream{letter: saved.Letter, held: saved.Held, begun: saved.Begun}
		ok = ok && saved.Letter >= -1 && saved.Letter < len(spec.Letters) && len(saved.Held) <= in.Bytes
		if !ok {
			return nil, false
		}
		one.place, ok = spec.place(saved.Place)
		ok = ok && spec.run(saved.Letter, saved.Content, &one.content)
		for _, c := range saved.Plain {
			reading := candidate{letter: c.Letter, code: c.Code, reason: c.Reason, at: c.At}
			ok = ok && c.Letter >= 0 && c.Letter < len(spec.Letters) && spec.run(c.Letter, c.Content, &reading.content)
			one.plain = append(one.plain, reading)
		}
		t.specs = append(t.specs, one)
	}
	return t, ok
}

// run restores the state of a content. It reports whether the state is in the table of the content.
func (s *spec) run(letter int, in savedRun, out *textRun) bool {
	*out = textRun{state: in.State, ahead: in.Ahead, chars: in.Chars, wait: in.Wait, text: in.Text, words: in.Words == 1, done: in.Done == 1}
	states := 1
	if letter >= 0 && s.Contents[letter] != nil && s.Contents[letter].Pattern != nil {
		states = len(s.Contents[letter].Pattern.Next)
	}
	return in.State >= 0 && in.State < states && in.Ahead >= -1 && in.Ahead < states && in.Chars >= 0 && in.Wait >= 0
}
