package language

import "github.com/stile-playground/stile/core/notation"

// rulesWords returns the manual of the notation.
func rulesWords() []notation.Entry {
	rule := func(text string) string { return "example: " + text + "\n" }
	return []notation.Entry{
		entry([]string{"->", "=>", "implies"}, "refund(order: ?o) -> once approve(order: ?o)", "If the left side holds, the right side must hold. The variables that the left side binds stand for every value.", rule("refund(order: ?o) -> once approve(order: ?o)")),
		entry([]string{"once", "O"}, "once[10m] approve()", "An event in the window matches, including the current event.", rule("refund() -> once[10m] approve()")),
		entry([]string{"historically", "H"}, "historically[1h] !error()", "Every event in the window matches, including the current event.", rule("deploy() -> historically[1h] !*.error()")),
		entry([]string{"previous", "Y"}, "previous[5s] ask()", "The previous event matches. Results and messages occur between calls.", rule("delete() -> previous confirm.result(ok: true)")),
		entry([]string{"since", "S"}, "(!logout()) since[1h] login()", "An event in the window matches the right side, and every later one matches the left side.", rule("transfer() -> (!logout()) since[1h] login()")),
		entry([]string{"!", "not"}, "!once cancel()", "Negation.", rule("!delete(env: \"production\")")),
		entry([]string{"&", "&&", "and"}, "once approve() & once review()", "Both sides.", rule("merge() -> once approve() & once review()")),
		entry([]string{"|", "||", "or"}, "once approve() | once review()", "One of the sides.", rule("merge() -> once approve() | once review()")),
		entry([]string{"count"}, "count[24h] refund(customer: ?c) <= 3", "The number of events in the window that match. With distinct, the number of different values of a variable.", rule("refund(customer: ?c) -> count[24h] refund(customer: ?c) <= 3")),
		entry([]string{"sum"}, "sum[24h] ?x for pay(amount: ?x)", "The sum of a variable over the events in the window. The empty sum is 0.", rule("pay() -> sum[24h] ?x for pay(amount: ?x) <= 1000")),
		entry([]string{"min"}, "min[1h] ?x for quote(price: ?x)", "The smallest number; undefined if there is none, and a comparison with it is false.", rule("buy(price: ?p) -> ?p <= min[1h] ?x for quote(price: ?x)")),
		entry([]string{"max"}, "max ?x for set(limit: ?x)", "The largest number; undefined if there is none, and a comparison with it is false.", rule("pay(amount: ?a) -> ?a <= max ?x for set(limit: ?x)")),
		entry([]string{"distinct"}, "count distinct ?f for read(file: ?f)", "Counts the different values of a variable.", rule("read() -> count[1h] distinct ?f for read(file: ?f) <= 20")),
		entry([]string{"for"}, "sum ?x for pay(amount: ?x)", "Separates the variable of an aggregate from its operand.", rule("pay() -> sum ?x for pay(amount: ?x) <= 9")),
		entry([]string{"in"}, "env: in (\"test\", \"staging\")", "A pattern: the field equals one of the literals.", rule("deploy() -> deploy(env: in (\"test\", \"staging\"))")),
		entry([]string{"has"}, "tags: has \"urgent\"", "A pattern: the field is a list with this element.", rule("!close(tags: has \"urgent\")")),
		entry([]string{"~"}, "path: ~ \"^/tmp/\"", "A pattern: the field is a string in which the regular expression (RE2) matches. The only escape is \\\".", rule("delete() -> delete(path: ~ \"^/tmp/\")")),
		entry([]string{"_"}, "order: _", "A pattern: the field is present, with any value.", rule("refund() -> refund(order: _)")),
		entry([]string{"call"}, "pay.call(amount: ?a)", "A call of a tool; the default.", rule("pay.call(amount: ?a) -> ?a <= 9")),
		entry([]string{"result"}, "login.result(ok: true)", "The result of a call. The field input has the arguments of the call.", rule("transfer() -> once login.result(ok: true)")),
		entry([]string{"error"}, "pay.error(text: ~ \"declined\")", "The error of a call, with the field text.", rule("pay() -> !once[1m] pay.error()")),
		entry([]string{"message"}, "message.user(text: ~ \"(?i)yes\")", "A message of the user, the assistant or the system.", rule("delete() -> once[5m] message.user(text: ~ \"(?i)yes\")")),
		entry([]string{"user"}, "message.user()", "A message of the user.", rule("pay() -> once message.user()")),
		entry([]string{"assistant"}, "message.assistant()", "A message of the model.", rule("!message.assistant(text: ~ \"password\")")),
		entry([]string{"system"}, "message.system()", "A message of the system.", rule("pay() -> once message.system()")),
		entry([]string{"end"}, "end() -> once report()", "The end of the run.", rule("end() -> once report()")),
		entry([]string{"@time"}, "@time: ?t", "The time of an event in seconds.", rule("pay(@time: ?t) -> once (quote(@time: ?q) & ?t - ?q <= 60)")),
		entry([]string{"@agent"}, "@agent: ?a", "The agent that acts.", rule("merge(@agent: ?a) -> once (approve(@agent: ?b) & ?a != ?b)")),
		entry([]string{"@id"}, "@id: ?i", "The identifier of a call.", rule("pay.result(@id: ?i) -> once pay(@id: ?i)")),
		entry([]string{"true"}, "ok: true", "A literal.", rule("transfer() -> once login.result(ok: true)")),
		entry([]string{"false"}, "ok: false", "A literal.", rule("!pay.result(ok: false)")),
		entry([]string{"null"}, "owner: null", "A literal. A missing field does not match it.", rule("!close(owner: null)")),
	}
}

