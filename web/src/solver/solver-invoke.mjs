// Calls from Z3's module that may throw.
//
// Z3 was compiled for engines without exceptions: for each call within a C++ try, it calls a JavaScript
// function that calls back within a JavaScript try. These calls take a third of Z3's time. This file builds a
// small module with WebAssembly exceptions that provides these functions, from the names of Z3's
// imports, so that a call leaves WebAssembly only if an exception is thrown.

const I32 = 0x7f;
const types = { i: I32, j: 0x7e, f: 0x7d, d: 0x7c };

/** Encodes a number as LEB128. */
function leb(n) {
  const out = [];
  do {
    out.push((n & 0x7f) | (n > 0x7f ? 0x80 : 0));
    n >>>= 7;
  } while (n > 0);
  return out;
}

/** Encodes a constant as signed LEB128. */
function constant(n) {
  const out = leb(n);
  const last = out.at(-1) ?? 0;
  return [0x41, ...(last & 0x40 ? [...out.slice(0, -1), last | 0x80, 0] : out)];
}

const list = (items) => [...leb(items.length), ...items.flat()];
const sized = (bytes) => [...leb(bytes.length), ...bytes];
const word = (text) => sized([...new TextEncoder().encode(text)]);
const section = (id, items) => [id, ...sized(list(items))];

/**
 * Returns the module with these functions, and a table for Z3's functions. Three further functions follow Z3's in
 * the table: they read the stack pointer, set it, and record a thrown exception.
 */
function source(names, size) {
  const kinds = names.map((name) => name.slice("invoke_".length));
  const result = (kind) => (kind[0] === "v" ? [] : [types[kind[0]]]);
  const params = (kind) => [...kind.slice(1)].map((letter) => types[letter]);
  const type = (from, to) => [0x60, ...list(from.map((t) => [t])), ...list(to.map((t) => [t]))];
  // Types 0 to 2 are of those three; then each name has its own type and that of its callee.
  const all = [
    type([], [I32]),
    type([I32], []),
    type([I32, I32], []),
    ...kinds.flatMap((kind) => [type([I32, ...params(kind)], result(kind)), type(params(kind), result(kind))]),
  ];
  const call = (slot, type) => [...constant(slot), 0x11, ...leb(type), 0];
  const body = (kind, i) => {
    const count = kind.length; // the index, and one for each parameter
    const get = (local) => [0x20, ...leb(local)];
    return sized([
      ...list([[1, I32]]),
      ...call(size, 0),
      0x21,
      ...leb(count), // the stack pointer
      0x06,
      kind[0] === "v" ? 0x40 : types[kind[0]],
      ...params(kind).flatMap((_, p) => get(p + 1)),
      ...get(0),
      0x11,
      ...leb(4 + 2 * i),
      0,
      0x19,
      0x10,
      0,
      0x45,
      0x04,
      0x40,
      0x09,
      1,
      0x0b, // rethrow exceptions that are not C++'s
      ...get(count),
      ...call(size + 1, 1),
      ...constant(1),
      ...constant(0),
      ...call(size + 2, 2),
      ...(kind[0] === "v"
        ? []
        : { i: [0x41, 0], j: [0x42, 0], f: [0x43, 0, 0, 0, 0], d: [0x44, 0, 0, 0, 0, 0, 0, 0, 0] }[kind[0]]),
      0x0b,
      0x0b,
    ]);
  };
  return new Uint8Array([
    0,
    0x61,
    0x73,
    0x6d,
    1,
    0,
    0,
    0,
    ...section(1, all),
    ...section(2, [[...word("z3"), ...word("thrown"), 0, 0]]),
    ...section(
      3,
      kinds.map((_, i) => leb(3 + 2 * i)),
    ),
    ...section(4, [[0x70, 0, ...leb(size + 3)]]),
    ...section(7, [...names.map((name, i) => [...word(name), 0, ...leb(1 + i)]), [...word("table"), 1, 0]]),
    ...section(10, kinds.map(body)),
  ]);
}

/** The maximum size of Z3's table, which has about ten thousand entries. */
const ROOM = 100_000;

/**
 * Instantiates a module that Emscripten compiled, with such functions if it imports some and the
 * engine has exceptions.
 */
export function instantiate(module, imports) {
  const { env } = imports;
  const names = Object.keys(env ?? {}).filter((name) => /^invoke_[vijfd]+$/.test(name));
  const bytes = names.length > 0 ? source(names, ROOM) : undefined;
  if (bytes === undefined || !WebAssembly.validate(bytes)) return new WebAssembly.Instance(module, imports);
  // Only C++ exceptions are caught; exit, for example, is another kind.
  let thrown = 0;
  const throws =
    (f) =>
    (...args) => {
      thrown = 1;
      return f(...args);
    };
  const own = new WebAssembly.Instance(new WebAssembly.Module(bytes), {
    z3: { thrown: () => [thrown, (thrown = 0)][0] },
  }).exports;
  const through = { ...env };
  for (const name of names) through[name] = own[name];
  for (const name of ["__cxa_throw", "__cxa_rethrow", "__resumeException"])
    if (env[name] !== undefined) through[name] = throws(env[name]);
  const made = new WebAssembly.Instance(module, { ...imports, env: through });
  const {
    __indirect_function_table: theirs,
    emscripten_stack_get_current: place,
    _emscripten_stack_restore: restore,
    setThrew: note,
  } = made.exports;
  if (
    theirs === undefined ||
    theirs.length > ROOM ||
    place === undefined ||
    restore === undefined ||
    note === undefined
  )
    return new WebAssembly.Instance(module, imports);
  for (let i = 0; i < theirs.length; i++) own.table.set(i, theirs.get(i));
  for (const [i, f] of [place, restore, note].entries()) own.table.set(ROOM + i, f);
  return made;
}
