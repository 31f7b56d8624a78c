package trace

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
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
	formTools           // tool definitions
	formSettings        // an object or a list without anything that looks like a call
	formWords           // a list of short strings
	formFlat            // an object of strings and figures without anything that looks like a call
	formMarks           // citations, token probabilities, summaries: objects of the keys in [markKeys]
)

// ignored is the table of values that are neither read nor actions, by object, key and
// form. All other values must be read.
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
	{inDocument, "tools functions", formTools, "tool definitions"},
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

// passed reports whether a rule ignores a member, in which the tables of other formats find no action either.
func passed(in int, m json.Member) bool {
	for _, rule := range ignored {
		if rule.in&in != 0 && Word(rule.keys, m.Key) && fits(rule.form, m.Value) {
			return rule.form == formWord || rule.form == formTools || inert(m)
		}
	}
	return false
}

// listsTools reports whether a value, perhaps in a string, is a list of tool definitions.
func listsTools(n *node) bool {
	n = unquoted(n)
	return n.Kind == '[' && toolList(n)
}

// fits reports whether a value is blank or has the given form.
func fits(form int, n *node) bool {
	if Blank(n) {
		return true
	}
	switch form {
	case formWord:
		return n.Kind == '"' && PlainWord(n.Text)
	case formTools:
		return listsTools(n)
	case formWords:
		return n.Kind == '[' && All(n, func(_ string, v *node) bool { return v == n || v.Kind == '"' && len(v.Text) < 100 })
	case formFigures:
		return n.Kind == '{' && All(n, func(key string, v *node) bool {
			return v.Kind != '"' || Word(wordKeys, key) && PlainWord(v.Text)
		})
	case formMarks:
		return n.Kind != '"' && All(n, func(key string, v *node) bool { return key == "" || Word(markKeys, key) }) && !Callish(n)
	case formFlat:
		return n.Kind == '{' && All(n, func(_ string, v *node) bool {
			return v == n || v.Kind != '{' && v.Kind != '[' && !(v.Kind == '"' && CallText(v.Text))
		}) && !Callish(n)
	case formSettings:
		return n.Kind != '"' && !Callish(n) || n.Kind == '"' && PlainWord(n.Text)
	}
	panic("trace: unknown form")
}

// toolList reports whether a list contains only tool definitions, perhaps of the server's own tools, which have no
// schema.
func toolList(list *node) bool {
	return !slices.ContainsFunc(list.Items, func(n *node) bool {
		if f, ok := n.Get("functionDeclarations"); ok && len(n.Members) == 1 && f.Kind == '[' { // Gemini
			return !toolList(f)
		}
		if f, ok := n.Get("function"); ok && f.Kind == '{' {
			n = f
		}
		return n.Kind != '{' || CallType(n.TextOf("type")) || slices.ContainsFunc(n.Members, func(m json.Member) bool { return !ofTool(m) })
	})
}

// ofTool reports whether a member belongs to a tool definition: "parameters" are a schema, never arguments.
func ofTool(m json.Member) bool {
	if m.Key == "parameters" {
		return m.Value.Kind != '"' && len(m.Value.Members) == 0 || schemaLike(m.Value)
	}
	return Word(toolKeys, m.Key) && (m.Value.Kind == '"' || schemaLike(m.Value) || !Callish(m.Value) && inert(m))
}

// account records the unread parts of a trace.
type account struct {
	unread []Unread
	more   int // number of unread parts beyond the list
	inside int // number of strings whose JSON is being read
}

// refuse records an unread value.
func (a *account) refuse(n *node, format string, of ...any) {
	u := a.refuseAt(spanOf(n), format, of...)
	for i := 0; u != nil && i < len(n.Members) && len(u.Keys) < maxKeys; i++ {
		if key := n.Members[i].Key; key != lineKey && key != labelKey && key != classKey { // the trace does not have those
			u.Keys = append(u.Keys, key)
		}
	}
}

// refuseAt records an unread part, and returns nil if the list is complete.
func (a *account) refuseAt(at source.Span, format string, of ...any) *Unread {
	reason := fmt.Sprintf(format, of...)
	if slices.ContainsFunc(a.unread, func(u Unread) bool { return u.Span == at && u.Reason == reason }) {
		return nil
	}
	if len(a.unread) == maxUnread {
		a.more++
		return nil
	}
	a.unread = append(a.unread, Unread{Span: at, Reason: reason, Within: a.inside > 0})
	return &a.unread[len(a.unread)-1]
}

// rest accounts for the members of an object that its reader does not know, and for
// duplicate keys. If the main member is missing, no text is ignored: it may be the main
// member under another name.
func (a *account) rest(n *node, in int, main bool, known string) {
	var keys keySet
	for i, m := range n.Members {
		switch {
		case keys.has(n, i):
			a.refuse(m.Value, "duplicate key %q", shorten(m.Key))
		case Word(known, m.Key), Blank(m.Value), (main || m.Value.Kind != '"') && passed(in, m):
		default:
			a.refuse(m.Value, "unknown key %q", shorten(m.Key))
		}
	}
}

// twice refuses the members of an object whose keys earlier members have.
func (a *account) twice(n *node) {
	var keys keySet
	for i, m := range n.Members {
		if keys.has(n, i) {
			a.refuse(m.Value, "duplicate key %q", shorten(m.Key))
		}
	}
}

// keySet finds the duplicate keys of an object. The zero value is for any object.
type keySet struct{ seen map[string]bool }

// has reports whether an earlier member has the key of a member. It must be called for each member
// in order.
func (k *keySet) has(n *node, member int) bool {
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
func (a *account) kind(n *node, kinds, name string) bool {
	if strings.IndexByte(kinds, n.Kind) >= 0 && n.Kind != 0 {
		return true
	}
	if n.Kind != 0 && n.Kind != 'n' {
		a.refuse(n, "unexpected value of %q", name)
	}
	return false
}
