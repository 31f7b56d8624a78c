// Strict JSON and the texts that all runtimes of compiled guards share.

export const MAX_ARGUMENTS = 1 << 18;
export const MAX_DEPTH = 64;

/** Returns the number of bytes of a text in UTF-8, or -1 if it contains a lone surrogate. */
export function utf8Length(text) {
  let n = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c < 0x80) n++;
    else if (c < 0x800) n += 2;
    else if (c < 0xd800 || c > 0xdfff) n += 3;
    else {
      const low = text.charCodeAt(++i);
      if (c > 0xdbff || !(low >= 0xdc00 && low <= 0xdfff)) return -1;
      n += 4;
    }
  }
  return n;
}

/** Quotes a name in ASCII, so that names that look alike differ, and shortens a long one. */
export function show(name) {
  let out = '"', n = 0;
  for (const char of name) {
    if (++n > 60) { out += "..."; break; }
    const c = char.codePointAt(0);
    out += c >= 0x20 && c <= 0x7e && char !== '"' && char !== "\\" ? char : "\\u{" + c.toString(16) + "}";
  }
  return out + '"';
}

/** Lists at most the first eight names. */
export function list(names) {
  const out = names.slice(0, 8).map(show);
  if (names.length > 8) out.push((names.length - 8) + " more");
  return out.join(", ");
}

export const quote = (text) => JSON.stringify(text);

/** The characters of Unicode's property White_Space. */
export const SPACE = "\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000";

/** Removes Unicode white space at both ends of a text. */
export function trim(text) {
  return text.replace(/^[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/, "").replace(trailing, "$1");
}
const trailing = /^([^]*[^\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000])[^]*$/;

/** Returns the ASCII letters and digits of a name, in lower case. */
export function plain(name) {
  return name.replace(/[^a-zA-Z0-9]+/g, "").toLowerCase();
}

const digit = (c) => c >= 48 && c <= 57;

/** Reads JSON. If strict is true, duplicate names and lone surrogates are faults. */
export class Scanner {
  constructor(text, depth = MAX_DEPTH, strict = true) { Object.assign(this, { text, at: 0, fault: "", most: depth, strict }); }

  fail(reason) { if (this.fault === "") this.fault = reason; this.at = this.text.length; }

  space() {
    for (;;) {
      const c = this.text.charCodeAt(this.at);
      if (c !== 32 && c !== 9 && c !== 10 && c !== 13) return;
      this.at++;
    }
  }

  value(depth) {
    const from = this.at, c = this.text.charCodeAt(from);
    const v = { kind: this.text[from] ?? "", raw: "", text: "", names: [], items: [] };
    if (!this.strict && depth > this.most) this.fail("nesting deeper than " + this.most);
    else if (c === 123 || c === 91) {
      if (depth > this.most) { this.fail("nesting deeper than " + this.most); return v; }
      this.members(v, depth);
    } else if (c === 34) v.text = this.string();
    else if (c === 45 || digit(c)) { v.kind = "0"; this.number(); }
    else if (c === 116) this.word("true");
    else if (c === 102) this.word("false");
    else if (c === 110) this.word("null");
    else this.fail("syntax error");
    if (this.fault === "") v.raw = this.text.slice(from, this.at);
    return v;
  }

  members(v, depth) {
    const shut = v.kind === "{" ? "}" : "]";
    this.at++;
    this.space();
    if (this.text[this.at] === shut) { this.at++; return; }
    const seen = new Set();
    while (this.fault === "") {
      if (v.kind === "{") {
        this.space();
        if (this.text[this.at] !== '"') { this.fail("syntax error"); return; }
        const name = this.string();
        this.space();
        if (this.text[this.at] !== ":") { this.fail("syntax error"); return; }
        this.at++;
        if (this.strict && seen.has(name)) { this.fail("duplicate name " + show(name)); return; }
        seen.add(name);
        v.names.push(name);
      }
      this.space();
      v.items.push(this.value(depth + 1));
      this.space();
      const next = this.text[this.at];
      if (next === ",") this.at++;
      else if (next === shut) { this.at++; return; }
      else this.fail("syntax error");
    }
  }

  word(text) {
    if (!this.text.startsWith(text, this.at)) this.fail("syntax error");
    else this.at += text.length;
  }

  digits() {
    const from = this.at;
    while (digit(this.text.charCodeAt(this.at))) this.at++;
    if (this.at === from) this.fail("syntax error");
  }

  number() {
    if (this.text[this.at] === "-") this.at++;
    if (this.text[this.at] === "0") this.at++;
    else this.digits();
    if (this.text[this.at] === ".") { this.at++; this.digits(); }
    if (this.text[this.at] === "e" || this.text[this.at] === "E") {
      this.at++;
      if (this.text[this.at] === "+" || this.text[this.at] === "-") this.at++;
      this.digits();
    }
  }

  string() {
    this.at++;
    let out = "", from = this.at;
    while (this.at < this.text.length) {
      const c = this.text.charCodeAt(this.at++);
      if (c === 34) return out + this.text.slice(from, this.at - 1);
      if (c < 32) this.fail("syntax error");
      else if (c === 92) {
        out += this.text.slice(from, this.at - 1) + this.escape();
        from = this.at;
      }
    }
    this.fail("syntax error");
    return "";
  }

  escape() {
    const c = this.text[this.at++] ?? "";
    const i = c === "" ? -1 : '"\\/bfnrt'.indexOf(c);
    if (i >= 0) return '"\\/\b\f\n\r\t'[i];
    if (c !== "u") { this.fail("syntax error"); return ""; }
    const high = this.hex();
    if (high < 0xd800 || high > 0xdfff) return String.fromCharCode(high);
    if (high < 0xdc00 && this.text.startsWith("\\u", this.at)) {
      this.at += 2;
      const low = this.hex();
      if (low >= 0xdc00 && low <= 0xdfff) return String.fromCharCode(high, low);
      this.at -= 6;
    }
    if (!this.strict) return "\ufffd";
    this.fail("invalid Unicode");
    return "";
  }

  hex() {
    const digits = this.text.slice(this.at, this.at + 4);
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) { this.fail("syntax error"); return 0; }
    this.at += 4;
    return parseInt(digits, 16);
  }
}

