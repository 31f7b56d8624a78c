import { html, nothing, type PropertyValues } from "lit";
import type { TeamExecutor, TeamGraph, TeamSubtask } from "../run/events.js";
import { iconClose, iconPlus, iconWarning } from "../ui/icons.js";
import { valueOf } from "../ui/form-input.js";
import { type Draft, type GraphEffect, EFFECTS, graphEffects } from "./subtask-changes.js";
import { emptyTeam, type TeamView } from "./team-view.js";
import type { TeamGraphResult } from "../core/wire.js";
import { count, sentence } from "../ui/text.js";
import { LightElement, prop, state } from "../ui/light-element.js";

/** Milliseconds without typing before the graph is checked. */
const CHECK_DELAY = 250;

/** Checks a graph with the core, and compares it with the graph that it would replace, or null. */
export type GraphCheck = (graph: TeamGraph, before: TeamGraph | null) => Promise<TeamGraphResult>;

/**
 * Edits a task graph. Before a run, the person approves the graph. During a run, the edited graph replaces the
 * running one, after its effects were shown.
 */
export class StileTeamEdit extends LightElement {
  @prop graph!: TeamGraph;
  /** The running graph, which the edited graph would replace; null before the run. */
  @prop instead: TeamGraph | null = null;
  @prop executors: readonly TeamExecutor[] = [];
  /** Faults of the last submission. */
  @prop faults: readonly string[] = [];
  @prop check!: GraphCheck;
  /** The state of the run, some of whose results may be kept. */
  @prop view: TeamView = emptyTeam;
  @state draft!: TeamGraph;
  @state found: TeamGraphResult | null = null;
  /** Whether the effects are shown for confirmation. */
  @state asked = false;

