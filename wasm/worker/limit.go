package worker

import (
	"context"
	"net/http"
	"net/netip"
	"strconv"
	"sync"
)

// Limiter bounds how often one address may do something.
type Limiter interface {
	// Allow counts one use of a key. It returns 0 when that is within the limit,
	// else after how many seconds to try again.
	Allow(ctx context.Context, key string) (retryAfter int, err error)
}

// clientHeader is set by Cloudflare on every request, over whatever was sent.
const clientHeader = "CF-Connecting-IP"

// limit counts a request against its address. A limiter that fails refuses: an
// open relay is worse than a closed one.
func (s service) limit(w http.ResponseWriter, r *http.Request, l Limiter) error {
	wait, err := l.Allow(r.Context(), addressKey(single(r.Header, clientHeader)))
	if err != nil {
		w.Header().Set("Retry-After", "60")
		return fault{503, "limit.failed", "the worker cannot count requests just now; try again in a minute"}
	}
	if wait > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(wait))
		return fault{429, "limit.reached", "too many requests came from this address; try again in " + strconv.Itoa(wait) + " seconds"}
	}
	return nil
}

// addressKey returns what addresses are counted by: IPv4 as they are, IPv6 by the
// 64 bits that one customer holds all of. All that is no address counts as one.
func addressKey(text string) string {
	a, err := netip.ParseAddr(text)
	if err != nil {
		return "unknown"
	}
	a = a.Unmap().WithZone("")
	if a.Is4() {
		return a.String()
	}
	p, err := a.Prefix(64)
	if err != nil {
		return "unknown"
	}
	return p.String()
}

// Buckets is a [Limiter] in memory: a bucket of tokens per key, full at first,
// which fills again evenly. Where there are several isolates each has its own, so
// a limit then holds per isolate only.
type Buckets struct {
	Size   int          // tokens of a full bucket
	Period int          // seconds in which an empty one gets full
	Now    func() int64 // milliseconds; only differences count

	mu   sync.Mutex
	kept map[string]bucket
}

// bucket holds what was left at a time, in thousandths of a token.
type bucket struct{ left, at int64 }

// maxBuckets bounds the memory: at that many keys, those that are full again are
// forgotten, and when none is, all are.
const maxBuckets = 10_000

// Allow implements [Limiter].
func (b *Buckets) Allow(_ context.Context, key string) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.Now()
	have, ok := b.kept[key]
	if !ok {
		have = bucket{int64(b.Size) * 1000, now}
	}
	left := b.filled(have, now)
	if left < 1000 {
		wait := (1000 - left) * int64(b.Period) / int64(b.Size) // milliseconds
		return int(max(1, (wait+999)/1000)), nil
	}
	if !ok && len(b.kept) >= maxBuckets {
		b.forget(now)
	}
	if b.kept == nil {
		b.kept = map[string]bucket{}
	}
	b.kept[key] = bucket{left - 1000, now}
	return 0, nil
}

// filled returns what a bucket holds at a later time. Tokens a second are
// thousandths of tokens a millisecond.
func (b *Buckets) filled(have bucket, now int64) int64 {
	gained := max(0, now-have.at) * int64(b.Size) / int64(b.Period)
	return min(int64(b.Size)*1000, have.left+gained)
}

func (b *Buckets) forget(now int64) {
	for key, have := range b.kept {
		if b.filled(have, now) >= int64(b.Size)*1000 {
			delete(b.kept, key)
		}
	}
	if len(b.kept) >= maxBuckets {
		clear(b.kept)
	}
}

func sizeText(bytes int) string {
	if bytes >= 1<<20 {
		return strconv.Itoa(bytes>>20) + " MiB"
	}
	return strconv.Itoa(bytes>>10) + " KiB"
}
