import { defineConfig } from "@playwright/test";
import { chromium } from "./tools/chromium.mjs";

const { executablePath, args } = await chromium();
const long = Object.keys(process.env).some((name) => name === "STILE_LONG" || name.startsWith("ENDURANCE_"));

/**
 * Each test compiles the modules again. Without these flags, V8 validates functions that never run, and
 * optimizes functions that soon run no more, in a fifth of the browser's time. The build tool validates the
 * modules, and -long runs without the flags.
 */
const v8 = "--js-flags=--wasm-lazy-validation,--wasm-tiering-budget=100000000";

export default defineConfig({
  testDir: "tests",
  // The tests with injected faults take minutes; only -long and the step "endurance" run them.
  testIgnore: long ? [] : ["endurance/**"],
  outputDir: "test-results",
  fullyParallel: true,
  workers: 3, // on two cores: a test often waits, while the other lane of the tests computes
  retries: 0,
  forbidOnly: true,
  // Long enough for half a core: only failures wait this long; a condition that holds continues
  // at once.
  timeout: 600_000,
  expect: { timeout: 90_000 },
  snapshotPathTemplate: "{testDir}/views/{arg}{ext}",
  use: {
    baseURL: process.env["STILE_URL"] ?? "http://localhost:6174",
    launchOptions: { executablePath, args: long ? args : [...args, v8] },
    reducedMotion: "reduce",
    // All tests load the page from this server, except those of offline use.
    serviceWorkers: "block",
  } as never,
});
