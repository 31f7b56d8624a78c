import { html, nothing } from "lit";
import { isFree } from "./address.js";
import type { Capabilities, EndpointCommand, ProbeStep } from "./endpoint-actions.js";
import { iconCheck, iconError, iconMinus, iconWarning } from "../ui/icons.js";
import { iconStop } from "../ui/panel-icons.js";
import type { Endpoint, Probe } from "../store/state.js";
import { sentence } from "../ui/text.js";
import "../ui/copy-button.js";
import { LightElement, prop } from "../ui/light-element.js";

const icons = { good: iconCheck, bad: iconError, warn: iconWarning, none: iconMinus };

/** The test of an endpoint: its steps, and fixes for failed ones. */
export class StileEndpointTest extends LightElement {
  @prop endpoint!: Endpoint;
  @prop probe: Probe | undefined = undefined;
  /** Whether there is an address to test. */
  @prop able = true;

  protected override render(): unknown {
    const { probe } = this;
    const testing = probe?.state === "working" || probe?.state === "waiting";
    return html` <section class="endpoint-test" aria-label="Test of the connection">
      <div class="run-actions">
        <button
          class="button ${testing ? "" : "primary"}"
          type="button"
          ?disabled=${!testing && !this.able}
          @click=${() => this.#send(testing ? "stop" : "test")}
        >
          ${testing ? html`${iconStop} Cancel` : "Test connection"}
        </button>
        <span class="run-state" role="status">${this.#state(probe, testing)}</span>
      </div>
      ${
        probe === undefined || probe.steps.length === 0
          ? nothing
          : html`<ol class="probe-steps">
              ${probe.steps.filter(worthSaying).map((step) => this.#step(step))}
            </ol>`
      }
      ${probe?.fault === undefined || probe.steps.some((s) => s.state === "failed") ? nothing : html`<p class="fault" role="alert">${sentence(probe.fault.message)}</p>`}
      ${probe?.result === undefined ? nothing : this.#found(probe)}
    </section>`;
  }

  #state(probe: Probe | undefined, testing: boolean): unknown {
    if (probe === undefined)
      return html`<span class="hint"
        >Sends one short question${isFree(this.endpoint.url) ? "" : ", which may cost a fraction of a cent"}.</span
      >`;
    if (testing) {
      const tried = probe.steps.filter((s) => !worthSaying(s)).length;
      return html`<span class="spinner" aria-hidden="true"></span>
        ${probe.steps.some((s) => s.name === "chat") ? `Detecting capabilities (${tried} of ${trials.length})…` : "Testing…"}`;
    }
    if (probe.state === "cancelled") return html`<span class="pill">Cancelled</span>`;
    if (probe.state === "failed") return html`<span class="pill bad">The connection does not work yet</span>`;
    return probe.steps.some((s) => s.name === "chat" && s.state === "ok")
      ? html`<span class="pill good">The connection works</span>`
      : html`<span class="pill">The server responds; choose a model</span>`;
  }

  #step(step: ProbeStep): unknown {
    const tone = toneOf(step);
    return html` <li class="probe-step ${tone}" data-step=${step.name} data-state=${step.state}>
      <span class="probe-icon">${icons[tone]}</span>
      <div>
        <p>${step.name === "model" ? `${step.message}.` : sentence(step.message)}</p>
        ${step.fix === undefined || step.fix === "" ? nothing : html`<div class="command"><span class="fix">${step.fix.charAt(0).toUpperCase() + step.fix.slice(1)}</span><stile-copy-button .text=${step.fix} .what=${"how to fix it"}></stile-copy-button></div>`}
      </div>
    </li>`;
  }

  #found({ result, steps }: Probe): unknown {
    const chips = able(result?.capabilities);
    const lacking = trials
      .filter((name) => steps.some((s) => s.name === name && s.state === "failed"))
      .map((name) => abilities[name]);
    return html`${
      chips.length === 0
        ? nothing
        : html`<ul class="choices" aria-label="Capabilities">
            ${chips.map((c) => html`<li class="choice">${c}</li>`)}
          </ul>`
    }
    ${lacking.length === 0 ? nothing : html`<p class="hint">Not supported: ${lacking.join(", ")}.</p>`}`;
  }

  #send(command: "test" | "stop"): void {
    this.emit<EndpointCommand>("endpoint-command", { command, name: this.endpoint.name });
  }
}

const abilities = {
  stop: "stop texts",
  tools: "tools",
  schema: "JSON schemas",
  logprobs: "log-probabilities",
  choice: "choices enforced",
  prefix: "continuing from a prefix",
  unopened: "thoughts without an opening tag",
};

/** Steps that test optional capabilities. */
const trials = ["logprobs", "tools", "choice", "prefix"] as const;

/** Returns the name of a step's icon. */
function toneOf({ state, fix }: ProbeStep): keyof typeof icons {
  if (state === "ok") return "good";
  if (state === "failed") return "bad";
  return fix === undefined || fix === "" ? "none" : "warn";
}

/** Reports whether a step adds to the list of capabilities. */
function worthSaying({ name }: ProbeStep): boolean {
  return !trials.some((trial) => trial === name);
}

/** Lists a server's capabilities. */
function able(capabilities: Capabilities | undefined): string[] {
  return (Object.keys(abilities) as (keyof typeof abilities)[])
    .filter((name) => capabilities?.[name])
    .map((name) => abilities[name]);
}

customElements.define("stile-endpoint-test", StileEndpointTest);
