// Reads the words of a grammar with a stack that has all parses (a graph-structured stack, Tomita 1985; nullable
// nonterminals as in Aycock and Horspool 2002), as package core/gate of Stile does. Calls at the end of a production leave
// nothing on the stack, and parts of it that permit the same continuations are one, so that its size depends on the nesting of
// a run and not on its length.

/** The continuations of a run: productions that have begun, each as a rest and the stack after it. */
class Stack {
  constructor(ends = false, opens = []) { Object.assign(this, { ends, opens, size: 0, shape: "" }); }

  has(rest, up) { return this.opens.some((o) => o.rest === rest && o.up === up); }

  /** Describes the rests and the end, for a comparison. */
  outline() { this.shape = [...new Set(this.opens.map((o) => o.rest))].sort((a, b) => a - b).join(",") + this.ends; }

  /** Adds the continuations of another stack. Returns whether one was missing. */
  share(other) {
    const missing = other.opens.filter((o) => !this.has(o.rest, o.up)), grown = missing.length > 0 || (other.ends && !this.ends);
    this.opens.push(...missing);
    this.ends ||= other.ends;
    return grown;
  }

  /** Returns the stacks that a stack has, each once, beginning with itself. */
  parts() {
    const seen = new Set([this]);
    for (const part of seen) for (const o of part.opens) seen.add(o.up);
    return [...seen];
  }

  /** Replaces each new stack by one with the same continuations, an old one if possible. The old stacks differ from each other. */
  merge(calls) {
    const fresh = new Set(calls.map((call) => call.stack)), others = this.parts().slice(1);
    const old = others.filter((part) => !fresh.has(part)), added = others.filter((part) => fresh.has(part));
    const equal = new Map(added.map((a) => [a, new Set()]));
    added.forEach((a, i) => {
      a.outline();
      for (const b of [...old, ...added.slice(0, i)]) if (a.shape === b.shape) equal.get(a).add(b);
    });
    const same = (a, b) => a === b || equal.get(a)?.has(b) === true || equal.get(b)?.has(a) === true;
    const covers = (a, b) => b.opens.every((o) => a.opens.some((p) => p.rest === o.rest && same(p.up, o.up)));
    for (let changed = true; changed;) {
      changed = false;
      for (const [a, list] of equal) {
        for (const b of list) {
          if (covers(a, b) && covers(b, a)) continue;
          list.delete(b);
          changed = true;
        }
      }
    }
    const instead = new Map(added.map((a) => [a, [...old, ...added].find((b) => same(a, b))]));
    for (const part of [...added, this]) {
      const opens = part.opens;
      part.opens = [];
      for (const { rest, up } of opens) {
        const kept = instead.get(up) ?? up;
        if (!part.has(rest, kept)) part.opens.push({ rest, up: kept });
      }
    }
    this.size = this.parts().reduce((n, part) => n + part.opens.length, 0);
    return this;
  }

  /** Returns the opens in the order of their rests, and of ranks. */
  sorted(rank) { return [...this.opens].sort((a, b) => a.rest - b.rest || (rank.get(a.up) ?? 0) - (rank.get(b.up) ?? 0)); }

  /** Returns the stack as lists: for each part 1 if a word may end, and the rest and the number of the part after it for each open. */
  table() {
    const parts = this.parts(), tied = parts.some((part) => new Set(part.opens.map((o) => o.rest)).size < part.opens.length);
    const rank = tied ? ranks(parts) : new Map(), index = new Map([[this, 0]]), out = [];
    for (const part of index.keys()) {
      const row = [part.ends ? 1 : 0];
      for (const { rest, up } of part.sorted(rank)) {
        if (!index.has(up)) index.set(up, index.size);
        row.push(rest, index.get(up));
      }
      out.push(row);
    }
    return out;
  }
}

function compare(a, b) {
  for (let i = 0; i < a.length && i < b.length; i++) if (a[i] !== b[i]) return a[i] - b[i];
  return a.length - b.length;
}

/** Orders the parts of a stack by their continuations. */
function ranks(parts) {
  let rank = new Map(parts.map((part) => [part, 0]));
  for (let classes = 0; ;) {
    const signed = parts.map((part) => [part, [rank.get(part), part.ends ? 1 : 0, ...part.sorted(rank).flatMap((o) => [o.rest, rank.get(o.up)])]]);
    signed.sort((a, b) => compare(a[1], b[1]));
    const next = new Map();
    let n = 0;
    signed.forEach(([part, sign], i) => {
      if (i > 0 && compare(signed[i - 1][1], sign) !== 0) n++;
      next.set(part, n);
    });
    rank = next;
    if (n + 1 === classes) return rank;
    classes = n + 1;
  }
}

