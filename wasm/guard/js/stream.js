// A text of the model that is still being written: the prompts of states, each followed by a content.

import { SPACE, list, quote, show, trim } from "./json.js";

const MAX_WAITING = 256;
const isSpace = (char) => SPACE.includes(char);

/** Returns the offset of the first character other than white space, or -1. */
const firstWord = (text) => text.search(word);
const word = new RegExp("[^" + SPACE + "]");

export const newRun = () => ({ state: 0, ahead: 0, chars: 0, wait: 0, text: "", words: false, done: false });

/** Returns the state after a character in the automaton of a pattern. */
export function stepPattern(pattern, q, char) {
  if (q < 0) return q;
  const c = char.codePointAt(0);
  let low = 0, high = pattern.from.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (pattern.from[middle] <= c) low = middle;
    else high = middle;
  }
  return pattern.next[q][low];
}

/** Reads white space, which is a part of the content if another character follows. */
function space(run, c, char) {
  if (!run.words) return;
  if (c.oneOf && run.wait < MAX_WAITING) run.text += char;
  if (c.pattern) run.ahead = stepPattern(c.pattern, run.ahead, char);
  run.wait++;
}

/** Reads a character other than white space. Returns the fault or "". */
function take(run, c, char, name) {
  if (c.empty) return name + " has no content";
  if (c.maxChars > 0 && run.chars + run.wait + 1 > c.maxChars) return name + " is longer than " + c.maxChars + " characters";
  if (c.oneOf) {
    run.text += char;
    if (!c.oneOf.some((option) => option.startsWith(run.text))) return name + " must be one of: " + list(c.oneOf);
  }
  if (c.pattern) {
    run.ahead = stepPattern(c.pattern, run.ahead, char);
    if (run.ahead < 0) return name + " must match " + show(c.pattern.source);
    run.state = run.ahead;
  }
  run.chars += run.wait + 1;
  run.wait = 0;
  run.words = true;
  return "";
}

/** Returns the number of bytes of a valid text in UTF-8. */
export function sizeOf(text) {
  let n = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    n += c < 0x80 ? 1 : c < 0x800 || (c >= 0xd800 && c <= 0xdfff) ? 2 : 3;
  }
  return n;
}

/** Reads a part of a content, which begins at a byte. Returns [reason, byte] of the first character that no permitted content has there. */
function readContent(spec, letter, run, text, from) {
  const c = spec.contents[letter];
  if (c === null || run.done) return ["", 0];
  let at = from;
  for (const char of text) {
    if (isSpace(char)) space(run, c, char);
    else {
      const fault = take(run, c, char, show(spec.letters[letter]));
      if (fault !== "") {
        run.done = true;
        return [fault, at];
      }
    }
    at += sizeOf(char);
  }
  return ["", 0];
}

/** Returns the fault of a content that ends here, or "". */
function endContent(spec, letter, run) {
  const c = spec.contents[letter];
  if (c === null) return "";
  if (c.oneOf && !c.oneOf.includes(trim(run.text))) return show(spec.letters[letter]) + " must be one of: " + list(c.oneOf);
  if (c.pattern && c.pattern.accept[run.state] === 0) return show(spec.letters[letter]) + " must match " + show(c.pattern.source);
  return "";
}

/** The prompts of a spec. */
export class Prompts {
  constructor(texts, environment) {
    this.texts = texts;
    this.environment = new Set(environment);
    const size = texts.map(sizeOf);
    this.longest = texts.map((_, i) => i).sort((a, b) => size[b] - size[a] || a - b);
    this.initial = new Set(texts.map((text) => text.charCodeAt(0)));
  }

  /** Returns the offset and the letter of the first prompt, the longest one there. Without one, the letter is -1, and no prompt begins before the offset. */
  find(text) {
    for (let i = 0; i < text.length; i++) {
      if (!this.initial.has(text.charCodeAt(i))) continue;
      for (const letter of this.longest) {
        const prompt = this.texts[letter];
        if (text.startsWith(prompt, i)) return [i, letter];
        if (text.length - i < prompt.length && prompt.startsWith(text.slice(i))) return [i, -1];
      }
    }
    return [text.length, -1];
  }
}

