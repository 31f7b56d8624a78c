// Prints the version of the Chromium in which the page is measured.
import { createRequire } from "node:module";
import { launch } from "../../web/tools/chromium.mjs";

const { chromium } = createRequire(new URL("../../web/package.json", import.meta.url))("playwright-core");
const browser = await launch(chromium);
console.log(`Chromium ${browser.version()}`);
await browser.close();
