import { runTarget } from "./file-kind.js";
import type { State } from "./state.js";

/** Reports whether a person wrote a run for the open example, and the example, its spec and its task are unchanged. */
export function hasScript(state: State): boolean {
  const { edited, example, gallery, settings } = state;
  const found = gallery.find((e) => e.id === example);
  return found?.scripted === true && !edited && runTarget(state)?.name === found.main && settings.task === found.task;
}

/** Reports whether the Run button plays the run that a person wrote. */
export function playsScript(state: State): boolean {
  return state.settings.recorded && state.settings.model === "uniform" && hasScript(state);
}
