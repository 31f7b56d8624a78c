import { html, nothing } from "lit";
import { iconCheck, iconOpen, iconWarning } from "../ui/icons.js";
import type { FormulateView } from "./formulate-view.js";
import { stages } from "./problem-settings.js";
import { duration } from "./solver-number.js";
import { LightElement, prop } from "../ui/light-element.js";
import { dollars } from "../run/run-spent.js";

const states: Readonly<Record<string, string>> = {
  running: "running",
  done: "done",
  kept: "from the files",
  failed: "failed",
  wrong: "judged incorrect",
  "": "not yet",
};

/** The stages of a formulation with their states and costs. Pressing one shows its log. */
export class StileStageStrip extends LightElement {
  @prop view!: FormulateView;
  @prop chosen = "";
  @prop going = false;

  protected override render(): unknown {
    const { view } = this;
    const shown = this.#baseline() ? stages.filter((s) => view.stages.has(s.id)) : stages;
    if (shown.length === 0) return nothing;
    return html` <ol class="stages" aria-label="Stages">
      ${shown.map(({ id, name }) => {
        const now = view.stages.get(id);
        const state = now === undefined ? "" : now.state;
        const {
          calls = 0,
          usage = { prompt: 0, completion: 0 },
          money = 0,
          milliseconds = 0,
          solving = 0,
          solves = 0,
        } = now?.spent ?? {};
        const spent = [
          ...(calls > 0
            ? [
                `${calls} call${calls === 1 ? "" : "s"}`,
                `${(usage.prompt + usage.completion).toLocaleString("en")} tokens`,
              ]
            : []),
          ...(solves > 0 ? [`${solves} question${solves === 1 ? "" : "s"}`] : []),
          ...(milliseconds + solving > 0 ? [duration(milliseconds + solving)] : []),
          ...(money > 0 ? [dollars(money)] : []),
        ].join(" · ");
        return html` <li class="stage ${state}" data-stage=${id} data-state=${state}>
          <button
            type="button"
            aria-pressed=${this.chosen === id}
            @click=${() => this.emit("stage-chosen", this.chosen === id ? "" : id)}
          >
            <span class="stage-mark" aria-hidden="true">${this.#mark(state)}</span>
            <span class="stage-name">${name}</span>
            <span class="stage-state"
              >${state === "" && !this.going ? "not needed" : states[state]}${now === undefined || (now.round < 2 && now.attempt < 2) ? nothing : `, ${[...(now.round > 1 ? [`round ${now.round}`] : []), ...(now.attempt > 1 ? [`try ${now.attempt}`] : [])].join(", ")}`}</span
            >
            <span class="stage-spent">${spent}</span>
          </button>
        </li>`;
      })}
    </ol>`;
  }

  #baseline(): boolean {
    const method = this.view.result?.method ?? "";
    return method !== "" && method !== "formulate";
  }

  #mark(state: string): unknown {
    if (state === "running") return this.going ? html`<span class="spinner"></span>` : "·";
    return state === "done"
      ? iconCheck
      : state === "kept"
        ? iconOpen
        : state === "failed" || state === "wrong"
          ? iconWarning
          : "·";
  }
}

customElements.define("stile-stage-strip", StileStageStrip);
