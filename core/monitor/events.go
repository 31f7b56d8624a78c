package monitor

// CallEvent is a call of the model.
type CallEvent struct {
	Kind   string   `json:"kind"`   // "monitor.call"
	Call   int      `json:"call"`   // from 1
	Length int      `json:"length"` // bytes of the text that it goes on from
	Stop   []string `json:"stop"`
}

// DeltaEvent is text as the model writes it, before it was judged.
type DeltaEvent struct {
	Kind string `json:"kind"` // "monitor.delta"
	Text string `json:"text"`
}

// SegmentEvent is a state with its content, whole.
type SegmentEvent struct {
	Kind   string `json:"kind"` // "monitor.segment"
	Index  int    `json:"index"`
	State  string `json:"state"`
	Text   string `json:"text"`
	Source string `json:"source"` // "task", "model", "environment" or "correction"
}

// ViolationEvent is a place at which the model left the behaviour.
type ViolationEvent struct {
	Kind      string   `json:"kind"`  // "monitor.violation"
	Index     int      `json:"index"` // of the segment
	State     string   `json:"state"` // "" where no state's prompt was found
	Reason    string   `json:"reason"`
	Allowed   []string `json:"allowed"` // states, or the contents a state may have
	Discarded string   `json:"discarded"`
}

// CorrectionEvent is what the model was made to go on from.
type CorrectionEvent struct {
	Kind    string   `json:"kind"` // "monitor.correction"
	Text    string   `json:"text"` // "" where the permitted prompts have nothing in common
	Allowed []string `json:"allowed"`
	Forced  bool     `json:"forced"` // a whole prompt or content
}

// DoneEvent is the finished run.
type DoneEvent struct {
	Kind       string     `json:"kind"` // "monitor.done"
	Transcript Transcript `json:"transcript"`
}
