package trace

import "slices"

// documents reads JSON values that are messages, lists of messages, or requests and
// responses that contain messages.
type documents struct {
	conversation
	out []Run
}

// readDocuments returns the conversations of JSON values: consecutive messages form one,
// and each value that is not a message begins another.
func readDocuments(account *account, roots []*node) []Run {
	d := documents{conversation: conversation{account: account}}
	for _, root := range roots {
		d.read(root)
	}
	d.next()
	return d.out
}

// next begins another conversation.
func (d *documents) next() {
	if len(d.items) > 0 {
		d.out = append(d.out, Run{Items: d.items})
	}
	d.conversation = conversation{account: d.account}
}

// read reads a value: a list of messages or of such values, an object with messages, a
// message, or an item of OpenAI's responses.
func (d *documents) read(n *node) {
	switch {
	case n.Kind == '[':
		d.next()
		for _, item := range n.Items {
			d.read(item)
		}
	case n.Kind != '{':
		d.refuse(n, "unexpected value")
	case has(n, "role") || has(n, "type"):
		d.message(n)
	default:
		d.next()
		d.document(n)
	}
}

// document reads a request, a response, or an object that is both.
func (d *documents) document(n *node) {
	for _, key := range []string{"system", "instructions"} {
		if v, ok := n.Get(key); ok {
			d.adjacent(System, key, v)
		}
	}
	if v, ok := n.Get("systemInstruction"); ok && d.kind(v, "{", "systemInstruction") {
		if role, _ := v.Get("role"); !fits(formWord, role) {
			d.refuse(role, "unexpected value of %q", "role")
		}
		d.geminiMessage(System, v)
	}
	lists, texts := 0, 0
	for _, key := range []string{"messages", "contents", "input", "output"} {
		v, ok := n.Get(key)
		switch {
		case !ok:
		case v.Kind == '{' && key == "output" && has(v, "message"): // Bedrock
			lists++
			d.message(d.main(v, "message"))
			d.rest(v, inMessage, true, " message ")
		case v.Kind == '"' && (key == "input" || key == "output") && (key == "output" || lists == 0):
			texts++
			d.turn++
			d.adjacent(map[string]string{"input": User, "output": Text}[key], key, v)
		case d.kind(v, "[", key):
			lists++
			for _, item := range v.Items {
				d.message(item)
			}
		}
	}
	choices, ok := n.Get("choices")
	if ok && d.kind(choices, "[", "choices") {
		d.choices(choices.Items)
	}
	candidates, generated := n.Get("candidates")
	if generated && d.kind(candidates, "[", "candidates") {
		d.candidates(candidates.Items)
	}
	if !ok && !generated && lists+texts == 0 {
		d.refuse(n, "object without messages")
		return
	}
	d.rest(n, inDocument, true, " system instructions systemInstruction messages contents input output choices candidates ")
}

// choices reads the alternative answers of a response.
func (d *documents) choices(choices []*node) {
	var messages []*node
	for _, choice := range choices {
		messages = append(messages, d.main(choice, "message"))
		d.rest(choice, inMessage, true, " message ")
	}
	d.alternatives(messages)
}

// alternatives reads messages each of which ends a separate conversation, as later messages do not
// name the alternative that they continue.
func (d *documents) alternatives(messages []*node) {
	before := d.conversation
	for i, message := range messages {
		if i > 0 {
			d.next()
			d.conversation = conversation{account: d.account, turn: before.turn, items: slices.Clone(before.items)}
		}
		d.message(message)
	}
}
