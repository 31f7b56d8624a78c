/** Random numbers from a seed, the same on every machine. */
export class Draw {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Returns an integer from 0 up to but not including `most`. */
  below(most: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % most;
  }

  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }
}

/** A step of a sequence: its name, and the seed of its choices. */
export interface Step {
  readonly name: string;
  readonly draw: number;
}

/** Returns the sequence of a seed, drawn from steps with weights. */
export function sequence(seed: number, length: number, weights: Readonly<Record<string, number>>): Step[] {
  const names = Object.entries(weights).flatMap(([name, weight]) => Array.from({ length: weight }, () => name));
  const draw = new Draw(seed);
  return Array.from({ length }, () => ({ name: draw.of(names), draw: draw.below(1_000_000) }));
}

/** Formats a sequence as text, and parses it: "type:3 reload:7". */
export const written = (steps: readonly Step[]): string => steps.map(({ name, draw }) => `${name}:${draw}`).join(" ");

export function read(text: string): Step[] {
  return text
    .trim()
    .split(/\s+/)
    .map((word) => {
      const [name = "", draw = "0"] = word.split(":");
      return { name, draw: Number(draw) };
    });
}
