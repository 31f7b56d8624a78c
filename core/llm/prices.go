package llm

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// Price is the price of a model in dollars per million tokens.
type Price struct {
	Prompt     float64 `json:"prompt"`
	Completion float64 `json:"completion"`
}

// ModelPrice is a row of a price table.
type ModelPrice struct {
	Model string `json:"model"` // the model's name, or its prefix
	Price
	Of string `json:"of,omitempty"` // the date of the source; "": PricesOf
}

// PricesOf is the date of the rows of [Prices] without a date.
const PricesOf = "2026-11-20"

// Dates of the sources of other rows. A model without a source of this year has no row: its price is
// unknown, and a bound in dollars is refused for it.
const (
	geminiPricesOf  = "2026-02-04" // aifreeapi.com/en/posts/gemini-3-api-pricing-quota, from ai.google.dev/gemini-api/docs/pricing
	novaPricesOf    = "2026-05"    // swfte.com/de/blog/amazon-nova-pro-pricing, pristren.com/blog/amazon-nova-micro-ultra-fast, from aws.amazon.com/bedrock/pricing
	mistralPricesOf = "2026-06"    // developer.puter.com/tutorials/mistral-api-pricing, from mistral.ai/pricing
)

// Prices returns the known list prices for short prompts without discounts for caching or
// batches. A person can edit them. Prices change; the provider's page is authoritative.
func Prices() []ModelPrice {
	return []ModelPrice{
		{"claude-fable-5", Price{10, 50}, ""},
		{"claude-opus-5-5", Price{4, 20}, ""},
		{"claude-opus-5", Price{5, 25}, ""},
		{"claude-opus-4", Price{5, 25}, ""},
		{"claude-opus-4-1", Price{15, 75}, ""},
		{"claude-sonnet-5", Price{2, 10}, ""},
		{"claude-sonnet-4", Price{3, 15}, ""},
		{"claude-haiku-5-5", Price{0.1, 0.5}, ""},
		{"claude-haiku-4", Price{1, 5}, ""},
		{"gpt-6-sol", Price{2, 10}, ""},
		{"gpt-6.1-sol", Price{2, 10}, ""},
		{"gpt-6.1-terra", Price{1, 5}, ""},
		{"gpt-6-luna", Price{0.1, 0.5}, ""},
		{"gpt-5.2", Price{1.75, 14}, ""},
		{"gpt-5.2-pro", Price{21, 168}, ""},
		{"gpt-5-pro", Price{15, 120}, ""},
		{"gpt-5", Price{1.25, 10}, ""},
		{"gpt-5-mini", Price{0.25, 2}, ""},
		{"gpt-5-nano", Price{0.05, 0.4}, ""},
		{"gpt-4.1", Price{2, 8}, ""},
		{"gpt-4.1-mini", Price{0.4, 1.6}, ""},
		{"gpt-4.1-nano", Price{0.1, 0.4}, ""},
		{"gpt-4o", Price{2.5, 10}, ""},
		{"gpt-4o-mini", Price{0.15, 0.6}, ""},
		{"gemini-3-pro", Price{2, 12}, geminiPricesOf},
		{"gemini-3-flash", Price{0.5, 3}, geminiPricesOf},
		{"gemini-2.5-pro", Price{1.25, 10}, geminiPricesOf},
		{"gemini-2.5-flash", Price{0.3, 2.5}, geminiPricesOf},
		{"gemini-2.5-flash-lite", Price{0.1, 0.4}, geminiPricesOf},
		{"amazon.nova-micro", Price{0.035, 0.14}, novaPricesOf},
		{"amazon.nova-lite", Price{0.06, 0.24}, novaPricesOf},
		{"amazon.nova-pro", Price{0.8, 3.2}, novaPricesOf},
		{"mistral-large-latest", Price{0.5, 1.5}, mistralPricesOf},
		{"mistral-medium-latest", Price{1.5, 7.5}, mistralPricesOf},
		{"mistral-small-latest", Price{0.1, 0.3}, mistralPricesOf},
		{"magistral-medium", Price{2, 5}, mistralPricesOf},
		{"magistral-small", Price{0.5, 1.5}, mistralPricesOf},
	}
}

