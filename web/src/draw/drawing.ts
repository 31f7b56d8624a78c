import Panzoom, { type PanzoomObject } from "@panzoom/panzoom";
import { html, nothing, type PropertyValues } from "lit";
import { drawingSVG } from "./drawing-svg.js";
import { iconFit, iconMinus, iconPlus } from "../ui/icons.js";
import { whenIdle } from "../ui/when-idle.js";
import { FIT_MARGIN, type Pane, READABLE, Ways } from "./drawing-way.js";
import { type LayoutClient, LayoutError } from "./layout-client.js";
import type { Layout } from "./layout-protocol.js";
import { markupDOM } from "./svg-dom.js";
import type { Drawing, DrawingWholeResult } from "../core/wire.js";
import type { View } from "../store/formula-view.js";
import { LightElement, prop, state } from "../ui/light-element.js";

/** The place in the text that belongs to a part of a drawing. */
export interface TextPlace {
  readonly from: number;
  readonly to: number;
}

/** The interface of a drawing's interactive part, which is loaded later: exploring, and stable places. */
export interface More extends HTMLElement {
  /** The visible part of the drawing. */
  readonly shown: Drawing | null;
  /** Remarks on nodes for the table, by node. */
  readonly notes: ReadonlyMap<string, string>;
  layOut(drawing: Drawing): Promise<Placed | null>;
  requestUpdate(): void;
  /** Called before another picture replaces the current one. */
  changes(svg: SVGElement): void;
  /** Called after the replacement; returns whether the view follows it. */
  changed(): boolean;
  /** Returns the visible parts for active parts of the core's drawing. */
  live(active: readonly string[]): readonly string[];
  /** Returns the parts that belong to a place of the text. */
  here(cursor: number): readonly string[];
}

/** A drawing with its layout. */
export interface Placed {
  readonly drawing: Drawing;
  readonly layout: Layout;
}

const MIN_SCALE = 0.02;
const MAX_SCALE = 4;
/** The maximum scale when a small graph is fitted to its pane. */
const MAX_FIT = 1.4;
/** Parts that come into view keep this distance from the pane's border, in pixels. */
const MARGIN = 12;
/** The height of the buttons above the drawing, which cover no node at first. */
const TOOLS_HEIGHT = 60;
/** Milliseconds after the last change of the pane's size until the drawing is fitted again. */
const RESIZED = 200;

/**
 * A graph as a picture that can be moved, zoomed and used by keyboard. Its parts link to their text.
 * On request, or if no picture can be made, it is a table.
 */
export class StileDrawing extends LightElement {
  @prop drawing: Drawing | null = null;
  @prop layouts: LayoutClient | undefined;
  @prop slotName = "automaton";
  @prop active: readonly string[] = [];
  /** The cursor's position in the text, or -1. */
  @prop cursor = -1;
  /** The picture of the page's first response, shown until there is a newer one. */
  @prop first: SVGElement | null = null;
  @prop asTable = false;
  /** Loads a full graph of the file, with the parts that the drawing omits. */
  @prop explore: ((view: string) => Promise<DrawingWholeResult>) | undefined;
  /** The identifier of the drawn graph, and all graphs of the file; the first graph has the identifier "". */
  @prop view = "";
  @prop views: readonly View[] = [];
  /** Identifies the file: while it is unchanged, a new drawing shows an edit of the previous text. */
  @prop of = "";
  /** Whether the drawing shows an earlier text, so that it is dimmed and its links are off. */
  @prop old = false;
  /** The remark on an old drawing. */
  @prop note = "";
  @state message = "";
  @state more: More | undefined;
  /** Whether only a part of the drawing is in view, because the complete drawing would be too small to read. */
  @state partial = false;

