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
  // For a machine of two busy cores: what holds, holds at once, and what does not is told all the same.
  timeout: 180_000,
  expect: { timeout: 45_000 },
  snapshotPathTemplate: "{testDir}/views/{arg}{ext}",
  use: {
    baseURL: process.env["STILE_URL"] ?? "http://localhost:6174",
    launchOptions: { executablePath, args },
    reducedMotion: "reduce",
    // But for the tests of what is kept for when there is no network, each page comes from it.
    serviceWorkers: "block",
  } as never,
});
