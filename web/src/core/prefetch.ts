// Runs before the page's own scripts are loaded. The module is the longest download of a first visit, but the
// worker that uses it starts only after those scripts have run. Therefore this script puts the module into
// the browser's cache in the meantime, and then the layout engine.
import type { Assets } from "./assets.js";

const { module_br, viz } = JSON.parse(document.getElementById("assets")?.textContent ?? "{}") as Assets;

async function have(address: string): Promise<void> {
  const { body, headers } = await fetch(address, { priority: "low" });
  // If the host omits the content encoding, the page does not use this file, so the download is cancelled.
  if (address === module_br && headers.get("content-encoding") !== "br") return body?.cancel();
  const reader = body?.getReader();
  while ((await reader?.read())?.done === false);
}

have(module_br)
  .then(() => have(viz))
  .catch(() => {}); // the consumer reports a failure
