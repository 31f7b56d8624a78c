package host_test

import (
	"bytes"
	"context"
	"testing"
)

// A collector that is told a wrong time gives up after some dozens of rounds.
func TestALongSessionDoesNotFillTheMemory(t *testing.T) {
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
