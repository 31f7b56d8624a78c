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
	// Allow counts one use of a key. It returns 0 within the limit, otherwise the seconds until
	// the next attempt may succeed.
	Allow(ctx context.Context, key string) (retryAfter int, err error)
}

// clientHeader is set by Cloudflare on every request and overrides the client's value.
const clientHeader = "CF-Connecting-IP"

// limit counts a request against its address. If the limiter fails, the request is rejected: an
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

// addressKey returns the key under which an address is counted: the complete IPv4 address, or the
// first 64 bits of an IPv6 address, which one customer owns. All invalid addresses share one key.
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

// Buckets is a [Limiter] in memory: a token bucket per key, initially full and refilled at a
// constant rate. Each isolate has its own buckets, so the limit holds per isolate.
type Buckets struct {
	Size   int          // tokens of a full bucket
	Period int          // seconds to refill an empty bucket
	Now    func() int64 // milliseconds; only differences count

	mu   sync.Mutex
	kept map[string]bucket
}

// bucket is the number of tokens left, in thousandths, at a point in time, in milliseconds.
type bucket struct{ left, at int64 }

// maxBuckets bounds the memory: at this number of keys, full buckets are removed, or all buckets
// if none is full.
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

// filled returns the level of a bucket at a later time. Tokens per second equal thousandths of
// tokens per millisecond.
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
