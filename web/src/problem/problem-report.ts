// The part of a run's report about a problem or a solver's answer.
import type { Family, FormulateSteps, SolveOutcome, SolveResult, StepsOutcome } from "../run/events.js";
import { fenced } from "../share/markdown-fence.js";
import { stageName } from "./problem-settings.js";
import { best, statusWords } from "./solver-status.js";
import type { Run } from "../store/state.js";
import { markdown } from "../share/table-export.js";
import { sentence } from "../ui/text.js";

/** Returns the lines of the report; `plain` escapes Markdown. */
export function problemReport({ kind, outcome, timeline }: Run, plain: (text: string) => string): readonly string[] {
  if (kind === "solve" && outcome !== undefined) {
    const { answer, core, families } = outcome as SolveOutcome;
    return [
      "## The solution",
      "",
      ...status(answer.status, answer.message, plain),
      ...solution(answer, plain),
      ...list(
        "Conflict",
        core.map((c) => c.name),
        plain,
      ),
      ...families.flatMap((f) => family(f, plain)),
    ];
  }
  if (kind === "steps" && outcome !== undefined) {
    const { status: word, message, steps } = outcome as StepsOutcome;
    return ["## The plan", "", ...status(word, message, plain), ...plan(steps, plain)];
  }
  const result = timeline.formulate?.result;
  if (result === undefined) return [];
  const { base, solution: solved, steps, families, verdicts, findings, mended, products, answer } = result;
  return [
    "## The answer",
    "",
    ...status(result.status, result.message, plain),
    ...(result.objective === ""
      ? []
      : [
          `Objective: ${plain(result.objective)}${base === undefined ? "" : `; without the query ${plain(base.objective || base.status)}`}`,
          "",
        ]),
    ...(answer === null || answer === undefined ? [] : [fenced("json", JSON.stringify(answer, null, 1))]),
    ...(base === undefined || base.changed.length === 0
      ? []
      : [
          markdown(
            ["", "without the query", "with it"],
            base.changed.map((c) => [plain(c.name), plain(c.base), plain(c.now)]),
          ),
          "",
        ]),
    ...(solved === undefined
      ? []
      : list(
          "Conflict",
          solved.core.map((c) => c.name),
          plain,
        )),
    ...(steps === undefined ? [] : plan(steps, plain)),
    ...families.flatMap((f) => family(f, plain)),
    ...list(
      "Constraint by constraint",
      verdicts.map((v) => `${v.holds ? "holds" : "broken"}: ${v.constraint}. ${v.reason}`),
      plain,
    ),
    ...list(
      "Faults found",
      [...mended, ...findings].map((f) => `${f.mistake} (${stageName(f.stage)}): ${f.message}`),
      plain,
    ),
    ...products.flatMap((p) => [`### ${p.name}`, "", fenced("", p.text)]),
  ];
}

function status(word: string, message: string, plain: (text: string) => string): readonly string[] {
  const { word: said, about } = statusWords(word);
  return [`**${said}.** ${plain(message === "" ? about : message)}`, ""];
}

function solution({ objectives, model }: SolveResult, plain: (text: string) => string): readonly string[] {
  return [
    ...objectives.flatMap((o) => [`${o.sense} \`${o.expression.replaceAll("`", "")}\`: ${plain(o.value)}`, ""]),
    ...(model.length === 0
      ? []
      : [
          markdown(
            ["name", "value"],
            model.slice(0, 300).map((v) => [plain(v.name), plain(v.value)]),
          ),
          "",
        ]),
  ];
}

function plan(found: FormulateSteps, plain: (text: string) => string): readonly string[] {
  const { plan: steps, tried, optimal, cost, largest } = found;
  return [
    ...steps.map((step, i) => `${i + 1}. ${plain(step)}`),
    ...(cost === undefined || steps.length === 0 ? [] : ["", `${largest === true ? "Value" : "Cost"}: ${cost}`]),
    ...(steps.length > 0 ? ["", ...(optimal ? [sentence(best(found)), ""] : [])] : []),
    ...(tried.length === 0
      ? []
      : [
          markdown(
            ["steps", "a plan", "ms"],
            tried.map((t) => [t.steps, t.status, t.milliseconds]),
          ),
          "",
        ]),
  ];
}

function family({ name, axes, cells }: Family, plain: (text: string) => string): readonly string[] {
  const some = cells.filter((c) => c.value !== "0" && c.value !== "false").slice(0, 300);
  if (some.length === 0) return [];
  return [
    `### ${plain(name === "" ? "values" : name)}`,
    "",
    markdown(
      [...axes.map(() => ""), "value"],
      some.map((c) => [...c.at.map((i, axis) => plain(axes[axis]?.[i] ?? "")), plain(c.value)]),
    ),
    "",
  ];
}

function list(title: string, items: readonly string[], plain: (text: string) => string): readonly string[] {
  return items.length === 0 ? [] : [`### ${title}`, "", ...items.map((item) => `- ${plain(item)}`), ""];
}