  pan: PanzoomObject | undefined;
  svg: SVGElement | undefined;
  size = { width: 1, height: 1 };
  drawn: Drawing | null = null;
  /** The last drawing that could not be laid out. */
  refused: Drawing | null = null;
  parts = new Map<string, SVGElement>();
  places = new Map<string, TextPlace>();
  /** Whether the view follows the drawing: fitted to its pane, or from the start state. */
  fitted = true;
  readonly ways = new Ways();
  /** The content of the picture on the page. */
  #shows: Pick<StileDrawing, "of" | "drawing"> = { of: "", drawing: null };
  #asked = 0;
  /** The size of the pane. Reading it from the page would lay out a new drawing before its frame. */
  pane: Pane = { width: 0, height: 0 };
  #resize = new ResizeObserver(([entry]) => {
    if (entry === undefined) return;
    this.pane = { width: Math.round(entry.contentRect.width), height: Math.round(entry.contentRect.height) };
    this.#resized();
  });
  #resizing: ReturnType<typeof setTimeout> | undefined;
  #down: { x: number; y: number } | undefined;

  protected override render(): unknown {
    const table = this.asTable || this.message !== "";
    return html` ${this.message === "" || this.drawing === null ? nothing : html`<p class="canvas-message" role="status">${this.message}</p>`}
      <div
        class="canvas"
        ?hidden=${table}
        @pointerdown=${this.#pointerDown}
        @click=${this.#click}
        @focusin=${this.#focused}
        @keydown=${this.#key}
        @wheel=${this.#wheel}
        @dblclick=${() => this.fit()}
      >
        <div class="sheet"></div>
      </div>
      ${table && this.drawing !== null ? html`<stile-drawing-table .drawing=${this.more?.shown ?? this.drawing} .active=${this.active} .notes=${this.more?.notes} @place-requested=${this.#passOn}></stile-drawing-table>` : nothing}
      <div class="canvas-tools" role="group" aria-label="Zoom" ?hidden=${table}>
        <button
          class="icon-button"
          type="button"
          title="Zoom out (−)"
          aria-label="Zoom out"
          @click=${() => this.zoom(1 / 1.3)}
        >
          ${iconMinus}
        </button>
        <button
          class="icon-button"
          type="button"
          title="Fit (0)"
          aria-label="Fit the drawing into its pane"
          @click=${() => this.fit()}
        >
          ${iconFit}
        </button>
        <button
          class="icon-button"
          type="button"
          title="Zoom in (+)"
          aria-label="Zoom in"
          @click=${() => this.zoom(1.3)}
        >
          ${iconPlus}
        </button>
      </div>
      ${
        this.partial && !table && this.note === ""
          ? html`<p class="canvas-part">
              A part of the drawing is shown.
              <button class="button small" type="button" @click=${() => this.fit()}>Fit</button>
            </p>`
          : nothing
      }
      ${this.note === "" ? nothing : html`<p class="canvas-old" role="status">${this.note}</p>`}
      ${this.more ?? (this.drawing !== null && this.drawing.folded > 0 ? html`<p class="canvas-note">${this.drawing.folded} more are not drawn.</p>` : nothing)}`;
  }

  protected override firstUpdated(): void {
    const sheet = this.querySelector<HTMLElement>(".sheet");
    const canvas = this.querySelector<HTMLElement>(".canvas");
    if (sheet === null || canvas === null) return;
    this.pan = Panzoom(sheet, {
      canvas: true,
      overflow: "clip", // a focused part would scroll a hidden overflow
      minScale: MIN_SCALE,
      maxScale: MAX_SCALE,
      cursor: "grab",
      handleStartEvent: () => {},
      duration: 140,
    });
    this.#resize.observe(canvas);
    if (this.first !== null && this.svg === undefined) {
      this.#shows = { of: this.of, drawing: null };
      this.#show(this.first);
    }
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has("drawing") || (changed.has("view") && this.more !== undefined)) void this.redraw();
    if (changed.has("views")) this.more?.requestUpdate();
    if (this.asTable) void import("./drawing-table.js").catch(() => {});
    if (changed.has("active") || changed.has("cursor") || changed.has("old")) this.light();
    this.#age();
  }

  /** Dims a picture of an earlier text, and hides one of another file. */
  #age(): void {
    const { of, drawing } = this.#shows;
    if (of !== this.of) this.dataset["picture"] = "gone";
    else if (this.old || drawing !== this.drawing) this.dataset["picture"] = "old";
    else delete this.dataset["picture"];
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#resize.disconnect();
    this.pan?.destroy();
  }

  /** Fits the drawing into its pane until the person moves it. */
  fit(): void {
    this.#place(MIN_SCALE);
  }

  /** Fits the drawing into its pane if it can be read then; otherwise shows it from its start state. */
  home(): void {
    this.#place(READABLE);
  }

  #place(least: number): void {
    const { pan, size } = this;
    const { width, height } = this.#measured();
    if (pan === undefined || width === 0 || height === 0) return;
    const whole = Math.min((width - FIT_MARGIN) / size.width, (height - FIT_MARGIN) / size.height, MAX_FIT);
    const scale = Math.max(whole, least);
    const at = (
      this.svg?.querySelector<SVGGraphicsElement>(".node.start") ?? this.svg?.querySelector<SVGGraphicsElement>(".node")
    )?.getBBox();
    // A dimension that fits is centred; the other one is centred at the start state, within the drawing.
    const place = (room: number, all: number, middle: number, margin: number): number =>
      all * scale <= room
        ? (room - all * scale) / 2
        : Math.max(Math.min(room / 2 - middle * scale, margin), room - FIT_MARGIN / 2 - all * scale);
    const left = place(width, size.width, at === undefined ? 0 : at.x + at.width / 2, FIT_MARGIN / 2);
    const top = place(height, size.height, at === undefined ? 0 : at.y + at.height / 2, TOOLS_HEIGHT);
    pan.zoom(scale, { animate: false, force: true });
    // Panzoom scales around the middle of the sheet.
    const shift = (from: number, all: number): number => (from - (all * (1 - scale)) / 2) / scale;
    pan.pan(shift(left, size.width), shift(top, size.height), { animate: false, force: true });
    this.fitted = true;
    this.partial = scale > whole;
  }

  /** Keeps a fitted drawing fitted; in a pane of another shape it may need another direction. */
  #resized(): void {
    if (!this.fitted) return;
    this.home();
    clearTimeout(this.#resizing);
    if (this.drawn === null) return;
    this.#resizing = setTimeout(() => {
      if (!this.fitted || this.drawn === null || !this.ways.poorIn(this.#pane())) return;
      this.ways.forget();
      void this.redraw();
    }, RESIZED);
  }

  #pane(): Pane {
    const pane = this.#measured();
    return pane.width === 0 || pane.height === 0 ? { width: innerWidth, height: innerHeight / 2 } : pane;
  }

  /** Returns the size of the pane, also before the first report of its observer. */
  #measured(): Pane {
    if (this.pane.width > 0) return this.pane;
    const canvas = this.querySelector<HTMLElement>(".canvas");
    return { width: canvas?.clientWidth ?? 0, height: canvas?.clientHeight ?? 0 };
  }

  /** Requests another graph of the file. */
  chooseView(id: string): void {
    this.emit("view-chosen", id);
  }

  /** Lays a graph out in the direction that suits its pane. */
  layOut(dot: string): Promise<Layout | null> {
    const { layouts } = this;
    if (layouts === undefined) return Promise.resolve(null);
    return this.ways.layOut(this.of, dot, this.#pane(), (source) => layouts.layout(this.slotName, source));
  }

  zoom(factor: number): void {
    if (this.pan === undefined) return;
    this.moved();
    const canvas = this.querySelector<HTMLElement>(".canvas");
    const box = canvas?.getBoundingClientRect();
    if (box === undefined) return;
    this.pan.zoomToPoint(
      this.pan.getScale() * factor,
      { clientX: box.left + box.width / 2, clientY: box.top + box.height / 2 },
      { animate: !matchMedia("(prefers-reduced-motion: reduce)").matches },
    );
  }

  /** Draws the current graph. */
  async redraw(): Promise<void> {
    const { drawing, more } = this;
    const asked = ++this.#asked;
    const { of } = this;
    if (this.layouts === undefined || drawing === null) return;
    try {
      const placed =
        more === undefined
          ? await this.layOut(drawing.dot).then((layout) => layout && { drawing, layout })
          : await more.layOut(drawing);
      if (placed === null || asked !== this.#asked) return;
      this.message = "";
      this.drawn = placed.drawing;
      this.#shows = { of, drawing };
      this.#show(markupDOM(drawingSVG(placed.drawing, placed.layout).markup));
      if (more === undefined) this.#addMore();
    } catch (reason) {
      if (asked !== this.#asked) return;
      this.refused = drawing;
      this.message =
        reason instanceof LayoutError ? reason.message : "The graph could not be drawn; it is shown as a table.";
      void import("./drawing-table.js").catch(() => {});
      // Even if a graph is too dense for a layout, the neighbourhood of a node may have one.
      if (more === undefined) this.#addMore();
    }
  }

  /** Loads the interactive part, which draws the graph again. */
  #addMore(): void {
    whenIdle(() => void import("./drawing-explorer.js").then(({ addMore }) => addMore(this)).catch(() => {}));
  }

  #show(svg: SVGElement): void {
    this.more?.changes(svg);
    const focused =
      this.svg?.contains(document.activeElement) === true ? document.activeElement?.getAttribute("data-id") : null;
    this.svg = svg;
    this.size = { width: Number(svg.getAttribute("width")) || 1, height: Number(svg.getAttribute("height")) || 1 };
    this.parts = new Map();
    this.places = new Map();
    const places = new Map<string, TextPlace>();
    for (const node of this.drawn?.nodes ?? []) if (node.from >= 0) places.set(node.id, node);
    for (const edge of this.drawn?.edges ?? [])
      for (const line of edge.lines) if (line.from >= 0) places.set(line.id, line);
    let first = true;
    for (const part of svg.querySelectorAll<SVGElement>("[data-id]")) {
      const id = part.dataset["id"] ?? "";
      this.parts.set(id, part);
      if (!part.hasAttribute("role")) continue;
      const place = places.get(id);
      if (place !== undefined) {
        this.places.set(id, place);
        part.setAttribute("role", "button");
      }
      part.setAttribute("tabindex", first ? "0" : "-1");
      first = false;
    }
    this.querySelector(".sheet")?.replaceChildren(svg);
    this.#age();
    const sheet = this.querySelector<HTMLElement>(".sheet");
    if (sheet !== null) {
      sheet.style.width = `${this.size.width}px`;
      sheet.style.height = `${this.size.height}px`;
    }
    if (this.more?.changed() !== true && this.fitted) this.home();
    this.light();
    // The focus stays in the drawing, at its start if the focused part is gone.
    if (focused !== null && focused !== undefined)
      this.focusPart(this.parts.get(focused) ?? svg.querySelector<SVGElement>("[tabindex='0']") ?? undefined);
  }

  /** Highlights the active states and the part at the cursor. */
  light(): void {
    const cursor = this.old ? -1 : this.cursor;
    let here: readonly string[] = this.more?.here(cursor) ?? [];
    let width = here.length > 0 ? 0 : Infinity;
    if (cursor >= 0) {
      for (const [id, { from, to }] of this.places) {
        if (from <= cursor && cursor <= to && to - from < width) [here, width] = [[id], to - from];
      }
    }
    const active = this.old ? [] : this.active;
    const live = new Set(this.more?.live(active) ?? active);
    for (const [id, part] of this.parts) {
      part.classList.toggle("live", live.has(id));
      part.classList.toggle("here", here.includes(id));
    }
  }

  #requestPlace(part: Element | null): void {
    const place = this.places.get(part?.getAttribute("data-id") ?? "");
    if (place !== undefined && !this.old) this.emit<TextPlace>("place-requested", { from: place.from, to: place.to });
  }

  #passOn = (event: CustomEvent<TextPlace>): void => this.emit("place-requested", event.detail);

  #pointerDown = (event: PointerEvent): void => {
    this.#down = { x: event.clientX, y: event.clientY };
  };

  #click = (event: MouseEvent): void => {
    const moved =
      this.#down !== undefined && Math.hypot(event.clientX - this.#down.x, event.clientY - this.#down.y) > 4;
    this.#down = undefined;
    if (moved) this.moved();
    else if (event.target instanceof Element) this.#requestPlace(event.target.closest("[role=button][data-id]"));
  };

  /** Brings a part that the Tab key reaches into view. */
  #focused = ({ target }: FocusEvent): void => {
    if (target instanceof SVGElement && target.matches(":focus-visible")) this.bring([target], false);
  };

  #wheel = (event: WheelEvent): void => {
    if (this.pan === undefined) return;
    event.preventDefault();
    this.moved();
    if (event.ctrlKey || event.metaKey) {
      this.pan.zoomWithWheel(event);
      return;
    }
    const scale = this.pan.getScale();
    this.pan.pan(-event.deltaX / scale, -event.deltaY / scale, { relative: true, animate: false });
  };

  #key = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const parts = [...this.parts.values()].filter((part) => part.hasAttribute("tabindex"));
    const at = parts.findIndex((part) => part === document.activeElement);
    switch (event.key) {
      case "ArrowRight":
      case "ArrowDown":
        this.focusPart(parts[Math.min(at + 1, parts.length - 1)]);
        break;
      case "ArrowLeft":
      case "ArrowUp":
        this.focusPart(parts[Math.max(at - 1, 0)]);
        break;
      case "Home":
        this.focusPart(parts[0]);
        break;
      case "End":
        this.focusPart(parts.at(-1));
        break;
      case "Enter":
      case " ":
        this.#requestPlace(document.activeElement);
        break;
      case "+":
      case "=":
        this.zoom(1.3);
        break;
      case "-":
        this.zoom(1 / 1.3);
        break;
      case "0":
        this.fit();
        break;
      default:
        return;
    }
    event.preventDefault();
  };

  /** Moves the drawing's single tab stop to a part, and the part into view. */
  focusPart(part: SVGElement | undefined): void {
    if (part === undefined) return;
    for (const other of this.parts.values())
      if (other.hasAttribute("tabindex")) other.setAttribute("tabindex", other === part ? "0" : "-1");
    part.focus({ preventScroll: true });
    this.bring([part], false);
  }

  /** The person has moved the view, which no longer follows the drawing. */
  moved(): void {
    this.fitted = false;
    this.partial = false;
  }

  /** Moves the view as little as needed to show parts. */
  bring(parts: readonly SVGElement[], animate: boolean): void {
    const canvas = this.querySelector(".canvas");
    const { pan, size } = this;
    const boxes = parts.map((part) => (part as SVGGraphicsElement).getBBox());
    if (canvas === null || pan === undefined || boxes.length === 0 || canvas.clientWidth === 0) return;
    // Its future place: the sheet moves with the next frame.
    const scale = pan.getScale();
    const { x, y } = pan.getPan();
    const out = (from: number, to: number, all: number, moved: number, room: number): number => {
      const at = all / 2 + scale * (from + moved - all / 2);
      const length = Math.min((to - from) * scale, room - 2 * MARGIN);
      return Math.max(MARGIN - at, 0) + Math.min(room - MARGIN - at - length, 0);
    };
    const [left, top] = [Math.min(...boxes.map((b) => b.x)), Math.min(...boxes.map((b) => b.y))];
    const [right, bottom] = [
      Math.max(...boxes.map((b) => b.x + b.width)),
      Math.max(...boxes.map((b) => b.y + b.height)),
    ];
    const dx = out(left, right, size.width, x, canvas.clientWidth);
    const dy = out(top, bottom, size.height, y, canvas.clientHeight);
    if (dx === 0 && dy === 0) return;
    this.moved();
    pan.pan(dx / scale, dy / scale, { relative: true, animate });
  }
}

customElements.define("stile-drawing", StileDrawing);
