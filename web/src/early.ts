// What runs before the page's own scripts have arrived. Of all that a first visit
// fetches the module takes longest, and whoever needs it starts only when those scripts
// have run: it is put into the browser's cache meanwhile, and the layout engine after it.
import type { Assets } from "./assets.js";

const { module_br, viz } = JSON.parse(document.getElementById("assets")?.textContent ?? "{}") as Assets;

async function have(address: string): Promise<void> {
  const { body, headers } = await fetch(address, { priority: "low" });
  // From a host that does not unpack it, it is not what will be used.
  if (address === module_br && headers.get("content-encoding") !== "br") return body?.cancel();
  const reader = body?.getReader();
  while ((await reader?.read())?.done === false);
}

have(module_br).then(() => have(viz)).catch(() => {}); // those who need it say what is missing
