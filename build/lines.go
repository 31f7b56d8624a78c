package main

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// withoutLines returns a module without the file names and line numbers of its functions, which
// only the texts of panics show: they are a twentieth of its size. Panics still name the
// functions. The tables are those of Go 1.20 to 1.26 (cmd/link/internal/ld/pcln.go and
// runtime/symtab.go); a module with other ones is an error.
func withoutLines(module []byte) ([]byte, error) {
	out := bytes.Clone(module)
	parts, err := dataOf(out)
	if err != nil {
		return nil, err
	}
	size := 0
	for _, p := range parts {
		size = max(size, p.at+len(p.bytes))
	}
	memory := make([]byte, size)
	for _, p := range parts {
		copy(memory[p.at:], p.bytes)
	}
	if err := dropLines(memory); err != nil {
		return nil, err
	}
	for _, p := range parts {
		copy(p.bytes, memory[p.at:])
	}
	return out, nil
}

var errNoTable = errors.New("its table of functions is not that of Go 1.20 to 1.26 (see build/lines.go)")

// Offsets in the table of functions, in bytes.
const (
	headerOffsets = 32 // of the first of five offsets in the header: names, units, files, values, functions
	funcStack     = 16 // of the offset of the table of stack depths in a function
	funcFile      = 20
	funcLine      = 24
	funcTables    = 28 // of the number of other tables
	funcStartLine = 36
	funcEnd       = 44 // where the offsets of the other tables begin
)

// dropLines clears the tables of files and lines in the memory of a module, except bytes that
// other tables share.
func dropLines(memory []byte) error {
	header := bytes.Index(memory, []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8})
	if header < 0 || header+headerOffsets+5*8 > len(memory) {
		return errNoTable
	}
	little := binary.LittleEndian
	functions := int(little.Uint64(memory[header+8:]))
	values := header + int(little.Uint64(memory[header+headerOffsets+3*8:]))
	list := header + int(little.Uint64(memory[header+headerOffsets+4*8:]))
	if functions <= 0 || functions > len(memory)/8 || header >= values || values >= list || list > len(memory)-8*functions {
		return errNoTable
	}
	used := make([]bool, list-values)
	for i := range functions {
		at := list + int(little.Uint32(memory[list+8*i+4:]))
		if at+funcEnd > len(memory) {
			return errNoTable
		}
		tables := int(little.Uint32(memory[at+funcTables:]))
		if tables > (len(memory)-at-funcEnd)/4 {
			return errNoTable
		}
		found := mark(used, memory[values:list], little.Uint32(memory[at+funcStack:]))
		for k := range tables {
			found = found && mark(used, memory[values:list], little.Uint32(memory[at+funcEnd+4*k:]))
		}
		if !found {
			return errNoTable
		}
		clear(memory[at+funcFile : at+funcTables])
		clear(memory[at+funcStartLine : at+funcStartLine+4])
	}
	for i, is := range used {
		if !is {
			memory[values+i] = 0
		}
	}
	return nil
}

// mark marks the bytes of the table of values at an offset, 0 for no table. It reports whether the
// table is complete.
func mark(used []bool, values []byte, offset uint32) bool {
	if offset == 0 || int(offset) >= len(values) {
		return true // an offset beyond the tables is a flag of the runtime
	}
	at := int(offset)
	for start := at; at < len(values) && (values[at] != 0 || at == start); {
		for range 2 { // a difference of values and one of positions, each a varint
			for at < len(values) && values[at] >= 0x80 {
				used[at] = true
				at++
			}
			if at == len(values) {
				return false
			}
			used[at] = true
			at++
		}
	}
	if at == len(values) {
		return false
	}
	used[at] = true // the zero at the end
	return true
}

// dataPart is a part of the initial memory of a module.
type dataPart struct {
	at    int
	bytes []byte
}

// dataOf returns the parts of the initial memory, which share the bytes of the module.
func dataOf(module []byte) (parts []dataPart, err error) {
	const (
		dataSection = 11
		constant    = 0x41 // i32.const
		end         = 0x0b
	)
	r := &varints{module: module, at: 8}
	for r.at < len(module) && r.err == nil {
		section := module[r.at]
		r.at++
		size := r.next(false)
		after := r.at + size
		if section == dataSection {
			for range r.next(false) {
				if kind := r.next(false); kind != 0 || r.at >= len(module) || module[r.at] != constant {
					return nil, errNoTable
				}
				r.at++
				at := r.next(true)
				if r.err != nil || r.at >= len(module) || module[r.at] != end {
					return nil, errNoTable
				}
				r.at++
				size := r.next(false)
				if r.err != nil || at < 0 || r.at+size > len(module) {
					return nil, errNoTable
				}
				parts = append(parts, dataPart{at, module[r.at : r.at+size]})
				r.at += size
			}
		}
		r.at = after
	}
	return parts, r.err
}

// varints reads integers in LEB128.
type varints struct {
	module []byte
	at     int
	err    error
}

func (r *varints) next(signed bool) int {
	value, shift := 0, 0
	for r.at < len(r.module) && shift < 35 {
		b := r.module[r.at]
		r.at++
		value |= int(b&0x7f) << shift
		shift += 7
		if b < 0x80 {
			if signed && b&0x40 != 0 {
				value -= 1 << shift
			}
			return value
		}
	}
	r.err = errNoTable
	return 0
}
