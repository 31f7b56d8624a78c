package main

import (
	"cmp"
	"encoding/binary"
	"errors"
	"slices"
)

// segmentGap is the number of zero bytes from which on two segments of data stay apart.
const segmentGap = 512

var errSegments = errors.New("segments of data overlap")

// joinSegments returns a module whose segments of data are joined where fewer than segmentGap zero
// bytes separate them. Go's linker begins a segment after every eighth zero byte, up to 100,000
// segments: their headers, each with an address and a length, compress far worse than the zeros.
// The compressed full module is a thirtieth smaller.
func joinSegments(module []byte) ([]byte, error) {
	section, _, err := dataSection(module)
	if err != nil || section.size == 0 {
		return module, err
	}
	parts, err := dataOf(module)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(parts, func(a, b dataPart) int { return cmp.Compare(a.at, b.at) }) // that of the table of functions is not
	var joined []dataPart
	for _, p := range parts {
		gap := segmentGap
		if n := len(joined); n > 0 {
			gap = p.at - joined[n-1].at - len(joined[n-1].bytes)
		}
		switch {
		case gap < 0:
			return nil, errSegments
		case gap < segmentGap:
			last := &joined[len(joined)-1]
			last.bytes = append(append(last.bytes, make([]byte, gap)...), p.bytes...)
		default:
			joined = append(joined, dataPart{p.at, slices.Clone(p.bytes)})
		}
	}
	body := binary.AppendUvarint(nil, uint64(len(joined)))
	for _, p := range joined {
		body = appendSigned(append(body, 0, constant), p.at)
		body = binary.AppendUvarint(append(body, endOfConstant), uint64(len(p.bytes)))
		body = append(body, p.bytes...)
	}
	out := append(slices.Clone(module[:section.at]), dataSectionID)
	out = binary.AppendUvarint(out, uint64(len(body)))
	return append(append(out, body...), module[section.at+section.size:]...), nil
}

// appendSigned appends an address in signed LEB128.
func appendSigned(to []byte, value int) []byte {
	for value < -0x40 || value >= 0x40 {
		to = append(to, byte(value)&0x7f|0x80)
		value >>= 7
	}
	return append(to, byte(value)&0x7f)
}
