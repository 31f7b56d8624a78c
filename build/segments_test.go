package main

import (
	"encoding/binary"
	"errors"
	"testing"
)

// segments returns a module with segments of data between two other sections.
func segments(parts ...dataPart) []byte {
	body := binary.AppendUvarint(nil, uint64(len(parts)))
	for _, p := range parts {
		body = append(appendSigned(append(body, 0, constant), p.at), endOfConstant)
		body = append(binary.AppendUvarint(body, uint64(len(p.bytes))), p.bytes...)
	}
	out := append([]byte("\x00asm\x01\x00\x00\x00"), 10, 2, 1, 0, dataSectionID)
	out = append(binary.AppendUvarint(out, uint64(len(body))), body...)
	return append(out, 0, 1, 0)
}

func TestSegmentsWithSmallGapsAreJoined(t *testing.T) {
	far := 100 + 5 + segmentGap
	got, err := joinSegments(segments(dataPart{104, []byte("c")}, dataPart{100, []byte("ab")}, dataPart{far, []byte("d")}))
	if err != nil {
		t.Fatal(err)
	}
	if want := segments(dataPart{100, []byte("ab\x00\x00c")}, dataPart{far, []byte("d")}); string(got) != string(want) {
		t.Errorf("%v\nwant\n%v", got, want)
	}
}

func TestModuleWithoutDataStays(t *testing.T) {
	module := []byte("\x00asm\x01\x00\x00\x00\x0a\x02\x01\x00")
	if got, err := joinSegments(module); err != nil || string(got) != string(module) {
		t.Errorf("%v, %v", got, err)
	}
}

func TestOverlappingSegmentsAreErrors(t *testing.T) {
	_, err := joinSegments(segments(dataPart{100, []byte("ab")}, dataPart{101, []byte("c")}))
	if !errors.Is(err, errSegments) {
		t.Errorf("got %v", err)
	}
}

func TestAddressesAreSigned(t *testing.T) {
	for _, at := range []int{0, 63, 64, 8191, 8192, 1 << 20, 10_000_720} {
		r := &varints{module: appendSigned(nil, at)}
		if got := r.next(true); got != at || r.err != nil {
			t.Errorf("%d is read as %d, %v", at, got, r.err)
		}
	}
}
