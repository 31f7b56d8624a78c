import { forgetRun, type RunKeeper } from "../store/unfinished-runs.js";
import { type FinishedRun, history } from "../store/run-history.js";
import { outcome } from "./run-outcome.js";
import { shownKinds } from "../store/file-kind.js";
import type { Run } from "../store/state.js";
import { unsaved } from "../store/storage.js";
import { count } from "../ui/text.js";

/**
 * Reports whether a finished run is kept on the device: if it called a model or a tool, and the list of finished
 * runs can show its kind.
 */
export function isKept(run: Run): boolean {
  return !run.replay && (run.kind === "compare" || shownKinds.includes(run.kind));
}

/** Returns the verdict on a run; a complete plan has the verdict "valid". */
function verdict(run: Run): string {
  const plan = run.kind === "plan" && run.state === "done" ? run.timeline.planDone?.plan : undefined;
  return plan === undefined ? outcome(run) : `valid, ${count(plan.steps.length, "step")}`;
}

/** Returns the list entry of a run. */
export function listed(run: Run, title: string, id: string, bytes: number): FinishedRun {
  const { model } = (run.recorded?.settings ?? run.params.settings ?? {}) as {
    readonly model?: { readonly kind: string; readonly endpoint?: { readonly model?: string } };
  };
  const { timeline } = run;
  return {
    id,
    title,
    name: run.name,
    kind: run.kind,
    at: Date.now(),
    outcome: verdict(run),
    model: model?.endpoint?.model ?? model?.kind ?? "",
    calls: Math.max(timeline.spent.calls, timeline.calls),
    bytes,
    pinned: false,
  };
}

/** Keeps a finished run, and reports failures and removed runs. Returns whether it is kept. */
export async function finish(
  run: Run,
  title: string,
  keeper: RunKeeper | undefined,
  say: (text: string, tone?: "plain" | "bad") => void,
): Promise<boolean> {
  const { log: _, ...params } = run.params;
  if (run.recorded === undefined) return false;
  const recorded = { params, log: run.recorded };
  const head = listed(
    run,
    title,
    keeper?.id ?? crypto.randomUUID(),
    new TextEncoder().encode(JSON.stringify(recorded)).length,
  );
  const { kept, dropped } = await history.keep(head, recorded);
  if (kept !== "yes")
    say(
      `The run of ${run.name} was not saved: ${unsaved[kept]}. It stays until you leave the page; save it as JSON to keep it.`,
      "bad",
    );
  if (dropped.length > 0)
    say(
      `${count(dropped.length, "earlier run")} removed from this device to make room: ${dropped
        .map((d) => `${d.name}, ${new Date(d.at).toLocaleString()}`)
        .slice(0, 3)
        .join("; ")}${dropped.length > 3 ? " …" : ""}. Pin runs to keep them.`,
    );
  keeper?.forget();
  return kept === "yes";
}

/**
 * Deletes the unfinished state of runs that are already among the finished ones, because the page was left
 * between the two writes.
 */
export async function settled(ids: readonly string[]): Promise<ReadonlySet<string>> {
  await history.read();
  const over = ids.filter((id) => history.list?.some((run) => run.id === id));
  for (const id of over) await forgetRun(id);
  return new Set(over);
}
