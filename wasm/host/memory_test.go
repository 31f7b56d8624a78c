package host_test

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

// A collector with a wrong clock stops collecting after some dozens of rounds.
func TestLongSessionKeepsMemoryBounded(t *testing.T) {
	ctx, i := context.Background(), instance(t)
	if n := i.Memory(); n != 0 {
		t.Errorf("%d bytes before the first request", n)
	}
	request := bytes.Repeat([]byte{' '}, 1<<20)
	request[0] = 'x'
	for range 500 {
		if _, err := i.Handle(ctx, request); err != nil {
			t.Fatal(err)
		}
	}
	if n := i.Memory(); n == 0 || n > 64<<20 {
		t.Errorf("after 500 requests of a megabyte the memory has %d bytes", n)
	}
}

// Collecting garbage when idle avoids growth of the memory during a reply.
func TestCollectingWhenIdleSavesMemory(t *testing.T) {
	ctx := context.Background()
	taken := func(rests bool) uint32 {
		i := instance(t)
		if err := i.Collect(ctx); err != nil {
			t.Fatalf("before the first request: %v", err)
		}
		for range 50 {
			reply, err := i.Handle(ctx, []byte(`{"id":1,"method":"protocol.unknown","params":"`+strings.Repeat("x", 1<<20)+`"}`))
			if err != nil || !strings.Contains(string(reply), "protocol.method") {
				t.Fatal(string(reply), err)
			}
			if rests {
				if err := i.Collect(ctx); err != nil {
					t.Fatal(err)
				}
			}
		}
		return i.Memory()
	}
	if with, without := taken(true), taken(false); with >= without {
		t.Errorf("%d bytes with rests, %d without", with, without)
	}
}
