/** Returns a word as text, with visible blanks. */
export function written(word: readonly string[]): string {
  return word.map((symbol) => (symbol.trim() === "" ? symbol.replace(/./g, "␣") || "“”" : symbol)).join(" ") || "ε";
}
