import { problemOf, specKind } from "../store/file-kind.js";
import type { File } from "../core/wire.js";

// Creates an experiment for a spec of the workspace.

const tail = `  (:models (simulated rambler 0.3) (simulated first) (endpoint "lab"))
  (:seeds 1 2 3)
  (:columns COLUMNS)
  (:budget (calls 2000)))
`;

/**
 * Returns the spec of a new experiment: the open one or the first (for a problem its folder); "" if
 * there is none.
 */
export function aboutSpec(files: readonly File[], current: string): string {
  const usable = (name: string): boolean =>
    !name.includes("/") && (name.endsWith(".problem") || ["plan", "monitor", "team"].includes(specKind(name) ?? ""));
  return [current, ...files.map((f) => f.name)].map((name) => problemOf(name) || name).find(usable) ?? "";
}

/** Returns the files of a new experiment, the experiment first. Existing files are omitted. */
export function newExperiment(files: readonly File[], spec: string, task: string): readonly File[] {
  const base = spec.replace(/\.\w+$/, "");
  const taken = (name: string): boolean => files.some((f) => f.name === name);
  let name = `${base}.lab`;
  for (let i = 2; taken(name); i++) name = `${base}-${i}.lab`;
  const id = base.replace(/[^\w-]+/g, "-");
  const words = task === "" ? "Describe the task here." : task;
  const end = (columns: string): string => tail.replace("COLUMNS", columns);
  if (specKind(spec) === "monitor") {
    const questions = {
      name: "questions.jsonl",
      text: `${JSON.stringify({ group: "questions", question: words, answer: "42", steps: [], final: "The answer is 42." })}\n`,
    };
    const text = `; Each line of ${questions.name} is a question with its answer.
(experiment ${id}
  (:title "${base}: value of its spec")
  (:tasks (questions "${questions.name}"))
  (:methods
    (monitor "${spec}" (:name "monitored"))
    (monitor "${spec}" (:name "forced") (:forced)))
${end('("right" score) ("violations" violations) ("calls" calls) ("tokens" tokens)')}`;
    return [{ name, text }, ...(taken(questions.name) ? [] : [questions])];
  }
  if (spec.endsWith(".problem")) {
    const text = `; If the cost of the best plan is known, write it after the problem, as in
; (problems "${spec}" (:optimum 154)). The score then reports whether a cell reaches it.
(experiment ${id}
  (:title "${base}: formulated for a solver, and answered at once")
  (:tasks (problems "${spec}"))
  (:methods
    (formulate formulate)
    (formulate code)
    (formulate direct))
${end('("solved" solved) ("optimal" optimal) ("calls" calls) ("tokens" tokens)')}`;
    return [{ name, text }];
  }
  if (specKind(spec) === "team") {
    const questions = {
      name: "questions.jsonl",
      text: `${JSON.stringify({ group: "questions", question: words, answer: "" })}\n`,
    };
    const text = `; Each line of ${questions.name} is a question with its answer. Where the answer is empty,
; no cell is right or wrong; the team's own constraints decide whether it is valid.
(experiment ${id}
  (:title "${base}: a team, and one with all its tools")
  (:tasks (questions "${questions.name}"))
  (:methods
    (team "${spec}" (:name "team"))
    (team "${spec}" (:name "one agent") (:as react))
    (team "${spec}" (:name "one answer") (:as cot)))
${end('("valid" valid) ("right" score) ("calls" calls) ("tokens" tokens)')}`;
    return [{ name, text }, ...(taken(questions.name) ? [] : [questions])];
  }
  const tasks = {
    name: "tasks.json",
    text: `${JSON.stringify({ tasks: [{ id: 0, text: words, class: "tasks", spec }] }, null, 1)}\n`,
  };
  const text = `; The tasks are those of ${tasks.name}, each with the spec of its plans.
; In free text a simulated model draws names of steps: its plans are valid by chance only.
(experiment ${id}
  (:title "${base}: plans with and without the spec")
  (:tasks (plans "${tasks.name}"))
  (:methods
    (baseline zero-shot)
    (plan (:name "constrained") (:otherwise first)))
${end('("valid plans" valid) ("calls" calls) ("tokens" tokens)')}`;
  return [{ name, text }, ...(taken(tasks.name) ? [] : [tasks])];
}
