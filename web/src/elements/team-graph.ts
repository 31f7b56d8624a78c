import { html, nothing, type PropertyValues } from "lit";
import { drawingSVG } from "../drawing-svg.js";
import { iconGraph, iconTable } from "../icons.js";
import { type LayoutClient, LayoutError } from "../layout-client.js";
import { markupDOM } from "../svg-dom.js";
import { type Shown, shownState, type TeamView } from "../team-view.js";
import { aboutState, dotOf, markNode, STATE_PATHS, stateIcon } from "../team-drawing.js";
import type { Drawing } from "../wire.js";
import { count } from "../words.js";
import { clip } from "./choices.js";
import { folded } from "./folded.js";
import { LightElement } from "./light-element.js";

/** What of a graph a person has chosen: a node, or an edge as "from>to". */
export type Chosen = string;

/**
 * The task graph as it is worked on: a picture whose nodes and edges are buttons,
 * and a table that says the same. Only another graph moves its nodes.
 */
export class StileTeamGraph extends LightElement {
  static override properties = {
    view: { attribute: false }, drawing: { attribute: false }, critical: { attribute: false }, layouts: { attribute: false }, chosen: { attribute: false },
    asTable: { state: true }, message: { state: true }, hovered: { state: true }, focused: { state: true },
  };
  declare view: TeamView;
  declare drawing: Drawing | null;
  /** The sub-tasks of the longest way. */
  declare critical: readonly string[];
  declare layouts: LayoutClient | undefined;
  declare chosen: Chosen;
  declare asTable: boolean;
  declare message: string;
  /** The edge that is pointed at, and the one that has the focus. */
  declare hovered: string;
  declare focused: string;

  #svg: SVGElement | undefined;

  constructor() {
    super();
    this.drawing = null;
    this.critical = [];
    this.chosen = "";
    this.asTable = false;
    this.message = "";
    this.hovered = "";
    this.focused = "";
  }

  protected override render(): unknown {
    const table = this.asTable || this.message !== "";
    const told = this.hovered || this.focused || (this.chosen.includes(">") ? this.chosen : "");
    return html`
      <div class="team-graph-head">
        <h2>Task graph</h2>
        <ul class="legend" aria-label="States of sub-tasks">${this.#counts().map(([state, n]) => html`<li class="team-state ${state}">${stateIcon(state)} ${n} ${state}</li>`)}</ul>
        <button class="icon-button small" type="button" aria-pressed=${this.asTable} title=${this.asTable ? "Show as a drawing" : "Show as a table"} aria-label="Show the task graph as a table" @click=${() => (this.asTable = !this.asTable)}>${this.asTable ? iconGraph : iconTable}</button>
      </div>
      ${this.message === "" ? nothing : html`<p class="hint" role="status">${this.message}</p>`}
      <div class="team-canvas" ?hidden=${table} tabindex="0" role="region" aria-label="Task graph, drawn"
        @click=${this.#press} @keydown=${this.#key} @pointerover=${(e: Event) => (this.hovered = edgeOf(e))} @pointerleave=${() => (this.hovered = "")} @focusin=${(e: Event) => (this.focused = edgeOf(e))} @focusout=${() => (this.focused = "")}></div>
      ${table ? this.#table() : html`
        <div class="team-told" aria-live="polite">${told === "" ? html`<p class="hint">Press a sub-task for what it does, an edge for what is told along it.</p>` : this.#told(told)}</div>`}`;
  }

  #counts(): readonly (readonly [Shown, number])[] {
    const states = (this.view.adopted?.graph.subtasks ?? []).map((s) => shownState(this.view, s.id));
    return (Object.keys(STATE_PATHS) as Shown[]).map((state) => [state, states.filter((s) => s === state).length] as const).filter(([, n]) => n > 0);
  }

