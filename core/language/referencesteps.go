package language

// stepsReference says what the words of PDDL mean, as far as it is read here.
var stepsReference = []Entry{
	{[]string{"define"}, "(define (domain name) …)", "A domain or a problem. Both may stand in one file, or each in one of its own.", oneDomain},
	{[]string{"domain"}, "(define (domain rooms) …)", "What a kind of problems has in common: what may hold, and what can be done.", oneDomain},
	{[]string{"problem"}, "(define (problem evening) (:domain rooms) …)", "A first state and a goal.", oneProblem},
	{[]string{":requirements"}, "(:requirements :strips :typing)", "Which parts of PDDL the domain uses, for other planners. Here it changes nothing.", beginsDomain + "(:requirements :strips)" + withLit},
	{[]string{":strips"}, "(:requirements :strips)", "Conditions are conjunctions, and effects make things true and false.", beginsDomain + "(:requirements :strips)" + withLit},
	{[]string{":typing"}, "(:requirements :typing)", "Objects and parameters have types.", beginsDomain + "(:requirements :typing) (:types room)" + withTypedLit},
	{[]string{":negative-preconditions"}, "(:requirements :negative-preconditions)", "A condition may say what must not hold.", beginsDomain + "(:requirements :negative-preconditions)" + withLit},
	{[]string{":equality"}, "(:requirements :equality)", "A condition may say that two things are the same, or are not.", beginsDomain + "(:requirements :equality)" + withLit},
	{[]string{":types"}, "(:types car bus - vehicle place)", "Kinds of things, and of which other kind they are. Everything is an object.", beginsDomain + "(:types room)" + withTypedLit},
	{[]string{":constants"}, "(:constants hall - room)", "Objects that every problem of the domain has.", beginsDomain + "(:types room) (:constants hall - room)" + withTypedLit},
	{[]string{":predicates"}, "(:predicates (lit ?r) (joined ?r ?s))", "What may hold of things. What no action changes is the same all the time.", oneDomain},
	{[]string{":action"}, "(:action light :parameters (?r) :precondition … :effect …)", "What can be done. Each choice of objects for its parameters is a step.", oneDomain},
	{[]string{":parameters"}, ":parameters (?r - room)", "The things that an action is done with. Two of them may be the same.", oneDomain},
	{[]string{":precondition"}, ":precondition (and (lamp ?r) (not (lit ?r)))", "What has to hold before the action. Without it, nothing.", oneDomain},
	{[]string{":effect"}, ":effect (and (lit ?r) (not (dark ?r)))", "What holds behind the action. What it makes both true and false is true.", oneDomain},
	{[]string{"and"}, "(and (lamp ?r) (lit ?r))", "All of them.", oneDomain},
	{[]string{"not"}, "(not (lit ?r))", "It does not hold; as an effect, it no longer does.", oneDomain},
	{[]string{":domain"}, "(:domain rooms)", "The domain that a problem is of.", oneProblem},
	{[]string{":objects"}, "(:objects hall porch - room)", "The things that there are in a problem.", oneProblem},
	{[]string{":init"}, "(:init (lamp hall) (lit porch))", "All that holds in the first state. What is not said does not hold.", oneProblem},
	{[]string{":goal"}, "(:goal (and (lit hall) (not (lit porch))))", "What has to hold at the end. A plan is a way there, and the search is for a shortest one.", oneProblem},
}

const (
	// A domain with a section, and a predicate of its own.
	beginsDomain = "(define (domain rooms)\n  "
	withLit      = "\n  (:predicates (lit ?r)))\n"
	withTypedLit = "\n  (:predicates (lit ?r - room)))\n"

	oneDomain = `(define (domain rooms)
  (:predicates (lamp ?r) (lit ?r))
  (:action light
    :parameters (?r)
    :precondition (and (lamp ?r) (not (lit ?r)))
    :effect (lit ?r)))
`
	oneProblem = oneDomain + `
(define (problem evening)
  (:domain rooms)
  (:objects hall porch)
  (:init (lamp hall) (lamp porch))
  (:goal (and (lit hall) (lit porch))))
`
)
