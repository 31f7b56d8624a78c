package matrix

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/wasm/host/standin"
)

// EndpointOf returns the endpoint of a simulated provider at an address.
func EndpointOf(p standin.Provider, address string) llm.Endpoint {
	url := address + "/~provider=" + p.ID
	if slices.Contains([]string{llm.FormatOpenAI, llm.FormatCompletions, llm.FormatResponses, llm.FormatGemini}, p.Format) {
		url += p.Base
	}
	return llm.Endpoint{Name: p.ID, Format: p.Format, URL: url, Model: p.Model, Server: p.Server, Effort: p.Effort}
}

// Cell is a cell of the table.
type Cell struct {
	Provider, Surface string
	Works             bool
	Concessions       []string // sorted
	Code, Reason      string   // of a refusal
}

// Cells runs each provider on each surface.
func Cells() ([]Cell, error) {
	var out []Cell
	for _, p := range standin.Providers() {
		for _, s := range Surfaces() {
			outcome, err := s.Run(EndpointOf(p, "http://standin.invalid"), standin.New(standin.Options{}), nil)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", p.Name, err)
			}
			c := Cell{Provider: p.Name, Surface: s.Name, Works: outcome.Passes, Concessions: concessions(outcome, s)}
			if !c.Works {
				c.Code, c.Reason = outcome.Code, outcome.Message
				if c.Code == "" {
					return nil, fmt.Errorf("%s, %s: unexpected result %s", p.Name, s.Name, outcome.Result)
				}
			}
			out = append(out, c)
		}
	}
	return out, nil
}

// The names of the concessions in the table. A further concession is "without `FIELD`".
const (
	Higher   = "higher limit"
	Adaptive = "adaptive thinking"
	InWords  = "in words"
	NewTurn  = "new message"
	ByPage   = "stopped by the page"
	endsTurn = "from exactly where your text ends" // in the message that asks for more
)

// concessions returns the concessions that a run made to its provider, sorted.
func concessions(o Outcome, s Surface) []string {
	found := map[string]bool{}
	for _, why := range o.retries() {
		_, after, ok := strings.Cut(why, "the model does not support ")
		name, _, _ := strings.Cut(after, ": retrying")
		switch {
		case strings.HasSuffix(why, "adaptive thinking"):
			found[Adaptive] = true
		case ok:
			found["without `"+name+"`"] = true
		case strings.Contains(why, "wrote nothing"):
			found[Higher] = true
		default:
			found["after a retry: "+why] = true
		}
	}
	asked, enforced := false, false
	for _, r := range o.Requests {
		if r.Status >= 300 {
			continue
		}
		switch s.Name {
		case "plan", "team": // the choices of a plan, the graph of a team
			asked = asked || s.Name == "plan" || strings.Contains(r.Body, "You manage a team")
			for _, field := range []string{"response_format", "structured_outputs", "grammar", "format", "output_config", "outputConfig", "responseJsonSchema"} {
				enforced = enforced || strings.Contains(r.Body, `"`+field+`":`)
			}
		case "monitored text":
			found[NewTurn] = found[NewTurn] || strings.Contains(r.Body, endsTurn)
			found[ByPage] = found[ByPage] || !strings.Contains(r.Body, `"stop`) && !strings.Contains(r.Body, `"stopSequences"`)
		}
	}
	found[InWords] = asked && !enforced
	var out []string
	for name, is := range found {
		if is {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// String returns the text of the cell.
func (c Cell) String() string {
	switch {
	case !c.Works:
		return "refused: `" + c.Code + "`, " + c.Reason
	case len(c.Concessions) == 0:
		return "works"
	}
	return "works: " + strings.Join(c.Concessions, ", ")
}

// effects maps each concession, other than a missing field, to its cause and its effect.
var effects = map[string]string{
	Higher:   "the model thinks up to the limit of tokens and writes nothing; the limit is raised once, see [thinking](faq.html#my-model-thinks-for-a-long-time-and-its-answers-are-empty). The connection test detects this beforehand",
	Adaptive: "the model refuses a budget for thoughts; later requests send an effort instead, and the model decides how long it thinks",
	InWords:  "the server does not enforce the form of the answer; the prompt asks for it, and Stile checks the answer",
	NewTurn:  "the model cannot continue its own text; a further message asks it to continue",
	ByPage:   "the request has no stop texts; Stile ends the answer while it streams",
}

// option matches a command-line option, whose hyphens are not a dash.
var option = regexp.MustCompile(`--[a-z-]+`)

// notes numbers texts in the order of their first use.
type notes []string

func (n *notes) number(text string) int {
	i := slices.Index(*n, text)
	if i < 0 {
		i = len(*n)
		*n = append(*n, text)
	}
	return i + 1
}

// Markdown returns the table with its notes, and the list of the simulated providers. The cells
// contain only the numbers of the notes, because the notes are too wide.
func Markdown(cells []Cell) string {
	var b, list strings.Builder
	var found notes
	surfaces := Surfaces()
	b.WriteString("| provider |")
	for _, s := range surfaces {
		b.WriteString(" " + s.Name + " |")
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(surfaces)) + "\n")
	for i, p := range standin.Providers() {
		fmt.Fprintf(&b, "| %s |", p.Name)
		for _, c := range cells[i*len(surfaces) : (i+1)*len(surfaces)] {
			said, numbers := "works", []int{}
			for _, name := range c.Concessions {
				numbers = append(numbers, found.number(name))
			}
			if !c.Works {
				said, numbers = "refused", []int{found.number("refused: `" + c.Code + "` | " + option.ReplaceAllString(strings.ReplaceAll(c.Reason, "|", `\|`), "`$0`"))}
			}
			slices.Sort(numbers)
			for i, n := range numbers {
				said += []string{" (", ", "}[min(i, 1)] + strconv.Itoa(n)
			}
			if len(numbers) > 0 {
				said += ")"
			}
			fmt.Fprintf(&b, " %s |", said)
		}
		b.WriteByte('\n')
		fmt.Fprintf(&list, "| %s | `%s` | %s |\n", p.Name, p.Format, p.Note)
	}
	b.WriteString("\nA number is a concession, a feature that the run does without, or the reason of a refusal:\n\n| number | concession or refusal | cause and effect |\n|---|---|---|\n")
	for i, name := range found {
		effect := effects[name]
		if strings.HasPrefix(name, "without `") {
			effect = "the provider refuses the field; the request is repeated at once without it, and later requests omit it"
		}
		if effect != "" {
			name += " | " + effect
		}
		fmt.Fprintf(&b, "| %d | %s |\n", i+1, name)
	}
	return b.String() + "\nThe stand-ins have these fields and refusals:\n\n| provider | format | stand-in |\n|---|---|---|\n" + list.String()
}
