// Finds a Chromium for the tests: the one in @sparticuz/chromium, which brings
// the libraries that a bare machine lacks, or else one that is installed.
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** The command-line flags of every Chromium. */
const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * Returns Chromium's path and flags, and whether it is the one from the package. The variable
 * STILE_CHROMIUM overrides the path.
 * @returns {Promise<{ executablePath: string, args: string[], packed: boolean }>}
 */
export async function chromium() {
  const named = process.env["STILE_CHROMIUM"];
  if (named) return { executablePath: named, args: flags, packed: false };
  try {
    // Makes the package unpack its own libraries, wherever it runs.
    process.env["AWS_LAMBDA_JS_RUNTIME"] ??= "nodejs22.x";
    const { default: packed } = await import("@sparticuz/chromium");
    packed.setGraphicsMode = false;
    return { executablePath: await packed.executablePath(), args: flags, packed: true };
  } catch (reason) {
    const installed = onPath(["chromium", "chromium-browser", "google-chrome"]);
    if (installed === undefined)
      throw new Error(`no Chromium: the package's does not unpack (${reason}), and none is installed`);
    return { executablePath: installed, args: flags, packed: false };
  }
}

/**
 * Starts the browser, up to three times: a headless Chromium now and then dies
 * while it starts.
 * @template Browser
 * @param {{ launch(options: object): Promise<Browser> }} type
 * @returns {Promise<Browser>}
 */
export async function launch(type) {
  const { executablePath, args } = await chromium();
  for (let tries = 1; ; tries++) {
    try {
      return await type.launch({ executablePath, args });
    } catch (reason) {
      if (tries === 3) throw reason;
    }
  }
}

function onPath(names) {
  for (const name of names) {
    for (const folder of (process.env["PATH"] ?? "").split(delimiter)) {
      try {
        accessSync(join(folder, name), constants.X_OK);
        return join(folder, name);
      } catch {
        // Not installed here.
      }
    }
  }
  return undefined;
}
