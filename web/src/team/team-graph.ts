import { html, nothing, type PropertyValues } from "lit";
import { type Seen, move, scaled, seen, token } from "../draw/drawing-motion.js";
import { type Placed, settle } from "../draw/drawing-stable.js";
import { drawingSVG } from "../draw/drawing-svg.js";
import type { TeamGraph } from "../run/events.js";
import { iconGraph, iconTable } from "../ui/icons.js";
import { type LayoutClient, LayoutError } from "../draw/layout-client.js";
import type { Layout } from "../draw/layout-protocol.js";
import { markupDOM } from "../draw/svg-dom.js";
import {
  aboutGraph,
  aboutState,
  dotOf,
  inOrder,
  inReadingOrder,
  markNode,
  pulse,
  STATE_PATHS,
  stateIcon,
} from "./team-drawing.js";
import { type GraphEffect, EFFECTS } from "./subtask-changes.js";
import { type Shown, shownState, type TeamView } from "./team-view.js";
import type { Drawing } from "../core/wire.js";
import { count } from "../ui/text.js";
import { clip } from "../run/choices.js";
import { folded } from "../ui/collapsible.js";
import { LightElement, prop, state } from "../ui/light-element.js";

/** A selected part of a graph: a node, or an edge as "from>to". */
export type Chosen = string;

/** The maximum number of simultaneous messages that are animated. */
const MOST_TOKENS = 4;

/**
 * The task graph during a run: a picture whose nodes and edges are buttons, and an equivalent table.
 * Nodes move only if the graph changes, and then as few nodes as possible.
 */
export class StileTeamGraph extends LightElement {
  @prop view!: TeamView;
  /** The drawn graph: the running one, or an edited one. */
  @prop graph: TeamGraph | undefined;
  /** Effects on sub-tasks, if the graph is not running yet. */
  @prop effects: ReadonlyMap<string, GraphEffect> = new Map();
  @prop drawing: Drawing | null = null;
  /** The sub-tasks of the critical path. */
  @prop critical: readonly string[] = [];
  @prop layouts: LayoutClient | undefined;
  @prop chosen: Chosen = "";
  @state asTable = false;
  @state message = "";
  /** The hovered and the focused edge. */
  @state hovered = "";
  @state focused = "";

  #svg: SVGElement | undefined;
  /** The source of the picture. */
  #shown: Picture | undefined;
  /** The last picture of a running graph. */
  #settled: Picture | undefined;
  /** The parts of the picture in keyboard order. */
  #order: readonly string[] = [];
  /** The part that is the picture's tab stop. */
  #stop = "";

  protected override render(): unknown {
    const table = this.asTable || this.message !== "";
    const edge = this.hovered || this.focused || (this.chosen.includes(">") ? this.chosen : "");
    return html` <div class="team-graph-head">
        <h2>Task graph</h2>
        ${
          this.effects.size > 0
            ? html`<span class="pill live">preview</span>`
            : html`<ul class="legend" aria-label="States of sub-tasks">
                ${this.#counts().map(([state, n]) => html`<li class="team-state ${state}">${stateIcon(state)} ${n} ${state}</li>`)}
              </ul>`
        }
        <button
          class="icon-button small"
          type="button"
          aria-pressed=${this.asTable}
          title=${this.asTable ? "Show as a drawing" : "Show as a table"}
          aria-label="Show the task graph as a table"
          @click=${() => (this.asTable = !this.asTable)}
        >
          ${this.asTable ? iconGraph : iconTable}
        </button>
      </div>
      ${this.message === "" ? nothing : html`<p class="hint" role="status">${this.message}</p>`}
      <div
        class="team-canvas"
        ?hidden=${table}
        role="region"
        aria-label="Task graph, drawn"
        aria-describedby="team-graph-keys"
        @click=${this.#press}
        @keydown=${this.#key}
        @pointerover=${(e: Event) => (this.hovered = edgeOf(e))}
        @pointerleave=${() => (this.hovered = "")}
        @focusin=${this.#focus}
        @focusout=${() => (this.focused = "")}
      ></div>
      ${
        table
          ? this.#table()
          : html` <div class="team-told" aria-live="polite">
              ${edge === "" ? html`<p class="hint" id="team-graph-keys">Press a sub-task to see its work, or an edge to see its messages. The up and down keys move through the sub-tasks; the left and right keys move through the edges, too.</p>` : this.#messages(edge)}
            </div>`
      }`;
  }

  #counts(): readonly (readonly [Shown, number])[] {
    const states = (this.graph?.subtasks ?? []).map((s) => shownState(this.view, s.id, this.graph));
    return (Object.keys(STATE_PATHS) as Shown[])
      .map((state) => [state, states.filter((s) => s === state).length] as const)
      .filter(([, n]) => n > 0);
  }

  #messages(edge: string): unknown {
    const [from = "", to = ""] = edge.split(">");
    const messages = this.#along(edge);
    return html` <p>
        <strong>${from}</strong> to
        <strong>${to}</strong
        >${messages.length === 0 ? html` <span class="hint">No message yet.</span>` : messages.length > 1 ? html` <span class="hint">${count(messages.length, "message")}, the last:</span>` : nothing}
      </p>
      ${messages.length === 0 ? nothing : folded(messages.at(-1)?.text ?? "")}`;
  }

