import type { Markup } from "../draw/drawing-svg.js";
import type { Rail, Railroad } from "../core/wire.js";

// Sizes in pixels of the picture; the letters have the sizes of the drawings' style.
const LETTER = 14 * 0.62;
const SMALL = 12 * 0.62;
const PAD = 10;
const BOX = 28;
const TALL = 42;
const GAP = 12;
const ROW = 10;
const ARC = 8;
const MAX_LABEL = 28;
const MARGIN = 16;

/** A part with its size; the track enters and leaves it at height 0. */
interface Track {
  readonly width: number;
  /** Extent above the track. */
  readonly up: number;
  readonly down: number;
  draw(x: number, y: number, out: Picture): void;
}

interface Picture {
  readonly lines: string[];
  readonly parts: Markup[];
  readonly places: Map<string, { readonly from: number; readonly to: number }>;
}

/** A diagram with the places of its parts in the text, by their identifiers. */
export interface RailPicture {
  readonly markup: Markup;
  readonly places: ReadonlyMap<string, { readonly from: number; readonly to: number }>;
}

/** Lays a railroad diagram out. */
export function railPicture(diagram: Railroad): RailPicture {
  const track = trackOf(diagram.rail ?? { kind: "empty", from: -1, to: -1 });
  const out: Picture = { lines: [], parts: [], places: new Map() };
  const y = MARGIN / 2 + Math.max(track.up, ARC);
  const end = MARGIN + GAP + track.width + GAP;
  out.lines.push(`M${MARGIN} ${y - 7} v14`, `M${MARGIN} ${y} h${GAP}`, `M${end - GAP} ${y} h${GAP}`);
  out.lines.push(`M${end} ${y - 7} v14`, `M${end + 4} ${y - 7} v14`);
  track.draw(MARGIN + GAP, y, out);
  const width = Math.ceil(end + MARGIN);
  const height = Math.ceil(y + Math.max(track.down, ARC) + MARGIN / 2);
  return {
    places: out.places,
    markup: {
      tag: "svg",
      attrs: {
        class: "drawing railroad",
        viewBox: `0 0 ${width} ${height}`,
        width: String(width),
        height: String(height),
        role: "group",
        "aria-label": `Railroad diagram of ${diagram.name}`,
      },
      children: [{ tag: "path", attrs: { class: "wire", d: out.lines.join(" ") }, children: [] }, ...out.parts],
    },
  };
}

function trackOf(rail: Rail): Track {
  const of = (rail.of ?? []).flatMap((part) => (part === null ? [] : [part])).map(trackOf);
  switch (rail.kind) {
    case "sequence":
      return sequence(of);
    case "choice":
      return choice(of);
    case "optional":
      return optional(of[0] ?? empty);
    case "loop":
      return loop(of[0] ?? empty, of[1]);
    case "empty":
      return empty;
    case "note":
      return note(rail.text ?? "");
    default:
      return box(rail);
  }
}

const empty: Track = {
  width: 2 * GAP,
  up: ARC,
  down: ARC,
  draw: (x, y, { lines }) => void lines.push(`M${x} ${y} h${2 * GAP}`),
};

function note(text: string): Track {
  const shown = short(text);
  const width = shown.length * SMALL + 2 * PAD;
  return {
    width,
    up: BOX / 2,
    down: ARC,
    draw(x, y, { lines, parts }) {
      lines.push(`M${x} ${y} h${width}`);
      parts.push(words("detail", x + width / 2, y - 6, shown));
    },
  };
}

function box(rail: Rail): Track {
  const text = rail.text ?? "";
  const label = short(rail.label ?? "");
  const height = label === "" ? BOX : TALL;
  const width = Math.max([...text].length * LETTER, [...label].length * SMALL, LETTER) + 2 * PAD;
  return {
    width,
    up: height / 2,
    down: height / 2,
    draw(x, y, { parts, places }) {
      const id = `r${places.size}`;
      places.set(id, rail);
      const terminal = rail.kind === "terminal";
      const middle = x + width / 2;
      parts.push({
        tag: "g",
        attrs: {
          class: `node ${terminal ? "terminal" : "symbol"}`,
          "data-id": id,
          role: "button",
          tabindex: "-1",
          "aria-label": `${rail.kind} ${text}${rail.label === undefined ? "" : `, ${rail.label}`}`,
        },
        children: [
          {
            tag: "rect",
            attrs: {
              class: "box",
              x: String(x),
              y: String(y - height / 2),
              width: String(width),
              height: String(height),
              rx: String(terminal ? BOX / 2 : 3),
            },
            children: [],
          },
          words("name", middle, label === "" ? y + 5 : y - 3, text),
          ...(label === "" ? [] : [words("detail", middle, y + 13, label)]),
        ],
      });
    },
  };
}