/** Returns the text of a spec without prompts so far. */
export function beginText(spec, place) {
  const out = { place: { ...place }, letter: -1, held: "", begun: -1, content: newRun(), plain: [] };
  for (const final of [false, true]) {
    const letters = spec.textOf(out.place, { name: "assistant", final });
    if (letters.length === 0) {
      out.plain = [];
      break;
    }
    out.plain.push(reading(spec, { ...place }, letters));
  }
  return out;
}

/** Returns the reading of a text as the last one of some letters. */
function reading(spec, p, letters) {
  const out = { letter: letters.at(-1), code: "", reason: "", at: -1, content: newRun() };
  for (let k = 0; k < letters.length; k++) {
    const fault = k < letters.length - 1 ? spec.fault(letters[k], "") : "";
    if (!spec.enter(p, letters[k])) return Object.assign(out, { code: "order.event", reason: "the message of the role assistant is not allowed here" });
    if (fault !== "") return Object.assign(out, { code: "content", reason: fault });
  }
  return out;
}

/** Reads a part of a text, which begins at a byte. */
export function feedText(f, spec, i, t, text, from, pending) {
  let rest = t.held + text, base = from - sizeOf(t.held);
  t.held = "";
  while (!t.place.lost) {
    const [at, letter] = spec.prompts.find(rest), before = rest.slice(0, at);
    readPart(f, spec, t, before, base);
    if (letter < 0) {
      t.held = rest.slice(at);
      return;
    }
    f.at = base + sizeOf(before);
    enterPrompt(f, spec, i, t, letter, pending);
    base += sizeOf(before) + sizeOf(spec.prompts.texts[letter]);
    rest = rest.slice(at + spec.prompts.texts[letter].length);
  }
}

const environmental = (spec, letter) => "the content of " + show(spec.letters[letter]) + " is written by the environment";

/** Reads a part of the content of a state, or of the text before the first prompt. */
function readPart(f, spec, t, text, from) {
  if (t.letter >= 0 && !spec.prompts.environment.has(t.letter)) {
    const [reason, at] = readContent(spec, t.letter, t.content, text, from);
    if (reason !== "") {
      f.at = at;
      f.add(spec.name, "content", reason);
    }
    return;
  }
  const first = firstWord(text), byte = from + (first < 0 ? 0 : sizeOf(text.slice(0, first)));
  if (t.letter < 0) readMessage(f, spec, t, text, from, first < 0 ? -1 : byte);
  else if (first >= 0 && !t.content.done) {
    t.content.done = true;
    f.at = byte;
    f.add(spec.name, "feed", environmental(spec, t.letter));
  }
}

/** Reads a part of the text before the first prompt. It is a finding if no reading permits it. */
function readMessage(f, spec, t, text, from, first) {
  if (t.begun < 0 && first >= 0) t.begun = first;
  if (t.begun < 0 || t.plain.length === 0 || t.content.done) return;
  let last = null;
  for (const c of t.plain) {
    if (c.code === "") {
      const [reason, at] = readContent(spec, c.letter, c.content, text, from);
      if (reason !== "") Object.assign(c, { code: "content", reason, at });
    } else if (c.at < 0) c.at = t.begun;
    if (c.code === "") return;
    if (last === null || c.at > last.at) last = c;
  }
  t.content.done = true;
  f.at = last.at;
  f.add(spec.name, last.code, last.reason);
}

