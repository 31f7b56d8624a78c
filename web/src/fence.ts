/** A text as a fenced block of Markdown, with as many backticks as it needs. */
export function fenced(info: string, text: string): string {
  const marks = "`".repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map((m) => m[0].length + 1)));
  return `${marks}${info}\n${ended(text)}${marks}`;
}

/** A text with a line break at its end. */
function ended(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n`;
}