const rulesTemplate = `# Each rule holds at every event of a run. ?o stands for any order.
approved: refund(order: ?o) -> once[10m] approve(order: ?o)
`

const rulesStarter = `-- policy.rules --
# A refund needs an approval of the same order, at most 10 minutes old, that covers the amount.
approved: refund(order: ?o, amount: ?a) -> once[10m] approve(order: ?o, limit: ?l) & ?a <= ?l

# Another agent approves.
four-eyes: refund(order: ?o, @agent: ?a) -> once (approve(order: ?o, @agent: ?b) & ?a != ?b)

# An approval is used up by a refund.
one-time: refund(order: ?o) -> count refund(order: ?o) <= count approve(order: ?o)

# At most 1000 in 24 hours, and 3 refunds for each customer.
budget: refund() -> sum[24h] ?x for refund(amount: ?x) <= 1000
rate: refund(customer: ?c) -> count[24h] refund(customer: ?c) <= 3

# A transfer needs a login of the last hour, without a logout after it.
fresh: transfer(account: ?a) -> (!logout()) since[1h] login.result(input.account: ?a, ok: true)

# One agent at a time holds a lock.
exclusive: lock(name: ?n, @agent: ?a) -> !((!unlock(name: ?n)) since (lock(name: ?n, @agent: ?b) & ?a != ?b))

# A review of a file is no longer trusted after an edit, or after a day.
trust: publish(file: ?f) -> (!edit(file: ?f)) since[1d] review(file: ?f)

never-in-production: !delete(env: "production")

# Close each file that was opened.
closed: end() -> !((!close(file: ?f)) since open(file: ?f))
-- policy.tests --
run valid as "approved by another agent"
  approve(order: 7, limit: 50, @agent: "ann")
  refund(order: 7, amount: 50.00, customer: "c", @agent: "bob", @time: 600)
  end(@time: 601)

run violated as "the approval is too old"
  approve(order: 7, limit: 50, @agent: "ann")
  refund(order: 7, amount: 50, customer: "c", @agent: "bob", @time: 601)

run violated as "more than the limit"
  approve(order: 7, limit: 50, @agent: "ann")
  refund(order: 7, amount: 50.01, customer: "c", @agent: "bob")

run violated as "the same agent approves"
  approve(order: 7, limit: 50, @agent: "bob")
  refund(order: 7, amount: 5, customer: "c", @agent: "bob")

run violated as "one approval, two refunds"
  approve(order: 7, limit: 50, @agent: "ann")
  refund(order: 7, amount: 5, customer: "c", @agent: "bob")
  refund(order: 7, amount: 5, customer: "c", @agent: "bob")

run violated as "more than the budget"
  approve(order: 1, limit: 900, @agent: "ann")
  refund(order: 1, amount: 900, customer: "c", @agent: "bob")
  approve(order: 2, limit: 900, @agent: "ann")
  refund(order: 2, amount: 100.5, customer: "d", @agent: "bob")

run violated as "four refunds of a customer"
  approve(order: 1, limit: 9, @agent: "ann")
  approve(order: 2, limit: 9, @agent: "ann")
  approve(order: 3, limit: 9, @agent: "ann")
  approve(order: 4, limit: 9, @agent: "ann")
  refund(order: 1, amount: 9, customer: "c", @agent: "bob")
  refund(order: 2, amount: 9, customer: "c", @agent: "bob")
  refund(order: 3, amount: 9, customer: "c", @agent: "bob")
  refund(order: 4, amount: 9, customer: "c", @agent: "bob")

run valid as "a fresh login"
  login.result(input.account: "a", ok: true)
  transfer(account: "a", @time: 3600)

run violated as "after the logout"
  login.result(input.account: "a", ok: true)
  logout()
  transfer(account: "a")

run valid as "a lock that was released"
  lock(name: "db", @agent: "ann")
  unlock(name: "db", @agent: "ann")
  lock(name: "db", @agent: "bob")

run violated as "a lock of another agent"
  lock(name: "db", @agent: "ann")
  lock(name: "db", @agent: "bob")

run valid as "reviewed after the edit"
  edit(file: "a")
  review(file: "a")
  publish(file: "a")

run violated as "edited after the review"
  review(file: "a")
  edit(file: "a")
  publish(file: "a")

run violated as "in production"
  delete(env: "production")

run valid as "closed"
  open(file: "a")
  close(file: "a")
  end()

run violated as "left open"
  open(file: "a")
  open(file: "b")
  close(file: "a")
  end()
-- README.md --
# Rules about data

policy.rules restricts the arguments, the times and the number of calls. policy.tests has runs, an event on each line, with the
verdict that the rules must return.

* Automaton: the results of the tests, with the rule and the values that a run violates.
* Change a window or a limit, and see which runs change their verdict.
`
