import type { LlmThought, PlanOffer, PlanSettings } from "./events.js";
import { problemReport } from "../problem/problem-report.js";
import type { Run } from "../store/state.js";
import type { TeamView } from "../team/team-view.js";
import type { PlanEntry, PlanMove, Timeline } from "./timeline.js";
import type { File, RunLog } from "../core/wire.js";

// A run as a file: the recording, which can be replayed, and a report.

/** A file to be saved. */
export interface Saved {
  readonly name: string;
  readonly type: string;
  readonly text: string;
}

/** A recording, with its workspace if it includes one. */
export interface Recording {
  readonly files?: readonly File[];
  readonly log: RunLog;
}

/** Returns the run's recording with its workspace, or null if there is none yet. */
export function recordingFile(run: Run): Saved | null {
  if (run.recorded === undefined) return null;
  const recording: Recording = { files: run.params.workspace.files, log: run.recorded };
  return {
    name: `${baseName(run)}-run.json`,
    type: "application/json",
    text: `${JSON.stringify(recording, null, 1)}\n`,
  };
}

/** Returns the recording in a text, or null if it is something else. */
export function recordingOf(text: string): Recording | null {
  if (!text.includes('"answers"')) return null;
  try {
    const read = JSON.parse(text) as Partial<Recording> & Partial<RunLog>;
    const log = read.log ?? (read as Partial<RunLog>);
    if (!Array.isArray(log.answers) || typeof log.version !== "number" || typeof log.kind !== "string") return null;
    const files =
      Array.isArray(read.files) && read.files.every((f) => typeof f.name === "string" && typeof f.text === "string")
        ? read.files
        : undefined;
    return { log: log as RunLog, ...(files && { files }) };
  } catch {
    return null;
  }
}

/** Returns a report of the run in Markdown. */
export function reportFile(run: Run): Saved {
  return { name: `${baseName(run)}-run.md`, type: "text/markdown", text: report(run) };
}

function report(run: Run): string {
  const { timeline } = run;
  const settings = (run.recorded?.settings ?? run.params.settings ?? {}) as Partial<PlanSettings> & {
    readonly question?: string;
  };
  const task = settings.task ?? settings.question ?? "";
  const out: string[] = [`# A run of ${run.name}`, ""];
  if (task !== "") out.push(`**Task.** ${plain(task)}`, "");
  const model =
    settings.model?.kind === "endpoint"
      ? `${settings.model.endpoint?.model ?? ""} (${settings.model.endpoint?.format ?? "openai"})`
      : (settings.model?.kind ?? "");
  out.push(`Model: ${model} · seed ${run.recorded?.seed ?? run.params.seed ?? 0} · ${endOf(run)}`, "");
  const { calls, tokens, money } = timeline.spent;
  out.push(`Spent: ${calls} calls, ${tokens} tokens${money > 0 ? `, $${money.toFixed(4)}` : ""}.`, "");
  if (run.fault !== undefined) out.push(`**The run failed:** ${plain(run.fault.message)}`, "");
  const done = timeline.planDone?.plan;
  if (done !== undefined) {
    out.push("## The plan", "", ...done.steps.map((s) => `${s.n}. ${plain(s.text)} (\`${s.symbol}\`)`), "");
    out.push(`Function: \`${done.function}\``, "", `Word: \`${done.word.join(" ")}\``, "");
    if (done.result !== undefined && done.result !== null)
      out.push(`Result: ${plain(`${done.result.type}: ${done.result.text}`)}`, "");
  }
  if (timeline.plan.length > 0) {
    out.push("## Log", "", "| move | wanted | taken | choices | by | answers |", "|--:|---|---|--:|---|---|");
    let moves = 0;
    const thoughts: string[] = [];
    for (const entry of timeline.plan) {
      out.push(entry.type === "move" ? moveRow(++moves, entry) : otherRow(entry));
      if (entry.type === "move")
        thoughts.push(
          ...entry.thoughts.flatMap((t) => ["", `> Thought before move ${moves}: ${plain(t.text.trim())}`]),
        );
    }
    out.push(...thoughts, "");
  }
  out.push(...problemReport(run, plain));
  if (timeline.team !== undefined) out.push(...teamReport(timeline.team));
  out.push(...thoughtReport(timeline));
  const { transcript } = timeline;
  if (transcript !== undefined)
    out.push(
      "## The answer",
      "",
      plain(transcript.answer),
      "",
      ...(transcript.refusal === true ? ["The answer reads like a refusal.", ""] : []),
      ...(transcript.votes ?? []).map((v) => `- ${plain(v.answer)}: ${v.count} of ${transcript.samples?.length ?? 0}`),
      ...(transcript.tied === undefined ? [] : ["", `A tie of ${transcript.tied} answers; the first was taken.`]),
      "",
      "## The transcript",
      "",
    );
  for (const entry of [...timeline.monitor].sort((a, b) => a.sample - b.sample)) {
    if (entry.type === "segment") out.push(`**${plain(entry.segment.state)}** ${plain(entry.segment.text.trim())}`, "");
    else if (entry.type === "violation")
      out.push(
        `> Stopped: ${plain(entry.violation.reason || entry.violation.state)}. Discarded: ${plain(entry.violation.discarded)}`,
        "",
      );
    else if (entry.type === "thought") out.push(`> Thought: ${plain(entry.thought.text.trim())}`, "");
    else if (entry.type === "denied") out.push(`> Not called: ${plain(entry.denied.reason ?? "")}`, "");
    else if (entry.type === "correction") out.push(`> Continues from \`${entry.correction.text}\``, "");
    else if (entry.type === "tool")
      out.push(`> Called ${plain(`${entry.tool.tool}: ${entry.tool.input} → ${entry.tool.output}`)}`, "");
    else if (entry.type === "keep") out.push(`> Kept: the ${entry.keep.kept}, ${plain(entry.keep.reason)}`, "");
  }
  return `${out.join("\n").trimEnd()}\n`;
}

