package main

import (
	"encoding/binary"
	"testing"
)

// fakeModule returns a module of one data segment at offset 4.
func fakeModule(data []byte) []byte {
	body := append([]byte{1, 0, 0x41, 4, 0x0b}, binary.AppendUvarint(nil, uint64(len(data)))...)
	body = append(body, data...)
	out := append([]byte("\x00asm\x01\x00\x00\x00"), 11)
	out = binary.AppendUvarint(out, uint64(len(body)))
	return append(out, body...)
}

// table returns a table of one function: tables of values for the stack, the file, the line and
// one other purpose.
func table() []byte {
	const values = 72
	tables := []byte{0 /* none */, 2, 1, 0, 4, 3, 0, 6, 0x85, 1, 0, 8, 2, 0}
	offsets := []uint32{1, 4, 7} // stack, file, line
	list := values + len(tables)
	out := []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8}
	for _, n := range []uint64{1, 1, 0, 0, 0, 0, values, uint64(list)} {
		out = binary.LittleEndian.AppendUint64(out, n)
	}
	out = append(out, tables...)
	out = binary.LittleEndian.AppendUint32(out, 0)
	out = binary.LittleEndian.AppendUint32(out, 8) // the function follows
	function := make([]byte, 48)
	for i, o := range offsets {
		binary.LittleEndian.PutUint32(function[funcStack+4*i:], o)
	}
	binary.LittleEndian.PutUint32(function[funcTables:], 1)
	binary.LittleEndian.PutUint32(function[funcStartLine:], 99)
	binary.LittleEndian.PutUint32(function[funcEnd:], 11)
	return append(out, function...)
}

func TestLinesAreDroppedAndOtherTablesStay(t *testing.T) {
	data := table()
	module := fakeModule(data)
	got, err := withoutLines(module)
	if err != nil {
		t.Fatal(err)
	}
	want := table()
	const values = 72
	copy(want[values:], []byte{0, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0})
	function := want[values+14+8:]
	clear(function[funcFile:funcTables])
	clear(function[funcStartLine : funcStartLine+4])
	if string(got) != string(fakeModule(want)) {
		t.Errorf("%v\nwant\n%v", got, fakeModule(want))
	}
}

func TestChangedTablesNeverPanic(t *testing.T) {
	for at := range table() {
		for _, b := range []byte{0x00, 0x7f, 0x80, 0xff} {
			data := table()
			data[at] = b
			_, _ = withoutLines(fakeModule(data)) // an error, or another table
		}
	}
	for n := range table() {
		_, _ = withoutLines(fakeModule(table()[:n]))
	}
}

func TestOtherModulesAreErrors(t *testing.T) {
	for _, module := range [][]byte{fakeModule([]byte("no table")), fakeModule(table())[:40], []byte("\x00asm\x01\x00\x00\x00\x0b\xff")} {
		if _, err := withoutLines(module); err == nil {
			t.Errorf("%v is accepted", module)
		}
	}
}
