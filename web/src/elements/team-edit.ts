import { html, nothing, type PropertyValues } from "lit";
import type { TeamExecutor, TeamGraph, TeamSubtask } from "../events.js";
import { iconClose, iconPlus, iconWarning } from "../icons.js";
import { valueOf } from "../inputs.js";
import { type Draft, type Fate, FATES, fatesOf } from "../team-fate.js";
import { emptyTeam, type TeamView } from "../team-view.js";
import type { TeamGraphResult } from "../wire.js";
import { count, sentence } from "../words.js";
import { LightElement } from "./light-element.js";

/** How long typing rests before the graph is looked at anew. */
const CHECK_DELAY = 250;

/** What the core says of a graph, beside the one that it comes in the place of. */
export type GraphCheck = (graph: TeamGraph, before: TeamGraph | null) => Promise<TeamGraphResult>;

/**
 * A task graph to be edited. Before a run it is approved; during one it takes the
 * place of another, and which sub-tasks are done again is shown before that is confirmed.
 */
export class StileTeamEdit extends LightElement {
  static override properties = {
    graph: { attribute: false }, instead: { attribute: false }, executors: { attribute: false }, faults: { attribute: false }, check: { attribute: false }, view: { attribute: false },
    draft: { state: true }, found: { state: true }, asked: { state: true },
  };
  declare graph: TeamGraph;
  /** The graph that is carried out, which this one would change; null: nothing is carried out yet. */
  declare instead: TeamGraph | null;
  declare executors: readonly TeamExecutor[];
  /** What was wrong with what the person sent before. */
  declare faults: readonly string[];
  declare check: GraphCheck;
  /** How far the graph has been carried out: results may be kept. */
  declare view: TeamView;
  declare draft: TeamGraph;
  declare found: TeamGraphResult | null;
  /** The consequences are shown, to be confirmed. */
  declare asked: boolean;

  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.instead = null;
    this.executors = [];
    this.faults = [];
    this.view = emptyTeam;
    this.found = null;
    this.asked = false;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("graph")) return;
    this.draft = this.graph.subtasks.length > 0 ? this.graph : { ...this.graph, subtasks: [this.#empty("t1")] };
    this.found = null;
    this.asked = false;
    this.#look(0);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }

  protected override render(): unknown {
    const { draft, found } = this;
    const faults = found === null ? this.faults : found.faults;
    const sound = found !== null && found.faults.length === 0;
    return html`
      <form class="team-edit" aria-label=${this.instead === null ? "The task graph, to be approved" : "Change the task graph"} @submit=${this.#submit} @keydown=${this.#key}>
        <div class="team-graph-head">
          <h2>${this.instead === null ? "Is this how the task is to be divided?" : "Change the graph"}</h2>
          <span class="hint">${this.instead === null ? "Edit it, or have it carried out as it is." : "What stays as it is keeps its result."}</span>
        </div>
        <div class="team-rows">${draft.subtasks.map((s, i) => this.#row(s, i))}</div>
        <div class="row wrap">
          <button class="button small" type="button" @click=${this.#add}>${iconPlus} Add a sub-task</button>
        </div>
        <label class="field wide"><span>Constraints of several sub-tasks, a line each</span>
          <textarea rows=${Math.max(1, draft.global.length)} .value=${draft.global.join("\n")} @input=${(e: Event) => this.#edit({ ...draft, global: lines(e) })}></textarea></label>
        ${faults.length === 0 ? nothing : html`<ul class="team-faults" role="alert">${faults.map((fault) => html`<li>${iconWarning} <span class="fault-text">${sentence(fault)}</span></li>`)}</ul>`}
        ${this.asked && sound ? this.#consequences(found) : html`
          <div class="row wrap">
            <button class="button primary" type="submit" ?disabled=${!sound}>${this.instead === null ? "Carry it out" : "Show the consequences"}</button>
            ${this.instead === null ? nothing : html`<button class="button" type="button" @click=${() => this.emit("edit-ended", null)}>Leave it as it is</button>`}
          </div>`}
      </form>`;
  }

  #row(s: TeamSubtask, at: number): unknown {
    const others = this.draft.subtasks.filter((o) => o !== s);
    return html`
      <div class="team-row" role="group" aria-label="Sub-task ${s.id}">
        <div class="team-row-head"><strong>${s.id}</strong>
          <select aria-label="Executor of ${s.id}" @change=${(e: Event) => this.#change(at, { executor: valueOf(e) })}>
            ${this.executors.some((x) => x.name === s.executor) ? nothing : html`<option value=${s.executor} selected>${s.executor}</option>`}
            ${this.executors.map((x) => html`<option value=${x.name} .selected=${x.name === s.executor}>${x.name}</option>`)}
          </select>
          <button class="icon-button small" type="button" title="Remove ${s.id}" aria-label="Remove ${s.id}" ?disabled=${others.length === 0} @click=${() => this.#remove(at)}>${iconClose}</button></div>
        <textarea rows="2" aria-label="What ${s.id} is to do" .value=${s.task} @input=${(e: Event) => this.#change(at, { task: valueOf(e) })}></textarea>
        ${others.length === 0 ? nothing : html`
          <fieldset class="team-needs"><legend>needs</legend>${others.map((o) => html`
            <label class="check"><input type="checkbox" .checked=${s.needs.includes(o.id)} @change=${(e: Event) => this.#need(at, o.id, (e.target as HTMLInputElement).checked)} /> <span>${o.id}</span></label>`)}</fieldset>`}
        <details class="fold" ?open=${s.local.length > 0}><summary>${s.local.length === 0 ? "Constraints of its own" : count(s.local.length, "constraint")}</summary>
          <textarea rows=${Math.max(1, s.local.length)} aria-label="Constraints of ${s.id}, a line each" .value=${s.local.join("\n")} @input=${(e: Event) => this.#change(at, { local: lines(e) })}></textarea></details>
      </div>`;
  }

  #consequences(found: TeamGraphResult): unknown {
    const fates = [...fatesOf(this.view, this.instead, { graph: this.draft, again: found.again })];
    const none: Partial<Record<Fate, string>> = { again: "nothing", kept: "no result" };
    const rows = (Object.keys(FATES) as Fate[]).map((fate) => [FATES[fate], fates.filter(([, f]) => f === fate).map(([id]) => id).join(", ") || none[fate]] as const);
    return html`
      <section class="team-consequences" aria-label="Consequences" tabindex="-1">
        <h3>If you change the graph</h3>
        <dl class="team-facts">
          ${rows.map(([name, ids]) => (ids === undefined ? nothing : html`<div><dt>${name}</dt><dd>${ids}</dd></div>`))}
        </dl>
        <div class="row wrap">
          <button class="button primary" type="button" @click=${() => this.emit<TeamGraph>("graph-chosen", found.graph ?? this.draft)}>Change it and go on</button>
          <button class="button" type="button" @click=${this.#back}>Edit further</button>
        </div>
      </section>`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has("asked") && this.asked) this.querySelector<HTMLElement>(".team-consequences")?.focus();
  }

  /** Puts the focus on the first of what can be edited. */
  takeFocus(): void {
    this.querySelector<HTMLElement>(".team-row select")?.focus();
  }

  /** From the consequences to what has them. */
  #back = (): void => {
    this.asked = false;
    void this.updateComplete.then(() => this.querySelector<HTMLElement>("button[type=submit]")?.focus());
  };

  /** Escape leaves the consequences, and then the form, if there is a graph without it. */
  #key = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || event.isComposing || this.instead === null) return;
    event.preventDefault();
    event.stopPropagation();
    if (this.asked) this.#back();
    else this.emit("edit-ended", null);
  };

  #empty(id: string): TeamSubtask {
    return { id, task: "", executor: this.executors[0]?.name ?? "", needs: [], local: [] };
  }

  #add = (): void => {
    const numbers = this.draft.subtasks.map((s) => Number(/^t(\d+)$/.exec(s.id)?.[1] ?? 0));
    this.#edit({ ...this.draft, subtasks: [...this.draft.subtasks, this.#empty(`t${Math.max(0, ...numbers) + 1}`)] });
    void this.updateComplete.then(() => this.querySelector<HTMLElement>(".team-row:last-child textarea")?.focus());
  };

  #remove(at: number): void {
    const gone = this.draft.subtasks[at]?.id ?? "";
    const rest = this.draft.subtasks.filter((_, i) => i !== at).map((s) => (s.needs.includes(gone) ? { ...s, needs: s.needs.filter((id) => id !== gone) } : s));
    this.#edit({ ...this.draft, subtasks: rest });
    void this.updateComplete.then(() => this.querySelectorAll<HTMLElement>(".team-row textarea")[Math.max(0, at - 1)]?.focus());
  }

  #need(at: number, id: string, needed: boolean): void {
    const { needs } = this.draft.subtasks[at] ?? { needs: [] };
    this.#change(at, { needs: needed ? [...needs, id] : needs.filter((n) => n !== id) });
  }

  #change(at: number, change: Partial<TeamSubtask>): void {
    this.#edit({ ...this.draft, subtasks: this.draft.subtasks.map((s, i) => (i === at ? { ...s, ...change } : s)) });
  }

  #edit(draft: TeamGraph): void {
    this.draft = draft;
    this.found = null;
    this.asked = false;
    this.#look(CHECK_DELAY);
  }

  #look(delay: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#ask(), delay);
  }

  async #ask(): Promise<void> {
    const { draft } = this;
    try {
      const found = await this.check(draft, this.instead);
      if (this.draft !== draft) return;
      this.found = found;
      const { drawing, critical, again } = found;
      if (drawing !== undefined) this.emit<Draft>("draft-looked", { graph: draft, drawing, critical, again });
    } catch (reason) {
      if (this.draft === draft) this.found = { faults: [reason instanceof Error ? reason.message : String(reason)], critical: [], again: [] };
    }
  }

  #submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (this.found === null || this.found.faults.length > 0) return;
    if (this.instead === null) this.emit<TeamGraph>("graph-chosen", this.found.graph ?? this.draft);
    else this.asked = true;
  };
}

function lines(event: Event): readonly string[] {
  return valueOf(event).split("\n").filter((line) => line.trim() !== "");
}

customElements.define("stile-team-edit", StileTeamEdit);
