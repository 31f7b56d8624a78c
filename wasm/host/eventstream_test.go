package host

import (
	"encoding/binary"
	"hash/crc32"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// eventFrame returns a frame; headers are encoded.
func eventFrame(headers, payload string) string {
	out := binary.BigEndian.AppendUint32(nil, uint32(16+len(headers)+len(payload)))
	out = binary.BigEndian.AppendUint32(out, uint32(len(headers)))
	out = binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out))
	out = append(append(out, headers...), payload...)
	return string(binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out)))
}

func textHeader(name, value string) string {
	return string(rune(len(name))) + name + "\x07" + string(binary.BigEndian.AppendUint16(nil, uint16(len(value)))) + value
}

func TestBinaryStreamsBecomeLines(t *testing.T) {
	event := textHeader(":message-type", "event") + textHeader(":event-type", "contentBlockDelta")
	good := eventFrame(event, `{"delta":{"text":"é"}}`)
	line := `data: {"contentBlockDelta":{"delta":{"text":"é"}}}` + "\n\n"
	flip := func(at int) string {
		b := []byte(good)
		b[at] ^= 1
		return string(b)
	}
	const corrupt = "data: corrupt frame 2 of the binary stream: "
	for _, c := range []struct{ name, body, want string }{
		{"nothing", "", ""},
		{"two frames", good + good, line + line},
		{"a payload on lines", eventFrame(event, "{\r\n}"), "data: {\"contentBlockDelta\":{  }}\n\n"},
		{"an exception", eventFrame(textHeader(":message-type", "exception")+textHeader(":exception-type", "throttlingException"), `{"message":"slow"}`), "data: {\"throttlingException\":{\"message\":\"slow\"}}\n\n"},
		{"an error", eventFrame(textHeader(":error-code", "500")+textHeader(":error-message", "\"no\"")+textHeader(":message-type", "error"), ""), "data: {\"error\":{\"code\":\"500\",\"message\":\"\\\"no\\\"\"}}\n\n"},
		{"headers of all types", eventFrame("\x01a\x00\x01b\x01\x01c\x02x\x01d\x03xx\x01e\x04xxxx\x01f\x05xxxxxxxx\x01g\x06\x00\x02xx\x01h\x08xxxxxxxx\x01i\x09xxxxxxxxxxxxxxxx"+event, "{}"), "data: {\"contentBlockDelta\":{}}\n\n"},
		{"an end within a frame", good + good[:len(good)-1], line},
		{"an end within a prelude", good + good[:5], line},
		{"a changed length", good + flip(3) + good, line + corrupt + "the checksum of its prelude is wrong\n\n"},
		{"a changed payload", good + flip(len(good)-8) + good, line + corrupt + "its checksum is wrong\n\n"},
		{"a changed checksum", good + flip(len(good)-1) + good, line + corrupt + "its checksum is wrong\n\n"},
		{"headers beyond the frame", good + eventFrameOf(16, 1) + good, line + corrupt + "its lengths are invalid\n\n"},
		{"a frame that is too short", good + eventFrameOf(15, 0) + good, line + corrupt + "its lengths are invalid\n\n"},
		{"a frame that is too long", good + eventFrameOf(maxFrame+1, 0) + good, line + corrupt + "its lengths are invalid\n\n"},
		{"a header beyond the headers", good + eventFrame("\x05a\x07", "{}") + good, line + corrupt + "its headers are invalid\n\n"},
		{"a header of an unknown type", good + eventFrame("\x01a\x0a", "{}") + good, line + corrupt + "its headers are invalid\n\n"},
		{"a value beyond the headers", good + eventFrame("\x01a\x07\x00\x05x", "{}") + good, line + corrupt + "its headers are invalid\n\n"},
		{"text", "<html>not a stream</html>", "data: corrupt frame 1 of the binary stream: the checksum of its prelude is wrong\n\n"},
	} {
		for _, in := range []io.Reader{strings.NewReader(c.body), iotest.OneByteReader(strings.NewReader(c.body))} {
			got, err := io.ReadAll(&eventReader{in: in})
			if cut := strings.HasPrefix(c.name, "an end within"); string(got) != c.want || cut != (err == io.ErrUnexpectedEOF) || !cut && err != nil {
				t.Errorf("%s: %q, want %q (%v)", c.name, got, c.want, err)
			}
		}
	}
}

// eventFrameOf returns a prelude with these lengths and four bytes after it.
func eventFrameOf(size, headers uint32) string {
	out := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, size), headers)
	return string(binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out))) + "xxxx"
}
