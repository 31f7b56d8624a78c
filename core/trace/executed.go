package trace

import "strings"

// replyMarks begin the messages in which environments of agents that act by code return its output: AppWorld,
// smolagents, OpenHands, CodeAct, mini-SWE-agent.
var replyMarks = []string{"output:", "output\n", "observation:", "execution logs:", "execution output", "execution result", "execution successful", "execution failed", "[stdout", "stdout:", "<returncode>", "<output>", "<observation>", "last output from code snippet"}

// codeMarks begin code in a text of a model.
var codeMarks = []string{"```python", "```py\n", "```bash", "```sh\n", "```shell", "```ipython", "```repl", "<code>"}

// refuseExecuted refuses the texts of a model with code that the environment ran: the next message is its output, or
// each of several turns but the last has code and the run has no calls. Such a text is an action whose calls are unknown.
func (t *Trace) refuseExecuted() {
	a := account{unread: t.Unread, more: t.More}
	for _, run := range t.Runs {
		coded, plain, calls := []*Item(nil), 0, false
		for i, item := range run.Items {
			switch {
			case item.Kind == Call:
				calls = true
			case item.Kind != Text && item.Kind != Thought:
			case !containsAny(item.Text, codeMarks):
				if next := follower(run.Items, i); item.Kind == Text && next != nil {
					plain++
				}
			default:
				next := follower(run.Items, i)
				if next != nil {
					coded = append(coded, item)
				}
				if next != nil && beginsWithAny(next.Text, replyMarks) {
					a.refuseAt(item.Span, "code that the environment runs")
				}
			}
		}
		if !calls && plain == 0 && len(coded) > 1 {
			for _, item := range coded {
				a.refuseAt(item.Span, "code that the environment runs")
			}
		}
	}
	t.Unread, t.More = a.unread, a.more
}

// follower returns the item after a text, if it is a message or a result.
func follower(items []*Item, i int) *Item {
	if i+1 < len(items) && (items[i+1].Kind == User || items[i+1].Kind == Result || items[i+1].Kind == System) {
		return items[i+1]
	}
	return nil
}

func containsAny(text string, marks []string) bool {
	if !strings.Contains(text, "```") && !strings.Contains(text, "<") {
		return false
	}
	text = strings.ToLower(text)
	for _, mark := range marks {
		if strings.Contains(text, mark) {
			return true
		}
	}
	return false
}

func beginsWithAny(text string, marks []string) bool {
	text = strings.TrimSpace(text)
	text = strings.ToLower(text[:min(len(text), 64)])
	for _, mark := range marks {
		if strings.HasPrefix(text, mark) {
			return true
		}
	}
	return false
}
