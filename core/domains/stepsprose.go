package domains

import "strings"

// stepProse has our texts for a problem with steps.
type stepProse struct {
	title  string
	domain string // in PDDL
	task   string
	things string            // a noun for the objects
	says   map[string]string // atoms in words, by predicate; ?1 and ?2 are replaced by objects
}

func stepProses(domain string) (stepProse, bool) {
	switch domain {
	case "blocksworld":
		return stepProse{
			title: "Blocksworld", domain: Blocksworld, things: "blocks",
			task: `# Blocksworld

A hand moves blocks that stand on a table, alone or on top of each other. It holds one block
at a time. What it can do, and what that takes and brings about:

- **pick-up** a block from the table: the hand is empty, the block is on the table, and
  nothing is on it. Then the hand holds the block; it is not on the table any more, and it is
  not clear.
- **put-down** a block on the table: the hand holds it. Then the block is on the table and
  clear, and the hand is empty.
- **stack** a block on another: the hand holds the first, and the other is clear. Then the
  first is on the other and clear, the other is not clear any more, and the hand is empty.
- **unstack** a block from another: the hand is empty, the first is on the other, and it is
  clear. Then the hand holds the first, which is neither on the other nor clear, and the other
  is clear.

One thing is done at a time. Find a plan with as few steps as possible.
`,
			says: map[string]string{
				"handempty": "the hand is empty", "holding": "the hand holds ?1", "ontable": "?1 is on the table", "on": "?1 is on ?2", "clear": "?1 is clear",
			},
		}, true
	case "mystery_blocksworld":
		return stepProse{
			title: "Mystery Blocksworld", domain: MysteryBlocksworld, things: "objects",
			task: `# Mystery Blocksworld

There are objects, and four things that can be done with them. The words mean nothing but
what is said here:

- **attack** an object: there is harmony, and planet and province hold of the object. Then
  pain holds of it; harmony, and planet and province of the object, hold no longer.
- **succumb** with an object: pain holds of it. Then there is harmony, planet and province
  hold of the object, and pain no longer.
- **overcome** an object from another: pain holds of the first, and province of the other.
  Then there is harmony, the first craves the other and province holds of it; pain of the
  first, and province of the other, hold no longer.
- **feast** an object from another: there is harmony, the first craves the other, and province
  holds of the first. Then pain holds of the first and province of the other; harmony, the
  craving, and province of the first hold no longer.

One thing is done at a time. Find a plan with as few steps as possible.
`,
			says: map[string]string{
				"harmony": "there is harmony", "pain": "pain holds of ?1", "planet": "planet holds of ?1", "craves": "?1 craves ?2", "province": "province holds of ?1",
			},
		}, true
	case "movie":
		return stepProse{
			title: "Movie", domain: Movie, things: "objects",
			task: `# Movie

An evening with a film on a tape. Snacks have to be fetched, the film is watched, and in the
end the tape is rewound and its counter stands at zero. What can be done, and what that takes
and brings about:

- **get-chips**, **get-dip**, **get-pop**, **get-cheese**, **get-crackers** of an object: it is
  a snack of that kind. Then there is such a snack to eat.
- **start-movie**: the counter stands at zero. Then it stands elsewhere, not at two hours, and
  no longer at zero; and the tape is not rewound any more.
- **rewind-movie**: the counter stands elsewhere than at two hours. Then the tape is rewound,
  and the counter not at zero.
- **rewind-movie-2**: the counter stands at two hours. Then the tape is rewound.
- **reset-counter**: at any time. Then the counter stands at zero.

One thing is done at a time. Find a plan with as few steps as possible.
`,
			says: map[string]string{
				"movie-rewound": "the tape is rewound", "counter-at-zero": "the counter stands at zero", "counter-at-two-hours": "the counter stands at two hours",
				"counter-at-other-than-two-hours": "the counter stands elsewhere than at two hours",
				"have-chips":                      "there are chips to eat", "have-dip": "there is dip to eat", "have-pop": "there is pop to drink", "have-cheese": "there is cheese to eat", "have-crackers": "there are crackers to eat",
				"chips": "?1 is chips", "dip": "?1 is dip", "pop": "?1 is pop", "cheese": "?1 is cheese", "crackers": "?1 is crackers",
			},
		}, true
	case "gripper":
		return stepProse{
			title: "Gripper", domain: Gripper, things: "robots, grippers, rooms and balls",
			task: `# Gripper

Robots with grippers carry balls between rooms. What a robot can do, and what that takes and
brings about:

- **move** from a room to another: it is in the first. Then it is in the other, and not in the
  first.
- **pick** a ball in a room with a gripper: the ball and the robot are in the room, and the
  gripper is free. Then the robot carries the ball with the gripper, which is not free; and the
  ball is not in the room.
- **drop** a ball in a room from a gripper: the robot carries the ball with it and is in the
  room. Then the ball is in the room, the gripper is free, and does not carry the ball.

One thing is done at a time, by one robot. Find a plan with as few steps as possible.
`,
			says: map[string]string{
				"at-robby": "?1 is in ?2", "at": "?1 is in ?2", "free": "?2 of ?1 is free", "carry": "?1 carries ?2 with ?3",
			},
		}, true
	}
	return stepProse{}, false
}

// said returns an atom as English text.
func (s stepProse) said(text string) string {
	words := strings.Fields(text)
	out := s.says[words[0]]
	for i, object := range words[1:] {
		out = strings.ReplaceAll(out, "?"+IntegerNumber(i+1).String(), object)
	}
	return out
}

// query returns an instance in words.
func (s stepProse) query(i Instance) string {
	sentences := func(atoms []string) []string {
		var out []string
		for _, a := range atoms {
			out = append(out, s.said(a))
		}
		return out
	}
	return wrapped("There are the "+s.things+" "+enumerated(i.Objects)+".") + "\n" +
		wrapped("At first "+strings.Join(sentences(i.Init), "; ")+". Nothing else holds.") + "\n" +
		wrapped("In the end "+enumerated(sentences(i.Goal))+". What is a shortest plan?")
}

// enumerated joins words with commas and "and".
func enumerated(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// lineWidth is the maximum length of a line of prose.
const lineWidth = 92

// wrapped wraps a paragraph.
func wrapped(text string) string {
	var b strings.Builder
	width := 0
	for i, word := range strings.Fields(text) {
		switch {
		case i == 0:
		case width+1+len(word) > lineWidth:
			b.WriteByte('\n')
			width = 0
		default:
			b.WriteByte(' ')
			width++
		}
		b.WriteString(word)
		width += len(word)
	}
	return b.String() + "\n"
}
