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

A hand moves blocks that are on a table or on top of each other. It holds one block at a
time. Its actions, each with its preconditions and its effects:

- **pick-up** a block from the table: the hand is empty, the block is on the table, and
  nothing is on the block. Afterwards the hand holds the block; the block is no longer on the
  table, and it is not clear.
- **put-down** a block on the table: the hand holds the block. Afterwards the block is on the
  table and clear, and the hand is empty.
- **stack** a block on another: the hand holds the first block, and the other is clear.
  Afterwards the first block is on the other and clear, the other is no longer clear, and the
  hand is empty.
- **unstack** a block from another: the hand is empty, the first block is on the other, and
  the first is clear. Afterwards the hand holds the first block, which is neither on the other
  nor clear, and the other is clear.

Each step is one action. Find a plan with as few steps as possible.
`,
			says: map[string]string{
				"handempty": "the hand is empty", "holding": "the hand holds ?1", "ontable": "?1 is on the table", "on": "?1 is on ?2", "clear": "?1 is clear",
			},
		}, true
	case "mystery_blocksworld":
		return stepProse{
			title: "Mystery Blocksworld", domain: MysteryBlocksworld, things: "objects",
			task: `# Mystery Blocksworld

There are objects, and four actions on them. The words have no other meaning than the
following preconditions and effects. Each predicate but harmony is true or false of objects:

- **attack** an object: harmony is true, and planet and province are true of the object.
  Afterwards pain is true of the object; harmony is false, and planet and province are false
  of the object.
- **succumb** with an object: pain is true of the object. Afterwards harmony is true, planet
  and province are true of the object, and pain is false of it.
- **overcome** an object from another: pain is true of the first object, and province is true
  of the other. Afterwards harmony is true, the first object craves the other, and province
  is true of the first; pain is false of the first, and province is false of the other.
- **feast** an object from another: harmony is true, the first object craves the other, and
  province is true of the first. Afterwards pain is true of the first object and province is
  true of the other; harmony is false, the first no longer craves the other, and province is
  false of the first.

Each step is one action. Find a plan with as few steps as possible.
`,
			says: map[string]string{
				"harmony": "harmony is true", "pain": "pain is true of ?1", "planet": "planet is true of ?1", "craves": "?1 craves ?2", "province": "province is true of ?1",
			},
		}, true
	case "movie":
		return stepProse{
			title: "Movie", domain: Movie, things: "objects",
			task: `# Movie

People want to watch a film on a tape. They get snacks, watch the film, and finally rewind the
tape and reset its counter to zero. The actions, each with its preconditions and its effects:

- **get-chips**, **get-dip**, **get-pop**, **get-cheese**, **get-crackers** of an object: the
  object is a snack of that kind. Afterwards there is such a snack.
- **start-movie**: the counter is at zero. Afterwards the counter is at a time other than zero
  and two hours, and the tape is not rewound.
- **rewind-movie**: the counter is at a time other than two hours. Afterwards the tape is
  rewound, and the counter is not at zero.
- **rewind-movie-2**: the counter is at two hours. Afterwards the tape is rewound.
- **reset-counter**: always possible. Afterwards the counter is at zero.

Each step is one action. Find a plan with as few steps as possible.
`,
			says: map[string]string{
				"movie-rewound": "the tape is rewound", "counter-at-zero": "the counter is at zero", "counter-at-two-hours": "the counter is at two hours",
				"counter-at-other-than-two-hours": "the counter is at a time other than two hours",
				"have-chips":                      "there are chips to eat", "have-dip": "there is dip to eat", "have-pop": "there is pop to drink", "have-cheese": "there is cheese to eat", "have-crackers": "there are crackers to eat",
				"chips": "?1 is chips", "dip": "?1 is dip", "pop": "?1 is pop", "cheese": "?1 is cheese", "crackers": "?1 is crackers",
			},
		}, true
	case "gripper":
		return stepProse{
			title: "Gripper", domain: Gripper, things: "robots, grippers, rooms and balls",
			task: `# Gripper

Robots with grippers carry balls between rooms. The actions of a robot, each with its
preconditions and its effects:

- **move** from a room to another: the robot is in the first room. Afterwards the robot is in
  the other room, and not in the first.
- **pick** a ball in a room with a gripper: the ball and the robot are in the room, and the
  gripper is free. Afterwards the robot carries the ball with the gripper, the gripper is not
  free, and the ball is not in the room.
- **drop** a ball in a room from a gripper: the robot carries the ball with the gripper and is
  in the room. Afterwards the ball is in the room, and the gripper is free and carries no ball.

Each step is one action of one robot. Find a plan with as few steps as possible.
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
		wrapped("Initially, "+strings.Join(sentences(i.Init), "; ")+". Nothing else is true.") + "\n" +
		wrapped("Goal: "+enumerated(sentences(i.Goal))+". Find a shortest plan.")
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
