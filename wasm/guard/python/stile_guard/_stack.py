"""Reads the words of a grammar with a stack that has all parses.

It is a graph-structured stack (Tomita 1985; nullable nonterminals as in Aycock and Horspool 2002), as in package core/gate of
Stile. Calls at the end of a production leave nothing on the stack, and parts of it that permit the same continuations are one, so
that its size depends on the nesting of a run and not on its length.
"""


class Stack:
    """The continuations of a run: productions that have begun, each as a rest and the stack after it."""

    __slots__ = ("opens", "ends", "size", "shape")

    def __init__(self, ends=False):
        self.opens, self.ends, self.size, self.shape = {}, ends, 0, ()  # the keys of opens are in the order of their addition

    def outline(self):
        """Describes the rests and the end, for a comparison."""
        self.shape = (self.ends, *sorted({rest for rest, _ in self.opens}))

    def share(self, other):
        """Adds the continuations of another stack. Returns whether one was missing."""
        before, ended = len(self.opens), self.ends
        self.opens.update(dict.fromkeys(list(other.opens)))
        self.ends = ended or other.ends
        return len(self.opens) > before or self.ends != ended

    def parts(self):
        """Returns the stacks that a stack has, each once, beginning with itself."""
        out, seen = [self], {self}
        for part in out:
            for _, up in part.opens:
                if up not in seen:
                    seen.add(up)
                    out.append(up)
        return out

    def merge(self, calls):
        """Replaces each new stack by one with the same continuations, an old one if possible.

        The old stacks differ from each other.
        """
        fresh, others = {stack for stack, _ in calls}, self.parts()[1:]
        old, added = [p for p in others if p not in fresh], [p for p in others if p in fresh]
        equal = set()
        for i, a in enumerate(added):
            a.outline()
            equal.update((a, b) for b in old + added[:i] if a.shape == b.shape)

        def same(a, b):
            return a is b or (a, b) in equal or (b, a) in equal

        def covers(a, b):
            return all(any(rest == other and same(up, to) for other, to in a.opens) for rest, up in b.opens)

        changed = True
        while changed:
            wrong = {(a, b) for a, b in equal if not (covers(a, b) and covers(b, a))}
            equal -= wrong
            changed = bool(wrong)
        instead = {a: next(b for b in old + added if same(a, b)) for a in added}
        for part in added + [self]:
            part.opens = dict.fromkeys((rest, instead.get(up, up)) for rest, up in part.opens)
        self.size = sum(len(part.opens) for part in self.parts())
        return self

    def sorted(self, rank):
        """Returns the opens in the order of their rests, and of ranks."""
        return sorted(self.opens, key=lambda o: (o[0], rank.get(o[1], 0)))

    def table(self):
        """Returns the stack as lists: for each part 1 if a word may end, and the rest and the number of the part after it for each open."""
        parts = self.parts()
        tied = any(len({rest for rest, _ in part.opens}) < len(part.opens) for part in parts)
        rank, index, queue, out = _ranks(parts) if tied else {}, {self: 0}, [self], []
        for part in queue:
            row = [int(part.ends)]
            for rest, up in part.sorted(rank):
                if up not in index:
                    index[up] = len(queue)
                    queue.append(up)
                row += (rest, index[up])
            out.append(row)
        return out


def _ranks(parts):
    """Orders the parts of a stack by their continuations."""
    rank, classes = dict.fromkeys(parts, 0), 0
    while True:
        signs = {part: (rank[part], part.ends, *(n for rest, up in part.sorted(rank) for n in (rest, rank[up]))) for part in parts}
        order = {sign: n for n, sign in enumerate(sorted(set(signs.values())))}
        rank = {part: order[sign] for part, sign in signs.items()}
        if len(order) == classes:
            return rank
        classes = len(order)


class Grammar:
    """A grammar. Every production has to occur in the derivation of a word."""

    def __init__(self, letters, productions):
        self.letters, self.by_left, self.rests, self.after = letters, {}, [], []

        def closed(test):
            known, size = set(), -1
            while size < len(known):
                size = len(known)
                known.update(left for left, right in productions if test(right, known))
            return known

        written = closed(lambda right, known: any(symbol < letters or symbol in known for symbol in right))
        self.nullable = closed(lambda right, known: all(symbol in known for symbol in right))
        ids = {}
        for left, symbols in productions:
            right, before = tuple(symbol for symbol in symbols if symbol < letters or symbol in written), None
            for dot in range(len(right) + 1):
                rest = right[dot:]
                if rest not in ids:
                    ids[rest] = len(self.rests)
                    self.rests.append(rest)
                    self.after.append(-1)
                if before is None:
                    self.by_left.setdefault(left, []).append(ids[rest])
                else:
                    self.after[before] = ids[rest]
                before = ids[rest]
        bottom = Stack(True)
        bottom.outline()
        self.first = self._close([(rest, bottom) for rest in self.by_left[productions[0][0]]])

    def permits(self, top, letter):
        return any(self.rests[rest][0] == letter for rest, _ in top.opens)

    def step(self, top, letter):
        """Returns the stack after a letter that is permitted."""
        return self._close([(self.after[rest], up) for rest, up in top.opens if self.rests[rest][0] == letter])

    def _close(self, queue):
        """Returns the stack whose opens begin with letters: those after productions that ended, and of nonterminals."""
        top, calls, fresh, seen = Stack(), {}, set(), set()
        for o in queue:
            if o in seen:
                continue
            seen.add(o)
            up, rest = o[1], self.rests[o[0]]
            if not rest:
                if up not in fresh:  # otherwise the caller skipped the nullable nonterminal
                    queue.extend(up.opens)
                    top.ends = top.ends or up.ends
                continue
            if rest[0] < self.letters:
                top.opens[o] = None
                continue
            if rest[0] not in calls:
                calls[rest[0]] = Stack(), []
                fresh.add(calls[rest[0]][0])
                queue.extend((right, calls[rest[0]][0]) for right in self.by_left.get(rest[0], ()))
            (stack, tails), after = calls[rest[0]], (self.after[o[0]], up)
            if len(rest) == 1:
                tails.append(up)
            else:
                stack.opens[after] = None
            if rest[0] in self.nullable:
                queue.append(after)
        grown = True
        while grown:
            grown = False
            for stack, tails in calls.values():
                for tail in tails:
                    grown = stack.share(tail) or grown
        return top.merge(list(calls.values()))

    def load(self, table):
        """Restores a stack from its table. Returns None for a table that no stack of the grammar has."""
        parts = [Stack() for _ in table]
        for i, row in enumerate(table):
            if len(row) % 2 == 0 or not 0 <= row[0] <= 1:
                return None
            parts[i].ends = row[0] == 1
            for rest, at in zip(row[1::2], row[2::2]):
                if not 0 <= rest < len(self.rests) or not 1 <= at < len(parts):
                    return None
                symbols = self.rests[rest]
                if not symbols or i == 0 and symbols[0] >= self.letters:
                    return None
                parts[i].opens[rest, parts[at]] = None
                parts[0].size += 1
            parts[i].outline()
        return parts[0] if parts and len(parts[0].parts()) == len(parts) else None