// makers are the names that precede the models of the table, with the beginnings of the models' names.
var makers = [][2]string{
	{"openai/", "gpt-"}, {"anthropic/", "claude-"}, {"google/", "gemini-"}, {"models/", "gemini-"},
	{"mistralai/", "mistral-"}, {"mistralai/", "magistral-"}, {"amazon/", "amazon."},
}

// PriceOf returns the row of a model: the row with the longest name that is a prefix of the model's
// name and ends at a hyphen or another separator, so "gpt-5" does not match "gpt-5.4". Routers write
// the provider before the model, with a slash, and Bedrock a region, with a dot. The price of a model
// after another name than its maker's is unknown.
func PriceOf(model string, table []ModelPrice) (row ModelPrice, known bool) {
	at := strings.LastIndexByte(model, '/') + 1
	from, model := strings.ToLower(model[:at]), strings.ToLower(model[at:])
	if from != "" && !slices.ContainsFunc(makers, func(p [2]string) bool { return from == p[0] && strings.HasPrefix(model, p[1]) }) {
		return ModelPrice{Of: PricesOf}, false
	}
	if at := strings.Index(model, ".amazon."); at > 0 {
		model = model[at+1:]
	}
	for _, line := range table {
		rest, ok := strings.CutPrefix(model, strings.ToLower(line.Model))
		if ok && (rest == "" || strings.IndexByte("-:@", rest[0]) >= 0) && len(line.Model) > len(row.Model) {
			row, known = line, true
		}
	}
	if row.Of == "" {
		row.Of = PricesOf
	}
	return row, known
}

// PriceKnown reports whether the price of the endpoint is known or zero, so that a budget of
// dollars can bound its use.
func (e Endpoint) PriceKnown() bool {
	if e.Price != nil || e.free() {
		return true
	}
	_, known := PriceOf(e.Model, Prices())
	return known
}

// free reports whether the endpoint is a server on this machine, or a server of one's own in a private
// network. A service may speak the protocol of such a server and charge for it.
func (e Endpoint) free() bool {
	s, _ := findServer(e.Server)
	own := s.local || e.format() == FormatOllama || e.format() == FormatOllamaGenerate
	return isLocal(e.URL) || own && isPrivate(hostOf(e.URL))
}

// price returns the price of the endpoint, zero for a local server or an unknown model.
func (e Endpoint) price() Price {
	if e.Price != nil {
		return *e.Price
	}
	if e.free() {
		return Price{}
	}
	row, _ := PriceOf(e.Model, Prices())
	return row.Price
}

// micro returns the price of tokens in millionths of a dollar, rounded up.
func (p Price) micro(u Usage) int64 {
	return int64(math.Ceil(float64(u.Prompt)*p.Prompt + float64(u.Completion)*p.Completion))
}

// isLocal reports whether an address is on this machine.
func isLocal(url string) bool {
	host := hostOf(url)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || strings.HasPrefix(host, "127.") || host == "[::1]"
}

// isPrivate reports whether a host is in a private network, judged by its name.
func isPrivate(host string) bool {
	for _, end := range []string{".home.arpa", ".internal", ".lan", ".local"} {
		if strings.HasSuffix(host, end) {
			return true
		}
	}
	if strings.HasPrefix(host, "[") {
		return strings.HasPrefix(host, "[fc") || strings.HasPrefix(host, "[fd") || strings.HasPrefix(host, "[fe80:")
	}
	if !strings.Contains(host, ".") {
		return host != "" && strings.Trim(host, "0123456789") != "" // a number is an address
	}
	var b [4]int
	parts := strings.Split(host, ".")
	for i, part := range parts {
		n, err := strconv.Atoi(part)
		if err != nil || len(parts) != 4 {
			return false
		}
		b[i] = n
	}
	return b[0] == 10 || b[0] == 192 && b[1] == 168 || b[0] == 169 && b[1] == 254 || b[0] == 172 && b[1]>>4 == 1 || b[0] == 100 && b[1]>>6 == 1
}

// hostOf returns the host of an address, without the port.
func hostOf(url string) string {
	_, rest, _ := strings.Cut(url, "://")
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	rest = rest[strings.LastIndexByte(rest, '@')+1:]
	if i := strings.LastIndexByte(rest, ':'); i >= 0 && !strings.HasSuffix(rest, "]") {
		rest = rest[:i]
	}
	return strings.ToLower(rest)
}
