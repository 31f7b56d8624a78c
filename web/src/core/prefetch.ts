// Runs before the page's own scripts are loaded. The module takes longest of a first visit's
// downloads, and its consumer starts only when those scripts have run. The module is
// therefore put into the browser's cache meanwhile, then the layout engine.
import type { Assets } from "./assets.js";

const { module_br, viz } = JSON.parse(document.getElementById("assets")?.textContent ?? "{}") as Assets;

async function have(address: string): Promise<void> {
  const { body, headers } = await fetch(address, { priority: "low" });
  // The page does not use a file that the host serves without its content encoding.
  if (address === module_br && headers.get("content-encoding") !== "br") return body?.cancel();
  const reader = body?.getReader();
  while ((await reader?.read())?.done === false);
}

have(module_br)
  .then(() => have(viz))
  .catch(() => {}); // the consumer reports a failure
