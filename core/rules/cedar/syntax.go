package cedar

import "github.com/stile-playground/stile/core/source"

// policy is a permit or a forbid.
type policy struct {
	permit bool
	id     string // of the annotation @id
	scope  []*expr
	conds  []cond
	span   source.Span // of "permit" or "forbid"
}

// cond is a when or an unless.
type cond struct {
	unless bool
	body   *expr
}

// op is the form of an [expr].
type op uint8

const (
	opTrue op = iota
	opFalse
	opInt    // text
	opString // text
	opVar    // text: principal, action, resource or context
	opEntity // text is the type, names[0] the identifier
	opSlot   // text
	opList
	opRecord
	opAttr   // kids[0].text
	opHas    // kids[0] has names
	opLike   // kids[0] like text, a regular expression
	opIs     // kids[0] is text
	opCall   // text(kids…)
	opMethod // kids[0].text(kids[1:]…)
	opIf
	opOr
	opAnd
	opNot
	opNegate
	opArith   // text: + - *
	opCompare // text: == != < <= > >=
	opIn
	opPast // a temporal block
)

// expr is an expression of Cedar.
type expr struct {
	op    op
	text  string
	names []string
	kids  []*expr
	past  *past
	span  source.Span
}

// pastOp is the form of a [past].
type pastOp uint8

const (
	pastAnd pastOp = iota
	pastNot
	pastFormerly
	pastPrevious
	pastSince
	pastEvent
	pastCompare // terms[0] text terms[1]
	pastExists  // binder
	pastPoint   // tp(binder)
)

// past is a temporal condition of Dogwood.
type past struct {
	op     pastOp
	kids   []*past
	window string
	action string // the identifier of an event's action
	kind   string // of an event
	args   []arg
	text   string
	terms  [2]*term
	binder string
	span   source.Span
}

// arg is a field of an event.
type arg struct {
	path []string
	term *term
	span source.Span
}

// termOp is the form of a [term].
type termOp uint8

const (
	termInt termOp = iota
	termString
	termBool
	termContext // path
	termScope   // text: principal or resource
	termAny
	termVariable // text
	termCount
	termSum // of the variable text
)

// term is a value in a temporal condition.
type term struct {
	op      termOp
	text    string
	path    []string
	binders []binder
	body    *past
	span    source.Span
}

// binder is a variable of an aggregate's domain.
type binder struct {
	name  string
	point bool // of the type Timepoint
}
