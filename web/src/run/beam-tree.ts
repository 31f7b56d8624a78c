import { html, nothing, svg } from "lit";
import type { PlanBeam, PlanBeamPrefix } from "./events.js";
import { LightElement, prop } from "../ui/light-element.js";
import { count } from "../ui/text.js";

const WIDTH = 150;
const GAP = 34;
const HEIGHT = 24;
const STEP = 30;
/** The maximum number of dropped prefixes that a column shows. */
const MAX_DROPPED = 6;
const MAX_LABEL = 15;

interface Box {
  readonly prefix: PlanBeamPrefix;
  readonly kept: boolean;
  readonly best: boolean;
  readonly x: number;
  readonly y: number;
  readonly from: { readonly x: number; readonly y: number };
}

/** The tree of a beam search: a column for each round, with the kept prefixes above the dropped ones. */
export class StileBeamTree extends LightElement {
  @prop rounds: readonly PlanBeam[] = [];
  /** Whether the search has ended, so that its first prefix is the plan. */
  @prop ended = false;

  protected override render(): unknown {
    if (this.rounds.length === 0) return nothing;
    const { boxes, rests, width, height } = this.#layout();
    return html` <section class="beam" aria-labelledby="beam-title">
      <div class="history-head">
        <h2 id="beam-title">Beam</h2>
        <span class="hint"
          >${count(this.rounds.length, "round")}; each percentage is the probability of a partial plan among the valid
          ones</span
        >
      </div>
      <div class="beam-scroll" tabindex="0" role="region" aria-label="Tree of the beam">
        <svg class="beam-tree" width=${width} height=${height} viewBox="0 0 ${width} ${height}" aria-hidden="true">
          ${boxes.map(({ x, y, from, kept, best }) => svg`<path class="${kept ? "kept" : "dropped"} ${best ? "best" : ""}" d="M${from.x} ${from.y}C${from.x + GAP / 2} ${from.y} ${x - GAP / 2} ${y + HEIGHT / 2} ${x} ${y + HEIGHT / 2}" />`)}
          <circle cx="6" cy=${HEIGHT / 2} r="5" />
          ${boxes.map(({ prefix, x, y, kept, best }) => svg`<g class="${kept ? "kept" : "dropped"} ${best ? "best" : ""}"><title>${prefix.word.join(" ")}</title><rect x=${x} y=${y} width=${WIDTH} height=${HEIGHT} rx="4" /><text x=${x + 7} y=${y + 16}>${short(prefix.label)}</text><text class="share" x=${x + WIDTH - 7} y=${y + 16} text-anchor="end">${percent(prefix.score)}</text></g>`)}
          ${rests.map(({ x, y, text }) => svg`<text class="share" x=${x + 7} y=${y + 12}>${text}</text>`)}
        </svg>
      </div>
      <details>
        <summary>As a list</summary>
        <ol>
          ${this.rounds.map(
            (round) =>
              html`<li>
                Kept: ${round.kept.map(described).join("; ")}.
                ${round.dropped.length === 0 ? nothing : html`<span class="hint">Dropped: ${round.dropped.map(described).join("; ")}${round.omitted > 0 ? ` and ${round.omitted} more` : ""}.</span>`}
              </li>`,
          )}
        </ol>
      </details>
    </section>`;
  }

  /** Places the prefixes, each after its parent. */
  #layout(): {
    readonly boxes: readonly Box[];
    readonly rests: readonly { readonly x: number; readonly y: number; readonly text: string }[];
    readonly width: number;
    readonly height: number;
  } {
    const best = this.#best();
    const boxes: Box[] = [];
    const rests: { x: number; y: number; text: string }[] = [];
    let places = new Map([[0, { x: 11, y: HEIGHT / 2 }]]);
    let rows = 1;
    for (const [i, round] of this.rounds.entries()) {
      const x = 11 + GAP + i * (WIDTH + GAP);
      const next = new Map<number, { x: number; y: number }>();
      const dropped = round.dropped.slice(0, MAX_DROPPED);
      for (const [row, prefix] of [...round.kept, ...dropped].entries()) {
        const y = row * STEP;
        const kept = row < round.kept.length;
        const from = places.get(prefix.parent) ?? { x: x - GAP, y: y + HEIGHT / 2 };
        boxes.push({ prefix, kept, best: kept && best.has(prefix.prefix), x, y, from });
        if (kept) next.set(prefix.prefix, { x: x + WIDTH, y: y + HEIGHT / 2 });
      }
      const shown = round.kept.length + dropped.length;
      const more = round.dropped.length - dropped.length + round.omitted;
      if (more > 0) rests.push({ x, y: shown * STEP, text: `${more} more dropped` });
      rows = Math.max(rows, shown + (more > 0 ? 1 : 0));
      places = next;
    }
    return { boxes, rests, width: 12 + this.rounds.length * (WIDTH + GAP) + GAP, height: rows * STEP };
  }

  /** Returns the numbers of the plan's prefixes. */
  #best(): ReadonlySet<number> {
    const out = new Set<number>();
    let next = this.ended ? this.rounds.at(-1)?.kept[0] : undefined;
    for (let i = this.rounds.length - 1; i >= 0 && next !== undefined; i--) {
      out.add(next.prefix);
      const parent: number = next.parent;
      next = this.rounds[i - 1]?.kept.find((prefix) => prefix.prefix === parent);
    }
    return out;
  }
}

function short(text: string): string {
  return text.length > MAX_LABEL ? `${text.slice(0, MAX_LABEL - 1)}…` : text;
}

/** Returns the probability of a prefix, with two digits. */
function percent(score: number): string {
  const share = 100 * Math.exp(score);
  return share >= 10 ? `${share.toFixed(0)} %` : share >= 0.01 ? `${share.toPrecision(2)} %` : "< 0.01 %";
}

function described({ label, score, done }: PlanBeamPrefix): string {
  return `${label} (${percent(score)}${done ? ", complete" : ""})`;
}

customElements.define("stile-beam-tree", StileBeamTree);
