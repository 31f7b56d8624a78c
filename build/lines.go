package main

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// withoutLines returns a module without the parts of its table of functions that only the texts of
// panics show: files, lines, arguments, inlined calls, and names of functions except those of the
// runtime, which reads some of them. They are at least a tenth of the module's size. A panic still
// prints its message, and the browser's stack trace shows the indexes of functions; a build without
// this step shows their names. The tables are those of Go 1.24 to 1.26
// (cmd/link/internal/ld/pcln.go, runtime/symtab.go, internal/abi/symtab.go); a module with other
// tables is an error.
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

var errNoTable = errors.New("its table of functions is not that of Go 1.24 to 1.26 (see build/lines.go)")

// Offsets in the table of functions, in bytes.
const (
	headerOffsets = 32 // of the first of five offsets in the header: names, units, files, values, functions
	funcName      = 4  // of the offset of a function's name
	funcStack     = 16 // of the offset of its table of stack depths
	funcFile      = 20
	funcLine      = 24
	funcTables    = 28 // of the number of other tables
	funcStartLine = 36
	funcData      = 43 // of the number of data, a byte
	funcEnd       = 44 // start of the offsets of the other tables, followed by those of the data

	moduleNames = 8   // of the address of the names in the description of the module
	moduleData  = 320 // of the address that offsets of data are relative to

	inlinedCall = 16 // bytes of an inlined call
	inlinedName = 4  // of the offset of its name
)

// The kinds of tables and data that only texts of panics and interrupts by signals read;
// WebAssembly has no signals.
const (
	tableUnsafe  = 0
	tableInlined = 2
	tableLive    = 3
	dataInlined  = 3
	dataArgs     = 5
	dataArgsLive = 6
)

// noData is the offset of absent data.
const noData = 1<<32 - 1

// functionTable is the table of functions in the memory of a module. The names of files are between
// units and values, followed by the values by position in the code, and by the functions.
type functionTable struct {
	memory               []byte
	names, units, values int
	list, functions      int
	data                 int // the address that offsets of data are relative to
}

func (t *functionTable) word(at int) uint32 { return binary.LittleEndian.Uint32(t.memory[at:]) }

func (t *functionTable) put(at int, value uint32) {
	binary.LittleEndian.PutUint32(t.memory[at:], value)
}

// findTable returns the table of functions in the memory of a module.
func findTable(memory []byte) (*functionTable, error) {
	header := bytes.Index(memory, []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8})
	if header < 0 || header+headerOffsets+5*8 > len(memory) {
		return nil, errNoTable
	}
	offset := func(i int) int {
		return header + int(binary.LittleEndian.Uint64(memory[header+headerOffsets+8*i:]))
	}
	t := &functionTable{
		memory: memory, functions: int(binary.LittleEndian.Uint64(memory[header+8:])),
		names: offset(0), units: offset(1), values: offset(3), list: offset(4),
	}
	if t.functions <= 0 || t.functions > len(memory)/8 || header >= t.names || t.names > t.units || t.units > offset(2) ||
		offset(2) > t.values || t.values >= t.list || t.list > len(memory)-8*t.functions {
		return nil, errNoTable
	}
	addresses := binary.LittleEndian.AppendUint64(nil, uint64(header))
	addresses = binary.LittleEndian.AppendUint64(addresses, uint64(t.names))
	module := bytes.Index(memory, addresses)
	if module < 0 || module+moduleData+8 > len(memory) {
		return nil, errNoTable
	}
	t.data = int(binary.LittleEndian.Uint64(memory[module+moduleData:]))
	if t.data <= 0 || t.data >= len(memory) {
		return nil, errNoTable
	}
	return t, nil
}

// function returns the address of a function's entry and the numbers of its tables and of its data.
func (t *functionTable) function(i int) (at, tables, data int, err error) {
	at = t.list + int(t.word(t.list+8*i+4))
	if at+funcEnd > len(t.memory) {
		return 0, 0, 0, errNoTable
	}
	tables, data = int(t.word(at+funcTables)), int(t.memory[at+funcData])
	if tables > (len(t.memory)-at-funcEnd)/4-data {
		return 0, 0, 0, errNoTable
	}
	return at, tables, data, nil
}

