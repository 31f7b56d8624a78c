import { html, nothing } from "lit";
import { readAssets } from "../core/assets.js";
import { drawingDOT } from "./drawing-dot.js";
import { matchNodes } from "./drawing-match.js";
import { MOVE_TIME, mayMove, move, remember, seen, type Seen, token } from "./drawing-motion.js";
import { type Settled, settle } from "./drawing-stable.js";
import { Explorer, type Shown, type Steps } from "./graph-explorer.js";
import { describe, type Hit } from "./graph.js";
import { iconClose, iconDown } from "../ui/icons.js";
import { iconSearch } from "../ui/panel-icons.js";
import { READABLE, toward, type Way } from "./drawing-way.js";
import { LayoutError } from "./layout-client.js";
import { lateStyle } from "../ui/deferred-style.js";
import type { Layout } from "./layout-protocol.js";
import type { Drawing } from "../core/wire.js";
import type { More, Placed, StileDrawing } from "./drawing.js";
import { iconAround, mark } from "./drawing-marks.js";
import { LightElement, state } from "../ui/light-element.js";
import { whenIdle } from "../ui/when-idle.js";

/** Milliseconds without typing before the full graph is requested. */
const REST = 300;
/** The maximum number of listed hits; Enter also moves to the others. */
const MAX_HITS = 60;
/** A drawing is fitted again if that would enlarge it by at least this factor. */
const LOOSE = 1.3;
/** In graphs with more nodes than this, nodes are matched by name only. */
const MATCHED = 400;

const steps: readonly (readonly [Steps, string])[] = [
  [0, "All"],
  [1, "1"],
  [2, "2"],
  [3, "3"],
];

interface Next {
  readonly settled: Settled;
  readonly matched: ReadonlyMap<string, string>;
}

/**
 * The interactive part of a drawing, loaded once there is a drawing. Unchanged parts keep their places
 * when the text changes, a token moves with the steps, and large graphs can be searched, folded, and
 * limited to a neighbourhood.
 */
export class StileDrawingMore extends LightElement implements More {
  @state open: "" | "find" | "less" = "";
  @state query = "";
  @state hits: readonly Hit[] = [];
  /** The index of the current hit, or -1. */
  @state at = -1;
  @state announcement = "";
  /** The node that was last clicked or reached by keyboard. */
  @state chosen = "";

  #explorer = new Explorer();
  #shown: Shown | null = null;
  #last: { readonly placed: Placed; readonly of: string; readonly tree: boolean; readonly way: Way } | undefined;
  /** The relation of the next picture to the last; undefined if there is none. */
  #next: Next | undefined;
  #before: { readonly seen: Seen; readonly width: number; readonly height: number } | undefined;
  #of = "";
  #places: readonly { readonly id: string; readonly from: number; readonly to: number }[] = [];
  #fetched: Drawing | null = null;
  /** The drawing that could not be laid out before this part was loaded. */
  #refused: Drawing | null;
  /** The view that the page has chosen. */
  #chosenView = "";
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The message to announce after the full graph has arrived. */
  #pendingAnnouncement = "";
  /** Whether the person uses the drawing, so that its full graph is needed. */
  #used = false;
  #walked: string[] = [];
  #lit = "";
  /** The last steps that the view followed. */
  #brought = "";
  /** The drawing of the picture that is on the page. */
  #drawn: Drawing | null;
  /** Whether the next picture shows another text, so that it is fitted. */
  #other = false;