  #told(edge: string): unknown {
    const [from = "", to = ""] = edge.split(">");
    const messages = this.#along(edge);
    return html`
      <p><strong>${from}</strong> to <strong>${to}</strong>${messages.length === 0 ? html` <span class="hint">Nothing was told yet.</span>` : messages.length > 1 ? html` <span class="hint">${count(messages.length, "message")}, the last:</span>` : nothing}</p>
      ${messages.length === 0 ? nothing : folded(messages.at(-1)?.text ?? "")}`;
  }

  #along(edge: string): readonly { readonly text: string }[] {
    return this.view.messages.filter((m) => `${m.from}>${m.to}` === edge);
  }

  #table(): unknown {
    const subtasks = this.view.adopted?.graph.subtasks ?? [];
    return html`
      <div class="table-scroll" tabindex="0" role="region" aria-label="Task graph as a table">
        <table class="plain team-table">
          <caption class="visually-hidden">Sub-tasks</caption>
          <thead><tr><th scope="col">Sub-task</th><th scope="col">Executor</th><th scope="col">State</th><th scope="col">Needs</th><th scope="col">What it is to do</th><th scope="col">What it came to</th><th scope="col">Tokens</th></tr></thead>
          <tbody>${subtasks.map((s) => {
            const state = this.view.subtasks.get(s.id)?.state;
            const shown = shownState(this.view, s.id);
            const { prompt = 0, completion = 0 } = state?.spent.usage ?? {};
            return html`
              <tr class=${this.chosen === s.id ? "chosen" : ""}>
                <th scope="row"><button class="text-link" type="button" @click=${() => this.#choose(s.id)}>${s.id}</button>${this.critical.includes(s.id) ? html` <span class="hint">critical</span>` : nothing}</th>
                <td>${state?.executor ?? s.executor}</td>
                <td><span class="team-state ${shown}">${stateIcon(shown)} ${aboutState(shown, state)}</span></td>
                <td>${s.needs.join(", ") || "–"}</td>
                <td>${clip(s.task)}</td>
                <td>${state?.text === undefined || state.text === "" ? html`<span class="hint">${state?.reason ?? ""}</span>` : clip(state.text)}</td>
                <td>${(prompt + completion).toLocaleString("en")}</td>
              </tr>`;
          })}</tbody>
        </table>
        <table class="plain team-table">
          <caption>Messages</caption>
          <thead><tr><th scope="col">From</th><th scope="col">To</th><th scope="col">Text</th></tr></thead>
          <tbody>${this.view.messages.map((m) => html`<tr><td>${m.from}</td><td>${m.to}</td><td>${clip(m.text)}</td></tr>`)}</tbody>
        </table>
      </div>`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has("drawing") && this.drawing !== null) void this.#layOut(this.drawing);
    else if (changed.has("view") || changed.has("chosen") || changed.has("critical")) this.#mark();
  }

  async #layOut(drawing: Drawing): Promise<void> {
    if (this.layouts === undefined) return;
    try {
      const { dot, drawn } = dotOf(drawing);
      const layout = await this.layouts.layout("team", dot);
      if (layout === null || this.drawing !== drawing) return;
      const picture = drawingSVG(drawn, layout);
      this.message = "";
      this.#svg = markupDOM(picture.markup);
      this.#svg.classList.add("team");
      this.#svg.setAttribute("aria-label", `Task graph, ${count(drawing.nodes.length - 2, "sub-task")}`);
      const focused = this.querySelector(".team-canvas")?.contains(document.activeElement) === true ? document.activeElement?.getAttribute("data-id") : null;
      this.querySelector(".team-canvas")?.replaceChildren(this.#svg);
      this.#mark();
      if (focused !== null && focused !== undefined) this.#part(focused)?.focus();
    } catch (reason) {
      if (this.drawing !== drawing) return;
      this.message = reason instanceof LayoutError ? reason.message : "The graph could not be drawn; here it is as a table.";
    }
  }

  #part(id: string): SVGElement | undefined {
    return [...(this.#svg?.querySelectorAll<SVGElement>("[data-id]") ?? [])].find((part) => part.dataset["id"] === id);
  }

  /** Shows on the picture how things stand, without moving anything. */
  #mark(): void {
    const way = ["manager", ...this.critical, "deliverer"];
    for (const part of this.#svg?.querySelectorAll<SVGElement>("[data-id]") ?? []) {
      const id = part.dataset["id"] ?? "";
      const pressed = String(this.chosen === id);
      if (part.getAttribute("role") !== "button") {
        part.setAttribute("role", "button");
        part.setAttribute("tabindex", "0");
      }
      part.setAttribute("aria-pressed", pressed);
      part.classList.toggle("here", this.chosen === id);
      const [from = "", to] = id.split(">");
      if (to !== undefined) {
        const told = this.#along(id).length;
        part.classList.toggle("told", told > 0);
        part.classList.toggle("critical", way.some((step, i) => step === from && way[i + 1] === to));
        part.setAttribute("aria-label", `From ${from} to ${to}: ${told === 0 ? "nothing told yet" : count(told, "message")}`);
        continue;
      }
      markNode(part, this.view, id, this.critical.includes(id));
    }
  }

  #press = (event: Event): void => {
    const id = idOf(event);
    if (id !== "") this.#choose(id);
  };

  #key = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" && event.key !== " ") return;
    const id = idOf(event);
    if (id === "") return;
    event.preventDefault();
    this.#choose(id);
  };

  #choose(id: string): void {
    this.emit<Chosen>("part-chosen", this.chosen === id ? "" : id);
  }
}

function idOf(event: Event): string {
  return (event.target as Element).closest<SVGElement>("[data-id]")?.dataset["id"] ?? "";
}

function edgeOf(event: Event): string {
  const id = idOf(event);
  return id.includes(">") ? id : "";
}

customElements.define("stile-team-graph", StileTeamGraph);
