// Animations of a drawing. They are off if the person prefers reduced motion.
import type { Drawing } from "../core/wire.js";

/** The duration of a move in milliseconds. */
export const MOVE_TIME = 220;
/** The time of a token along an edge in milliseconds. */
export const TOKEN_TIME = 340;
/** The maximum number of moving nodes. Larger drawings change at once, because their motion would stutter. */
const MAX_MOVING = 160;
/** Stops of a token; the browser draws straight lines between them. */
const TOKEN_STOPS = 24;

const EASE = "cubic-bezier(0.3, 0, 0.2, 1)";

/** Reports whether animations are allowed. */
export function mayMove(): boolean {
  return !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** The moves of each drawing, kept because a search for its animations would update all styles. */
const moves = new WeakMap<SVGElement, readonly Animation[]>();

/** A drawing on the page. */
export interface Drawn {
  readonly svg: SVGElement;
  readonly drawing: Drawing;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Visible places of a drawing's parts, in its own units, also during a move. */
export interface Seen {
  readonly nodes: ReadonlyMap<string, Point>;
  readonly edges: ReadonlyMap<string, { readonly wire: string; readonly tip: string }>;
  readonly lines: ReadonlyMap<string, Point>;
}

/** The places of drawings at rest. */
const resting = new WeakMap<SVGElement, Seen>();

/** Records the places of a drawing at rest while the page is idle, so that its replacement need not. */
export function remember(drawn: Drawn): void {
  resting.set(drawn.svg, placesOf(drawn, false));
}

/** Returns the places of all parts of a drawing that another is about to replace. */
export function seen(drawn: Drawn): Seen {
  const moving = moves.get(drawn.svg)?.some(({ playState }) => playState === "running") ?? false;
  return (moving ? undefined : resting.get(drawn.svg)) ?? placesOf(drawn, moving);
}

function placesOf({ svg, drawing }: Drawn, moving: boolean): Seen {
  const parts = partsOf(svg);
  const shift = (g: Element): Point => {
    if (!moving) return { x: 0, y: 0 };
    const { e, f } = new DOMMatrix(getComputedStyle(g).transform);
    return { x: e, y: f };
  };
  const path = (g: Element, name: string): string => {
    const found = g.querySelector(`.${name}`);
    const now =
      moving && found !== null
        ? /path\("([^"]*)"\)/.exec(getComputedStyle(found).getPropertyValue("d"))?.[1]
        : undefined;
    return now ?? found?.getAttribute("d") ?? "";
  };
  const nodes = new Map<string, Point>();
  for (const { id } of drawing.nodes) {
    const g = parts.get(id);
    if (g === undefined) continue;
    const [at, by] = [middle(g, ".box"), shift(g)];
    nodes.set(id, { x: at.x + by.x, y: at.y + by.y });
  }
  const edges = new Map<string, { wire: string; tip: string }>();
  const lines = new Map<string, Point>();
  for (const { id, source, target, lines: labels } of drawing.edges) {
    const g = parts.get(id);
    if (g === undefined) continue;
    edges.set(`${source}\n${target}`, { wire: path(g, "wire"), tip: path(g, "tip") });
    for (const line of labels) {
      const label = parts.get(line.id);
      if (label === undefined || label === g) continue;
      const [at, by] = [middle(label, ".ground"), shift(label)];
      lines.set(`${source}\n${target}\n${line.label}`, { x: at.x + by.x, y: at.y + by.y });
    }
  }
  return { nodes, edges, lines };
}

/** Returns places with all coordinates multiplied by `by`, for a drawing with other units. */
export function scaled({ nodes, edges, lines }: Seen, by: number): Seen {
  const point = ({ x, y }: Point): Point => ({ x: x * by, y: y * by });
  const path = (d: string): string => d.replace(/-?[\d.]+(?:e-?\d+)?/g, (n) => String(Number(n) * by));
  return {
    nodes: new Map([...nodes].map(([id, at]) => [id, point(at)])),
    edges: new Map([...edges].map(([id, { wire, tip }]) => [id, { wire: path(wire), tip: path(tip) }])),
    lines: new Map([...lines].map(([id, at]) => [id, point(at)])),
  };
}

/**
 * Moves the parts of a drawing from their old to their new places. `by` is the shift of the complete
 * drawing, which the view has already followed.
 */
export function move(before: Seen, { svg, drawing }: Drawn, matched: ReadonlyMap<string, string>, by: Point): void {
  if (!mayMove()) return;
  if (drawing.nodes.length > MAX_MOVING || drawing.edges.length > 2 * MAX_MOVING) return;
  const running: Animation[] = [];
  moves.set(svg, running);
  const parts = partsOf(svg);
  const appear = (part: Element): void =>
    void running.push(part.animate({ opacity: [0, 1] }, { duration: MOVE_TIME, easing: "ease-out" }));
  const glide = (part: SVGElement, from: Point, to: Point): void => {
    const [dx, dy] = [from.x + by.x - to.x, from.y + by.y - to.y];
    if (Math.abs(dx) + Math.abs(dy) > 0.5)
      running.push(
        part.animate(
          { transform: [`translate(${dx}px, ${dy}px)`, "translate(0px, 0px)"] },
          { duration: MOVE_TIME, easing: EASE },
        ),
      );
  };
  for (const { id } of drawing.nodes) {
    const part = parts.get(id);
    const from = before.nodes.get(matched.get(id) ?? "");
    if (part === undefined) continue;
    if (from === undefined) appear(part);
    else glide(part, from, middle(part, ".box"));
  }
  const bends = typeof CSS !== "undefined" && CSS.supports("d", 'path("M0 0")');
  for (const edge of drawing.edges) {
    const part = parts.get(edge.id);
    if (part === undefined) continue;
    const key = `${matched.get(edge.source)}\n${matched.get(edge.target)}`;
    const from = before.edges.get(key);
    if (from === undefined) {
      appear(part);
      continue;
    }
    for (const name of ["wire", "tip"] as const) {
      const path = part.querySelector(`.${name}`);
      const pair = path === null ? undefined : alike(from[name], path.getAttribute("d") ?? "", by);
      if (path === null || pair?.[0] === pair?.[1]) continue;
      if (pair === undefined || !bends) appear(path);
      else
        running.push(
          path.animate({ d: [`path("${pair[0]}")`, `path("${pair[1]}")`] } as PropertyIndexedKeyframes, {
            duration: MOVE_TIME,
            easing: EASE,
          }),
        );
    }
    for (const line of edge.lines) {
      const label = parts.get(line.id);
      if (label === undefined || label === part) continue;
      const at = before.lines.get(`${key}\n${line.label}`);
      if (at === undefined) appear(label);
      else glide(label, at, middle(label, ".ground"));
    }
  }
  for (const entry of svg.querySelectorAll(".entry")) appear(entry);
}

/** Sends a token along edges and pulses the states that it reaches. */
export function token(svg: SVGElement, edges: readonly Element[], states: readonly Element[]): void {
  if (!mayMove()) return;
  for (const edge of edges) {
    const path = edge.querySelector<SVGPathElement>(".wire");
    const length = path?.getTotalLength() ?? 0;
    if (path === null || length === 0) continue;
    const stops: string[] = [];
    for (let i = 0; i <= TOKEN_STOPS; i++) {
      const { x, y } = path.getPointAtLength((length * i) / TOKEN_STOPS);
      stops.push(`translate(${x}px, ${y}px)`);
    }
    const dot = document.createElementNS("http://www.w3.org/2000/svg", "circle");
    dot.setAttribute("class", "token");
    dot.setAttribute("r", "6");
    svg.append(dot);
    dot.animate({ transform: stops }, { duration: TOKEN_TIME, easing: "ease-in-out" }).finished.then(
      () => dot.remove(),
      () => dot.remove(),
    );
  }
  for (const state of states) {
    state
      .querySelector(".box")
      ?.animate(
        { strokeWidth: ["2px", "7px", "2px"] },
        { duration: TOKEN_TIME, delay: edges.length > 0 ? TOKEN_TIME * 0.8 : 0, easing: "ease-out" },
      );
  }
}

/** Returns the parts of a drawing by the core's identifiers. */
function partsOf(svg: SVGElement): Map<string, SVGElement> {
  return new Map([...svg.querySelectorAll<SVGElement>("[data-id]")].map((part) => [part.dataset["id"] ?? "", part]));
}

/** The middle of a part's box. */
function middle(part: Element, selector: string): Point {
  const box = part.querySelector(selector);
  const number = (name: string): number => Number(box?.getAttribute(name) ?? 0);
  return { x: number("x") + number("width") / 2, y: number("y") + number("height") / 2 };
}

/**
 * Returns two paths with the same commands, so that a browser can interpolate them; undefined if there
 * are none.
 */
function alike(from: string, to: string, by: Point): readonly [string, string] | undefined {
  const [a, b] = [commands(from), commands(to)];
  if (a === undefined || b === undefined) return undefined;
  for (const command of a) for (const [i, n] of command.at.entries()) command.at[i] = n + (i % 2 === 0 ? by.x : by.y);
  while (a.length < b.length) if (!halve(a)) return undefined;
  while (b.length < a.length) if (!halve(b)) return undefined;
  return a.every((command, i) => command.letter === b[i]?.letter) ? [written(a), written(b)] : undefined;
}

interface Command {
  readonly letter: string;
  readonly at: number[];
}

/** Returns the commands of a path of moves, lines and cubic curves, absolute, one command per curve. */
function commands(path: string): Command[] | undefined {
  const list: Command[] = [];
  for (const [, letter = "", rest = ""] of path.matchAll(/([MLCZ])([^MLCZ]*)/g)) {
    const at = (rest.match(/-?[\d.]+(?:e-?\d+)?/g) ?? []).map(Number);
    if (letter === "C") for (let i = 0; i + 5 < at.length; i += 6) list.push({ letter, at: at.slice(i, i + 6) });
    else list.push({ letter, at });
  }
  return list.length === 0 ? undefined : list;
}

/** Splits the longest curve of a path in two (de Casteljau). */
function halve(list: Command[]): boolean {
  let [best, most] = [-1, -1];
  for (const [i, command] of list.entries()) {
    const [x, y] = (list[i - 1]?.at ?? []).slice(-2);
    if (command.letter !== "C" || x === undefined || y === undefined) continue;
    const length = Math.hypot((command.at[4] ?? 0) - x, (command.at[5] ?? 0) - y);
    if (length > most) [best, most] = [i, length];
  }
  const curve = list[best];
  const [x0 = 0, y0 = 0] = (list[best - 1]?.at ?? []).slice(-2);
  if (curve === undefined) return false;
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0] = curve.at;
  const half = (a: number, b: number): number => (a + b) / 2;
  const [ax, ay, mx, my, dx, dy] = [half(x0, x1), half(y0, y1), half(x1, x2), half(y1, y2), half(x2, x3), half(y2, y3)];
  const [bx, by, cx, cy] = [half(ax, mx), half(ay, my), half(mx, dx), half(my, dy)];
  list.splice(
    best,
    1,
    { letter: "C", at: [ax, ay, bx, by, half(bx, cx), half(by, cy)] },
    { letter: "C", at: [cx, cy, dx, dy, x3, y3] },
  );
  return true;
}

function written(list: readonly Command[]): string {
  return list.map(({ letter, at }) => `${letter}${at.join(" ")}`).join(" ");
}
