package main

import (
	"bytes"
	"os/exec"
	"testing"
)

func TestStoredBrotliUnpacks(t *testing.T) {
	for _, size := range []int{1, 1<<16 - 1, 1 << 16, 1<<16 + 1, 3 << 16} {
		data := make([]byte, size)
		for i := range data {
			data[i] = byte(i ^ i>>8)
		}
		cmd := exec.Command("node", "-e", "process.stdout.write(require('node:zlib').brotliDecompressSync(require('node:fs').readFileSync(0)))")
		cmd.Stdin = bytes.NewReader(storedBrotli(data))
		if got, err := cmd.Output(); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%d bytes: %d bytes, %v", size, len(got), err)
		}
	}
}
