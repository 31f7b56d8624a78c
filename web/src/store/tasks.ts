import type { File, ToolGoal, ToolValue } from "../core/wire.js";

/** A task in a workspace's tasks.json. */
export interface Task {
  readonly text: string;
  /** The spec of its plans. */
  readonly spec: string;
  /** Its group in the list. */
  readonly group: string;
  /** Its inputs, by the spec's symbols. */
  readonly inputs: Readonly<Record<string, ToolValue>>;
  /** The required result. */
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

/** Returns the workspace's tasks for its specs. */
export function tasksOf(files: readonly File[]): readonly Task[] {
  const text = files.find((f) => f.name === "tasks.json")?.text ?? "";
  if (text !== last.text) last = { text, tasks: read(text) };
  return last.tasks.filter((task) => files.some((f) => f.name === task.spec));
}

/** Returns the task with a text and a spec, if there is one. */
export function taskOf(files: readonly File[], spec: string, text: string): Task | undefined {
  return tasksOf(files).find((task) => task.text === text && task.spec === spec);
}

function read(text: string): readonly Task[] {
  try {
    const listed = (JSON.parse(text) as { readonly tasks?: readonly Listed[] }).tasks ?? [];
    return listed.flatMap(({ text, spec, class: group, inputs, goal }) =>
      typeof text === "string" && typeof spec === "string"
        ? [
            {
              text,
              spec,
              group: typeof group === "string" ? group : "",
              inputs: Object.fromEntries((inputs ?? []).map(({ symbol, ...value }) => [symbol, value])),
              ...(goal && { goal }),
            },
          ]
        : [],
    );
  } catch {
    return []; // an invalid list contains no task
  }
}
