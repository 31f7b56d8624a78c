package main

import (
	"encoding/binary"
	"strings"
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

// Addresses in the table of tests: the table begins at 4.
const (
	testNames     = 4 + 72
	testUnits     = testNames + 16
	testFiles     = testUnits + 4
	testValues    = testFiles + 4
	testFunctions = testValues + 23
	testEntry     = testFunctions + 8
	testInlined   = testEntry + funcEnd + 4*3 + 4*7
	testOther     = testInlined + 2*inlinedCall
	testModule    = testOther + 4
)

// table returns a table of one function with two inlined calls: tables of values for the stack, the
// file, the line, unsafe points, pointers and inlined calls.
func table() []byte {
	out := []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8}
	for _, n := range []uint64{1, 1, 0, testNames - 4, testUnits - 4, testFiles - 4, testValues - 4, testFunctions - 4} {
		out = binary.LittleEndian.AppendUint64(out, n)
	}
	out = append(out, "runtime.f\x00in\x00g\x00\x00"...)
	out = append(out, 1, 1, 1, 1)
	out = append(out, "x.go"...)
	out = append(out, 0 /* none */, 2, 1, 0, 4, 3, 0, 6, 0x85, 1, 0, 8, 2, 0, 12, 2, 0, 2, 1, 2, 1, 0, 0)
	out = binary.LittleEndian.AppendUint32(out, 0)
	out = binary.LittleEndian.AppendUint32(out, 8) // the function follows
	function := make([]byte, funcEnd+4*3+4*7)
	put := func(at int, values ...uint32) {
		for i, v := range values {
			binary.LittleEndian.PutUint32(function[at+4*i:], v)
		}
	}
	put(funcStack, 1, 4, 7, 3)
	put(funcStartLine, 99)
	function[funcData] = 7
	put(funcEnd, 11, 14, 17)                                                                                 // unsafe points, pointers, inlined calls
	put(funcEnd+4*3, testOther-dataAt, noData, noData, testInlined-dataAt, noData, testOther-dataAt, noData) // pointers and arguments share data
	out = append(out, function...)
	for i := range uint32(2) {
		for _, v := range []uint32{0, 10 + 3*i, 7, 8} { // "in" and "g"
			out = binary.LittleEndian.AppendUint32(out, v)
		}
	}
	out = append(out, 1, 2, 3, 4)
	module := make([]byte, moduleData+8)
	binary.LittleEndian.PutUint64(module, 4)
	binary.LittleEndian.PutUint64(module[8:], testNames)
	binary.LittleEndian.PutUint64(module[moduleData:], dataAt)
	return append(out, module...)
}

// dataAt is the address from which offsets of data count.
const dataAt = 8

func TestLinesAreDroppedAndOtherTablesStay(t *testing.T) {
	got, err := withoutLines(fakeModule(table()))
	if err != nil {
		t.Fatal(err)
	}
	want := table()
	clear(want[testNames-4+len("runtime.f") : testUnits-4]) // the names of inlined functions are removed
	clear(want[testUnits-4 : testValues-4])
	copy(want[testValues-4:], []byte{0, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 12, 2, 0, 0, 0, 0, 0, 0, 0})
	function := want[testEntry-4:]
	clear(function[funcFile:funcTables])
	clear(function[funcStartLine : funcStartLine+4])
	clear(function[funcEnd : funcEnd+4])
	clear(function[funcEnd+8 : funcEnd+12])
	binary.LittleEndian.PutUint32(function[funcEnd+4*6:], noData)
	binary.LittleEndian.PutUint32(function[funcEnd+4*8:], noData)
	clear(want[testInlined-4 : testOther-4])
	if string(got) != string(fakeModule(want)) {
		t.Errorf("%v\nwant\n%v", got, fakeModule(want))
	}
}

// Only the runtime reads names, and only those of its own functions.
func TestNamesOutsideTheRuntimeAreDropped(t *testing.T) {
	data := table()
	copy(data[testNames-4:], "strings.f")
	got, err := withoutLines(fakeModule(data))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(got), "strings.f") {
		t.Error("the name of a function outside the runtime stays")
	}
}

// Data that other tables use stay, even where inlined calls have the same bytes.
func TestSharedDataStay(t *testing.T) {
	data := table()
	binary.LittleEndian.PutUint32(data[testEntry-4+funcEnd+4*3:], testInlined-dataAt+4)
	got, err := withoutLines(fakeModule(data))
	if err != nil {
		t.Fatal(err)
	}
	calls := string(data[testInlined-4 : testOther-4])
	if !strings.Contains(string(got), calls) {
		t.Error("the inlined calls are dropped")
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
	for _, module := range [][]byte{fakeModule([]byte("no table")), fakeModule(table())[:40], fakeModule(table()[:testModule]), []byte("\x00asm\x01\x00\x00\x00\x0b\xff")} {
		if _, err := withoutLines(module); err == nil {
			t.Errorf("%v is accepted", module)
		}
	}
}
