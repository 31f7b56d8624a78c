import type { Drawing, DrawingNode } from "../core/wire.js";

/** The distance, in edges, up to which the surroundings of two nodes are compared. */
const ROUNDS = 3;

/**
 * Matches the nodes of an earlier drawing with those of a later one, by identifier. The core renumbers
 * states at each edit, so identifiers mean little: nodes match if their labels and surroundings are
 * equal, the widest equality first. Time is almost linear in the graphs.
 */
export function matchNodes(before: Drawing, after: Drawing): Map<string, string> {
  const [old, now] = [coloured(before), coloured(after)];
  const matched = new Map<string, string>();
  const taken = new Set<string>();
  const pair = (a: string, b: string): void => {
    matched.set(a, b);
    taken.add(b);
  };
  for (let round = ROUNDS; round >= 0; round--) {
    const left = new Map<string, string[]>();
    for (const node of before.nodes)
      if (!taken.has(node.id)) push(left, old.colours[round]?.get(node.id) ?? "", node.id);
    for (const node of after.nodes) {
      if (matched.has(node.id)) continue;
      const like = left.get(now.colours[round]?.get(node.id) ?? "")?.filter((id) => !taken.has(id)) ?? [];
      const best = like.length < 2 ? like[0] : bestOf(like, node.id, old.around, now.around, matched);
      if (best !== undefined) pair(node.id, best);
    }
  }
  return matched;
}

/**
 * Picks the similar node with the most matched neighbours; among equals the node with the same identifier,
 * or else the first one.
 */
function bestOf(
  like: readonly string[],
  id: string,
  old: Around,
  now: Around,
  matched: ReadonlyMap<string, string>,
): string | undefined {
  let [best, most] = [like[0], -1];
  const neighbours = new Set((now.get(id) ?? []).map((n) => matched.get(n)).filter((n) => n !== undefined));
  for (const other of like) {
    const common = (old.get(other) ?? []).filter((n) => neighbours.has(n)).length + (other === id ? 0.5 : 0);
    if (common > most) [best, most] = [other, common];
  }
  return best;
}

type Around = ReadonlyMap<string, readonly string[]>;

/** Returns the colours of the nodes by round: of the label, then also of the neighbours' previous colours. */
function coloured(drawing: Drawing): {
  readonly colours: readonly ReadonlyMap<string, string>[];
  readonly around: Around;
} {
  const around = new Map<string, string[]>();
  for (const { source, target } of drawing.edges) {
    push(around, source, target);
    push(around, target, source);
  }
  const own = (n: DrawingNode): string => `${n.kind}|${n.label}`;
  const colours: Map<string, string>[] = [new Map(drawing.nodes.map((n) => [n.id, own(n)]))];
  for (let round = 1; round <= ROUNDS; round++) {
    const last = colours[round - 1] ?? new Map<string, string>();
    const seen = new Map<string, string[]>(drawing.nodes.map((n) => [n.id, []]));
    for (const { source, target, lines } of drawing.edges) {
      const label = lines.map((l) => l.label).join("\n");
      seen.get(source)?.push(`>${label}>${last.get(target)}`);
      seen.get(target)?.push(`<${label}<${last.get(source)}`);
    }
    colours.push(new Map([...seen].map(([id, list]) => [id, digest(`${last.get(id)}\n${list.sort().join("\n")}`)])));
  }
  return { colours, around };
}

/** Returns a short hash of a text; a collision only makes a worse match. */
function digest(text: string): string {
  let [a, b] = [0x811c9dc5, 0x1234567];
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    a = Math.imul(a ^ c, 0x01000193);
    b = Math.imul(b ^ c, 0x5bd1e995) + 1;
  }
  return `${a >>> 0}.${b >>> 0}`;
}

function push(map: Map<string, string[]>, key: string, value: string): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
