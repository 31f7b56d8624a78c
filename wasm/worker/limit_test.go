package worker_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stile-playground/stile/wasm/worker"
)

func TestBucketRefillsEvenly(t *testing.T) {
	now := int64(1_000_000)
	b := &worker.Buckets{Size: 3, Period: 60, Now: func() int64 { return now }}
	for i, c := range []struct {
		after int64 // milliseconds
		wait  int   // seconds; 0 means allowed
	}{
		{0, 0}, {0, 0}, {0, 0}, {0, 20}, {0, 20}, {5_000, 15}, {14_999, 1}, {1, 0}, {0, 20},
		{60_000, 0}, {0, 0}, {0, 0}, {0, 20}, {-50_000, 20}, {3_600_000, 0}, {0, 0}, {0, 0}, {0, 20},
	} {
		now += c.after
		if got, err := b.Allow(context.Background(), "a"); got != c.wait || err != nil {
			t.Errorf("%d: wait %d, not %d (%v)", i, got, c.wait, err)
		}
	}
}

func TestBucketsStayBounded(t *testing.T) {
	now := int64(0)
	b := &worker.Buckets{Size: 1, Period: 1, Now: func() int64 { return now }}
	for i := range 50_000 {
		if wait, _ := b.Allow(context.Background(), fmt.Sprint(i)); wait != 0 {
			t.Fatalf("address %d must wait", i)
		}
		if i%100 == 0 {
			now++
		}
	}
	if wait, _ := b.Allow(context.Background(), "49999"); wait == 0 {
		t.Error("the last address was forgotten")
	}
}
