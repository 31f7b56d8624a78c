/** The text that replaces a key or the value of an extra header. */
export const MASK = "•••";

/**
 * Shorter keys are not masked: local servers get words like "ollama", which may occur in an answer and
 * are not secret.
 */
const SHORTEST = 12;

/**
 * Removes secrets from a text that arrives in pieces, even if a secret is split between pieces: some servers repeat
 * a refused key, and their answer is recorded.
 */
export class Redactor {
  #held = "";
  /** The secrets, the longest first, because one may contain another. */
  readonly #secrets: readonly string[];

  constructor(secrets: readonly string[]) {
    this.#secrets = secrets.filter((s) => s.length >= SHORTEST).sort((a, b) => b.length - a.length);
  }

  /** Accepts the next piece and returns the text that cannot contain a part of a secret. */
  write(piece: string): string {
    let text = this.#held + piece;
    let end = this.#begun(text);
    // A secret at the end is not masked yet if a longer one begins with it.
    if (this.#masked(text.slice(end)) === text.slice(end)) {
      text = this.#masked(text);
      end = this.#begun(text);
    }
    this.#held = text.slice(end);
    return this.#masked(text.slice(0, end));
  }

  /** Returns the rest at the end of the text. */
  end(): string {
    const rest = this.#masked(this.#held);
    this.#held = "";
    return rest;
  }

  #masked(text: string): string {
    return this.#secrets.reduce((rest, secret) => rest.replaceAll(secret, MASK), text);
  }

  /** Returns the position from which the text may be the beginning of a secret. */
  #begun(text: string): number {
    const lengths = this.#secrets.map((secret) => {
      let held = Math.min(secret.length - 1, text.length);
      while (held > 0 && !secret.startsWith(text.slice(text.length - held))) held--;
      return held;
    });
    return text.length - Math.max(0, ...lengths);
  }
}
