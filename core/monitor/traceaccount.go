package monitor

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/trace"
)

// Unread is a part of a trace that was neither read nor ignored by a rule of [ignored]. It
// may be an action, so a trace with an unread part is never valid.
type Unread struct {
	Span   source.Span
	Path   string   // of the JSON value, in the syntax of jq; "" in a text
	Reason string   // "unknown key \"toolUse\""
	Keys   []string // of the object, at most maxKeys

	within bool // the part is JSON within a string; its place is that of the string
}

// Bounds of a report: places, and keys of one place.
const (
	maxUnread = 100
	maxKeys   = 12
)

// Kinds of objects in a trace, as bits: a rule applies to some of them.
const (
	inDocument = 1 << iota // a request, a response, a file with a list of messages
	inMessage              // a message or an item
	inBlock                // a block of a content
	inCall                 // a call or a part of one
	inSpan                 // a span, a scope, a resource, an event
	inAny      = inDocument | inMessage | inBlock | inCall | inSpan
)

// Forms of ignored values. The form restricts the value, so that an action under the name
// of an ignored key is not ignored.
const (
	formWord     = iota // a string without spaces, quotes and brackets, such as an identifier or a time
	formFigures         // numbers at any depth, and the words of [wordKeys]
	formTools           // definitions of tools
	formSettings        // an object or a list without anything that looks like a call
	formWords           // a list of short strings
	formFlat            // an object of strings and figures without anything that looks like a call
	formMarks           // citations, token probabilities, summaries: objects of the keys in [markKeys]
)

// ignored is the table of values that are neither read nor actions, by object, key and
// form. All other values have to be read.
var ignored = []struct {
	in   int
	keys string
	form int
	why  string
}{
	{inAny, "id object model created created_at status index timestamp", formWord, "identifiers and times"},
	{inDocument, "completed_at system_fingerprint service_tier previous_response_id user truncation prompt_cache_key safety_identifier background conversation provider", formWord, "identifiers and settings of a request"},
	{inDocument | inMessage, "usage", formFigures, "tokens"},
	{inDocument, "usageMetadata metrics", formFigures, "tokens and times"},
	{inDocument, "modelVersion responseId stopReason modelId", formWord, "identifiers, and the reason why a model stopped"},
	{inDocument, "generationConfig safetySettings toolConfig inferenceConfig outputConfig additionalModelRequestFields", formSettings, "settings of a request"},
	{inDocument | inMessage, "stop_reason stop_sequence finish_reason native_finish_reason", formWord, "reason why a model stopped"},
	{inMessage, "safetyRatings", formSettings, "judgements of a filter"},
	{inMessage, "name phase created_by", formWord, "author of a message"},
	{inMessage | inBlock, "annotations citations logprobs reasoning_details", formMarks, "citations and probabilities of a text"},
	{inMessage | inBlock | inCall, "signature encrypted_content thought_signature data", formWord, "opaque state of a model"},
	{inCall, "extra_content", formSettings, "opaque state of a model"},
	{inBlock, "cache_control", formFlat, "cache"},
	{inCall, "namespace server_name", formWord, "location of a tool"},
	{inDocument, "tools functions", formTools, "definitions of tools"},
	{inDocument, "tool_choice function_call parallel_tool_calls reasoning text response_format thinking error incomplete_details stream_options prediction audio provider_options include", formSettings, "settings of a request"},
	{inDocument, "stop stop_sequences modalities", formWords, "settings of a request"},
	{inDocument, "metadata", formFlat, "labels"},
	{inSpan, "schemaUrl traceId spanId parentSpanId traceState startTimeUnixNano endTimeUnixNano timeUnixNano kind flags droppedAttributesCount droppedEventsCount droppedLinksCount version", formWord, "identifiers and times"},
	{inSpan, "status", formFlat, "status of a span"},
}

// wordKeys lists the keys whose values may be words in a value of formFigures.
const wordKeys = " service_tier inference_geo endpoint modality "

// markKeys are the keys of citations and the like.
const markKeys = " type url title start_index end_index url_citation file_citation file_path file_id filename index quote cited_text document_index document_title start_char_index end_char_index start_block_index end_block_index start_page_number end_page_number encrypted_index search_result_index source token logprob bytes top_logprobs content refusal text summary data format signature id enabled "

// passed reports whether a rule ignores a member.
func passed(in int, m json.Member) bool {
	for _, rule := range ignored {
		if rule.in&in != 0 && trace.Word(rule.keys, m.Key) && fits(rule.form, m.Value) {
			return true
		}
	}
	return false
}

