package view

// Extent is the factor by which the limits of a [Drawing] are multiplied.
type Extent int

// The extents: for a complete layout, and for exploration of one part at a time. The latter
// suffices for more than 10,000 productions.
const (
	Picture  Extent = 1
	Complete Extent = 100
)

func (e Extent) nodes() int { return int(e) * MaxNodes }
func (e Extent) edges() int { return int(e) * MaxEdges }
func (e Extent) lines() int { return int(e) * MaxEdgeLines }
func (e Extent) plain() int { return int(e) * MaxPlain }