  #timer: ReturnType<typeof setTimeout> | undefined;

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
    return html` <form
      class="team-edit"
      aria-label=${this.instead === null ? "The task graph, to be approved" : "Change the task graph"}
      @submit=${this.#submit}
      @keydown=${this.#key}
    >
      <div class="team-graph-head">
        <h2>${this.instead === null ? "Approve this division of the task?" : "Change the graph"}</h2>
        <span class="hint"
          >${this.instead === null ? "Edit the graph, or run it as it is." : "Unchanged sub-tasks keep their results."}</span
        >
      </div>
      <div class="team-rows">${draft.subtasks.map((s, i) => this.#row(s, i))}</div>
      <div class="row wrap">
        <button class="button small" type="button" @click=${this.#add}>${iconPlus} Add a sub-task</button>
      </div>
      <label class="field wide"
        ><span>Constraints of several sub-tasks, one per line</span>
        <textarea
          rows=${Math.max(1, draft.global.length)}
          .value=${draft.global.join("\n")}
          @input=${(e: Event) => this.#edit({ ...draft, global: lines(e) })}
        ></textarea>
      </label>
      ${
        faults.length === 0
          ? nothing
          : html`<ul class="team-faults" role="alert">
              ${faults.map((fault) => html`<li>${iconWarning} <span class="fault-text">${sentence(fault)}</span></li>`)}
            </ul>`
      }
      ${
        this.asked && sound
          ? this.#consequences(found)
          : html` <div class="row wrap">
              <button class="button primary" type="submit" ?disabled=${!sound}>
                ${this.instead === null ? "Run it" : "Show the effects"}
              </button>
              ${this.instead === null ? nothing : html`<button class="button" type="button" @click=${() => this.emit("edit-ended", null)}>Keep the graph</button>`}
            </div>`
      }
    </form>`;
  }

  #row(s: TeamSubtask, at: number): unknown {
    const others = this.draft.subtasks.filter((o) => o !== s);
    return html` <div class="team-row" role="group" aria-label="Sub-task ${s.id}">
      <div class="team-row-head">
        <strong>${s.id}</strong>
        <select aria-label="Executor of ${s.id}" @change=${(e: Event) => this.#change(at, { executor: valueOf(e) })}>
          ${this.#names().includes(s.executor) ? nothing : html`<option value=${s.executor} selected>${s.executor}</option>`}
          ${this.#names().map((name) => html`<option value=${name} .selected=${name === s.executor}>${name}</option>`)}
        </select>
        <button
          class="icon-button small"
          type="button"
          title="Remove ${s.id}"
          aria-label="Remove ${s.id}"
          ?disabled=${others.length === 0}
          @click=${() => this.#remove(at)}
        >
          ${iconClose}
        </button>
      </div>
      <textarea
        rows="2"
        aria-label="Task of ${s.id}"
        .value=${s.task}
        @input=${(e: Event) => this.#change(at, { task: valueOf(e) })}
      ></textarea>
      ${
        others.length === 0
          ? nothing
          : html` <fieldset class="team-needs">
              <legend>needs</legend>
              ${others.map(
                (o) =>
                  html` <label class="check"
                    ><input
                      type="checkbox"
                      .checked=${s.needs.includes(o.id)}
                      @change=${(e: Event) => this.#need(at, o.id, (e.target as HTMLInputElement).checked)}
                    />
                    <span>${o.id}</span></label
                  >`,
              )}
            </fieldset>`
      }
      <details class="fold" ?open=${s.local.length > 0}>
        <summary>${s.local.length === 0 ? "Own constraints" : count(s.local.length, "constraint")}</summary>
        <textarea
          rows=${Math.max(1, s.local.length)}
          aria-label="Constraints of ${s.id}, one per line"
          .value=${s.local.join("\n")}
          @input=${(e: Event) => this.#change(at, { local: lines(e) })}
        ></textarea>
      </details>
    </div>`;
  }

  /** Returns the names of the team's executors, and of those that the graph creates. */
  #names(): readonly string[] {
    return [...this.executors, ...(this.draft.executors ?? [])].map((x) => x.name);
  }

  #consequences(found: TeamGraphResult): unknown {
    const effects = [...graphEffects(this.view, this.instead, { graph: this.draft, again: found.again })];
    const none: Partial<Record<GraphEffect, string>> = { again: "nothing", kept: "no result" };
    const rows = (Object.keys(EFFECTS) as GraphEffect[]).map(
      (effect) =>
        [
          EFFECTS[effect],
          effects
            .filter(([, f]) => f === effect)
            .map(([id]) => id)
            .join(", ") || none[effect],
        ] as const,
    );
    return html` <section class="team-consequences" aria-label="Consequences" tabindex="-1">
      <h3>If you change the graph</h3>
      <dl class="team-facts">
        ${rows.map(([name, ids]) =>
          ids === undefined
            ? nothing
            : html`<div>
                <dt>${name}</dt>
                <dd>${ids}</dd>
              </div>`,
        )}
      </dl>
      <div class="row wrap">
        <button
          class="button primary"
          type="button"
          @click=${() => this.emit<TeamGraph>("graph-chosen", found.graph ?? this.draft)}
        >
          Change it and continue
        </button>
        <button class="button" type="button" @click=${this.#back}>Keep editing</button>
      </div>
    </section>`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has("asked") && this.asked) this.querySelector<HTMLElement>(".team-consequences")?.focus();
  }

  /** Focuses the first editable field. */
  takeFocus(): void {
    this.querySelector<HTMLElement>(".team-row select")?.focus();
  }

  /** Returns from the effects to the form. */
  #back = (): void => {
    this.asked = false;
    void this.updateComplete.then(() => this.querySelector<HTMLElement>("button[type=submit]")?.focus());
  };

  /** Escape closes the effects, and then the form if there is a running graph. */
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
    const rest = this.draft.subtasks
      .filter((_, i) => i !== at)
      .map((s) => (s.needs.includes(gone) ? { ...s, needs: s.needs.filter((id) => id !== gone) } : s));
    this.#edit({ ...this.draft, subtasks: rest });
    void this.updateComplete.then(() =>
      this.querySelectorAll<HTMLElement>(".team-row textarea")[Math.max(0, at - 1)]?.focus(),
    );
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
      if (this.draft === draft)
        this.found = { faults: [reason instanceof Error ? reason.message : String(reason)], critical: [], again: [] };
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
  return valueOf(event)
    .split("\n")
    .filter((line) => line.trim() !== "");
}

customElements.define("stile-team-edit", StileTeamEdit);