// fits reports whether a value is blank or has the given form.
func fits(form int, n *node) bool {
	if trace.Blank(n) {
		return true
	}
	switch form {
	case formWord:
		return n.Kind == '"' && trace.PlainWord(n.Text)
	case formTools:
		return n.Kind == '[' && definitions(n)
	case formWords:
		return n.Kind == '[' && trace.All(n, func(_ string, v *node) bool { return v == n || v.Kind == '"' && len(v.Text) < 100 })
	case formFigures:
		return n.Kind == '{' && trace.All(n, func(key string, v *node) bool {
			return v.Kind != '"' || trace.Word(wordKeys, key) && trace.PlainWord(v.Text)
		})
	case formMarks:
		return n.Kind != '"' && trace.All(n, func(key string, v *node) bool { return key == "" || trace.Word(markKeys, key) }) && !trace.Callish(n)
	case formFlat:
		return n.Kind == '{' && trace.All(n, func(_ string, v *node) bool {
			return v == n || v.Kind != '{' && v.Kind != '[' && !(v.Kind == '"' && trace.CallText(v.Text))
		}) && !trace.Callish(n)
	case formSettings:
		return n.Kind != '"' && !trace.Callish(n) || n.Kind == '"' && trace.PlainWord(n.Text)
	}
	panic("monitor: unknown form")
}

// toolKeys are the keys of definitions of tools.
const toolKeys = " type name description title parameters input_schema inputSchema outputSchema strict function custom format cache_control annotations server_label server_url server_description require_approval allowed_tools headers vector_store_ids max_num_results search_context_size user_location container display_width display_height display_number environment max_uses allowed_domains blocked_domains defer_loading parametersJsonSchema "

// definitions reports whether a list contains only definitions of tools. They have schemas,
// never arguments.
func definitions(list *node) bool {
	for _, n := range list.Items {
		if f, ok := n.Get("functionDeclarations"); ok && len(n.Members) == 1 && f.Kind == '[' { // Gemini
			if !definitions(f) {
				return false
			}
			continue
		}
		if f, ok := n.Get("function"); ok && f.Kind == '{' {
			n = f
		}
		if n.Kind != '{' || trace.CallType(n.TextOf("type")) {
			return false
		}
		for _, m := range n.Members {
			if !trace.Word(toolKeys, m.Key) {
				return false
			}
		}
	}
	return true
}

// account records the unread parts of a trace.
type account struct {
	unread []Unread
	more   int           // number of unread parts beyond the list
	inside []source.Span // of strings whose JSON is being read, the outermost first
	names  []string      // of attributes
}

// span returns the place of a value in the trace: within a string, that of the string.
func (c *account) span(n *node) source.Span {
	if len(c.inside) > 0 {
		return c.inside[0]
	}
	return span(n.At)
}

// refuse records an unread value.
func (c *account) refuse(n *node, format string, of ...any) {
	if len(c.unread) == maxUnread {
		c.more++
		return
	}
	u := Unread{Span: c.span(n), Reason: fmt.Sprintf(format, of...), within: len(c.inside) > 0}
	for _, m := range n.Members {
		if len(u.Keys) < maxKeys {
			u.Keys = append(u.Keys, m.Key)
		}
	}
	c.unread = append(c.unread, u)
}

// rest accounts for the members of an object that its reader does not know, and for
// duplicate keys. If the main member is missing, no text is ignored: it may be the main
// member under another name.
func (c *account) rest(n *node, in int, main bool, known string) {
	var keys keys
	for i, m := range n.Members {
		switch {
		case keys.twice(n, i):
			c.refuse(m.Value, "duplicate key %q", m.Key)
		case trace.Word(known, m.Key), trace.Blank(m.Value), (main || m.Value.Kind != '"') && passed(in, m):
		default:
			c.refuse(m.Value, "unknown key %q", shorten(m.Key))
		}
	}
}

// keys finds the duplicate keys of an object. The zero value is for any object.
type keys struct{ seen map[string]bool }

// twice reports whether an earlier member has the key of a member. It must be called for each member
// in order.
func (k *keys) twice(n *node, member int) bool {
	key := n.Members[member].Key
	if len(n.Members) <= 8 { // a map is slower
		return slices.ContainsFunc(n.Members[:member], func(m json.Member) bool { return m.Key == key })
	}
	if k.seen == nil {
		k.seen = make(map[string]bool, len(n.Members))
	}
	known := k.seen[key]
	k.seen[key] = true
	return known
}

// kind reports whether a value has one of the kinds that its reader knows, and refuses others.
func (c *account) kind(n *node, kinds, name string) bool {
	if strings.IndexByte(kinds, n.Kind) >= 0 && n.Kind != 0 {
		return true
	}
	if n.Kind != 0 && n.Kind != 'n' {
		c.refuse(n, "unexpected value of %q", name)
	}
	return false
}