/** Reads a text of at most max bytes that is one JSON value. Returns [value, fault]. */
export function scan(text, max) {
  const size = utf8Length(text);
  if (size < 0) return [null, "invalid Unicode"];
  if (size > max) return [null, "larger than " + max + " bytes"];
  const s = new Scanner(text);
  s.space();
  const v = s.value(1);
  s.space();
  if (s.fault === "" && s.at < text.length) s.fail("syntax error");
  return [v, s.fault];
}

/** Returns the only member's value, as the text of a string or the source of another value; otherwise v's source. */
export function onlyValue(v) {
  if (v.kind !== "{" || v.items.length !== 1) return v.raw;
  return v.items[0].kind === '"' ? v.items[0].text : v.items[0].raw;
}

/** Writes a value as JSON. Throws for a value that JSON cannot represent. */
export function encode(v, depth = 1) {
  if (depth > MAX_DEPTH + 1) throw new Error("nesting deeper than " + MAX_DEPTH);
  switch (typeof v) {
    case "string": return utf8Length(v) < 0 ? fail("invalid Unicode") : quote(v);
    case "number": return Number.isFinite(v) ? String(v) : fail("syntax error");
    case "bigint": case "boolean": return String(v);
    case "object": break;
    default: return fail("syntax error");
  }
  if (v === null) return "null";
  if (Array.isArray(v)) return "[" + Array.from(v, (item) => encode(item, depth + 1)).join(",") + "]";
  const proto = Object.getPrototypeOf(v);
  if (proto !== null && Object.getPrototypeOf(proto) !== null) return fail("syntax error"); // a Map, a Date, a class
  const names = Object.keys(v).filter((name) => v[name] !== undefined);
  return "{" + names.map((name) => encode(name, depth) + ":" + encode(v[name], depth + 1)).join(",") + "}";
}

function fail(reason) { throw new Error(reason); }

/** Writes a value so that equal values have equal texts: without space, with sorted members, and with numbers by their exact decimals. */
export function canonical(v) {
  switch (v.kind) {
    case '"': return quote(v.text);
    case "0": return exact(v.raw);
    case "[": return "[" + v.items.map(canonical).join(",") + "]";
    case "{": return "{" + v.names.map((name, i) => quote(name) + ":" + canonical(v.items[i])).sort(byPoints).join(",") + "}";
  }
  return v.raw;
}

/** Writes a number as an integer without zeros at its end and a power of ten. An exponent of more than 8 characters stays. */
function exact(raw) {
  const [, sign, whole, fraction = "", power = "0"] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE](.+))?$/.exec(raw);
  if (power.length > 8) return raw;
  const digits = (whole + fraction).replace(/^0+/, "");
  if (digits === "") return "0";
  let n = digits.length;
  while (digits[n - 1] === "0") n--;
  return sign + digits.slice(0, n) + "e" + (Number(power) - fraction.length + digits.length - n);
}

/** Orders texts by code points. */
function byPoints(a, b) {
  const order = (text) => text.replace(/[\ud800-\uffff]/g, (unit) => String.fromCharCode(unit.charCodeAt(0) + (unit < "\ue000" ? 0x2000 : -0x800)));
  return order(a) < order(b) ? -1 : 1;
}

/**
 * Words, in lower-case letters and digits. No log line shows the values of fields that have one of them as a part of their name, or
 * one of at least five letters anywhere in it.
 */
