import type { File, ToolGoal, ToolValue } from "./wire.js";

/** A task that a workspace proposes in its tasks.json. */
export interface Task {
  readonly text: string;
  /** The spec of its plans. */
  readonly spec: string;
  /** What kind of task it is. */
  readonly group: string;
  /** What it gives, by the spec's symbol. */
  readonly inputs: Readonly<Record<string, ToolValue>>;
  /** What its result has to be. */
  readonly goal?: ToolGoal;
}

interface Listed {
  readonly text?: unknown;
  readonly spec?: unknown;
  readonly class?: unknown;
  readonly inputs?: readonly (ToolValue & { readonly symbol: string })[];
  readonly goal?: ToolGoal;
}

let last: { readonly text: string; readonly tasks: readonly Task[] } = { text: "", tasks: [] };

/** The tasks that a workspace proposes for specs that it has. */
export function tasksOf(files: readonly File[]): readonly Task[] {
  const text = files.find((f) => f.name === "tasks.json")?.text ?? "";
  if (text !== last.text) last = { text, tasks: read(text) };
  return last.tasks.filter((task) => files.some((f) => f.name === task.spec));
}

/** The proposed task with a text, if it is one for the spec. */
export function taskOf(files: readonly File[], spec: string, text: string): Task | undefined {
  return tasksOf(files).find((task) => task.text === text && task.spec === spec);
}

function read(text: string): readonly Task[] {
  try {
    const listed = (JSON.parse(text) as { readonly tasks?: readonly Listed[] }).tasks ?? [];
    return listed.flatMap(({ text, spec, class: group, inputs, goal }) => (typeof text === "string" && typeof spec === "string"
      ? [{ text, spec, group: typeof group === "string" ? group : "", inputs: Object.fromEntries((inputs ?? []).map(({ symbol, ...value }) => [symbol, value])), ...(goal && { goal }) }]
      : []));
  } catch {
    return []; // a text that is no list proposes nothing
  }
}
