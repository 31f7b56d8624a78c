/** What stands in the place of a key. */
export const MASK = "•••";

/**
 * Shorter keys are not looked for: local servers are given words like "ollama",
 * which an answer may well contain, and which are no secret.
 */
const SHORTEST = 12;

/**
 * Takes a key out of a text that comes in pieces, wherever the pieces are cut:
 * some servers repeat the key that they refuse, and what they say is recorded.
 */
export class Redactor {
  #held = "";
  readonly #key: string;

  constructor(key: string | undefined) {
    this.#key = key !== undefined && key.length >= SHORTEST ? key : "";
  }

  /** Takes the next piece and returns what is sure to hold nothing of the key. */
  write(piece: string): string {
    if (this.#key === "") return piece;
    const text = (this.#held + piece).replaceAll(this.#key, MASK);
    let held = Math.min(this.#key.length - 1, text.length);
    while (held > 0 && !this.#key.startsWith(text.slice(text.length - held))) held--;
    this.#held = text.slice(text.length - held);
    return text.slice(0, text.length - held);
  }

  /** Returns what was held back, once no more comes. */
  end(): string {
    const rest = this.#held;
    this.#held = "";
    return rest;
  }
}
