package view

// Extent is how many times the limits of a picture a [Drawing] may have.
type Extent int

// The extents: what is laid out as it is, and what a person explores a part at a
// time. A text of 10,000 productions is well within the latter.
const (
	Picture Extent = 1
	Whole   Extent = 100
)

func (e Extent) nodes() int { return int(e) * MaxNodes }
func (e Extent) edges() int { return int(e) * MaxEdges }
func (e Extent) lines() int { return int(e) * MaxEdgeLines }
func (e Extent) plain() int { return int(e) * MaxPlain }
