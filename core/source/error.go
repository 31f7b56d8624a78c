package source

import "errors"

// Error is an error with a stable code, for callers that distinguish errors and for hosts that
// display them.
type Error struct {
	ID          string // the code, e.g. "share.truncated"
	Message     string // begins in lower case, names the fault, and states how to fix it
	File        *File  // the file of the Diagnostics; nil if there are none
	Diagnostics []Diagnostic
	Names       []string // the properties to leave out, for the code "property.unjudged"
}

// NewError returns an error with the given code and message.
func NewError(code, message string) *Error { return &Error{ID: code, Message: message} }

// Code returns the stable code.
func (e *Error) Code() string { return e.ID }

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// ErrorCode returns the code of an error or of an error that it wraps, or "internal".
func ErrorCode(err error) string {
	var coded interface{ Code() string }
	if errors.As(err, &coded) {
		return coded.Code()
	}
	return "internal"
}
