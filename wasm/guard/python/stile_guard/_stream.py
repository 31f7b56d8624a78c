"""A text of the model that is still being written: the prompts of states, each followed by a content."""

from bisect import bisect_right

from ._json import SPACE, listed, quote, show, trim

_MAX_WAITING = 256


def size_of(text):
    """Returns the number of bytes of a valid text in UTF-8."""
    return len(text) if text.isascii() else len(text.encode())


def _step(pattern, q, char):
    """Returns the state after a character in the automaton of a pattern."""
    return q if q < 0 else pattern["next"][q][bisect_right(pattern["from"], ord(char)) - 1]


class _Run:
    """The state of a content. White space at both ends is no part of it."""

    __slots__ = ("state", "ahead", "chars", "wait", "text", "words", "done")

    def __init__(self, state=0, ahead=0, chars=0, wait=0, text="", words=0, done=0):
        self.state, self.ahead, self.chars, self.wait, self.text, self.words, self.done = state, ahead, chars, wait, text, words == 1, done == 1

    def space(self, c, char):
        """Reads white space, which is a part of the content if another character follows."""
        if not self.words:
            return
        if "oneOf" in c and self.wait < _MAX_WAITING:
            self.text += char
        if "pattern" in c:
            self.ahead = _step(c["pattern"], self.ahead, char)
        self.wait += 1

    def take(self, c, char, name):
        """Reads a character other than white space. Returns the fault or ""."""
        if c.get("empty"):
            return name + " has no content"
        if c.get("maxChars", 0) > 0 and self.chars + self.wait + 1 > c["maxChars"]:
            return name + " is longer than %d characters" % c["maxChars"]
        if "oneOf" in c:
            self.text += char
            if not any(option.startswith(self.text) for option in c["oneOf"]):
                return name + " must be one of: " + listed(c["oneOf"])
        if "pattern" in c:
            self.ahead = _step(c["pattern"], self.ahead, char)
            if self.ahead < 0:
                return name + " must match " + show(c["pattern"]["source"])
            self.state = self.ahead
        self.chars, self.wait, self.words = self.chars + self.wait + 1, 0, True
        return ""

    def read(self, spec, letter, text, start):
        """Reads a part of the content from a byte on. Returns the reason and the byte of the first character that no permitted content has there."""
        c = spec.contents[letter]
        if c is None or self.done:
            return "", 0
        at = start
        for char in text:
            if char in SPACE:
                self.space(c, char)
            else:
                fault = self.take(c, char, show(spec.letters[letter]))
                if fault:
                    self.done = True
                    return fault, at
            at += 1 if char < "\x80" else size_of(char)
        return "", 0

    def end(self, spec, letter):
        """Returns the fault of a content that ends here, or ""."""
        c = spec.contents[letter]
        if c is None:
            return ""
        if "oneOf" in c and trim(self.text) not in c["oneOf"]:
            return show(spec.letters[letter]) + " must be one of: " + listed(c["oneOf"])
        if "pattern" in c and c["pattern"]["accept"][self.state] == 0:
            return show(spec.letters[letter]) + " must match " + show(c["pattern"]["source"])
        return ""

    def save(self):
        return '{"state":%d,"ahead":%d,"chars":%d,"wait":%d,"text":%s,"words":%d,"done":%d}' % (
            self.state, self.ahead, self.chars, self.wait, quote(self.text), self.words, self.done)


def _load_run(spec, letter, saved):
    """Returns a saved content, or None if it is not one of a letter."""
    c = spec.contents[letter] if letter >= 0 else None
    states = len(c["pattern"]["next"]) if c and "pattern" in c else 1
    ok = 0 <= saved["state"] < states and -1 <= saved["ahead"] < states and saved["chars"] >= 0 and saved["wait"] >= 0
    return _Run(**saved) if ok else None


