package host

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"strings"
)

// eventStream is the media type of AWS's binary streams.
const eventStream = "application/vnd.amazon.eventstream"

// Sizes of the parts of a frame, in bytes. The prelude contains the length of the frame, the length of its
// headers and a checksum of both; a checksum of the complete frame follows the payload.
const (
	preludeSize  = 12
	checksumSize = 4
	maxFrame     = 16 << 20 // as in the specification
)

// eventReader rewrites AWS's binary stream as the text that the core reads, one line of data per
// frame: {"contentBlockDelta":{…}}. The member's name is the type of the event or the exception. A corrupt
// frame becomes a line that reports the fault, and ends the stream.
type eventReader struct {
	in     io.Reader
	frames int
	out    bytes.Buffer
	failed bool
}

// Read implements [io.Reader].
func (r *eventReader) Read(p []byte) (int, error) {
	for r.out.Len() == 0 {
		if r.failed {
			return 0, io.EOF
		}
		frame, err := r.frame()
		if err != nil {
			return 0, err
		}
		r.frames++
		line, err := eventLine(frame)
		if err != nil {
			r.failed = true
			line = fmt.Sprintf("corrupt frame %d of the binary stream: %v", r.frames, err)
		}
		r.out.WriteString("data: " + line + "\n\n")
	}
	return r.out.Read(p)
}

// frame reads the next frame. It returns only the prelude if the prelude is invalid; eventLine reports why.
func (r *eventReader) frame() ([]byte, error) {
	frame := make([]byte, preludeSize)
	if _, err := io.ReadFull(r.in, frame); err != nil {
		return nil, err
	}
	size := int64(binary.BigEndian.Uint32(frame))
	if binary.BigEndian.Uint32(frame[8:]) != crc32.ChecksumIEEE(frame[:8]) || size < preludeSize+checksumSize || size > maxFrame {
		return frame, nil
	}
	frame = append(frame, make([]byte, size-preludeSize)...)
	if _, err := io.ReadFull(r.in, frame[preludeSize:]); err != nil {
		return nil, err
	}
	return frame, nil
}

// eventLine returns the JSON object for the data line of a frame, or an error that states why the frame is corrupt.
func eventLine(frame []byte) (string, error) {
	size, headerSize := binary.BigEndian.Uint32(frame), binary.BigEndian.Uint32(frame[4:])
	switch {
	case binary.BigEndian.Uint32(frame[8:]) != crc32.ChecksumIEEE(frame[:8]):
		return "", fmt.Errorf("the checksum of its prelude is wrong")
	case int64(size) != int64(len(frame)) || int64(headerSize) > int64(size)-preludeSize-checksumSize:
		return "", fmt.Errorf("its lengths are invalid")
	}
	end := len(frame) - checksumSize
	if binary.BigEndian.Uint32(frame[end:]) != crc32.ChecksumIEEE(frame[:end]) {
		return "", fmt.Errorf("its checksum is wrong")
	}
	headers, err := eventHeaders(frame[preludeSize : preludeSize+headerSize])
	if err != nil {
		return "", err
	}
	payload := string(bytes.ToValidUTF8(frame[preludeSize+headerSize:end], []byte("\uFFFD")))
	name := headers[":event-type"]
	switch headers[":message-type"] {
	case "exception":
		name = headers[":exception-type"]
	case "error":
		name = "error"
		text, err := json.Marshal(map[string]string{"code": headers[":error-code"], "message": headers[":error-message"]})
		if err != nil {
			return "", err
		}
		payload = string(text)
	}
	quoted, err := json.Marshal(name)
	if err != nil {
		return "", err
	}
	// A line of data has no line breaks; in JSON they are white space.
	return "{" + string(quoted) + ":" + strings.NewReplacer("\r", " ", "\n", " ").Replace(payload) + "}", nil
}

// typeText is the type of a header value that is a text; the type below it is a byte array.
const typeText = 7

// headerSizes maps each type of header value to its size in bytes. It omits texts and byte arrays, which begin
// with their size.
var headerSizes = map[byte]int{0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16}

// eventHeaders returns the headers whose values are texts, by name.
func eventHeaders(data []byte) (map[string]string, error) {
	headers := map[string]string{}
	invalid := fmt.Errorf("its headers are invalid")
	for len(data) > 0 {
		n := int(data[0])
		if len(data) < n+2 {
			return nil, invalid
		}
		name, kind := string(data[1:n+1]), data[n+1]
		data = data[n+2:]
		size, fixed := headerSizes[kind]
		if !fixed {
			if kind != typeText && kind != typeText-1 || len(data) < 2 {
				return nil, invalid
			}
			size = int(binary.BigEndian.Uint16(data))
			data = data[2:]
		}
		if len(data) < size {
			return nil, invalid
		}
		if kind == typeText {
			headers[name] = string(data[:size])
		}
		data = data[size:]
	}
	return headers, nil
}
