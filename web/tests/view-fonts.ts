import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";

const require = createRequire(import.meta.url);

/** Fonts in the order of lookup; no font of the machine follows. */
const faces = {
  Letters: "inter-ui/variable/InterVariable.woff2",
  Code: "@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2",
  CodeGreek: "@fontsource-variable/jetbrains-mono/files/jetbrains-mono-greek-wght-normal.woff2",
  Signs: "@fontsource/noto-sans-math/files/noto-sans-math-latin-400-normal.woff2",
  Symbols: "@fontsource/noto-sans-symbols-2/files/noto-sans-symbols-2-symbols-400-normal.woff2",
} as const;

/** Gives a page fonts that are the same on every machine: its own come from the system. */
export async function fixedFonts(page: Page): Promise<void> {
  const rules = Object.keys(faces).map(
    (name) => `@font-face { font-family: "View ${name}"; font-weight: 100 900; src: url("/view-fonts/${name}"); }`,
  );
  const family = (...names: (keyof typeof faces)[]): string => names.map((name) => `"View ${name}"`).join(", ");
  rules.push(
    `:root { --sans: ${family("Letters", "Signs", "Symbols")}; --mono: ${family("Code", "CodeGreek", "Letters", "Signs", "Symbols")}; }`,
  );
  await page.route("**/view-fonts/*", async (route) => {
    const name = new URL(route.request().url()).pathname.split("/").pop() as keyof typeof faces;
    await route.fulfill({ contentType: "font/woff2", body: await readFile(require.resolve(faces[name])) });
  });
  await page.route("**/assets/main.*.css", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${await response.text()}\n${rules.join("\n")}` });
  });
}

/** Returns the fonts of the machine that any text of a page uses. */
export async function foreignFonts(page: Page): Promise<readonly string[]> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("DOM.enable");
  await devtools.send("CSS.enable");
  const { nodes } = await devtools.send("DOM.getFlattenedDocument", { depth: -1, pierce: true });
  const written = new Set(
    nodes.filter((node) => node.nodeType === 3 && node.nodeValue.trim() !== "").map((node) => node.parentId ?? 0),
  );
  const gone = { fonts: [] }; // removed since it was listed
  const answers = await Promise.all(
    [...written].map((nodeId) => devtools.send("CSS.getPlatformFontsForNode", { nodeId }).catch(() => gone)),
  );
  await devtools.detach();
  return [
    ...new Set(
      answers.flatMap(({ fonts }) => fonts.filter((font) => !font.isCustomFont).map((font) => font.familyName)),
    ),
  ];
}
