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

/** Returns commands that check the current files, and fail unless the run is complete. */
export function pipeline(check: TraceCheck, readAs: string): string {
  const { agent, formulas, mapping, roles } = check;
  const others = formulas.length > 0 ? check.others : [];
  const said = [
    ...(formulas.length > 0 ? [["properties", formulas.map((_, i) => `$p${i + 1}`).join(' + "\\n\\n" + ')]] : []),
    ...(others.length > 0
      ? [["others", `[${others.map((f, i) => `{name: ${JSON.stringify(f.name)}, text: $o${i + 1}}`).join(", ")}]`]]
      : []),
    ...(mapping.length > 0 ? [["mapping", "$mapping"]] : []),
    ...(hasRoles(roles) ? [["roles", "$roles"]] : []),
  ];
  const lines = [
    `jq -cn --rawfile source ${quoted(agent.name)} --rawfile text ${quoted(check.name || usualName(readAs))}`,
    ...formulas.map((f, i) => `--rawfile p${i + 1} ${quoted(f.name)}`),
    ...others.map((f, i) => `--rawfile o${i + 1} ${quoted(f.name)}`),
    ...(mapping.length > 0 ? [`--argjson mapping ${inQuotes(JSON.stringify(mapping))}`] : []),
    ...(hasRoles(roles) ? [`--argjson roles ${inQuotes(JSON.stringify(roles))}`] : []),
    `${inQuotes(`{source: $source, text: $text, format: ${JSON.stringify(check.format)}${said.map(([key, value]) => `, ${key}: (${value})`).join("")}}`)} |`,
  ];
  // The verdict is the worst of states, properties and unrecognised parts. jq slurps its input, so
  // that a missing result does not pass.
  return `${lines.join(" \\\n  ")}\n  go run ./build call monitor.check |\n  jq -se '.[0].result.verdict == "valid"'`;
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
