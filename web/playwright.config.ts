import { defineConfig } from "@playwright/test";
import { chromium } from "./tools/chromium.mjs";

const { executablePath, args } = await chromium();

export default defineConfig({
  testDir: "tests",
  outputDir: "test-results",
  fullyParallel: true,
  workers: 2,
  retries: 0,
  forbidOnly: true,
  // Generous, for half a core: a condition that holds is seen at once, however long a failure takes to be reported.
  timeout: 600_000,
  expect: { timeout: 90_000 },
  snapshotPathTemplate: "{testDir}/views/{arg}{ext}",
  use: {
    baseURL: process.env["STILE_URL"] ?? "http://localhost:6174",
    launchOptions: { executablePath, args },
    reducedMotion: "reduce",
    // But for the tests of what is kept for when there is no network, each page comes from it.
    serviceWorkers: "block",
  } as never,
});