/** A grammar. Every production has to occur in the derivation of a word. */
export class Grammar {
  constructor(letters, productions) {
    Object.assign(this, { letters, byLeft: new Map(), rests: [], after: [] });
    const closed = (test) => {
      const known = new Set();
      for (let size = -1; size < known.size;) {
        size = known.size;
        for (const p of productions) if (test(p.right, known)) known.add(p.left);
      }
      return known;
    };
    const written = closed((right, known) => right.some((symbol) => symbol < letters || known.has(symbol)));
    this.nullable = closed((right, known) => right.every((symbol) => known.has(symbol)));
    const ids = new Map();
    for (const p of productions) {
      const right = p.right.filter((symbol) => symbol < letters || written.has(symbol));
      let before = -1;
      for (let dot = 0; dot <= right.length; dot++) {
        const rest = right.slice(dot), key = rest.join(",");
        if (!ids.has(key)) {
          ids.set(key, this.rests.length);
          this.rests.push(rest);
          this.after.push(-1);
        }
        const id = ids.get(key);
        if (before < 0) this.byLeft.set(p.left, [...this.byLeft.get(p.left) ?? [], id]);
        else this.after[before] = id;
        before = id;
      }
    }
    const bottom = new Stack(true);
    bottom.outline();
    this.first = this.#close(this.byLeft.get(productions[0].left).map((rest) => ({ rest, up: bottom })));
  }

  permits(top, letter) { return top.opens.some((o) => this.rests[o.rest][0] === letter); }

  /** Returns the stack after a letter that is permitted. */
  step(top, letter) {
    return this.#close(top.opens.filter((o) => this.rests[o.rest][0] === letter).map((o) => ({ rest: this.after[o.rest], up: o.up })));
  }

  /** Returns the stack whose opens begin with letters: those after productions that ended, and of nonterminals. */
  #close(queue) {
    const top = new Stack(), calls = new Map(), fresh = new Set(), seen = new Map();
    for (let i = 0; i < queue.length; i++) {
      const { rest: id, up } = queue[i], rest = this.rests[id];
      if (!seen.has(up)) seen.set(up, new Set());
      if (seen.get(up).has(id)) continue;
      seen.get(up).add(id);
      if (rest.length === 0) {
        if (fresh.has(up)) continue; // the caller skipped the nullable nonterminal
        queue.push(...up.opens);
        top.ends ||= up.ends;
        continue;
      }
      if (rest[0] < this.letters) {
        top.opens.push({ rest: id, up });
        continue;
      }
      let call = calls.get(rest[0]);
      if (call === undefined) {
        call = { stack: new Stack(), tails: [] };
        calls.set(rest[0], call);
        fresh.add(call.stack);
        for (const right of this.byLeft.get(rest[0]) ?? []) queue.push({ rest: right, up: call.stack });
      }
      const next = { rest: this.after[id], up };
      if (rest.length === 1) call.tails.push(up);
      else call.stack.opens.push(next);
      if (this.nullable.has(rest[0])) queue.push(next);
    }
    const list = [...calls.values()];
    for (let grown = true; grown;) {
      grown = false;
      for (const { stack, tails } of list) for (const tail of tails) grown = stack.share(tail) || grown;
    }
    return top.merge(list);
  }

  /** Restores a stack from its table. Returns null for a table that no stack of the grammar has. */
  load(table) {
    const parts = table.map(() => new Stack());
    for (const [i, row] of table.entries()) {
      if (row.length % 2 === 0 || row[0] < 0 || row[0] > 1) return null;
      parts[i].ends = row[0] === 1;
      for (let k = 1; k < row.length; k += 2) {
        const rest = this.rests[row[k]], at = row[k + 1];
        if (rest === undefined || rest.length === 0 || at < 1 || at >= parts.length || (i === 0 && rest[0] >= this.letters)) return null;
        parts[i].opens.push({ rest: row[k], up: parts[at] });
        parts[0].size++;
      }
      parts[i].outline();
    }
    return parts.length === 0 || parts[0].parts().length < parts.length ? null : parts[0];
  }
}
