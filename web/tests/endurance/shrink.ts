import type { Step } from "./draw.js";

/**
 * Looks for a shorter sequence that still fails: removes halves, then quarters, down to
 * single steps, until no removal fails. Calls `fails` at most `tries` times, and then
 * returns the shortest sequence so far.
 */
export async function shrink(
  steps: readonly Step[],
  fails: (steps: readonly Step[]) => Promise<boolean>,
  tries: number,
): Promise<readonly Step[]> {
  let shortest = steps;
  let left = tries;
  for (let size = Math.ceil(shortest.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    // The last step failed, so the steps furthest from it are removed first.
    for (let from = 0; from < shortest.length - 1 && left > 0;) {
      const shorter = [...shortest.slice(0, from), ...shortest.slice(Math.min(from + size, shortest.length - 1))];
      left--;
      if (await fails(shorter)) shortest = shorter;
      else from += size;
    }
  }
  return shortest;
}
