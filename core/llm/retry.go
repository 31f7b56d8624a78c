package llm

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/process"
)

// Retries. A request is repeated only if no part of the answer arrived, because a part that
// arrived has been paid for and is kept. The waits double, and are drawn uniformly from
// zero to their bound ("full jitter", Brooker 2015: Exponential Backoff And Jitter), so
// that many refused clients do not return at the same time. They are drawn from the run's
// seed, so that a replay waits equally.
const (
	maxAttempts = 4
	firstWait   = 1_000  // milliseconds: the bound of the first wait
	maxWait     = 60_000 // longer waits are reported as an error instead
)

// RetryEvent announces a further attempt.
type RetryEvent struct {
	Kind         string `json:"kind"` // "llm.retry"
	Endpoint     string `json:"endpoint"`
	Attempt      int    `json:"attempt"`      // number of the failed attempt, from 1
	Milliseconds int    `json:"milliseconds"` // until the next attempt
	Why          string `json:"why"`
}

// CutRetry announces a further attempt after an answer that its limit of tokens has cut off. The next one has a higher limit.
func CutRetry(endpoint string, attempt, tokens, limit int) RetryEvent {
	return RetryEvent{"llm.retry", endpoint, attempt, 0, fmt.Sprintf("the answer was cut off after %d tokens: retrying with up to %d", tokens, limit)}
}

// BeforeFault returns the messages of a repeated request that precede the faulty answer and its fault: only the
// prompt. A conversation with all faulty answers costs more with each attempt, and models repeat their own
// mistakes. Earlier versions sent the complete conversation.
func BeforeFault(env *process.Env, messages []Message) []Message {
	if len(messages) <= 1 || env.Earlier() {
		return messages
	}
	env.Revise()
	return messages[:1:1]
}

// backoff returns the wait after a number of failed attempts.
func backoff(env *process.Env, failed int, f failure) int {
	if f.wait > 0 {
		return f.wait
	}
	bound := min(firstWait<<(failed-1), maxWait)
	return env.Rand().IntN(bound + 1)
}

// sleep waits for a timer of the host.
func sleep(env *process.Env, milliseconds int) error {
	if milliseconds <= 0 {
		return nil
	}
	_, err := env.Start(process.Request{Timer: &process.Timer{Milliseconds: milliseconds}}).Value()
	return err
}

// header returns a header; hosts write names in lower case.
func header(headers map[string]string, name string) string { return headers[name] }

// waitOf returns the milliseconds that the headers of a refusal ask to wait, or 0:
// Retry-After as seconds or as a date with the header Date, retry-after-ms, and the
// resets of OpenAI's and Anthropic's exhausted limits. A page sees only the headers that
// the server exposes.
func waitOf(headers map[string]string) int {
	if ms, err := strconv.ParseFloat(header(headers, "retry-after-ms"), 64); err == nil && ms > 0 {
		return roundUp(ms)
	}
	now, dated := httpDate(header(headers, "date"))
	if after := header(headers, "retry-after"); after != "" {
		if seconds, err := strconv.ParseFloat(after, 64); err == nil {
			return roundUp(max(seconds, 0) * 1000)
		}
		if then, ok := httpDate(after); ok && dated {
			return int(max(then-now, 0)) * 1000
		}
	}
	wait := 0
	for _, what := range []string{"requests", "tokens", "input-tokens", "output-tokens"} {
		if header(headers, "x-ratelimit-remaining-"+what) == "0" {
			wait = max(wait, spanOf(header(headers, "x-ratelimit-reset-"+what)))
		}
		if header(headers, "anthropic-ratelimit-"+what+"-remaining") == "0" && dated {
			if then, ok := rfc3339(header(headers, "anthropic-ratelimit-"+what+"-reset")); ok {
				wait = max(wait, int(max(then-now, 0))*1000)
			}
		}
	}
	return wait
}

// waitIn returns the wait in milliseconds that a message of Gemini states, as in "Please retry in
// 34.07s."
func waitIn(low string) int {
	_, after, _ := strings.Cut(low, "retry in ")
	span, _, _ := strings.Cut(after, " ")
	return spanOf(strings.TrimRight(span, ".,"))
}

// roundUp rounds milliseconds up and limits them.
func roundUp(ms float64) int { return int(math.Ceil(min(ms, 1e12))) }

// spanOf parses a duration of OpenAI or Groq ("6m0s", "2m59.56s", "20ms") to
// milliseconds; 0 if it is malformed.
func spanOf(text string) int {
	total := 0.0
	for text != "" {
		i := 0
		for i < len(text) && (text[i] >= '0' && text[i] <= '9' || text[i] == '.') {
			i++
		}
		n, err := strconv.ParseFloat(text[:i], 64)
		if err != nil {
			return 0
		}
		text = text[i:]
		switch {
		case strings.HasPrefix(text, "ms"):
			total, text = total+n, text[2:]
		case strings.HasPrefix(text, "s"):
			total, text = total+n*1000, text[1:]
		case strings.HasPrefix(text, "m"):
			total, text = total+n*60_000, text[1:]
		case strings.HasPrefix(text, "h"):
			total, text = total+n*3_600_000, text[1:]
		case strings.HasPrefix(text, "d"):
			total, text = total+n*86_400_000, text[1:]
		default:
			return 0
		}
	}
	return roundUp(total)
}

// httpDate parses "Mon, 02 Jan 2006 15:04:05 GMT" to seconds (RFC 9110, section 5.6.7;
// servers no longer send the older forms).
func httpDate(text string) (int64, bool) {
	if len(text) != 29 || !strings.HasSuffix(text, " GMT") {
		return 0, false
	}
	month := strings.Index("JanFebMarAprMayJunJulAugSepOctNovDec", text[8:11])
	if month < 0 || month%3 != 0 {
		return 0, false
	}
	return seconds(text[12:16], fmt.Sprint(month/3+1), text[5:7], text[17:25])
}

// rfc3339 parses "2006-01-02T15:04:05Z", with or without a fraction, to seconds.
func rfc3339(text string) (int64, bool) {
	if len(text) < 20 || text[10] != 'T' || text[len(text)-1] != 'Z' {
		return 0, false
	}
	return seconds(text[:4], text[5:7], text[8:10], text[11:19])
}

// seconds counts from March of the year 0; only differences matter.
func seconds(year, month, day, clock string) (int64, bool) {
	parts := strings.Split(clock, ":")
	if len(parts) != 3 {
		return 0, false
	}
	var n [6]int64
	for i, text := range append([]string{year, month, day}, parts...) {
		v, err := strconv.Atoi(text)
		if err != nil || v < 0 {
			return 0, false
		}
		n[i] = int64(v)
	}
	y, m := n[0], n[1]
	if m < 3 {
		y, m = y-1, m+12
	}
	days := 365*y + y/4 - y/100 + y/400 + (153*(m-3)+2)/5 + n[2]
	return ((days*24+n[3])*60+n[4])*60 + n[5], true
}
