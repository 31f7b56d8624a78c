import type { File, MonitorRehearsal } from "../core/wire.js";

/** The file with a person's script of a question and its solution, which simulated models of agents follow. */
const rehearsalFile = "rehearsal.json";

/** The script of a workspace. */
export interface Rehearsal extends MonitorRehearsal {
  readonly question: string;
}

/** Returns the workspace's script; null if it has none, or an invalid one. */
export function rehearsalOf(files: readonly File[]): Rehearsal | null {
  const text = files.find((f) => f.name === rehearsalFile)?.text;
  if (text === undefined) return null;
  try {
    const { question, steps, final, answer } = JSON.parse(text) as Partial<Rehearsal>;
    return typeof question === "string" &&
      Array.isArray(steps) &&
      typeof final === "string" &&
      typeof answer === "string"
      ? { question, steps, final, answer }
      : null;
  } catch {
    return null; // being edited
  }
}