/** Returns the thoughts before the answers of a team's roles, its agents or a problem's stages. */
function thoughtReport({ team, formulate }: Timeline): readonly string[] {
  const of = (who: string, thoughts: readonly LlmThought[]): readonly string[] =>
    thoughts.map(({ text }) => `- ${plain(who)}: ${plain(text.trim())}`);
  const lines = [
    ...(team?.turns ?? []).flatMap((t) => of(t.subtask === "" ? t.role : `${t.subtask}, ${t.role}`, t.thoughts)),
    ...[...(team?.subtasks ?? [])].flatMap(([id, { timeline }]) =>
      timeline.monitor.flatMap((entry) => (entry.type === "thought" ? of(id, [entry.thought]) : [])),
    ),
    ...(formulate?.entries ?? []).flatMap((entry) => (entry.type === "turn" ? of(entry.stage, entry.thoughts) : [])),
  ];
  return lines.length === 0 ? [] : ["## Thoughts", "", ...lines, ""];
}

function teamReport({ adopted, subtasks, violations, result, messages }: TeamView): readonly string[] {
  const out: string[] = [];
  if (result !== undefined) out.push("## The deliverable", "", plain(result.answer), "");
  const broken = result?.violations ?? violations;
  if (broken.length > 0)
    out.push(
      "## Unmet constraints",
      "",
      ...broken.map(
        (v) => `- ${plain(v.constraint)}: ${plain(v.reason)}${v.subtask === "" ? "" : ` (${plain(v.subtask)})`}`,
      ),
      "",
    );
  if (adopted === undefined) return out;
  out.push(
    "## The task graph",
    "",
    "| sub-task | executor | state | needs | to do | result | calls |",
    "|---|---|---|---|---|---|--:|",
  );
  for (const s of adopted.graph.subtasks) {
    const state = subtasks.get(s.id)?.state;
    out.push(
      `| ${[s.id, state?.executor ?? s.executor, state?.state ?? "waiting", s.needs.join(", "), state?.task || s.task, state?.text || (state?.reason ?? "")].map(plain).join(" | ")} | ${state?.spent.calls ?? 0} |`,
    );
  }
  out.push("", `Critical path: ${(result?.critical ?? adopted.critical).map(plain).join(" → ")}`, "");
  if (messages.length > 0)
    out.push("## Messages", "", ...messages.map((m) => `- ${plain(m.from)} → ${plain(m.to)}: ${plain(m.text)}`), "");
  return out;
}

function moveRow(n: number, move: PlanMove): string {
  const { offer, take, replies, undone } = move;
  const taken =
    take === undefined
      ? "…"
      : `${plain(take.label)}${take.symbol === "" ? "" : ` \`${take.symbol}\``}${undone ? " (undone)" : ""}`;
  const answers = replies
    .map((r) => `“${plain(r.text)}”${r.fault === undefined || r.fault === "" ? "" : ` (${plain(r.fault)})`}`)
    .join(", ");
  return `| ${n} | ${plain(wanted(offer))} | ${taken} | ${offer?.choices.length ?? 1} | ${take?.by ?? ""} | ${answers} |`;
}

function wanted(offer: PlanOffer | undefined): string {
  return offer?.reason ?? "the only move";
}

function otherRow(entry: Exclude<PlanEntry, PlanMove>): string {
  if (entry.type === "back") return `| | *backtracked* | ${plain(entry.back.why)} | ${entry.back.choices} | | |`;
  const { symbol, text, inputs, state, output, fault } = entry.exec;
  return `| | *used ${plain(text)}* | \`${symbol}\` | | ${state} | ${plain([...inputs, fault ?? output ?? ""].join(" → "))} |`;
}

function endOf(run: Run): string {
  return {
    working: "in progress",
    waiting: "in progress",
    paused: "held",
    done: "done",
    failed: "failed",
    cancelled: "cancelled",
  }[run.state];
}

/** Escapes a text for a line of Markdown. */
function plain(text: string): string {
  return text.replace(/\s+/g, " ").replace(/[\\`*_{}[\]<>|#]/g, "\\$&");
}

function baseName(run: Run): string {
  return run.name.replace(/\.[a-z]+$/, "") || "stile";
}
