type Cell = string | number;

/** A table as comma-separated values; what has a comma, a quote or a line break stands in quotes. */
export function csv(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const cell = (c: Cell): string => (/[",\n]/.test(String(c)) ? `"${String(c).replaceAll('"', '""')}"` : String(c));
  return [head, ...rows].map((line) => line.map(cell).join(",")).join("\n");
}

/** A table as Markdown. */
export function markdown(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((line) => `| ${line.map((c) => String(c).replaceAll("|", "\\|")).join(" | ")} |`).join("\n");
}
