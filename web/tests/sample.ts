import { test } from "./fixtures.js";

/** Whether every case runs: `go run ./build test -long`. */
export const LONG = (process.env["STILE_LONG"] ?? "") !== "";

/** Returns a number below n that depends on the name only (FNV-1a). */
function drawn(name: string, n: number): number {
  let hash = 0x811c9dc5;
  for (const unit of name) hash = Math.imul(hash ^ (unit.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash % n;
}

/** The number of skipped cases so far, which makes their titles unique. */
let left = 0;

/**
 * Returns the cases of a law that run: all of them with -long, otherwise one in `n`, at
 * least one. The law's name seeds the draw, so that each run tries the same cases. The
 * others are reported as skipped.
 */
export function sampled<T>(law: string, cases: readonly T[], oneOf: number): readonly T[] {
  if (LONG) return cases;
  const offset = drawn(law, Math.min(oneOf, cases.length));
  const chosen = cases.filter((_, i) => i % oneOf === offset);
  for (let i = chosen.length; i < cases.length; i++) {
    left++;
    test.skip(`left to -long: ${law}, ${left}`, () => {});
  }
  return chosen;
}

/**
 * Returns the function that declares a test which only -long runs. Other tests of the plain run cover most of its
 * code.
 */
export const onlyLong = <T extends { readonly skip: unknown }>(declare: T): T => (LONG ? declare : (declare.skip as T));

/** Whether a check that repeats within one test runs: one in `n` without -long. */
export const inSample = (check: string, oneOf: number): boolean => LONG || drawn(check, oneOf) === 0;
