// Runs the adapters of stile-guard against the real packages, with a model that first makes a call that the guard
// refuses. Prints a line for each check, "ok NAME" or "FAIL NAME". STILE names the program stile; the working directory
// has the guards, and stile-guard is installed here.
let failed = 0;

async function check(name, run) {
  try {
    await run();
    console.log(`ok ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAIL ${name}: ${String(error.stack).split("\n").slice(0, 4).join(" | ")}`);
  }
}

for (const part of ["sdks", "uses", "mcp", "proxy"]) {
  const { default: checks } = await import(`./${part}.mjs`);
  for (const [name, run] of Object.entries(checks)) await check(name, run);
}
process.exit(failed > 0 ? 1 : 0);