  #along(edge: string): readonly { readonly text: string }[] {
    return this.view.messages.filter((m) => `${m.from}>${m.to}` === edge);
  }

  #table(): unknown {
    const subtasks = this.graph?.subtasks ?? [];
    return html` <div class="table-scroll" tabindex="0" role="region" aria-label="Task graph as a table">
      <table class="plain team-table">
        <caption class="visually-hidden">
          Sub-tasks
        </caption>
        <thead>
          <tr>
            <th scope="col">Sub-task</th>
            <th scope="col">Executor</th>
            <th scope="col">State</th>
            <th scope="col">Needs</th>
            <th scope="col">Task</th>
            <th scope="col">Result</th>
            <th scope="col">Tokens</th>
          </tr>
        </thead>
        <tbody>
          ${subtasks.map((s) => {
            const state = this.view.subtasks.get(s.id)?.state;
            const shown = shownState(this.view, s.id, this.graph);
            const effect = this.effects.get(s.id);
            const { prompt = 0, completion = 0 } = state?.spent.usage ?? {};
            return html` <tr class=${this.chosen === s.id ? "chosen" : ""}>
              <th scope="row">
                <button class="text-link" type="button" @click=${() => this.#choose(s.id)}>${s.id}</button
                >${this.critical.includes(s.id) ? html` <span class="hint">critical</span>` : nothing}
              </th>
              <td>${effect === undefined ? (state?.executor ?? s.executor) : s.executor}</td>
              <td>
                <span class="team-state ${shown}"
                  >${stateIcon(shown)}
                  ${effect === undefined ? aboutState(shown, state) : EFFECTS[effect].toLowerCase()}</span
                >
              </td>
              <td>${s.needs.join(", ") || "–"}</td>
              <td>${clip(s.task)}</td>
              <td>
                ${state?.text === undefined || state.text === "" ? html`<span class="hint">${state?.reason ?? ""}</span>` : clip(state.text)}
              </td>
              <td>${(prompt + completion).toLocaleString("en")}</td>
            </tr>`;
          })}
        </tbody>
      </table>
      <table class="plain team-table">
        <caption>
          Messages
        </caption>
        <thead>
          <tr>
            <th scope="col">From</th>
            <th scope="col">To</th>
            <th scope="col">Text</th>
          </tr>
        </thead>
        <tbody>
          ${this.view.messages.map(
            (m) =>
              html`<tr>
                <td>${m.from}</td>
                <td>${m.to}</td>
                <td>${clip(m.text)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has("drawing") && this.drawing !== null) void this.#layOut(this.drawing);
    else if ((["view", "chosen", "critical", "graph", "effects"] as const).some((name) => changed.has(name)))
      this.#mark();
  }

  /** Focuses the drawing's tab stop. */
  focusPart(): void {
    this.#part(this.#stop)?.focus();
  }

  /** Draws a graph. Parts that it shares with the previous one keep their places if possible. */
  async #layOut(drawing: Drawing): Promise<void> {
    const { layouts } = this;
    if (layouts === undefined) return;
    const { dot, drawn } = dotOf(drawing);
    const drafted = this.effects.size > 0;
    const before = this.#shown;
    if (before?.dot === dot) {
      if (!drafted) this.#settled = before;
      this.#mark();
      return;
    }
    // A draft keeps the places of the running graph, not those of an earlier draft.
    const from = drafted || this.#settled?.dot === dot ? (this.#settled ?? before) : before;
    try {
      const layOut = (source: string): Promise<Layout | null> => layouts.layout("team", source);
      const layout = await layOut(dot);
      if (layout === null) return;
      const after = { ...drawn, dot, down: true };
      const placed =
        from === undefined
          ? { drawing: after, layout: inReadingOrder(drawn, layout) }
          : from.dot === dot
            ? from.placed
            : await settle(
                from.placed,
                { drawing: after, layout },
                shared(from, drawn),
                (d) => layOut(dotOf(d).dot),
                true,
              );
      if (this.drawing !== drawing) return;
      this.message = "";
      this.#show({ dot, placed }, drawn, from, drafted);
    } catch (reason) {
      if (this.drawing !== drawing) return;
      this.message =
        reason instanceof LayoutError ? reason.message : "The graph could not be drawn; it is shown as a table.";
    }
  }

  /** Replaces the picture. Its parts keep their places in the picture `from`. */
  #show(next: Picture, drawn: Drawing, from: Picture | undefined, drafted: boolean): void {
    const canvas = this.querySelector<HTMLElement>(".team-canvas");
    const { markup, width } = drawingSVG(drawn, next.placed.layout);
    const svg = markupDOM(markup);
    svg.classList.add("team");
    const [old, before] = [this.#svg, this.#shown];
    const matched = shared(before, drawn);
    // The visible places of the old picture.
    const was =
      old === undefined || before === undefined || old.getBoundingClientRect().width === 0
        ? undefined
        : { parts: seen({ svg: old, drawing: before.placed.drawing }), at: placeOf(old) };
    const focused =
      canvas?.contains(document.activeElement) === true ? document.activeElement?.getAttribute("data-id") : null;
    this.#svg = svg;
    this.#order = inOrder(drawn).filter((id) => svg.querySelector(`[data-id="${CSS.escape(id)}"]`) !== null);
    svg.style.setProperty("--width", `${width}px`);
    canvas?.replaceChildren(svg);
    this.#mark();
    if (focused !== null && focused !== undefined)
      this.#part(this.#order.includes(focused) ? focused : this.#stop)?.focus();
    const { nodes } = seen({ svg, drawing: drawn });
    const centre = centreOf(canvas);
    if (was !== undefined) {
      // The picture may be off-centre if that keeps its parts in place.
      const kept = from?.screen ?? { nodes: was.parts.nodes, left: was.at.left - centre, scale: was.at.scale };
      const now = placeOf(svg);
      const moves = [...nodes]
        .flatMap(([id, { x }]) => {
          const earlier = kept.nodes.get(id);
          return earlier === undefined ? [] : [centre + kept.left + earlier.x * kept.scale - now.left - x * now.scale];
        })
        .sort((a, b) => a - b);
      svg.style.setProperty("--shift", `${moves[moves.length >> 1] ?? 0}px`);
    }
    const at = placeOf(svg);
    const visible = svg.getBoundingClientRect().width > 0;
    this.#shown = { ...next, ...(visible && { screen: { nodes, left: at.left - centre, scale: at.scale } }) };
    if (!drafted) this.#settled = this.#shown;
    if (was === undefined) return;
    move(scaled(was.parts, was.at.scale / at.scale), { svg, drawing: drawn }, matched, {
      x: (was.at.left - at.left) / at.scale,
      y: (was.at.top - at.top) / at.scale,
    });
  }

  #part(id: string): SVGElement | undefined {
    return [...(this.#svg?.querySelectorAll<SVGElement>("[data-id]") ?? [])].find((part) => part.dataset["id"] === id);
  }

  /** Updates the marks without moving anything. */
  #mark(): void {
    const svg = this.#svg;
    if (svg === undefined) return;
    const { graph, view, critical, effects } = this;
    svg.setAttribute(
      "aria-label",
      `Task graph, ${count(graph?.subtasks.length ?? 0, "sub-task")}${graph === undefined ? "" : `: ${aboutGraph(graph)}`}`,
    );
    const way = ["manager", ...critical, "deliverer"];
    const [changed, animated]: [SVGElement[], SVGElement[]] = [[], []];
    if (!this.#order.includes(this.#stop))
      this.#stop = this.#order.includes(this.chosen) ? this.chosen : (this.#order[0] ?? "");
    for (const part of svg.querySelectorAll<SVGElement>("[data-id]")) {
      const id = part.dataset["id"] ?? "";
      const fresh = part.getAttribute("role") !== "button";
      part.setAttribute("role", "button");
      part.setAttribute("tabindex", id === this.#stop ? "0" : "-1");
      part.setAttribute("aria-pressed", String(this.chosen === id));
      part.classList.toggle("here", this.chosen === id);
      const [from = "", to] = id.split(">");
      if (to === undefined) {
        if (markNode(part, view, id, { graph, critical: critical.includes(id), effect: effects.get(id) }))
          changed.push(part);
        continue;
      }
      const messages = this.#along(id).length;
      if (messages > 0 && !fresh && !part.classList.contains("told")) animated.push(part);
      part.classList.toggle("told", messages > 0);
      part.classList.toggle(
        "critical",
        way.some((step, i) => step === from && way[i + 1] === to),
      );
      part.setAttribute(
        "aria-label",
        `From ${from} to ${to}: ${messages === 0 ? "no message yet" : count(messages, "message")}`,
      );
    }
    pulse(changed);
    // A fast run sends all messages at once; animating them would be confusing.
    if (animated.length <= MOST_TOKENS) token(svg, animated, []);
  }

  #press = (event: Event): void => {
    const id = idOf(event);
    if (id !== "") this.#choose(id);
  };

  #key = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const id = idOf(event);
    const at = this.#order.indexOf(id);
    if (at < 0) return;
    const node = (step: number): number => {
      let to = at + step;
      while (this.#order[to]?.includes(">") === true) to += step;
      return to;
    };
    switch (event.key) {
      case "Enter":
      case " ":
        this.#choose(id);
        break;
      case "ArrowRight":
        this.#go(at + 1);
        break;
      case "ArrowLeft":
        this.#go(at - 1);
        break;
      case "ArrowDown":
        this.#go(node(1));
        break;
      case "ArrowUp":
        this.#go(node(-1));
        break;
      case "Home":
        this.#go(0);
        break;
      case "End":
        this.#go(this.#order.length - 1);
        break;
      default:
        return;
    }
    event.preventDefault();
  };

  #go(at: number): void {
    this.#part(this.#order[at] ?? "")?.focus();
  }

  #focus = (event: Event): void => {
    const id = idOf(event);
    this.focused = edgeOf(event);
    if (id === "" || id === this.#stop) return;
    this.#part(this.#stop)?.setAttribute("tabindex", "-1");
    this.#part(id)?.setAttribute("tabindex", "0");
    this.#stop = id;
  };

  #choose(id: string): void {
    this.emit<Chosen>("part-chosen", this.chosen === id ? "" : id);
  }
}

