import {
  type Around,
  aroundOf,
  type Fold,
  folded,
  found,
  type Hit,
  hiddenBeside,
  loopsOf,
  onlyThrough,
  partOf,
  within,
} from "./graph.js";
import type { Drawing, DrawingWholeResult } from "../core/wire.js";

// Limits of a picture; the core has the same for a drawing.
const MAX_NODES = 300;
const MAX_EDGES = 900;
/** The maximum number of shown nodes of an oversized graph. */
const SOME_NODES = 40;
const FAR = 12;
/** The maximum number of labels on an edge of a graph that contains all labels. */
const MAX_LINES = 12;
/** A graph that omits this many labels no longer represents its text. */
const MANY_LINES = 1_000;

/** The visible part of a graph. */
export interface Shown {
  readonly drawing: Drawing;
  /** Number of hidden neighbours, by node. */
  readonly hidden: ReadonlyMap<string, number>;
  /** Folded nodes, with the number of nodes in each. */
  readonly folds: ReadonlyMap<string, number>;
  /** The folded node of each hidden node. */
  readonly into: ReadonlyMap<string, string>;
  /** The remark on the omitted parts. */
  readonly note: string;
}

/** The maximum distance of visible nodes from the chosen node, in steps; 0 shows all nodes. */
export type Steps = 0 | 1 | 2 | 3;

/** The part of a graph that a person has chosen: a neighbourhood, with folds. */
export class Explorer {
  base: Drawing | null = null;
  /** The full graph, once it is loaded. */
  full: DrawingWholeResult | null = null;
  /** The chosen view; "" for the default. */
  view = "";
  steps: Steps = 0;
  /** The centre of the neighbourhood. */
  center = "";
  readonly #folds = new Map<string, Fold>();
  readonly #unfolded = new Set<string>();
  #graph: { readonly drawing: Drawing; readonly around: Around } | undefined;

  /** Whether the base drawing omits too much or is too large. */
  get cut(): boolean {
    const { base } = this;
    return base !== null && (base.folded > 0 || base.edges.reduce((sum, e) => sum + e.folded, 0) > MANY_LINES);
  }

  /** Whether the picture needs the full graph. */
  get wantsFull(): boolean {
    return this.cut || this.view !== "" || this.#unfolded.size > 0;
  }

  get folds(): number {
    return this.#folds.size + this.#unfolded.size;
  }

  /** The graph that the visible part is taken from. */
  get graph(): Drawing | null {
    const { full } = this;
    return this.wantsFull && full?.drawing !== undefined ? full.drawing : this.base;
  }

  /** Resets everything for another text. */
  reset(): void {
    this.full = null;
    this.view = "";
    this.steps = 0;
    this.center = "";
    this.#folds.clear();
    this.#unfolded.clear();
  }

