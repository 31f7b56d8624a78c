import { count } from "../ui/text.js";

/** Summarises results: the passed cases, and the tone of a label. */
export function caseCounts(
  cases: readonly { readonly status: string }[],
  faults: number,
): { readonly said: string; readonly tone: "good" | "bad" } {
  const passed = cases.filter((c) => c.status === "pass").length;
  const good = passed === cases.length && faults === 0;
  const said = good
    ? `${count(passed, "test")} pass${passed === 1 ? "es" : ""}`
    : cases.length === 0
      ? count(faults, "error")
      : `${passed} of ${count(cases.length, "test")} pass${cases.length === 1 ? "es" : ""}`;
  return { said, tone: good ? "good" : "bad" };
}
