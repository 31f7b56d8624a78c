// Operations on graphs: neighbourhoods, folds, search. They do not depend on the graph's meaning or
// on pixels.
import type { Drawing, DrawingEdge, DrawingNode } from "../core/wire.js";

/** The maximum number of labels on an edge that represents several edges. */
const MAX_LINES = 6;

/** The neighbours of each node, in the order of the edges. */
export interface Around {
  readonly out: ReadonlyMap<string, readonly string[]>;
  readonly into: ReadonlyMap<string, readonly string[]>;
}

export function aroundOf(drawing: Drawing): Around {
  const [out, into] = [new Map<string, string[]>(), new Map<string, string[]>()];
  for (const { id } of drawing.nodes) {
    out.set(id, []);
    into.set(id, []);
  }
  for (const { source, target } of drawing.edges) {
    out.get(source)?.push(target);
    into.get(target)?.push(source);
  }
  return { out, into };
}

/**
 * Returns at most `most` nodes within `steps` edges of the nodes in `from`, including `from`. Edges are followed
 * in both directions, or only to their targets if `forward` is true.
 */
export function within(
  around: Around,
  from: readonly string[],
  steps: number,
  most = Infinity,
  forward = false,
): Set<string> {
  const found = new Set(from.filter((id) => around.out.has(id)));
  let last = [...found];
  for (let step = 0; step < steps && last.length > 0; step++) {
    const next: string[] = [];
    for (const id of last) {
      for (const list of forward ? [around.out] : [around.out, around.into]) {
        for (const other of list.get(id) ?? []) {
          if (found.has(other)) continue;
          if (found.size >= most) return found;
          found.add(other);
          next.push(other);
        }
      }
    }
    last = next;
  }
  return found;
}

/** A part of a graph: some of its nodes, and the edges among them. */
export function partOf(drawing: Drawing, nodes: ReadonlySet<string>): Drawing {
  return {
    ...drawing,
    dot: "",
    folded: 0,
    nodes: drawing.nodes.filter((n) => nodes.has(n.id)),
    edges: drawing.edges.filter((e) => nodes.has(e.source) && nodes.has(e.target)),
  };
}

/** Maps each shown node that has hidden neighbours to their number. */
export function hiddenBeside(around: Around, shown: ReadonlySet<string>): Map<string, number> {
  const hidden = new Map<string, number>();
  for (const id of shown) {
    const missing = new Set(
      [...(around.out.get(id) ?? []), ...(around.into.get(id) ?? [])].filter((other) => !shown.has(other)),
    );
    if (missing.size > 0) hidden.set(id, missing.size);
  }
  return hidden;
}

/** Returns the nodes that can be reached only through a node, without the node itself. */
export function onlyThrough(drawing: Drawing, around: Around, id: string): Set<string> {
  const starts = drawing.nodes.filter((n) => n.start && n.id !== id).map((n) => n.id);
  // A tree starts at the nodes without predecessors.
  if (!drawing.nodes.some((n) => n.start))
    starts.push(...drawing.nodes.filter((n) => n.id !== id && around.into.get(n.id)?.length === 0).map((n) => n.id));
  const without: Around = { out: new Map([...around.out, [id, []]]), into: around.into };
  const free = within(without, starts, Infinity, Infinity, true);
  const below = within(around, [id], Infinity, Infinity, true);
  return new Set([...below].filter((other) => other !== id && !free.has(other)));
}

/**
 * Returns the strongly connected component of a node, which contains its loops. For a single node, Tarjan's
 * algorithm (1972) is not needed.
 */
export function loopsOf(around: Around, id: string): Set<string> {
  const after = within(around, [id], Infinity, Infinity, true);
  const before = within({ out: around.into, into: around.out }, [id], Infinity, Infinity, true);
  return new Set([...after].filter((other) => before.has(other)));
}

/** Nodes that are drawn as one. */
export interface Fold {
  /** The node that represents the others. */
  readonly id: string;
  readonly label: string;
  readonly nodes: readonly string[];
}

