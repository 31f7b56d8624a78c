package solve

import (
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// Tokens returns the first tokens of a text, in order. Names are of class "state", sorts
// and the names of an LP's rows "nonterminal". Parentheses have no token.
func Tokens(solver Solver, file *source.File, most int) []source.Token {
	if unfit(file) != nil {
		return nil
	}
	p := &painter{text: file.Text, most: most}
	if solver == HiGHS {
		p.lp()
	} else {
		p.smt()
	}
	return p.out[:min(len(p.out), most)]
}

type painter struct {
	text string
	most int
	out  []source.Token
	done int // comments are tokens up to this offset
}

func (p *painter) add(class string, span source.Span) {
	p.out = append(p.out, source.Token{Span: span, Class: class})
}

// comments adds the comments between the last token and an offset. The text between them
// consists of comments and white space only.
func (p *painter) comments(mark byte, to int) {
	for p.done < to {
		i := strings.IndexByte(p.text[p.done:to], mark)
		if i < 0 {
			break
		}
		start := p.done + i
		end := source.LineEnd(p.text, start)
		p.add("comment", source.Span{Start: source.Pos(start), End: source.Pos(end)})
		p.done = end
	}
}

func (p *painter) smt() {
	r := smtReader{text: p.text, found: &faults{}}
	depth := 0
	begins := false // the last token opened a list
	for len(p.out) < p.most {
		faulty := len(r.found.list)
		t, ok := r.token()
		if !ok {
			p.comments(';', len(p.text))
			return
		}
		p.comments(';', int(t.span.Start))
		p.done = int(t.span.End)
		if t.kind == termList {
			if begins = t.text == "("; begins {
				depth++
			} else {
				depth = max(0, depth-1)
			}
			continue
		}
		class := "state"
		_, sort := builtinSorts[t.text]
		bar := p.text[t.span.Start] == '|'
		switch {
		case len(r.found.list) > faulty:
			class = "invalid"
		case t.kind == termKeyword, depth == 1 && begins:
			class = "keyword"
		case t.kind == termNumeral || t.kind == termDecimal || t.kind == termBits:
			class = "number"
		case t.kind == termString:
			class = "string"
		case bar:
		case sort || t.text == "BitVec" || t.text == "FloatingPoint":
			class = "nonterminal"
		case isOperator(t.text) || vagueTheory(t.text):
			class = "operator"
		}
		p.add(class, t.span)
		begins = false
		r.found.list = r.found.list[:0]
	}
}

func (p *painter) lp() {
	tokens := lpTokens(p.text)
	for i, t := range tokens {
		if len(p.out) >= p.most {
			return
		}
		p.comments('\\', int(t.span.Start))
		p.done = int(t.span.End)
		switch {
		case t.kind == lpSection, t.kind == lpWord && (isInfinity(t.text) || strings.EqualFold(t.text, "free")):
			p.add("keyword", t.span)
		case t.kind == lpWord && tokens[i+1].kind == lpColon:
			p.add("nonterminal", t.span)
		case t.kind == lpWord:
			p.add("state", t.span)
		case t.kind == lpNumber:
			p.add("number", t.span)
		case t.kind == lpSign || t.kind == lpRelation || t.kind == lpOther && strings.Contains("[]*/^", t.text):
			p.add("operator", t.span)
		case t.kind == lpOther:
			p.add("invalid", t.span)
		}
	}
}
