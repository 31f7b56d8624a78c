// Events as lines of JSON. The core reads the lines, so that numbers keep their digits; the page reads
// them only to show them.

/** An event, as the page shows it. */
export interface ShownEvent {
  readonly kind: string;
  readonly name: string;
  readonly fields: string;
  readonly agent: string;
  readonly time: number;
}

interface Raw {
  readonly kind?: unknown;
  readonly name?: unknown;
  readonly fields?: unknown;
  readonly time?: unknown;
  readonly agent?: unknown;
}

/** Returns the event in a line, or null if the line is not an event. An event without a time gets the index as time. */
export function shownEvent(line: string, index: number): ShownEvent | null {
  let raw: Raw;
  try {
    raw = JSON.parse(line) as Raw;
  } catch {
    return null;
  }
  if (typeof raw !== "object" || raw === null) return null;
  return {
    kind: typeof raw.kind === "string" ? raw.kind : "call",
    name: typeof raw.name === "string" ? raw.name : "",
    fields: raw.fields === undefined ? "" : JSON.stringify(raw.fields),
    agent: raw.agent === undefined ? "" : typeof raw.agent === "string" ? raw.agent : JSON.stringify(raw.agent),
    time: typeof raw.time === "number" ? raw.time : index,
  };
}

/** Returns an event in a few words: refund {"order":7}. */
export function eventText({ kind, name, fields }: ShownEvent): string {
  const of =
    kind === "call" ? name : kind === "message" ? `message.${name}` : kind === "end" ? "end" : `${name}.${kind}`;
  return fields === "" || fields === "{}" ? of : `${of} ${fields}`;
}

/** Returns the lines of a text that are not empty or comments. */
export function linesOf(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
}

/** A list of events that grows and is judged in parts. */
export class EventList {
  readonly lines: string[] = [];
  /** The times, for the timeline. */
  readonly times: number[] = [];

  get length(): number {
    return this.lines.length;
  }

  /** Adds lines and reads their times. */
  add(lines: readonly string[]): void {
    for (const line of lines) {
      this.times.push(shownEvent(line, this.lines.length)?.time ?? this.times.at(-1) ?? 0);
      this.lines.push(line);
    }
  }

  remove(at: number): void {
    this.lines.splice(at, 1);
    this.times.splice(at, 1);
  }

  clear(): void {
    this.lines.length = 0;
    this.times.length = 0;
  }

  at(index: number): ShownEvent | null {
    const line = this.lines[index];
    return line === undefined ? null : shownEvent(line, index);
  }
}