/** Returns a graph with folds. `into` maps each folded node to its representative. */
export function folded(
  drawing: Drawing,
  folds: readonly Fold[],
): { readonly drawing: Drawing; readonly into: ReadonlyMap<string, string> } {
  const into = new Map<string, string>();
  for (const fold of folds) for (const id of fold.nodes) if (id !== fold.id && !into.has(id)) into.set(id, fold.id);
  // Folds may be nested.
  const last = (id: string): string => {
    const passed = new Set([id]);
    let at = id;
    for (let next = into.get(at); next !== undefined && !passed.has(next); next = into.get(at)) passed.add((at = next));
    return at;
  };
  const members = new Map<string, DrawingNode[]>();
  for (const node of drawing.nodes) {
    const to = last(node.id);
    const list = members.get(to);
    if (list === undefined) members.set(to, [node]);
    else list.push(node);
  }
  const labels = new Map(folds.map((f) => [f.id, f.label]));
  const nodes = drawing.nodes
    .filter((n) => last(n.id) === n.id)
    .map((node) => {
      const list = members.get(node.id) ?? [];
      if (list.length < 2) return node;
      return {
        ...node,
        kind: `${node.kind} fold`,
        label: labels.get(node.id) ?? node.label,
        detail: `${list.length} ${drawing.down ? "nodes" : "states"}`,
        start: list.some((n) => n.start),
        accepting: list.some((n) => n.accepting),
      };
    });
  const edges = new Map<string, DrawingEdge>();
  for (const edge of drawing.edges) {
    const [source, target] = [last(edge.source), last(edge.target)];
    if (source === target && edge.source !== edge.target) continue;
    if (source === target && (members.get(source)?.length ?? 0) > 1) continue;
    const key = `${source}\n${target}`;
    const known = edges.get(key);
    if (known === undefined) {
      edges.set(key, { ...edge, source, target });
      continue;
    }
    const fresh = edge.lines.filter((line) => !known.lines.some((l) => l.label === line.label));
    const lines = [...known.lines, ...fresh];
    edges.set(key, {
      ...known,
      lines: lines.slice(0, MAX_LINES),
      folded: known.folded + edge.folded + Math.max(0, lines.length - MAX_LINES),
    });
  }
  return {
    drawing: { ...drawing, dot: "", nodes, edges: [...edges.values()] },
    into: new Map([...into.keys()].map((id) => [id, last(id)])),
  };
}

/** A search hit in a graph. */
export interface Hit {
  readonly id: string;
  readonly label: string;
  /** The node, or the source and the target of the edge. */
  readonly nodes: readonly string[];
  readonly line: boolean;
}

/** Returns the nodes and edges whose text contains a query, nodes first, ignoring case. */
export function found(drawing: Drawing, text: string): readonly Hit[] {
  const wanted = text.toLowerCase();
  if (wanted === "") return [];
  const says = (...texts: readonly (string | undefined)[]): boolean =>
    texts.some((t) => t?.toLowerCase().includes(wanted) === true);
  const hits: Hit[] = [];
  const names = new Map<string, string>();
  for (const node of drawing.nodes) {
    names.set(node.id, node.label);
    if (says(node.label, node.detail))
      hits.push({
        id: node.id,
        label: node.detail === undefined || node.detail === "" ? node.label : `${node.label}: ${node.detail}`,
        nodes: [node.id],
        line: false,
      });
  }
  // Full matches precede partial ones.
  hits.sort(
    (a, b) => Number(names.get(b.id)?.toLowerCase() === wanted) - Number(names.get(a.id)?.toLowerCase() === wanted),
  );
  for (const edge of drawing.edges) {
    for (const line of edge.lines) {
      if (says(line.label))
        hits.push({
          id: line.id,
          label: `${line.label}, ${names.get(edge.source)} to ${names.get(edge.target)}`,
          nodes: [edge.source, edge.target],
          line: true,
        });
    }
  }
  return hits;
}

/** Returns a summary of a graph for people who cannot see it. */
export function describe(drawing: Drawing): string {
  const noun = drawing.down ? ["node", "nodes"] : ["state", "states"];
  const step = drawing.down ? ["edge", "edges"] : ["transition", "transitions"];
  const transitions = drawing.edges.reduce((sum, e) => sum + Math.max(1, e.lines.length) + e.folded, 0);
  const list = (what: string, nodes: readonly DrawingNode[]): string => {
    if (nodes.length === 0) return "";
    const names = [...new Set(nodes.map((n) => n.label))];
    return `${what}: ${names.slice(0, 6).join(", ")}${names.length > 6 ? ` and ${names.length - 6} more` : ""}`;
  };
  const counted = (n: number, [one, many]: readonly string[]): string => `${n} ${n === 1 ? one : many}`;
  const starts = list(
    "start",
    drawing.nodes.filter((n) => n.start),
  );
  const accepting = list(
    "accepting",
    drawing.nodes.filter((n) => n.accepting),
  );
  return `${[`${counted(drawing.nodes.length, noun)}, ${counted(transitions, step)}`, starts, accepting].filter((s) => s !== "").join("; ")}.`;
}