function sequence(of: readonly Track[]): Track {
  return {
    width: of.reduce((sum, part) => sum + part.width, 0) + GAP * Math.max(of.length - 1, 0),
    up: Math.max(...of.map((part) => part.up), ARC),
    down: Math.max(...of.map((part) => part.down), ARC),
    draw(x, y, out) {
      let at = x;
      for (const [i, part] of of.entries()) {
        if (i > 0) {
          out.lines.push(`M${at} ${y} h${GAP}`);
          at += GAP;
        }
        part.draw(at, y, out);
        at += part.width;
      }
    },
  };
}

/** Returns a choice: the first alternative is on the track, the others are below it. */
function choice(of: readonly Track[]): Track {
  const inner = Math.max(...of.map((part) => part.width));
  const offsets: number[] = [0];
  let down = of[0]?.down ?? 0;
  for (const part of of.slice(1)) {
    offsets.push(Math.max(down + ROW + part.up, 2 * ARC));
    down = (offsets.at(-1) ?? 0) + part.down;
  }
  return {
    width: inner + 4 * ARC,
    up: of[0]?.up ?? ARC,
    down,
    draw(x, y, out) {
      for (const [i, part] of of.entries()) {
        const drop = offsets[i] ?? 0;
        const end = x + 2 * ARC + part.width;
        if (i === 0) out.lines.push(`M${x} ${y} h${2 * ARC}`, `M${end} ${y} h${inner - part.width + 2 * ARC}`);
        else {
          out.lines.push(
            `M${x} ${y} q${ARC} 0 ${ARC} ${ARC} v${drop - 2 * ARC} q0 ${ARC} ${ARC} ${ARC}`,
            `M${end} ${y + drop} h${inner - part.width} q${ARC} 0 ${ARC} ${-ARC} v${-(drop - 2 * ARC)} q0 ${-ARC} ${ARC} ${-ARC}`,
          );
        }
        part.draw(x + 2 * ARC, y + drop, out);
      }
    },
  };
}

/** Returns a part with a bypass above it. */
function optional(of: Track): Track {
  const rise = Math.max(of.up + ROW, 2 * ARC);
  return {
    width: of.width + 4 * ARC,
    up: rise,
    down: of.down,
    draw(x, y, out) {
      out.lines.push(
        `M${x} ${y} h${2 * ARC}`,
        `M${x + 2 * ARC + of.width} ${y} h${2 * ARC}`,
        `M${x} ${y} q${ARC} 0 ${ARC} ${-ARC} v${-(rise - 2 * ARC)} q0 ${-ARC} ${ARC} ${-ARC} h${of.width} q${ARC} 0 ${ARC} ${ARC} v${rise - 2 * ARC} q0 ${ARC} ${ARC} ${ARC}`,
      );
      of.draw(x + 2 * ARC, y, out);
    },
  };
}

/** Returns a part with a way back below it, which leads through the separator if there is one. */
function loop(of: Track, back: Track | undefined): Track {
  const inner = Math.max(of.width, back?.width ?? 0);
  const drop = Math.max(of.down + ROW + (back?.up ?? 0), 2 * ARC);
  return {
    width: inner + 4 * ARC,
    up: of.up,
    down: drop + Math.max(back?.down ?? 0, 2),
    draw(x, y, out) {
      const end = x + 2 * ARC + inner;
      const start = x + 2 * ARC + (inner - (back?.width ?? 0)) / 2;
      const side = back === undefined ? inner : (inner - back.width) / 2;
      out.lines.push(
        `M${x} ${y} h${2 * ARC}`,
        `M${x + 2 * ARC + of.width} ${y} h${inner - of.width + 2 * ARC}`,
        `M${end} ${y} q${ARC} 0 ${ARC} ${ARC} v${drop - 2 * ARC} q0 ${ARC} ${-ARC} ${ARC} h${-side}`,
        `M${x + 2 * ARC} ${y} q${-ARC} 0 ${-ARC} ${ARC} v${drop - 2 * ARC} q0 ${ARC} ${ARC} ${ARC} ${back === undefined ? "" : `h${side}`}`,
      );
      // An arrow head shows the direction of the way back.
      const tip = x + 2 * ARC + (back === undefined ? inner / 2 : side / 2);
      out.lines.push(`M${tip + 4} ${y + drop - 4} l-4 4 l4 4`);
      of.draw(x + 2 * ARC, y, out);
      back?.draw(start, y + drop, out);
    },
  };
}

function words(name: string, x: number, y: number, text: string): Markup {
  return {
    tag: "text",
    attrs: { class: name, x: String(Math.round(x * 10) / 10), y: String(y), "text-anchor": "middle" },
    children: [text],
  };
}

function short(text: string): string {
  return text.length <= MAX_LABEL ? text : `${text.slice(0, MAX_LABEL - 1)}…`;
}