// dropLines clears, in the memory of a module, the names of files and the tables that only texts of
// panics show, except bytes that other tables share.
func dropLines(memory []byte) error {
	t, err := findTable(memory)
	if err != nil {
		return err
	}
	usedNames, usedValues := make([]bool, t.units-t.names), make([]bool, t.list-t.values)
	var calls []span
	keptData := map[int]bool{} // by address
	for i := range t.functions {
		at, tables, data, err := t.function(i)
		if err != nil || int(t.word(at+funcName)) >= len(usedNames) {
			return errNoTable
		}
		if name := memory[t.names+int(t.word(at+funcName)):]; bytes.HasPrefix(name, []byte("runtime.")) {
			markName(usedNames, memory[t.names:t.units], int(t.word(at+funcName)))
		} else {
			t.put(at+funcName, 0) // the empty name, as at the offset before, in bytes that compress better
		}
		if found, err := t.inlined(at, tables, data); err != nil {
			return err
		} else if found.size > 0 {
			calls = append(calls, found)
		}
		clear(memory[at+funcFile : at+funcTables])
		clear(memory[at+funcStartLine : at+funcStartLine+4])
		for k := range tables {
			if k == tableUnsafe || k == tableInlined || k == tableLive {
				t.put(at+funcEnd+4*k, 0)
			}
		}
		for k := range data {
			place := at + funcEnd + 4*(tables+k)
			if k == dataInlined || k == dataArgs || k == dataArgsLive {
				t.put(place, noData)
			} else if offset := t.word(place); offset != noData {
				keptData[t.data+int(offset)] = true
			}
		}
		found := mark(usedValues, memory[t.values:t.list], t.word(at+funcStack))
		for k := range tables {
			found = found && mark(usedValues, memory[t.values:t.list], t.word(at+funcEnd+4*k))
		}
		if !found {
			return errNoTable
		}
	}
	t.clear(usedNames, usedValues)
	for _, c := range calls {
		if !c.shared(keptData) {
			clear(memory[c.at : c.at+c.size])
		}
	}
	return nil
}

// clear clears the names and values that are not used, and the names of files.
func (t *functionTable) clear(usedNames, usedValues []bool) {
	for i, is := range usedNames {
		if !is {
			t.memory[t.names+i] = 0
		}
	}
	clear(t.memory[t.units:t.values])
	for i, is := range usedValues {
		if !is {
			t.memory[t.values+i] = 0
		}
	}
}

// span is a part of the memory.
type span struct{ at, size int }

// shared reports whether an address is in a span.
func (s span) shared(addresses map[int]bool) bool {
	for at := s.at; at < s.at+s.size; at++ {
		if addresses[at] {
			return true
		}
	}
	return false
}

// inlined returns the span of a function's inlined calls.
func (t *functionTable) inlined(at, tables, data int) (span, error) {
	if tables <= tableInlined || data <= dataInlined {
		return span{}, nil
	}
	offset := t.word(at + funcEnd + 4*(tables+dataInlined))
	if offset == noData {
		return span{}, nil
	}
	most, ok := largest(t.memory[t.values:t.list], t.word(at+funcEnd+4*tableInlined))
	found := span{t.data + int(offset), (most + 1) * inlinedCall}
	if !ok || found.at+found.size > len(t.memory) {
		return span{}, errNoTable
	}
	for i := range most + 1 {
		if int(t.word(found.at+i*inlinedCall+inlinedName)) >= t.units-t.names {
			return span{}, errNoTable
		}
	}
	return found, nil
}

// markName marks the bytes of a name and the zero at its end.
func markName(used []bool, names []byte, at int) {
	for at < len(names) {
		used[at] = true
		if names[at] == 0 {
			return
		}
		at++
	}
}

// largest returns the largest value of the table of values at an offset, and whether the table is
// complete. The values start at -1; each entry is a difference of values in zigzag code and one of
// positions.
func largest(values []byte, offset uint32) (int, bool) {
	most, value := -1, -1
	if offset == 0 || int(offset) >= len(values) {
		return most, offset == 0
	}
	rest := values[offset:]
	for first := true; ; first = false {
		difference, n := binary.Uvarint(rest)
		if n <= 0 {
			return 0, false
		}
		if difference == 0 && !first {
			return most, true
		}
		rest = rest[n:]
		value += int(int32(uint32(difference)>>1) ^ -int32(difference&1))
		most = max(most, value)
		if _, n = binary.Uvarint(rest); n <= 0 || most > len(values) {
			return 0, false
		}
		rest = rest[n:]
	}
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

// Bytes of the section of data.
const (
	dataSectionID = 11
	constant      = 0x41 // i32.const
	endOfConstant = 0x0b
)

// dataOf returns the parts of the initial memory, which share the bytes of the module.
func dataOf(module []byte) (parts []dataPart, err error) {
	_, content, err := dataSection(module)
	if err != nil || content == 0 {
		return nil, err
	}
	r := &varints{module: module, at: content}
	for range r.next(false) {
		if kind := r.next(false); kind != 0 || r.at >= len(module) || module[r.at] != constant {
			return nil, errNoTable
		}
		r.at++
		at := r.next(true)
		if r.err != nil || r.at >= len(module) || module[r.at] != endOfConstant {
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
	return parts, r.err
}

// dataSection returns the span of the section of data with its header, and the offset of its content; 0 if the module
// has no such section.
func dataSection(module []byte) (whole span, content int, err error) {
	r := &varints{module: module, at: 8}
	for r.at < len(module) {
		at := r.at
		r.at++
		size := r.next(false)
		if r.err != nil || size > len(module)-r.at {
			return span{}, 0, errNoTable
		}
		if module[at] == dataSectionID {
			return span{at, r.at + size - at}, r.at, nil
		}
		r.at += size
	}
	return span{}, 0, nil
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