/** Ends the content before a prompt, and enters the letter of the prompt. */
function enterPrompt(f, spec, i, t, letter, pending) {
  const { at } = f;
  if (!t.content.done) {
    if (t.letter < 0) {
      if (t.begun >= 0) {
        f.at = t.begun;
        f.add(spec.name, "feed", "text before the first prompt");
        f.at = at;
      }
    } else if (spec.prompts.environment.has(t.letter)) f.add(spec.name, "feed", environmental(spec, t.letter));
    else {
      const reason = endContent(spec, t.letter, t.content);
      if (reason !== "") f.add(spec.name, "content", reason);
    }
  }
  if (t.letter < 0) spec.awaited(i, t.place, letter, [...pending]);
  const before = { ...t.place }, name = show(spec.letters[letter]);
  if (!spec.move(t.place, letter)) {
    const names = spec.letters.filter((_, k) => spec.permits(before, k));
    t.place.lost = f.add(spec.name, "order.event", name + " is not allowed here; " + (names.length > 0 ? "expected: " + list(names) : "no state may follow"));
    return;
  }
  spec.advance(t.place, letter);
  f.properties(spec, before, t.place, name);
  Object.assign(t, { letter, content: newRun(), plain: [], begun: -1 });
}

const bit = (b) => (b ? 1 : 0);

const saveRun = (r) => '{"state":' + r.state + ',"ahead":' + r.ahead + ',"chars":' + r.chars + ',"wait":' + r.wait + ',"text":' + quote(r.text) + ',"words":' + bit(r.words) + ',"done":' + bit(r.done) + "}";

/** Returns the member of a state, "" without a text. */
export function saveText(t, savePlace) {
  if (t === null) return "";
  const f = t.stopped;
  const stopped = f === null ? "null" : '{"verdict":' + quote(f.verdict) + ',"rule":' + quote(f.rule) + ',"code":' + quote(f.code) + ',"reason":' + quote(f.reason) + ',"at":' + f.at + "}";
  return ',"stream":{"bytes":' + t.bytes + ',"stopped":' + stopped + ',"specs":[' + t.specs.map((s) => (s === null ? "null" :
    '{"place":' + savePlace(s.place) + ',"letter":' + s.letter + ',"held":' + quote(s.held) + ',"begun":' + s.begun + ',"content":' + saveRun(s.content) + ',"plain":[' +
    s.plain.map((c) => '{"letter":' + c.letter + ',"code":' + quote(c.code) + ',"reason":' + quote(c.reason) + ',"at":' + c.at + ',"content":' + saveRun(c.content) + "}").join(",") + "]}")).join(",") + "]}";
}

/** Returns a saved content, or null if it is not one of a letter. */
function loadRun(spec, letter, saved) {
  const states = letter < 0 ? 1 : spec.contents[letter]?.pattern?.next.length ?? 1;
  const ok = saved.state >= 0 && saved.state < states && saved.ahead >= -1 && saved.ahead < states && saved.chars >= 0 && saved.wait >= 0;
  return ok ? { ...saved, words: saved.words === 1, done: saved.done === 1 } : null;
}

/** Returns a saved text. loadPlace throws an error for a damaged place; for other damage the result is null. */
export function loadText(specs, saved, most, loadPlace) {
  if (saved.bytes < 0 || saved.bytes > most || saved.specs.length !== specs.length || (saved.stopped !== null && !["deny", "ask"].includes(saved.stopped.verdict))) return null;
  const out = { bytes: saved.bytes, stopped: saved.stopped, specs: [] };
  for (const [i, one] of saved.specs.entries()) {
    const spec = specs[i], fit = (letter, least) => letter >= least && letter < spec.letters.length;
    if ((one === null) !== (spec.prompts === null)) return null;
    if (one === null) {
      out.specs.push(null);
      continue;
    }
    if (!fit(one.letter, -1) || sizeOf(one.held) > saved.bytes || !one.plain.every((c) => fit(c.letter, 0))) return null;
    const content = loadRun(spec, one.letter, one.content), plain = one.plain.map((c) => ({ ...c, content: loadRun(spec, c.letter, c.content) }));
    if (content === null || plain.some((c) => c.content === null)) return null;
    out.specs.push({ place: loadPlace(one.place, i), letter: one.letter, held: one.held, begun: one.begun, content, plain });
  }
  return out;
}