export const SECRETS = ["apikey", "auth", "authorization", "cookie", "credential", "credentials", "jwt", "key", "passphrase", "passwd", "password", "privatekey", "pwd", "secret", "token"];
const VALUES = ["value", "values", "val", "v", "content", "text", "data"], REDACTED = '"[redacted]"';

function hides(hidden, name) {
  const whole = plain(name), parts = name.replace(/[^a-zA-Z0-9]+/g, " ").replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase().split(" ");
  return hidden.has(whole) || parts.some((part) => part !== "" && hidden.has(part)) || SECRETS.some((word) => word.length >= 5 && whole.includes(word));
}

/** Reports whether a value is the name of a field whose value is not shown. */
const names = (hidden, v) => v.kind === '"' && v.text.length <= 64 && /^[\w.-]+$/.test(v.text) && hides(hidden, v.text);

/** Removes characters at the end of a text. */
function cut(text, chars) {
  let n = text.length;
  while (n > 0 && chars.includes(text[n - 1])) n--;
  return text.slice(0, n);
}

/** Reports whether a text contains a secret, or a name with a value that is not shown. */
function leaks(hidden, text) {
  if (/(?:^|[^a-zA-Z0-9])(?:bearer |sk-|ghp_|xoxb-|eyj)[^]/i.test(text)) return true;
  return cut(text, "\\\"' :=").split(/[:=]/).slice(0, -1).some((part) => part !== "" && hides(hidden, cut(part, "\\\"' ").split(/[^\w.-]/).at(-1)));
}

/** Writes a value as JSON without secrets. */
export function without(v, hidden) {
  if (v.kind === '"') {
    const start = trim(v.text)[0], [inner, fault] = start === "{" || start === "[" || start === '"' ? scan(v.text, MAX_ARGUMENTS) : [null, " "];
    if (fault === "") return quote(without(inner, hidden));
    return leaks(hidden, v.text) ? REDACTED : quote(v.text);
  }
  if (v.kind === "[") return "[" + v.items.map((item, i) => (i > 0 && names(hidden, v.items[i - 1]) ? REDACTED : without(item, hidden))).join(",") + "]";
  if (v.kind !== "{") return v.raw;
  const named = v.items.some((item) => names(hidden, item));
  return "{" + v.names.map((name, i) => quote(name) + ":" + (hides(hidden, name) || (named && VALUES.includes(plain(name))) ? REDACTED : without(v.items[i], hidden))).join(",") + "}";
}

/** Returns the SHA-256 of a text in hexadecimal digits. */
export function sha256(text) {
  const bytes = new TextEncoder().encode(text);
  const data = new Uint8Array((bytes.length + 72) & ~63);
  data.set(bytes);
  data[bytes.length] = 0x80;
  const view = new DataView(data.buffer);
  view.setUint32(data.length - 8, Math.floor(bytes.length / 0x20000000));
  view.setUint32(data.length - 4, bytes.length << 3);
  const h = Uint32Array.from([0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19]);
  const w = new Uint32Array(64);
  const turn = (x, n) => (x >>> n) | (x << (32 - n));
  for (let at = 0; at < data.length; at += 64) {
    for (let i = 0; i < 16; i++) w[i] = view.getUint32(at + 4 * i);
    for (let i = 16; i < 64; i++) {
      const a = w[i - 15], b = w[i - 2];
      w[i] = w[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)) + w[i - 7] + (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10));
    }
    let [a, b, c, d, e, f, g, k] = h;
    for (let i = 0; i < 64; i++) {
      const t1 = (k + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + rounds[i] + w[i]) | 0;
      const t2 = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      k = g; g = f; f = e; e = (d + t1) | 0; d = c; c = b; b = a; a = (t1 + t2) | 0;
    }
    [a, b, c, d, e, f, g, k].forEach((x, i) => { h[i] += x; });
  }
  return Array.from(h, (x) => x.toString(16).padStart(8, "0")).join("");
}

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
const rounds = Uint32Array.from((
  "428a2f9871374491b5c0fbcfe9b5dba53956c25b59f111f1923f82a4ab1c5ed5d807aa9812835b01243185be550c7dc372be5d7480deb1fe9bdc06a7c19bf174" +
  "e49b69c1efbe47860fc19dc6240ca1cc2de92c6f4a7484aa5cb0a9dc76f988da983e5152a831c66db00327c8bf597fc7c6e00bf3d5a7914706ca635114292967" +
  "27b70a852e1b21384d2c6dfc53380d13650a7354766a0abb81c2c92e92722c85a2bfe8a1a81a664bc24b8b70c76c51a3d192e819d6990624f40e3585106aa070" +
  "19a4c1161e376c082748774c34b0bcb5391c0cb34ed8aa4a5b9cca4f682e6ff3748f82ee78a5636f84c878148cc7020890befffaa4506cebbef9a3f7c67178f2"
).match(/.{8}/g), (text) => parseInt(text, 16));
