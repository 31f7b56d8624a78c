import type { TestsAddParams } from "../core/wire.js";

/** A case to add to the tests of a spec, with its current verdict. */
export type NewTest = Omit<TestsAddParams, "files">;

/** Requests that a word, a plan, a run or a counterexample becomes a case. */
export function requestTest(element: HTMLElement, detail: NewTest): void {
  element.dispatchEvent(new CustomEvent<NewTest>("test-requested", { detail, bubbles: true }));
}
