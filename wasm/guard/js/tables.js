// Rows of temporal operators and groups of aggregates by their values. Most sessions have few of them, so that an empty table is
// null, one entry is not in a Map, and the queue of a window and the indexes are made when they are needed.

import { split } from "./values.js";

const NOTHING = Object.freeze([]);

/** The assignment of a table's columns, as the key of its values, the condition under which it holds, and its last event. A row is never changed. */
export class Row {
  constructor(key, cond, index, end) {
    this.key = key;
    this.cond = cond;
    this.index = index;
    this.end = end; // of the window, or zero
  }
}

/** The solutions of an event, which are the rows of the next one until the end of the window. */
export class Upcoming {
  constructor(next, end) {
    this.next = next;
    this.end = end;
  }
}

class More {
  constructor(queue, indexes) {
    this.queue = queue; // what leaves the window, earliest first; the entries before the head have left
    this.head = 0;
    this.indexes = indexes; // the keys by their parts at some positions
  }
}

const NO_MORE = Object.freeze(new More(NOTHING, null));

/** Entries by their keys. An entry is a group, a row, or a list of rows with the same key and other conditions. */
export class Rows {
  constructor() {
    this.entries = null; // null, the only entry, or a Map
    this.more = NO_MORE;
  }

  get size() { return this.entries === null ? 0 : this.entries instanceof Map ? this.entries.size : 1; }

  /** The only entry's first row. */
  get only() {
    const one = this.entries instanceof Map ? this.entries.values().next().value : this.entries;
    return Array.isArray(one) ? one[0] : one;
  }

  get(key) {
    if (this.entries === null) return undefined;
    if (this.entries instanceof Map) return this.entries.get(key);
    return this.only.key === key ? this.entries : undefined;
  }

  values() { return this.entries === null ? NOTHING : this.entries instanceof Map ? this.entries.values() : [this.entries]; }

  keys() { return this.entries instanceof Map ? [...this.entries.keys()] : this.entries === null ? NOTHING : [this.only.key]; }

  /** Sets the rows of a key of a table, or removes the key if there are none. */
  put(journal, key, list) {
    const before = this.get(key) !== undefined;
    this.set(journal, key, list.length === 0 ? undefined : list.length === 1 ? list[0] : list);
    if (before === list.length > 0) return;
    for (const index of this.more.indexes?.values() ?? NOTHING) enter(journal, index, key, list.length > 0);
  }

  set(journal, key, entry) {
    if (this.entries instanceof Map) journal.put(this.entries, key, entry);
    else if (this.entries === null || this.only.key === key) journal.set(this, "entries", entry ?? null);
    else journal.set(this, "entries", new Map([[this.only.key, this.entries], [key, entry]]));
  }

  #own(journal) {
    if (this.more === NO_MORE) journal.set(this, "more", new More(NOTHING, null));
    return this.more;
  }

  /** Adds an entry that leaves the window. */
  queued(journal, entry) {
    const more = this.#own(journal);
    if (more.queue.length < 8) journal.set(more, "queue", [...more.queue, entry]);
    else journal.push(more.queue, entry);
  }

  /** Returns the entries whose parts at some positions are a key. */
  indexed(m, positions, key) {
    const { journal } = m, more = this.#own(journal), name = positions.join();
    let index = more.indexes?.get(name);
    if (index === undefined) {
      index = { positions, lists: new Map() };
      if (more.indexes === null) journal.set(more, "indexes", new Map());
      journal.put(more.indexes, name, index);
      for (const known of this.entries.keys()) {
        m.step(1);
        enter(journal, index, known, true);
      }
    }
    return [...index.lists.get(key)?.keys() ?? NOTHING].map((known) => this.entries.get(known));
  }
}

/** Adds a key to an index, or removes it. */
function enter(journal, { positions, lists }, key, added) {
  const parts = split(key), name = positions.map((i) => parts[i]).join("");
  if (added && !lists.has(name)) journal.put(lists, name, new Map());
  const list = lists.get(name);
  journal.put(list, key, added ? true : undefined);
  if (list.size === 0) journal.put(lists, name, undefined);
}

/** The rows of a table that has none. */
export const EMPTY = Object.freeze(new Rows());

export const rowsOf = (entry) => (entry === undefined ? NOTHING : Array.isArray(entry) ? entry : [entry]);
