// Diagnostics beyond a file's own text: examples that break their agent's behaviour, unknown names
// in prompts. They are requested after the analysis, because they need the full core, and shown
// together with it.
import { agentToolsFile } from "../run/agent-settings.js";
import { runTarget, notationOf } from "./file-kind.js";
import type { Analysis, Check } from "./state.js";
import type { Diagnostic, File } from "../core/wire.js";

/** Returns the files to check: the open one, and the agent of the Run tab. */
export function checkedNames(files: readonly File[], current: string): readonly string[] {
  const agents = files.some((f) => ["agent", "team"].includes(notationOf(f.name) ?? ""));
  const target = runTarget({ files, current });
  const steps = notationOf(current) === "formulas" && files.some((f) => notationOf(f.name) === "pddl");
  return [
    ...new Set([
      ...(steps ||
      notationOf(current) === "tests" ||
      current === agentToolsFile ||
      (agents && (notationOf(current) === "agent" || notationOf(current) === "team" || notationOf(current) === null))
        ? [current]
        : []),
      ...(target?.kind === "monitor" || target?.kind === "team" ? [target.name] : []),
    ]),
  ];
}

/**
 * Merges an analysis with the deferred checks. Until the current text is checked, earlier diagnostics
 * move with it.
 */
export function withCheck(analysis: Analysis, files: readonly File[], checks: readonly Check[]): Analysis {
  const check = checks.find((c) => c.name === analysis.name);
  const text = files.find((f) => f.name === analysis.name)?.text;
  if (check === undefined || text === undefined) return analysis;
  const { about } = check.result;
  const found = check.text === text ? check.result.diagnostics : moved(check.result.diagnostics, check.text, text);
  const { diagnostics, summary } = analysis.result;
  return {
    ...analysis,
    ...(about !== undefined && about !== "" && { about }),
    result: {
      ...analysis.result,
      diagnostics: [...diagnostics, ...found].sort((a, b) => a.from - b.from),
      summary: about === undefined || about === "" ? summary : about,
    },
  };
}

/** Returns the diagnostics outside of the changed part. Fixes and notes return with the next check. */
function moved(found: readonly Diagnostic[], before: string, now: string): readonly Diagnostic[] {
  const shorter = Math.min(before.length, now.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === now.charCodeAt(start)) start++;
  let end = 0;
  while (end < shorter - start && before.charCodeAt(before.length - 1 - end) === now.charCodeAt(now.length - 1 - end))
    end++;
  const by = now.length - before.length;
  const lines = now.split("\n").length - before.split("\n").length;
  return found.flatMap(({ fixes: _, notes: __, ...d }) => {
    if (d.to <= start) return [d];
    return d.from >= before.length - end ? [{ ...d, from: d.from + by, to: d.to + by, line: d.line + lines }] : [];
  });
}
