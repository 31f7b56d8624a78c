import { html, nothing } from "lit";
import { growingTree, type GrowingNode, type PlanEntry, standing } from "./timeline.js";
import { LightElement, prop } from "../ui/light-element.js";

/** The maximum indentation of a tree, in levels; deeper nodes are not indented further. */
const MAX_DEPTH = 24;

/** A plan in progress: the derivation tree as an outline, or the steps of a walk. */
export class StilePlanTree extends LightElement {
  @prop entries: readonly PlanEntry[] = [];
  /** Whether the plan is a derivation in a grammar. */
  @prop derivation = true;

  protected override render(): unknown {
    const tree = this.derivation ? growingTree(this.entries) : null;
    const steps = this.derivation ? [] : standing(this.entries).filter((move) => (move.take?.symbol ?? "") !== "");
    if (tree === null && steps.length === 0) return nothing;
    const next = tree === null ? -1 : leftmost(tree);
    return html` <section class="growing" aria-labelledby="growing-title">
      <h2 id="growing-title">${this.derivation ? "The tree so far" : "The plan so far"}</h2>
      ${
        tree === null
          ? html`<ol class="walked">
              ${steps.map(({ take }) => html`<li><span>${take?.label}</span>${take?.label === take?.symbol ? nothing : html` <code>${take?.symbol}</code>`}</li>`)}
            </ol>`
          : html`<ul class="outline" tabindex="0" aria-labelledby="growing-title">
              ${this.#node(tree, next, 0)}
            </ul>`
      }
    </section>`;
  }

  #node(node: GrowingNode, next: number, depth: number): unknown {
    const waits = !node.terminal && node.children === undefined;
    const children = node.children ?? [];
    return html` <li class="${node.terminal ? "leaf" : waits ? "waits" : ""} ${node.id === next ? "next-up" : ""}">
      <span class="outline-node"
        >${node.label}${node.symbol === "" || node.symbol === node.label ? nothing : html` <code>${node.symbol}</code>`}${waits ? html`<span class="hint">${node.id === next ? "next" : "open"}</span>` : nothing}</span
      >
      ${
        children.length === 0
          ? nothing
          : html`<ul class=${depth < MAX_DEPTH ? "" : "flat"}>
              ${children.map((child) => this.#node(child, next, depth + 1))}
            </ul>`
      }
    </li>`;
  }
}

/** Returns the node that is expanded next, or -1. */
function leftmost(node: GrowingNode): number {
  if (node.terminal) return -1;
  if (node.children === undefined) return node.id;
  for (const child of node.children) {
    const found = leftmost(child);
    if (found >= 0) return found;
  }
  return -1;
}

customElements.define("stile-plan-tree", StilePlanTree);
