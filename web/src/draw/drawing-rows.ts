/** The length of a row of text, in characters, beyond which it is broken. The core has the same. */
const MAX_ROW = 24;

/**
 * Breaks a text into as few rows of at most 24 characters as possible, of similar lengths, after
 * separators. Together they are the text. A longer name without separators is one row. The core
 * reserves space for the same rows.
 */
export function rowsOf(text: string): readonly string[] {
  const rows = broken(text, MAX_ROW);
  for (let width = Math.floor(lengthOf(text) / rows.length); rows.length > 1 && width < MAX_ROW; width++) {
    const even = broken(text, width);
    if (even.length === rows.length) return even;
  }
  return rows;
}

function broken(text: string, width: number): readonly string[] {
  const rows = [""];
  for (const piece of pieces(text, /[ |,;] */, true)) {
    const last = rows[rows.length - 1] ?? "";
    if (last !== "" && lengthOf(last) + lengthOf(piece.replace(/ +$/, "")) > width) rows.push(piece);
    else rows[rows.length - 1] = last + piece;
  }
  return rows;
}

function pieces(text: string, after: RegExp, further: boolean): readonly string[] {
  if (lengthOf(text) <= MAX_ROW) return [text];
  const list: string[] = [];
  for (let rest = text; rest !== "";) {
    const at = after.exec(rest);
    const piece = at === null ? rest : rest.slice(0, at.index + at[0].length);
    list.push(...(further ? pieces(piece, /[_\-./:] */, false) : [piece]));
    rest = rest.slice(piece.length);
  }
  return list;
}

function lengthOf(text: string): number {
  return [...text].length;
}
