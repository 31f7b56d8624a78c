// Written by `go run ./build gen` from the rows of the notations in core; change them there.

/** The name of a notation. */
export type NotationName =
  | "grammar"
  | "automaton"
  | "flowchart"
  | "formulas"
  | "agent"
  | "team"
  | "problem"
  | "smt2"
  | "lp"
  | "pddl"
  | "tests"
  | "rules"
  | "experiment";

/** The kinds of runs that files start, in the order of the notations. */
export type FileRun =
  | "plan"
  | "monitor"
  | "team"
  | "formulate"
  | "solve"
  | "steps";

/** A notation. */
export interface Notation {
  readonly name: NotationName;
  /** The ending of file names; for a problem, the ending of its folder's name. */
  readonly ending: string;
  /** The label in the list of new files, whose texts are in edit/templates.ts. */
  readonly offer?: string;
  /** The kind of run that a file starts. */
  readonly run?: FileRun;
  /** The module that the page loads first analyses files of this notation. */
  readonly first?: true;
  /** Words or runs of files of this notation can be stepped through. */
  readonly steps?: true;
  /** A Markdown code block whose language is this file extension is drawn. */
  readonly embed?: true;
}

export const notations: readonly Notation[] = [
  { name: "grammar", ending: "cfg", offer: "a grammar", run: "plan", first: true, steps: true, embed: true },
  { name: "automaton", ending: "pda", offer: "an automaton", run: "plan", first: true, steps: true, embed: true },
  { name: "flowchart", ending: "flow", offer: "a flowchart", run: "plan", first: true, steps: true, embed: true },
  { name: "formulas", ending: "ltl", offer: "properties", first: true, steps: true, embed: true },
  { name: "agent", ending: "agent", offer: "an agent", run: "monitor", first: true, steps: true, embed: true },
  { name: "team", ending: "team", offer: "a team", run: "team" },
  { name: "problem", ending: "problem", offer: "a problem for a solver", run: "formulate" },
  { name: "smt2", ending: "smt2", offer: "SMT-LIB for Z3", run: "solve", embed: true },
  { name: "lp", ending: "lp", offer: "LP for HiGHS", run: "solve", embed: true },
  { name: "pddl", ending: "pddl", offer: "steps in PDDL", run: "steps", embed: true },
  { name: "tests", ending: "tests", offer: "tests of a spec" },
  { name: "rules", ending: "rules", offer: "rules about data", steps: true, embed: true },
  { name: "experiment", ending: "lab", offer: "an experiment" },
];

/** The text of a new file. */
export const newText = "S -> a S b | ε\n";

/** The methods that the module that the page loads first answers. */
export const firstMethods: ReadonlySet<string> = new Set([
  "document.analyze",
  "share.decode",
  "step.walk",
  "workspace.export",
  "workspace.import",
]);
