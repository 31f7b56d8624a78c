// Questions to the person before runs are cancelled or deleted.
import { isKept } from "./run-finish.js";
import type { RunCommand } from "./run-command.js";
import { history } from "../store/run-history.js";
import type { Run } from "../store/state.js";
import * as storage from "../store/storage.js";
import { ask } from "../ui/confirm.js";
import { count, sentence } from "../ui/text.js";

/** Asks whether runs in progress may be cancelled to open something. */
export function askToLeave(opened: string, runs: readonly Run[]): Promise<boolean> {
  const [run] = runs;
  const one = run?.kind === "lab" ? "the experiment" : `the run of ${run?.name ?? ""}`;
  return ask({
    title: runs.length > 1 ? "Runs are in progress" : "A run is in progress",
    text: `${runs.length > 1 ? `${count(runs.length, "run")} are` : `${sentence(one).slice(0, -1)} is`} not finished, after ${count(
      runs.reduce((sum, r) => sum + r.timeline.calls, 0),
      "call",
    )}. Opening “${opened}” cancels ${runs.length > 1 ? "them" : "it"}${runs.every(isKept) ? "; the answers so far are kept under Earlier runs" : ""}.`,
    stay: "Keep running",
    go: "Cancel the run and open",
  });
}

/** Pins or deletes finished runs on this device. */
export async function changeFinished(
  command: RunCommand & { readonly command: "pin-finished" | "delete-finished" | "clear-finished" },
  toast: (text: string, tone?: "plain" | "bad") => void,
): Promise<void> {
  const list = history.list ?? [];
  const one = command.command === "clear-finished" ? undefined : list.find((r) => r.id === command.id);
  const loose = list.filter((r) => !r.pinned);
  if (
    command.command === "clear-finished" &&
    !(await ask({
      title: "Delete earlier runs",
      text: `${count(loose.length, "run")} will be deleted from this device.`,
      stay: "Keep them",
      go: `Delete ${count(loose.length, "run")}`,
    }))
  )
    return;
  const kept =
    command.command === "clear-finished"
      ? await history.delete(loose)
      : one === undefined
        ? "yes"
        : command.command === "delete-finished"
          ? await history.delete([one])
          : await history.pin(one, command.pinned);
  if (kept !== "yes") toast(`The list of runs could not be changed: ${storage.unsaved[kept]}.`, "bad");
}