interface Picture {
  readonly dot: string;
  readonly placed: Placed;
  /** Its place on the screen: the left border relative to the canvas's centre, and the nodes in its own units. */
  readonly screen?: { readonly nodes: Seen["nodes"]; readonly left: number; readonly scale: number };
}

function centreOf(canvas: HTMLElement | null): number {
  const { left, width } = canvas?.getBoundingClientRect() ?? { left: 0, width: 0 };
  return left + width / 2;
}

/** Returns the nodes that two drawings have in common. */
function shared(before: Picture | undefined, { nodes }: Drawing): Map<string, string> {
  const known = new Set(before?.placed.drawing.nodes.map(({ id }) => id));
  return new Map(nodes.filter(({ id }) => known.has(id)).map(({ id }) => [id, id]));
}

/** Returns the place and scale of a picture on the screen. */
function placeOf(svg: SVGElement): { readonly left: number; readonly top: number; readonly scale: number } {
  const { left, top, width } = svg.getBoundingClientRect();
  return { left, top, scale: width / Number(svg.getAttribute("width")) || 1 };
}

function idOf(event: Event): string {
  return (event.target as Element).closest<SVGElement>("[data-id]")?.dataset["id"] ?? "";
}

function edgeOf(event: Event): string {
  const id = idOf(event);
  return id.includes(">") ? id : "";
}

customElements.define("stile-team-graph", StileTeamGraph);
