import type { CoreClient } from "../core/core-client.js";
import type { Diagnostic, File, TestsCase } from "../core/wire.js";

/** The number of cases in the first call. The number in later calls depends on the time of the earlier ones. */
const FIRST = 8;
/** A call longer than this, in milliseconds, delays the analysis of an edit. */
const LONG = 40;

/** The results of the workspace's tests. */
export interface Results {
  readonly cases: readonly TestsCase[];
  readonly faults: readonly Diagnostic[];
}

/** Runs the tests of a workspace in short calls; returns null once `stale` returns true. */
export async function runTests(
  core: Pick<CoreClient, "call">,
  files: readonly File[],
  stale: () => boolean,
): Promise<Results | null> {
  const cases: TestsCase[] = [];
  for (let count = FIRST; ;) {
    const began = performance.now();
    const part = await core.call("tests.run", { files: [...files], from: cases.length, count });
    if (stale()) return null;
    cases.push(...part.cases);
    if (part.cases.length === 0 || cases.length >= part.total) return { cases, faults: part.faults };
    count = performance.now() - began < LONG ? 2 * count : Math.max(1, count >> 1);
  }
}