  constructor(private readonly host: StileDrawing) {
    super();
    this.#drawn = host.drawn;
    this.#of = host.of;
    this.#refused = host.refused;
    this.#explorer.base = host.drawing;
    this.#shown = this.#explorer.show();
    if (this.#drawn !== null) this.#walked = [JSON.stringify(host.active)];
    for (const type of ["pointerenter", "focusin"]) host.addEventListener(type, () => this.#use());
    host.addEventListener("focusin", (event) => this.#choose(event));
    host.addEventListener("click", this.#click, { capture: true });
    host.addEventListener("keydown", this.#key, { capture: true });
  }

  get shown(): Drawing | null {
    return this.#shown?.drawing ?? this.host.drawing;
  }

  get notes(): ReadonlyMap<string, string> {
    const notes = new Map<string, string>();
    for (const [id, n] of this.#shown?.folds ?? []) notes.set(id, `${n} folded`);
    for (const [id, n] of this.#shown?.hidden ?? [])
      notes.set(
        id,
        [notes.get(id), `${n} ${n === 1 ? "neighbour" : "neighbours"} not shown`]
          .filter((s) => s !== undefined)
          .join(", "),
      );
    return notes;
  }

  // Layout.

  async layOut(drawing: Drawing): Promise<Placed | null> {
    const explorer = this.#explorer;
    const fresh = explorer.base !== drawing;
    if (this.#of !== this.host.of) {
      explorer.reset();
      this.#chosenView = "";
      this.#brought = "";
      this.#of = this.host.of;
      this.#last = undefined;
      this.#other = true;
      this.#close();
    }
    const other = this.#chosenView !== this.host.view;
    if (other) {
      this.#chosenView = explorer.view = this.host.view;
      explorer.unfoldAll();
      [explorer.steps, explorer.center] = [0, ""];
      this.#fetched = null;
      this.#last = undefined;
      this.#other = true;
    }
    const before = explorer.graph;
    if (fresh) {
      // A second analysis of the same text keeps the marks of folded groups.
      const changed = explorer.base === null || JSON.stringify(explorer.base) !== JSON.stringify(drawing);
      explorer.base = drawing;
      if (changed) this.#places = [];
      if (changed && !explorer.wantsFull) explorer.full = null;
    }
    // A graph that takes long to load keeps the old drawing on the page.
    if (explorer.wantsFull && (explorer.full !== null || explorer.view !== "") && this.#fetched !== drawing)
      await this.#fetch(drawing);
    else if (explorer.wantsFull || this.#used) this.#fetchSoon();
    if (fresh && before !== null && explorer.graph !== null && (explorer.folds > 0 || explorer.center !== ""))
      explorer.edited(renamed(before, explorer.graph));
    const shown = explorer.show();
    if (shown === null) return null;
    try {
      if (drawing === this.#refused) {
        this.#refused = null;
        throw new LayoutError(this.host.message);
      }
      return await this.#place(shown, fresh);
    } catch (reason) {
      // Even if a graph is too dense for a layout, the neighbourhood of a node may have one.
      if (!(reason instanceof LayoutError) || explorer.steps > 0 || drawing.down || shown.drawing.nodes.length < 20)
        throw reason;
      explorer.steps = 1;
      const near = explorer.show();
      if (near === null) throw reason;
      return this.#place({ ...near, note: `Too dense to lay out as one graph; showing ${near.note}` }, fresh);
    }
  }

  async #place(shown: Shown, fresh: boolean): Promise<Placed | null> {
    const { drawing } = shown;
    const { host } = this;
    const last = this.#last;
    const first = await host.layOut(drawing.dot === "" ? drawingDOT(drawing) : drawing.dot);
    if (first === null) return null;
    const { way } = host.ways;
    let placed: Placed = { drawing, layout: first };
    let next: Next | undefined;
    if (last !== undefined && last.of === this.#of && last.tree === drawing.down && last.way === way) {
      const matched = fresh ? matchNodes(last.placed.drawing, drawing) : same(last.placed.drawing, drawing);
      if (2 * matched.size >= Math.min(last.placed.drawing.nodes.length, drawing.nodes.length)) {
        const again = (ordered: Drawing): Promise<Layout | null> =>
          host.layouts?.layout(host.slotName, toward(drawingDOT(ordered), way)) ?? Promise.resolve(null);
        const settled = await settle(last.placed, placed, matched, again, !drawing.down && way === "TB");
        next = { settled, matched };
        placed = settled;
      }
    }
    if (next === undefined) this.#other ||= last !== undefined;
    this.#shown = shown;
    this.#next = next;
    this.#last = { placed, of: this.#of, tree: drawing.down, way };
    this.host.requestUpdate();
    this.requestUpdate();
    return placed;
  }

  changes(svg: SVGElement): void {
    const { host } = this;
    const drawing = this.#drawn;
    this.#before =
      host.svg === undefined || drawing === null || this.#next === undefined
        ? undefined
        : { seen: seen({ svg: host.svg, drawing }), ...host.size };
    const { drawn } = host;
    this.#drawn = drawn;
    if (drawn !== null) whenIdle(() => host.svg === svg && remember({ svg, drawing: drawn }));
    this.#decorate(svg);
  }

  changed(): boolean {
    const { host } = this;
    const { pan } = host;
    const [next, before] = [this.#next, this.#before];
    this.#next = undefined;
    this.#addPlaces();
    if (pan === undefined || host.svg === undefined) return false;
    if (next === undefined || before === undefined) {
      if (this.#other) host.fitted = true;
      this.#other = false;
      return false;
    }
    const { settled, matched } = next;
    const by = { x: settled.dx, y: host.size.height - before.height - settled.dy };
    const [scale, { x, y }] = [pan.getScale(), pan.getPan()];
    const rest = (1 - scale) / scale / 2;
    const to = {
      x: x - by.x + (before.width - host.size.width) * rest,
      y: y - by.y + (before.height - host.size.height) * rest,
    };
    pan.pan(to.x, to.y, { animate: false, force: true });
    if (host.fitted && !this.#fits()) {
      const now = (): string => `scale(${pan.getScale()}) translate(${pan.getPan().x}px, ${pan.getPan().y}px)`;
      const from = now();
      host.home();
      if (mayMove())
        host.svg.parentElement?.animate({ transform: [from, now()] }, { duration: MOVE_TIME, easing: "ease-out" });
    }
    move(before.seen, { svg: host.svg, drawing: settled.drawing }, matched, by);
    return true;
  }

  /** Reports whether the full drawing fits into its pane at a readable size. */
  #fits(): boolean {
    const { pan, size, pane } = this.host;
    if (pan === undefined || pane.width === 0) return true;
    const { width: clientWidth, height: clientHeight } = pane;
    const [scale, { x, y }] = [pan.getScale(), pan.getPan()];
    const [left, top] = [
      size.width / 2 + scale * (x - size.width / 2),
      size.height / 2 + scale * (y - size.height / 2),
    ];
    const room = Math.min(clientWidth / size.width, clientHeight / size.height, LOOSE);
    // A part that can be read stays where it is.
    if (this.host.partial) return room < READABLE;
    return (
      left >= -1 &&
      top >= -1 &&
      left + size.width * scale <= clientWidth + 1 &&
      top + size.height * scale <= clientHeight + 1 &&
      room < scale * LOOSE
    );
  }

  live(active: readonly string[]): readonly string[] {
    const { host } = this;
    const into = this.#shown?.into;
    const lit = active.map((id) => into?.get(id) ?? id);
    const now = JSON.stringify(active);
    if (now === this.#lit) return lit;
    this.#lit = now;
    const shown = host.svg !== undefined && host.drawn === this.#shown?.drawing;
    const parts = shown ? lit.map((id) => host.parts.get(id)).filter((part) => part !== undefined) : [];
    // An edit clears the steps and repeats them, which moves nothing.
    if (active.length > 0 && now !== this.#brought) {
      host.bring(
        parts.filter((part) => part.classList.contains("node")),
        mayMove(),
      );
      this.#brought = now;
    }
    if (active.length === 0 || this.#walked.at(-2) === now) {
      // Undoing a step is not a step.
      this.#walked = active.length === 0 ? [] : this.#walked.slice(0, -1);
      return lit;
    }
    this.#walked = [...this.#walked.slice(-500), now];
    if (host.svg !== undefined && shown) {
      const edges = new Set(parts.map((part) => part.closest(".edge")).filter((edge) => edge !== null));
      token(
        host.svg,
        [...edges],
        parts.filter((part) => part.classList.contains("node")),
      );
    }
    return lit;
  }

  here(cursor: number): readonly string[] {
    if (cursor < 0) return [];
    const into = this.#shown?.into;
    let [width, found] = [Infinity, new Set<string>()];
    const look = (id: string, from: number, to: number): void => {
      if (from < 0 || from > cursor || cursor > to || to - from > width) return;
      if (to - from < width) [width, found] = [to - from, new Set()];
      found.add(into?.get(id) ?? id);
    };
    for (const { id, from, to } of this.#places) look(id, from, to);
    for (const [id, { from, to }] of this.host.places) look(id, from, to);
    this.#viewAt(cursor);
    return [...found];
  }

  /** In a file with several graphs, shows the graph at the cursor. */
  #viewAt(cursor: number): void {
    const { full } = this.#explorer;
    const view = full?.views.find((v) => v.from >= 0 && v.from <= cursor && cursor <= v.to);
    if (this.host.views.length === 0 && view !== undefined && full !== null && view.id !== full.view && this.#used)
      this.#show(view.id);
  }

  // Full graph.

  #use(): void {
    if (this.#used) return;
    this.#used = true;
    this.#fetchSoon();
  }

  #fetchSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const { drawing } = this.host;
      if (drawing === null || this.#fetched === drawing || !this.host.isConnected) return;
      void this.#fetch(drawing).then(() => {
        if (this.host.drawing !== drawing) return;
        this.#addPlaces();
        this.host.light();
        if (this.#explorer.wantsFull)
          void this.host.redraw().then(() => {
            if (this.#pendingAnnouncement !== "") this.announcement = this.#pendingAnnouncement;
            this.#pendingAnnouncement = "";
          });
        else if (this.host.svg !== undefined && (this.#explorer.full?.groups.length ?? 0) > 0) {
          this.#shown = this.#explorer.show();
          this.#decorate(this.host.svg);
        }
        this.requestUpdate();
      });
    }, REST);
  }

  async #fetch(drawing: Drawing): Promise<void> {
    const { host } = this;
    const explorer = this.#explorer;
    if (host.explore === undefined || drawing.down) return;
    const view = explorer.view === "" && explorer.cut ? "symbols" : explorer.view;
    try {
      let full = await host.explore(view);
      // Only grammars have symbols.
      if (full.drawing === undefined && view !== "") full = await host.explore("");
      if (host.drawing !== drawing) return;
      explorer.full = full;
      this.#fetched = drawing;
      this.#places =
        explorer.wantsFull || full.views.length === 0 || full.view === full.views[0]?.id ? full.places : [];
    } catch {
      // On failure the drawing stays; the next edit asks again.
    }
  }

  /** Adds the source ranges of nodes that have one only in the full graph. */
  #addPlaces(): void {
    const { host } = this;
    for (const { id, from, to } of this.#places) {
      const part = host.parts.get(id);
      if (part === undefined || host.places.has(id)) continue;
      host.places.set(id, { from, to });
      if (part.hasAttribute("role")) part.setAttribute("role", "button");
    }
  }

  // Marks.

  #decorate(svg: SVGElement): void {
    const shown = this.#shown;
    if (shown === null) return;
    svg.querySelector("desc")?.remove();
    const about = document.createElementNS("http://www.w3.org/2000/svg", "desc");
    about.textContent = [describe(shown.drawing), shown.note].filter((s) => s !== "").join(" ");
    svg.prepend(about);
    for (const node of shown.drawing.nodes) {
      const [folds, hidden] = [shown.folds.get(node.id), shown.hidden.get(node.id)];
      if (folds === undefined && hidden === undefined) continue;
      const part = svg.querySelector<SVGElement>(`.node[data-id="${CSS.escape(node.id)}"]`);
      if (part !== null) mark(part, folds, hidden);
    }
    const hit = this.hits[this.at];
    if (hit !== undefined) svg.querySelector(`[data-id="${CSS.escape(hit.id)}"]`)?.classList.add("found");
  }

  // Toolbar.

  protected override render(): unknown {
    const note = this.#shown?.note ?? "";
    return html` <div class="explore">
        <div class="explore-buttons" role="group" aria-label="Explore the drawing">
          <button
            class="icon-button"
            type="button"
            data-explore="find"
            title="Find in the drawing (/)"
            aria-label="Find in the drawing"
            aria-expanded=${this.open === "find"}
            @click=${() => this.#toggle("find")}
          >
            ${iconSearch}
          </button>
          <button
            class="icon-button"
            type="button"
            data-explore="less"
            title="Neighbourhood and folds"
            aria-label="Neighbourhood and folds"
            aria-expanded=${this.open === "less"}
            @click=${() => this.#toggle("less")}
          >
            ${iconAround}
          </button>
        </div>
        ${this.#views()} ${this.open === "find" ? this.#find() : this.open === "less" ? this.#less() : nothing}
      </div>
      ${note === "" ? nothing : html`<p class="canvas-note explore-note">${note}${this.#explorer.steps > 0 ? html` · <button class="text-link" type="button" @click=${() => this.#see(0)}>Show all</button>` : nothing}</p>`}
      <p class="visually-hidden" role="status">${this.announcement}</p>`;
  }

  /** The list of graphs of a file with several, such as its formulas. */
  #views(): unknown {
    const { view, views } = this.host;
    if (views.length < 2) return nothing;
    return html`<select
      class="explore-views"
      aria-label="Drawn formula"
      @change=${(e: Event) => this.host.chooseView((e.target as HTMLSelectElement).value)}
    >
      ${views.map(({ id, title }) => html`<option value=${id} ?selected=${id === view}>${title}</option>`)}
    </select>`;
  }

  #find(): unknown {
    const { hits, at, query } = this;
    const from = Math.max(0, Math.min(at - 2, hits.length - MAX_HITS));
    return html` <div class="explore-panel find" role="search" aria-label="The drawing">
      <div class="row">
        <input
          class="explore-input"
          type="text"
          autocomplete="off"
          spellcheck="false"
          aria-label="Find states and labels"
          placeholder="state or label"
          .value=${query}
          @input=${this.#typed}
          @keydown=${this.#findKey}
        />
        <span class="hint explore-count"
          >${query === "" ? "" : hits.length === 0 ? "none" : at < 0 ? hits.length : `${at + 1} of ${hits.length}`}</span
        >
        <button
          class="icon-button small turned"
          type="button"
          title="Previous (Shift Enter)"
          aria-label="Previous"
          ?disabled=${hits.length === 0}
          @click=${() => void this.#go(at - 1)}
        >
          ${iconDown}
        </button>
        <button
          class="icon-button small"
          type="button"
          title="Next (Enter)"
          aria-label="Next"
          ?disabled=${hits.length === 0}
          @click=${() => void this.#go(at + 1)}
        >
          ${iconDown}
        </button>
        <button
          class="icon-button small"
          type="button"
          title="Close (Escape)"
          aria-label="Close"
          @click=${() => this.#leave()}
        >
          ${iconClose}
        </button>
      </div>
      ${
        hits.length === 0
          ? nothing
          : html` <ul class="explore-hits" aria-label="Found">
              ${hits.slice(from, from + MAX_HITS).map(
                (hit, i) =>
                  html`<li>
                    <button
                      type="button"
                      class="explore-hit"
                      aria-current=${from + i === at ? "true" : nothing}
                      @click=${() => void this.#go(from + i)}
                    >
                      <code>${hit.label}</code>
                    </button>
                  </li>`,
              )}
              ${hits.length > from + MAX_HITS ? html`<li class="hint">and ${hits.length - from - MAX_HITS} more</li>` : nothing}
            </ul>`
      }
    </div>`;
  }

  #less(): unknown {
    const explorer = this.#explorer;
    const name = this.#nameOf(this.chosen);
    const views = explorer.full?.views ?? [];
    const kind = explorer.kindAround(this.chosen);
    return html` <div class="explore-panel less">
      <div class="explore-row" role="group" aria-label="Number of steps shown">
        <span class="hint">Steps from ${name === "" ? "the start" : html`<code>${name}</code>`}</span>
        <span class="row"
          >${steps.map(([n, label]) => html`<button class="button small" type="button" data-steps=${n} aria-pressed=${explorer.steps === n} title=${n === 0 ? "Everything (Escape)" : `(${n})`} @click=${() => this.#see(n)}>${label}</button>`)}</span
        >
      </div>
      <div class="explore-row">
        <button
          class="button small"
          type="button"
          data-fold="behind"
          title="Fold the nodes that only this node leads to (f)"
          ?disabled=${name === ""}
          @click=${() => this.#foldBehind(this.chosen)}
        >
          Fold successors
        </button>
        <button
          class="button small"
          type="button"
          data-fold="around"
          title="(g)"
          ?disabled=${name === ""}
          @click=${() => this.#foldAround(this.chosen)}
        >
          Fold its ${kind}
        </button>
        ${explorer.folds === 0 ? nothing : html`<button class="button small" type="button" data-fold="none" @click=${() => this.#unfoldAll()}>Undo folds</button>`}
      </div>
      ${
        views.length < 2 || this.host.views.length > 0
          ? nothing
          : html` <div class="explore-row">
              <label class="hint" for="explore-view">Drawn</label>
              <select id="explore-view" @change=${(e: Event) => this.#show((e.target as HTMLSelectElement).value)}>
                ${views.map((v) => html`<option value=${v.id} ?selected=${v.id === (explorer.wantsFull ? explorer.full?.view : views[0]?.id)}>${v.title}</option>`)}
              </select>
            </div>`
      }
    </div>`;
  }

  #nameOf(id: string): string {
    return this.shown?.nodes.find((n) => n.id === id)?.label ?? "";
  }

  // Handlers.

  #toggle(open: "find" | "less"): void {
    this.#use();
    if (this.open === open) return this.#leave();
    this.#close();
    this.open = open;
    if (this.#explorer.wantsFull || this.host.explore !== undefined) this.#fetchSoon();
    if (open === "find")
      void this.updateComplete.then(() => this.querySelector<HTMLInputElement>(".explore-input")?.focus());
  }

  #close(): void {
    this.open = "";
    this.query = "";
    this.hits = [];
    this.at = -1;
    for (const part of this.host.querySelectorAll(".found")) part.classList.remove("found");
  }

  /** Closes the panel and returns the focus to its button. */
  #leave(): void {
    const { open } = this;
    const hit = this.hits[this.at];
    const inside = this.contains(document.activeElement);
    this.#close();
    const part =
      hit === undefined ? undefined : (this.host.parts.get(hit.id) ?? this.host.parts.get(hit.nodes[0] ?? ""));
    if (!inside) return;
    if (part?.hasAttribute("tabindex") === true && !this.host.asTable) this.host.focusPart(part);
    else this.querySelector<HTMLElement>(`[data-explore=${open}]`)?.focus();
  }

  #typed = (event: Event): void => {
    this.query = (event.target as HTMLInputElement).value;
    this.hits = this.#explorer.find(this.query);
    this.at = -1;
    this.announcement = this.query === "" ? "" : this.hits.length === 0 ? "Nothing found" : `${this.hits.length} found`;
  };

  #findKey = (event: KeyboardEvent): void => {
    if (event.key === "Enter") {
      event.preventDefault();
      void this.#go(this.at + (event.shiftKey ? -1 : 1));
    } else if (event.key === "ArrowDown") {
      event.preventDefault();
      this.querySelector<HTMLElement>(".explore-hit")?.focus();
    }
  };

  async #go(to: number): Promise<void> {
    if (this.hits.length === 0) return;
    this.at = (to + this.hits.length) % this.hits.length;
    const hit = this.hits[this.at];
    if (hit === undefined || this.#shown === null) return;
    this.announcement = `${this.at + 1} of ${this.hits.length}: ${hit.label}`;
    const [from] = hit.nodes;
    if (from !== undefined && this.#explorer.reveal(from, this.#shown)) await this.host.redraw();
    this.chosen = from ?? "";
    this.#goTo(hit.id, hit.nodes);
    await this.updateComplete;
    this.querySelector(".explore-hit[aria-current]")?.scrollIntoView({ block: "nearest" });
  }

  /** Scrolls a part to the middle of the view, or to its row in the table. */
  #goTo(id: string, nodes: readonly string[]): void {
    const { host } = this;
    for (const part of host.querySelectorAll(".found")) part.classList.remove("found");
    const into = this.#shown?.into;
    const part = [id, ...nodes].map((n) => host.parts.get(into?.get(n) ?? n)).find((p) => p !== undefined);
    const row = host.querySelector(`[data-row="${CSS.escape(id)}"]`);
    if (row !== null) {
      row.classList.add("found");
      row.scrollIntoView({ block: "center" });
    }
    const canvas = host.querySelector<HTMLElement>(".canvas");
    const box = part?.querySelector(".box, .ground");
    if (part === undefined || host.pan === undefined || canvas === null) return;
    part.classList.add("found");
    if (box === null || box === undefined || canvas.clientWidth === 0) return;
    const number = (name: string): number => Number(box.getAttribute(name) ?? 0);
    if (host.pan.getScale() < READABLE) host.pan.zoom(READABLE + 0.3, { animate: false, force: true });
    const scale = host.pan.getScale();
    const { width, height } = host.size;
    host.moved();
    host.pan.pan(
      (canvas.clientWidth / 2 - width / 2) / scale + width / 2 - number("x") - number("width") / 2,
      (canvas.clientHeight / 2 - height / 2) / scale + height / 2 - number("y") - number("height") / 2,
      { animate: mayMove(), force: true },
    );
  }

  #see(n: Steps): void {
    const explorer = this.#explorer;
    explorer.steps = n;
    if (n > 0) explorer.center = this.chosen;
    this.host.fitted = true;
    void this.host
      .redraw()
      .then(() => (this.announcement = this.#shown?.note || `All of ${this.shown?.nodes.length ?? 0} are shown`));
  }

  #foldBehind(id: string): void {
    if (this.#unfold(id)) return;
    this.#folded(id, this.#explorer.foldBehind(id), "No node is reached only through");
  }

  #foldAround(id: string): void {
    if (this.#unfold(id)) return;
    this.#folded(id, this.#explorer.foldAround(id), "No loop goes through");
  }

  #folded(id: string, n: number, none: string): void {
    const name = this.#nameOf(id);
    this.announcement = n === 0 ? `${none} ${name}.` : `${n} folded into ${name}.`;
    if (n === 0) return;
    void this.host.redraw();
  }

  #unfold(id: string): boolean {
    if (this.#shown?.folds.has(id) !== true) return false;
    const n = this.#shown.folds.get(id) ?? 0;
    const awaited = this.#explorer.awaits(id);
    if (!this.#explorer.unfold(id)) return false;
    if (awaited) {
      this.announcement = `Loading ${n} folded nodes.`;
      this.#pendingAnnouncement = `${n} unfolded.`;
      this.#fetchSoon(); // redraws
      return true;
    }
    this.announcement = `${n} unfolded.`;
    void this.host.redraw().then(() => {
      // A drawing that is too small to read is shown at the unfolded part.
      if ((this.host.pan?.getScale() ?? 1) < READABLE / 2 || this.host.partial) this.#goTo(id, []);
    });
    return true;
  }

  #unfoldAll(): void {
    this.#explorer.unfoldAll();
    this.announcement = "All folds are undone.";
    void this.host.redraw();
  }

  /** Draws another graph of the file. */
  #show(view: string): void {
    const explorer = this.#explorer;
    const first = explorer.full?.views[0]?.id;
    if (view === explorer.view || (view === first && explorer.view === "" && !explorer.cut)) return;
    explorer.unfoldAll();
    explorer.view = view === first && !explorer.cut ? "" : view;
    explorer.steps = 0;
    explorer.center = "";
    this.#fetched = null;
    this.#last = undefined;
    this.#other = true;
    this.announcement = `${explorer.full?.views.find((v) => v.id === view)?.title ?? ""} is drawn.`;
    void this.host.redraw();
  }

  #nodeOf(target: EventTarget | null): string {
    if (!(target instanceof Element)) return "";
    const row = target.closest<HTMLElement>("[data-row]");
    const id = row?.dataset["row"] ?? target.closest("[data-id]")?.getAttribute("data-id") ?? "";
    const { shown } = this;
    if (shown?.nodes.some((n) => n.id === id) === true) return id;
    return shown?.edges.find((e) => e.id === id || e.lines.some((l) => l.id === id))?.source ?? "";
  }

  #choose(event: Event): void {
    const id = this.#nodeOf(event.target);
    if (id !== "") this.chosen = id;
  }

  #click = (event: MouseEvent): void => {
    this.#choose(event);
    const target =
      event.target instanceof Element ? event.target.closest("[data-id].folded-node, [data-unfold]") : null;
    const id = target === null ? "" : (target.getAttribute("data-unfold") ?? target.getAttribute("data-id") ?? "");
    if (id !== "" && this.#unfold(id)) event.stopPropagation();
  };

  #key = (event: KeyboardEvent): void => {
    const inside = event.target instanceof Element && event.target.closest("input, select") !== null;
    if (event.key === "Escape" && this.open !== "" && this.contains(event.target as Node)) {
      this.#leave();
    } else if (inside) {
      return;
    } else if (event.key === "f" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
      if (this.open !== "find") this.#toggle("find");
    } else if (event.ctrlKey || event.metaKey || event.altKey) {
      return;
    } else if (event.key === "/") {
      if (this.open !== "find") this.#toggle("find");
    } else if (event.key === "Escape" && this.#explorer.steps > 0) {
      this.#see(0);
    } else if (this.chosen !== "" && ["1", "2", "3"].includes(event.key)) {
      this.#see(Number(event.key) as Steps);
    } else if (this.chosen !== "" && event.key === "f") {
      this.#foldBehind(this.chosen);
    } else if (this.chosen !== "" && event.key === "g") {
      this.#foldAround(this.chosen);
    } else if (!(
      (event.key === "Enter" || event.key === " ") &&
      document.activeElement?.classList.contains("folded-node") === true &&
      this.#unfold(this.chosen)
    )) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
}

/** Maps each node that two graphs share to itself. */
function same(before: Drawing, after: Drawing): Map<string, string> {
  const known = new Set(before.nodes.map((n) => n.id));
  return new Map(after.nodes.filter((n) => known.has(n.id)).map((n) => [n.id, n.id]));
}

/** Maps the name of each node before an edit to its name after the edit. */
function renamed(before: Drawing, after: Drawing): Map<string, string> {
  // Matching by neighbourhood takes too long in large graphs.
  const matched =
    before.nodes.length > MATCHED || after.nodes.length > MATCHED ? byLabel(after, before) : matchNodes(before, after);
  return new Map([...matched].map(([now, old]) => [old, now]));
}

function byLabel(after: Drawing, before: Drawing): Map<string, string> {
  const old = new Map(before.nodes.map((n) => [n.label, n.id]));
  return new Map(
    after.nodes.flatMap((n) => {
      const id = old.get(n.label);
      return id === undefined ? [] : [[n.id, id] as const];
    }),
  );
}

customElements.define("stile-drawing-more", StileDrawingMore);

const asked = new WeakSet<StileDrawing>();

/** Adds the interactive part to a drawing. */
export async function addMore(drawing: StileDrawing): Promise<void> {
  if (asked.has(drawing)) return;
  asked.add(drawing);
  await Promise.all([lateStyle(readAssets().late_style), import("./drawing-table.js")]);
  drawing.more = new StileDrawingMore(drawing);
  await drawing.redraw();
}
