package monitor

// CallEvent is a call of the model.
type CallEvent struct {
	Kind   string   `json:"kind"`             // "monitor.call"
	Sample int      `json:"sample,omitempty"` // which of several runs it is of, from 1
	Call   int      `json:"call"`             // from 1
	Length int      `json:"length"`           // bytes of the text that it goes on from
	Stop   []string `json:"stop"`
}

// DeltaEvent is text as the model writes it, before it was judged.
type DeltaEvent struct {
	Kind   string `json:"kind"` // "monitor.delta"
	Sample int    `json:"sample,omitempty"`
	Text   string `json:"text"`
}

// SegmentEvent is a state with its content, whole.
type SegmentEvent struct {
	Kind   string `json:"kind"` // "monitor.segment"
	Sample int    `json:"sample,omitempty"`
	Index  int    `json:"index"`
	State  string `json:"state"`
	Text   string `json:"text"`
	Source string `json:"source"` // "task", "model", "environment" or "correction"
}

// ViolationEvent is a place at which the model left the behaviour.
type ViolationEvent struct {
	Kind      string   `json:"kind"` // "monitor.violation"
	Sample    int      `json:"sample,omitempty"`
	Index     int      `json:"index"` // of the segment
	State     string   `json:"state"` // "" where no state's prompt was found
	Reason    string   `json:"reason"`
	Allowed   []string `json:"allowed"` // states, or the contents a state may have
	Discarded string   `json:"discarded"`
}

// CorrectionEvent is what the model was made to go on from.
type CorrectionEvent struct {
	Kind    string   `json:"kind"` // "monitor.correction"
	Sample  int      `json:"sample,omitempty"`
	Text    string   `json:"text"` // "" where the permitted prompts have nothing in common
	Allowed []string `json:"allowed"`
	Forced  bool     `json:"forced"` // a whole prompt or content
}

// DoneEvent is the finished run.
type DoneEvent struct {
	Kind       string     `json:"kind"` // "monitor.done"
	Transcript Transcript `json:"transcript"`
}

// ToolEvent is a call of a tool.
type ToolEvent struct {
	Kind   string `json:"kind"` // "monitor.tool"
	Sample int    `json:"sample,omitempty"`
	State  string `json:"state"`           // that the result goes into
	Label  string `json:"label,omitempty"` // by which others name the result
	Call   int    `json:"call,omitempty"`  // which of the calls for this content, from 1, in the order they were written
	Tool   string `json:"tool"`
	Input  string `json:"input"`
	Output string `json:"output"`
	Fault  string `json:"fault,omitempty"` // the call failed; the output says so, too
}

// SideEvent is what a model wrote for the environment: a summary, a solution or a
// judgement.
type SideEvent struct {
	Kind   string `json:"kind"` // "monitor.side"
	Sample int    `json:"sample,omitempty"`
	State  string `json:"state"`
	Way    string `json:"way"` // one of the ways of [agent.State.From]
	Prompt string `json:"prompt"`
	Text   string `json:"text"`
}

// KeepEvent says which of a summary and the results that it sums up was kept.
type KeepEvent struct {
	Kind    string  `json:"kind"` // "monitor.keep"
	Sample  int     `json:"sample,omitempty"`
	State   string  `json:"state"`
	Kept    string  `json:"kept"` // "summary" or "results"
	How     string  `json:"how"`  // "logprobs", "setting" or "rule"
	Reason  string  `json:"reason"`
	Summary float64 `json:"summary"` // their scores, where How is "logprobs"
	Results float64 `json:"results"`
}

// SampleEvent is the end of one of several runs.
type SampleEvent struct {
	Kind   string `json:"kind"` // "monitor.sample"
	Sample int    `json:"sample"`
	Agent  string `json:"agent"`
	Answer string `json:"answer"`
	Fault  string `json:"fault,omitempty"`
}