class Prompts:
    """The prompts of a spec."""

    def __init__(self, texts, environment):
        self.texts, self.environment = texts, frozenset(environment)
        self.longest = sorted(range(len(texts)), key=lambda i: -size_of(texts[i]))
        self.initial = frozenset(text[0] for text in texts)

    def find(self, text):
        """Returns the offset and the letter of the first prompt, the longest one there.

        Without one, the letter is -1, and no prompt begins before the offset.
        """
        for i, char in enumerate(text):
            if char not in self.initial:
                continue
            for letter in self.longest:
                prompt = self.texts[letter]
                if text.startswith(prompt, i):
                    return i, letter
                if len(text) - i < len(prompt) and prompt.startswith(text[i:]):
                    return i, -1
        return len(text), -1


class _Reading:
    """A text without prompts as a letter: the last one of the run, or another."""

    __slots__ = ("letter", "code", "reason", "at", "content")

    def __init__(self, letter, code="", reason="", at=-1, content=None):
        self.letter, self.code, self.reason, self.at, self.content = letter, code, reason, at, content or _Run()

    @classmethod
    def of(cls, spec, p, letters):
        for k, letter in enumerate(letters):
            fault = spec.fault(letter, "") if k < len(letters) - 1 else ""
            if not spec.enter(p, letter):
                return cls(letters[-1], "order.event", "the message of the role assistant is not allowed here")
            if fault:
                return cls(letters[-1], "content", fault)
        return cls(letters[-1])

    def save(self):
        return '{"letter":%d,"code":%s,"reason":%s,"at":%d,"content":%s}' % (self.letter, quote(self.code), quote(self.reason), self.at, self.content.save())


class _Message:
    __slots__ = ("name", "final")

    def __init__(self, final):
        self.name, self.final = "assistant", final


class SpecText:
    """A text as a spec sees it."""

    __slots__ = ("place", "letter", "held", "begun", "content", "plain")

    def __init__(self, place, letter=-1, held="", begun=-1, content=None, plain=()):
        self.place, self.letter, self.held, self.begun, self.content, self.plain = place, letter, held, begun, content or _Run(), list(plain)

    @classmethod
    def begin(cls, spec, place):
        out = cls(place.copy())
        for final in (False, True):
            letters = spec.text_of(out.place, _Message(final))
            if not letters:
                out.plain = []
                break
            out.plain.append(_Reading.of(spec, place.copy(), letters))
        return out

    def feed(self, f, spec, i, text, start, pending):
        """Reads a part of the text, which begins at a byte."""
        rest, base = self.held + text, start - size_of(self.held)
        self.held = ""
        while not self.place.lost:
            at, letter = spec.prompts.find(rest)
            self._read(f, spec, rest[:at], base)
            if letter < 0:
                self.held = rest[at:]
                return
            base += size_of(rest[:at])
            f.at = base
            self._prompt(f, spec, i, letter, pending)
            prompt = spec.prompts.texts[letter]
            rest, base = rest[at + len(prompt) :], base + size_of(prompt)

    def _read(self, f, spec, text, start):
        """Reads a part of the content of a state, or of the text before the first prompt."""
        if self.letter >= 0 and self.letter not in spec.prompts.environment:
            reason, at = self.content.read(spec, self.letter, text, start)
            if reason:
                f.at = at
                f.add(spec.name, "content", reason)
            return
        words = text.lstrip(SPACE)
        first = start + size_of(text[: len(text) - len(words)]) if words else -1
        if self.letter < 0:
            self._message(f, spec, text, start, first)
        elif first >= 0 and not self.content.done:
            self.content.done = True
            f.at = first
            f.add(spec.name, "feed", _environmental(spec, self.letter))

    def _message(self, f, spec, text, start, first):
        """Reads a part of the text before the first prompt. It is a finding if no reading permits it."""
        if self.begun < 0 <= first:
            self.begun = first
        if self.begun < 0 or not self.plain or self.content.done:
            return
        last = None
        for c in self.plain:
            if c.code == "":
                reason, at = c.content.read(spec, c.letter, text, start)
                if reason:
                    c.code, c.reason, c.at = "content", reason, at
            elif c.at < 0:
                c.at = self.begun
            if c.code == "":
                return
            if last is None or c.at > last.at:
                last = c
        self.content.done = True
        f.at = last.at
        f.add(spec.name, last.code, last.reason)

    def _prompt(self, f, spec, i, letter, pending):
        """Ends the content before a prompt, and enters the letter of the prompt."""
        at = f.at
        if self.content.done:
            pass
        elif self.letter < 0:
            if self.begun >= 0:
                f.at = self.begun
                f.add(spec.name, "feed", "text before the first prompt")
                f.at = at
        elif self.letter in spec.prompts.environment:
            f.add(spec.name, "feed", _environmental(spec, self.letter))
        else:
            reason = self.content.end(spec, self.letter)
            if reason:
                f.add(spec.name, "content", reason)
        if self.letter < 0:
            spec.awaited(i, self.place, letter, list(pending))
        before, name = self.place.copy(), show(spec.letters[letter])
        if not spec.move(self.place, letter):
            names = [other for k, other in enumerate(spec.letters) if spec.permits(before, k)]
            self.place.lost = f.add(
                spec.name, "order.event", name + " is not allowed here; " + ("expected: " + listed(names) if names else "no state may follow"))
            return
        spec.advance(self.place, letter)
        f.properties(spec, before.properties, self.place, name)
        self.letter, self.content, self.plain, self.begun = letter, _Run(), [], -1

    def save(self):
        return '{"place":%s,"letter":%d,"held":%s,"begun":%d,"content":%s,"plain":[%s]}' % (
            self.place.save(), self.letter, quote(self.held), self.begun, self.content.save(), ",".join(c.save() for c in self.plain))


