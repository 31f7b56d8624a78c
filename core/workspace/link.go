package workspace

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/source"
)

// The fragment of a share link is "#1:" and the base64url of the raw deflate of
// a txtar archive; 1 is the version. Published links open forever, so a version never changes; a
// new format gets a new version.
//
// Current links begin with an empty deflate block, which a decoder ignores, and end with the
// CRC-32 of the packed bytes, low byte first. The block announces the checksum, so that no damaged
// or truncated link is opened. Older decoders ignore both.
const (
	linkPrefix = "#1:"
	linkMark   = "\x00\x00\x00\xff\xff" // the empty block
	linkRun    = ".stile/run.json"      // the file of the archive that holds a recorded run
)

// EncodeLink returns the fragment of a link that contains the workspace and, unless it is empty,
// the log of a run. The workspace must pass [Workspace.Check]; the error has code "share.size" if
// its archive is larger than [MaxSize].
func EncodeLink(w Workspace, run string) (string, error) {
	if run != "" {
		w.Files = append(w.Files[:len(w.Files):len(w.Files)], File{Name: linkRun, Text: run})
	}
	if err := w.Check(); err != nil {
		return "", err
	}
	archive := w.Archive()
	if len(archive) > MaxSize { // quoting makes a text longer
		return "", source.NewError("share.size", "the workspace is too large for a link; share it as a file")
	}
	var packed bytes.Buffer
	deflater, err := flate.NewWriter(&packed, flate.BestCompression)
	if err != nil {
		return "", err
	}
	if err := deflater.Flush(); err != nil { // the empty block
		return "", err
	}
	if _, err := io.WriteString(deflater, archive); err != nil {
		return "", err
	}
	if err := deflater.Close(); err != nil {
		return "", err
	}
	packed.WriteString(le32(crc32(packed.Bytes())))
	return linkPrefix + base64.RawURLEncoding.EncodeToString(packed.Bytes()), nil
}

// DecodeLink is the inverse of [EncodeLink]; the fragment may or may not begin
// with "#". The error has code "share.version" for a link of an unknown
// version, "share.truncated" for a truncated link, "share.size" for one that unpacks beyond
// [MaxSize], the code of [Workspace.Check] for an intact link with an invalid workspace, and
// "share.damaged" for any other fault.
func DecodeLink(fragment string) (Workspace, string, error) {
	body, ok := strings.CutPrefix("#"+strings.TrimPrefix(strings.TrimSpace(fragment), "#"), linkPrefix)
	if !ok {
		return Workspace{}, "", linkVersionError(fragment)
	}
	body = strings.TrimRight(body, "=")
	if i := strings.IndexFunc(body, func(r rune) bool { return !isBase64URL(r) }); i >= 0 {
		return Workspace{}, "", source.NewError("share.damaged",
			"damaged link: invalid character "+string([]rune(body[i:])[:1])+"; ask for the link again")
	}
	if len(body)%4 == 1 {
		return Workspace{}, "", truncated()
	}
	packed, err := base64.RawURLEncoding.DecodeString(body)
	if err != nil {
		return Workspace{}, "", damaged()
	}
	// flate reads no more bytes from an io.ByteReader than belong to the stream.
	from := strings.NewReader(string(packed))
	text, err := io.ReadAll(io.LimitReader(flate.NewReader(from), MaxSize+1))
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF):
		return Workspace{}, "", truncated()
	case err != nil || !utf8.Valid(text):
		return Workspace{}, "", damaged()
	case len(text) > MaxSize:
		return Workspace{}, "", source.NewError("share.size", "this link unpacks to more than 8 MiB and was not opened")
	}
	marked, rest := strings.HasPrefix(string(packed), linkMark), from.Len()
	switch end := len(packed) - rest; {
	case marked && rest < 4:
		return Workspace{}, "", truncated()
	case rest > 0 && !marked, marked && (string(packed[end:]) != le32(crc32(packed[:end])) || base64.RawURLEncoding.EncodeToString(packed) != body):
		return Workspace{}, "", damaged()
	}
	w, err := ParseArchive(string(text))
	switch {
	case len(w.Files) == 0: // EncodeLink's archives have one
		return Workspace{}, "", damaged()
	case err != nil:
		return Workspace{}, "", err
	}
	run := ""
	for i, f := range w.Files {
		if f.Name == linkRun {
			run = f.Text
			w.Files = append(w.Files[:i:i], w.Files[i+1:]...)
			break
		}
	}
	return w, run, nil
}

func isBase64URL(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_'
}

func linkVersionError(fragment string) error {
	version, _, ok := strings.Cut(strings.TrimPrefix(fragment, "#"), ":")
	if ok && version != "" && strings.Trim(version, "0123456789") == "" {
		return source.NewError("share.version", "unknown link version "+version+"; reload the page to update it")
	}
	return source.NewError("share.damaged", "not a Stile link: it does not begin with \"#1:\"")
}

func truncated() error {
	return source.NewError("share.truncated", "truncated link: some mail and chat programs cut long lines; ask for the link again")
}

func damaged() error {
	return source.NewError("share.damaged", "damaged link: the checksum or the encoding is wrong; ask for the link again")
}

// crc32 returns the checksum of gzip. It works bit by bit, since the standard library's tables
// would add to every page's download, and links are short.
func crc32(data []byte) uint32 {
	sum := ^uint32(0)
	for _, b := range data {
		sum ^= uint32(b)
		for range 8 {
			sum = sum>>1 ^ 0xedb88320&-(sum&1)
		}
	}
	return ^sum
}

func le32(n uint32) string {
	return string([]byte{byte(n), byte(n >> 8), byte(n >> 16), byte(n >> 24)})
}
