/** The text that replaces a key. */
export const MASK = "•••";

/**
 * Shorter keys are not masked: local servers get words like "ollama", which may occur in an answer and
 * are not secret.
 */
const SHORTEST = 12;

/**
 * Removes a key from a text that arrives in pieces, wherever they are cut: some servers repeat a
 * refused key, and their answer is recorded.
 */
export class Redactor {
  #held = "";
  readonly #key: string;

  constructor(key: string | undefined) {
    this.#key = key !== undefined && key.length >= SHORTEST ? key : "";
  }

  /** Accepts the next piece and returns the text that cannot contain a part of the key. */
  write(piece: string): string {
    if (this.#key === "") return piece;
    const text = (this.#held + piece).replaceAll(this.#key, MASK);
    let held = Math.min(this.#key.length - 1, text.length);
    while (held > 0 && !this.#key.startsWith(text.slice(text.length - held))) held--;
    this.#held = text.slice(text.length - held);
    return text.slice(0, text.length - held);
  }

  /** Returns the rest at the end of the text. */
  end(): string {
    const rest = this.#held;
    this.#held = "";
    return rest;
  }
}
