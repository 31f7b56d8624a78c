type Cell = string | number;

/** Returns a table as comma-separated values; cells with commas, quotes or line breaks are quoted. */
export function csv(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const cell = (c: Cell): string => (/[",\n]/.test(String(c)) ? `"${String(c).replaceAll('"', '""')}"` : String(c));
  return [head, ...rows].map((line) => line.map(cell).join(",")).join("\n");
}

/** Returns a table as Markdown. */
export function markdown(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [head, head.map(() => "---"), ...rows]
    .map((line) => `| ${line.map((c) => String(c).replaceAll("|", "\\|")).join(" | ")} |`)
    .join("\n");
}