def _environmental(spec, letter):
    return "the content of " + show(spec.letters[letter]) + " is written by the environment"


class Text:
    """A text of the model. stopped is None or the verdict, rule, code, reason and byte of the finding that refuses it."""

    __slots__ = ("bytes", "stopped", "specs")

    def __init__(self, size, stopped, specs):
        self.bytes, self.stopped, self.specs = size, stopped, specs

    def save(self):
        stopped = "null"
        if self.stopped is not None:
            verdict, rule, code, reason, at = self.stopped
            stopped = '{"verdict":%s,"rule":%s,"code":%s,"reason":%s,"at":%d}' % (quote(verdict), quote(rule), quote(code), quote(reason), at)
        return ',"stream":{"bytes":%d,"stopped":%s,"specs":[%s]}' % (self.bytes, stopped, ",".join("null" if s is None else s.save() for s in self.specs))


def load_text(specs, saved, most, load_place):
    """Returns a saved text, or None for a damaged one. load_place raises an exception for a damaged place."""
    stopped = saved["stopped"]
    if not 0 <= saved["bytes"] <= most or len(saved["specs"]) != len(specs) or stopped is not None and stopped["verdict"] not in ("deny", "ask"):
        return None
    out = Text(saved["bytes"], stopped and tuple(stopped[name] for name in ("verdict", "rule", "code", "reason", "at")), [])
    for spec, one in zip(specs, saved["specs"]):
        if (one is None) != (spec.prompts is None):
            return None
        if one is None:
            out.specs.append(None)
            continue
        n, letter = len(spec.letters), one["letter"]
        if not -1 <= letter < n or size_of(one["held"]) > saved["bytes"] or not all(0 <= c["letter"] < n for c in one["plain"]):
            return None
        content = _load_run(spec, letter, one["content"])
        plain = [_Reading(c["letter"], c["code"], c["reason"], c["at"], _load_run(spec, c["letter"], c["content"])) for c in one["plain"]]
        if content is None or any(_load_run(spec, c["letter"], c["content"]) is None for c in one["plain"]):
            return None
        out.specs.append(SpecText(load_place(spec, one["place"]), letter, one["held"], one["begun"], content, plain))
    return out
