import type { File, MonitorCheckParams, MonitorMapping, MonitorRoles } from "../core/wire.js";

/** A check of a trace that can be repeated outside the page. */
export interface TraceCheck {
  readonly agent: File;
  /** The judged files of formulas. */
  readonly formulas: readonly File[];
  /** The other specs, which formulas may refer to. */
  readonly others: readonly File[];
  readonly text: string;
  /** Name of its file; "" if it was pasted. */
  readonly name: string;
  readonly format: string;
  readonly mapping: readonly MonitorMapping[];
  readonly roles: MonitorRoles;
}

/** Returns the parameters of the core's method. */
export function checkParams({ agent, formulas, others, text, format, mapping, roles }: TraceCheck): MonitorCheckParams {
  return {
    source: agent.text,
    text,
    format,
    roles,
    ...(mapping.length > 0 && { mapping }),
    ...(formulas.length > 0 && { properties: formulas.map((f) => f.text).join("\n\n") }),
    ...(formulas.length > 0 && others.length > 0 && { others: [...others] }),
  };
}

/** Returns the check as a file with one line, for `call monitor.check`. */
export function checkFile(check: TraceCheck): string {
  const { roles, ...params } = checkParams(check);
  return `${JSON.stringify({ ...params, ...(hasRoles(roles) && { roles }) })}\n`;
}

/** Returns the command that checks the current files, and fails unless the run is complete. */
export function pipeline(check: TraceCheck, readAs: string): string {
  const { agent, formulas, mapping, roles } = check;
  const others = formulas.length > 0 ? check.others : [];
  const options = { ...(mapping.length > 0 && { mapping }), ...(hasRoles(roles) && { roles }) };
  return [
    "stile check",
    ...[agent, ...formulas].map((f) => quoted(f.name)),
    ...others.map((f) => `-symbols ${quoted(f.name)}`),
    quoted(check.name || usualName(readAs)),
    ...(["", "auto"].includes(check.format) ? [] : [`-trace-format ${check.format}`]),
    ...(Object.keys(options).length > 0 ? [`-options ${inQuotes(JSON.stringify(options))}`] : []),
  ].join(" ");
}

function hasRoles(roles: MonitorRoles = {}): boolean {
  return Object.values(roles).some((state) => state !== undefined && state !== "");
}

function usualName(format: string): string {
  return { text: "trace.txt", "": "trace.txt", jsonl: "trace.jsonl" }[format] ?? "trace.json";
}

/** Quotes a file's name for a shell. */
function quoted(name: string): string {
  const plain = name.startsWith("-") ? `./${name}` : name;
  return /^[\w./-]+$/.test(plain) ? plain : inQuotes(plain);
}

function inQuotes(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