  /** Applies an edit of the same text: choices move to the renamed nodes. */
  edited(renamed: ReadonlyMap<string, string>): void {
    this.center = renamed.get(this.center) ?? "";
    const folds = [...this.#folds.values()];
    this.#folds.clear();
    for (const fold of folds) {
      const id = renamed.get(fold.id);
      if (id === undefined) continue;
      const nodes = fold.nodes.map((n) => renamed.get(n)).filter((n) => n !== undefined);
      if (nodes.length > 1) this.#folds.set(id, { ...fold, id, nodes });
    }
    this.#graph = undefined;
  }

  /** Returns the visible part; the base itself if nothing is omitted. */
  show(): Shown | null {
    const { graph, base } = this;
    if (graph === null) return null;
    const folds = [...this.#folds.values(), ...this.#families()];
    const made = folds.length === 0 ? { drawing: graph, into: new Map<string, string>() } : folded(graph, folds);
    let { drawing } = made;
    const around = aroundOf(drawing);
    const large = drawing.nodes.length > MAX_NODES || drawing.edges.length > MAX_EDGES;
    let note = "";
    let hidden: ReadonlyMap<string, number> = new Map();
    if (this.steps > 0 || large) {
      const looked = made.into.get(this.center) ?? this.center;
      const from = around.out.has(looked) ? [looked] : startsOf(drawing);
      const [kept, steps] =
        this.steps > 0 ? [within(around, from, this.steps, MAX_NODES), this.steps] : some(around, from);
      const total = drawing.nodes.length;
      const name = drawing.nodes
        .filter((n) => from.includes(n.id))
        .map((n) => n.label)
        .slice(0, 3)
        .join(", ");
      drawing = partOf(drawing, kept);
      hidden = hiddenBeside(around, kept);
      note = `${drawing.nodes.length} of ${total.toLocaleString("en")} ${drawing.down ? "nodes" : "states"}, within ${steps === 1 ? "1 step" : `${steps} steps`} of ${name}`;
    } else if (graph === base && base.folded > 0) {
      note = `${base.folded} more are not drawn.`;
    }
    if (graph !== base)
      drawing = {
        ...drawing,
        dot: "",
        edges: drawing.edges
          .slice(0, MAX_EDGES)
          .map((e) =>
            e.lines.length <= MAX_LINES
              ? e
              : { ...e, lines: e.lines.slice(0, MAX_LINES), folded: e.folded + e.lines.length - MAX_LINES },
          ),
      };
    const counts = new Map<string, number>();
    const shown = new Set(drawing.nodes.map((n) => n.id));
    for (const id of made.into.values()) if (shown.has(id)) counts.set(id, (counts.get(id) ?? 1) + 1);
    // The core has already folded families whose members are not needed.
    if (graph === base)
      for (const group of this.full?.groups ?? [])
        if (group.folded && shown.has(group.nodes[0] ?? "")) counts.set(group.nodes[0] ?? "", group.nodes.length);
    return { drawing, hidden, folds: counts, into: made.into, note };
  }

  find(text: string): readonly Hit[] {
    return this.graph === null ? [] : found(this.graph, text);
  }

  /** Makes a node visible; returns whether that changed anything. */
  reveal(id: string, shown: Shown): boolean {
    let changed = false;
    for (let at = shown.into.get(id); at !== undefined && at !== id;) {
      const before = at;
      this.unfold(at);
      changed = true;
      at = [...this.#folds.values()].find((f) => f.nodes.includes(id))?.id;
      if (at === before) break;
    }
    if (!shown.drawing.nodes.some((n) => n.id === id) && (changed ? this.steps > 0 : true)) {
      this.center = id;
      changed = true;
    }
    return changed;
  }

  /** Folds a node with the nodes that are reached only through it; returns the number of nodes in the fold. */
  foldBehind(id: string): number {
    const at = this.#looked();
    return at === undefined ? 0 : this.#fold(id, [...onlyThrough(at.drawing, at.around, id)]);
  }

  /** Folds the group of a node, or else its loops; returns the number of nodes in the fold. */
  foldAround(id: string): number {
    const at = this.#looked();
    if (at === undefined) return 0;
    const group = this.full?.groups.find((g) => g.nodes.includes(id));
    if (group?.folded === true && this.#unfolded.delete(group.nodes[0] ?? "")) return group.nodes.length;
    if (group !== undefined && this.graph !== this.base)
      return this.#fold(group.nodes[0] ?? id, group.nodes, group.name);
    return this.#fold(
      id,
      [...loopsOf(at.around, id)].filter((other) => other !== id),
    );
  }

  /** Returns the kind of fold around a node. */
  kindAround(id: string): "family" | "loop" {
    return this.full?.groups.some((g) => g.nodes.includes(id)) === true ? "family" : "loop";
  }

  /** Reports whether unfolding a node requires the full graph, which has not arrived. */
  awaits(id: string): boolean {
    return this.full === null && !this.#folds.has(id) && !this.#unfolded.has(id);
  }

  /** Unfolds a node, or a group, now or once the full graph arrives; returns false if there is nothing to unfold. */
  unfold(id: string): boolean {
    if (this.#folds.delete(id)) return true;
    if (this.awaits(id)) {
      this.#unfolded.add(id);
      return true;
    }
    const group = this.full?.groups.find((g) => g.folded && g.nodes[0] === id);
    if (group === undefined || this.#unfolded.has(id)) return false;
    this.#unfolded.add(id);
    return true;
  }

  unfoldAll(): void {
    this.#folds.clear();
    this.#unfolded.clear();
  }

  #fold(id: string, nodes: readonly string[], label?: string): number {
    const all = [id, ...nodes.filter((n) => n !== id)];
    if (all.length < 2) return 0;
    this.#folds.set(id, { id, label: label ?? this.graph?.nodes.find((n) => n.id === id)?.label ?? id, nodes: all });
    return all.length;
  }

  #families(): readonly Fold[] {
    const { full } = this;
    if (full === null || this.graph !== full.drawing) return [];
    return full.groups
      .filter((g) => g.folded && !this.#unfolded.has(g.nodes[0] ?? ""))
      .map((g) => ({ id: g.nodes[0] ?? "", label: g.name, nodes: g.nodes }));
  }

  #looked(): { readonly drawing: Drawing; readonly around: Around } | undefined {
    const { graph } = this;
    if (graph === null) return undefined;
    if (this.#graph?.drawing !== graph) this.#graph = { drawing: graph, around: aroundOf(graph) };
    return this.#graph;
  }
}

function startsOf(drawing: Drawing): readonly string[] {
  const starts = drawing.nodes.filter((n) => n.start).map((n) => n.id);
  return starts.length > 0 ? starts : drawing.nodes.slice(0, 1).map((n) => n.id);
}

/** Returns the nodes around given nodes, up to the largest distance that fits into a picture, and that distance. */
function some(around: Around, from: readonly string[]): [Set<string>, number] {
  let kept = within(around, from, 1, SOME_NODES);
  let steps = 1;
  while (steps < FAR) {
    const more = within(around, from, steps + 1);
    if (more.size > SOME_NODES || more.size === kept.size) break;
    [kept, steps] = [more, steps + 1];
  }
  return [kept, steps];
}
