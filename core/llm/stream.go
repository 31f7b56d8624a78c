package llm

import (
	"strings"

	"github.com/stile-playground/stile/core/json"
)

// StreamDelta is one event of a stream of chat completions.
type StreamDelta struct {
	Text   string
	Reason string // one of the Stop constants, on the last event with a choice
	Usage  *Usage
	Error  string // what a provider reports in the middle of a stream
}

// StreamDecoder reads server-sent events of the chat completions format. Its
// zero value is ready. The stream may be cut anywhere: the deltas depend on the
// text alone.
type StreamDecoder struct {
	line  strings.Builder
	event strings.Builder // the data lines of the event so far
	cr    bool            // the last character was a carriage return
}

// Write takes the next piece of the stream and returns the deltas it completes.
func (d *StreamDecoder) Write(chunk string) []StreamDelta {
	var out []StreamDelta
	for i := 0; i < len(chunk); i++ {
		c := chunk[i]
		switch {
		case c == '\n' && d.cr: // the second half of a line break
			d.cr = false
		case c == '\n' || c == '\r':
			d.cr = c == '\r'
			if delta, ok := d.endLine(); ok {
				out = append(out, delta)
			}
		default:
			d.cr = false
			d.line.WriteByte(c)
		}
	}
	return out
}

// endLine takes a whole line; an empty one ends an event.
func (d *StreamDecoder) endLine() (StreamDelta, bool) {
	line := d.line.String()
	d.line.Reset()
	if line == "" {
		data := d.event.String()
		d.event.Reset()
		return decodeEvent(data)
	}
	if data, ok := strings.CutPrefix(line, "data:"); ok {
		if d.event.Len() > 0 {
			d.event.WriteByte('\n')
		}
		d.event.WriteString(strings.TrimPrefix(data, " "))
	}
	return StreamDelta{}, false
}

func decodeEvent(data string) (StreamDelta, bool) {
	if data == "" || data == "[DONE]" {
		return StreamDelta{}, false
	}
	var event struct {
		Choices []struct {
			Delta        struct{ Content string }
			FinishReason string `json:"finish_reason"`
		}
		Usage *struct {
			Prompt     int `json:"prompt_tokens"`
			Completion int `json:"completion_tokens"`
		}
		Error json.RawMessage
	}
	if err := json.Unmarshal([]byte(data), &event); err != nil {
		return StreamDelta{Error: "an event of the stream is not JSON: " + cutTokens(data, 30)}, true
	}
	if len(event.Error) > 0 && string(event.Error) != "null" {
		return StreamDelta{Error: providerMessage(data)}, true
	}
	var delta StreamDelta
	if len(event.Choices) > 0 {
		delta.Text = event.Choices[0].Delta.Content
		switch event.Choices[0].FinishReason {
		case "":
		case "length":
			delta.Reason = StopLength
		default: // "stop" is both a stop text and the end
			delta.Reason = StopEnd
		}
	}
	if event.Usage != nil {
		delta.Usage = &Usage{Prompt: event.Usage.Prompt, Completion: event.Usage.Completion}
	}
	return delta, delta != StreamDelta{}
}
