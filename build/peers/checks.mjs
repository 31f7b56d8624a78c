// Helpers of the programs that run the providers' libraries against the stand-in, whose address is
// in STILE_STANDIN.

export const base = process.env.STILE_STANDIN;
if (base === undefined) throw new Error("STILE_STANDIN is not set");
export const silent = { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} };

let passed = 0;
let failed = 0;
/** One check; it fails if the body throws. */
export async function check(name, body) {
  try {
    await body();
    console.log(`ok ${name}`);
    passed++;
  } catch (reason) {
    console.log(`FAIL ${name}: ${(reason.stack ?? String(reason)).split("\n").slice(0, 4).join(" | ")}`);
    failed++;
  }
}

/** Ends the program, with 1 if a check failed. */
export function finish() {
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}

/** The error that a promise is rejected with. */
export async function error(promise) {
  try {
    await promise;
  } catch (reason) {
    return reason;
  }
  throw new Error("it was not refused");
}

export async function all(stream) {
  const out = [];
  for await (const item of stream) out.push(item);
  return out;
}
