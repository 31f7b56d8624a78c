package source

// Error is a failure with a stable code, for callers who tell errors apart and
// for hosts that show them.
type Error struct {
	ID          string // the code, e.g. "share.truncated"
	Message     string // begins in lower case, names the thing, says what to do
	File        *File  // that Diagnostics are about; nil where there are none
	Diagnostics []Diagnostic
	Names       []string // the properties to leave out; of "property.unjudged"
}

// NewError returns an error with the given code and message.
func NewError(code, message string) *Error { return &Error{ID: code, Message: message} }

// Code returns the stable code.
func (e *Error) Code() string { return e.ID }

// Error returns the message.
func (e *Error) Error() string { return e.Message }
