/** Returns a text as a fenced block of Markdown, with enough backticks. */
export function fenced(info: string, text: string): string {
  const marks = "`".repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map((m) => m[0].length + 1)));
  return `${marks}${info}\n${ended(text)}${marks}`;
}

/** Returns a text that ends with a line break. */
function ended(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n`;
}
