import { html, nothing } from "lit";
import type { PlanExec } from "./events.js";
import { iconUndo } from "../ui/icons.js";
import { iconBack, iconPerson, iconTool } from "../ui/panel-icons.js";
import { sendCommand } from "./run-command.js";
import type { PlanEntry, PlanMove } from "./timeline.js";
import { count } from "../ui/text.js";
import { choiceButtons, clip, promptDetails, withheldDetails } from "./choices.js";
import { thoughtDetails } from "./thoughts.js";
import { LightElement, prop, state } from "../ui/light-element.js";

/** The maximum number of shown entries, until a person asks for earlier ones. */
const MAX_SHOWN = 200;

const takers: Readonly<Record<string, string>> = {
  person: "you",
  forced: "the only move",
  beam: "the beam",
  otherwise: "no readable answer",
};

/** The log of a plan: the offer, answer and choice of each move, backtracking, and tool calls. */
export class StilePlanLog extends LightElement {
  @prop entries: readonly PlanEntry[] = [];
  /** Whether a person is the model. */
  @prop person = false;
  /** The ticked choices of each offer that permits several, by the offer's number. */
  @state ticked: Readonly<Record<number, readonly number[]>> = {};
  @state whole = false;

  protected override render(): unknown {
    const hidden = this.whole ? 0 : Math.max(0, this.entries.length - MAX_SHOWN);
    return html` ${hidden > 0 ? html`<button class="button small" type="button" @click=${() => (this.whole = true)}>Show ${hidden} earlier steps</button>` : nothing}
      <ol class="log plan-log">
        ${this.entries.slice(hidden).map((entry) => this.#entry(entry))}
      </ol>`;
  }

  #entry(entry: PlanEntry): unknown {
    switch (entry.type) {
      case "move":
        return entry.offer === undefined ? this.#forced(entry) : this.#move(entry);
      case "exec":
        return this.#exec(entry.exec);
      case "back":
        return html` <li class="log-entry went-back">
          <span class="log-number">${iconBack}</span>
          <p>
            <strong>Backtracked.</strong> ${entry.back.why === "" ? "Trying another choice" : entry.back.why}.
            <span class="hint"
              >${entry.back.choices === 1 ? "One choice remains" : `${entry.back.choices} choices remain`} there.</span
            >
          </p>
        </li>`;
    }
  }

  #forced({ take, undone }: PlanMove): unknown {
    return html` <li class="log-entry forced ${undone ? "undone" : ""}">
      <span class="log-number">·</span>
      <p>
        ${take?.label ?? ""}${take === undefined || take.symbol === "" || take.symbol === take.label ? nothing : html` <code>${take.symbol}</code>`}
        <span class="hint">· ${undone ? "undone" : takers[take?.by ?? "forced"]}</span>
      </p>
    </li>`;
  }

  #move(move: PlanMove): unknown {
    const { offer, take, replies, undone } = move;
    if (offer === undefined) return nothing;
    const by = take === undefined ? "" : this.person && take.by === "model" ? "you" : (takers[take.by] ?? "");
    const taken = takenOf(move);
    const ticked = this.ticked[offer.offer] ?? taken;
    const press = (n: number): void => {
      if (!offer.many) sendCommand(this, { command: "take", offer: offer.offer, choice: [n] });
      else
        this.ticked = {
          ...this.ticked,
          [offer.offer]: ticked.includes(n) ? ticked.filter((m) => m !== n) : [...ticked, n].sort((a, b) => a - b),
        };
    };
    const changed = offer.many && ticked.join() !== taken.join() && ticked.length > 0;
    return html` <li class="log-entry ${undone ? "undone" : ""}">
      <span class="log-number">${offer.offer}</span>
      <div class="log-head">
        <span class="log-title">${offer.reason}</span>
        ${undone ? html`<span class="pill">${iconUndo} undone</span>` : nothing}
        ${by === "" ? nothing : html`<span class="pill">${by}</span>`}
      </div>
      ${choiceButtons(offer, offer.many ? [] : taken, (choice) => press(choice.n), ticked)}
      ${changed ? html`<div><button class="button small" type="button" @click=${() => sendCommand(this, { command: "take", offer: offer.offer, choice: ticked })}>Take ${ticked.join(", ")} instead</button></div>` : nothing}
      ${move.thoughts.map(thoughtDetails)}
      ${replies.map(
        (reply) =>
          html` <p class="reply ${reply.fault === undefined || reply.fault === "" ? "" : "bad"}">
            <span class="hint">${reply.attempt > 1 ? `answer ${reply.attempt}` : "answer"}</span>
            <q>${clip(reply.text)}</q>
            ${reply.fault === undefined || reply.fault === "" ? (reply.how === "logprobs" ? html`<span class="hint">the most likely number</span>` : nothing) : html`<span class="fault-text">asked again: ${reply.fault}</span>`}
          </p>`,
      )}
      <div class="log-more">
        ${withheldDetails(offer.withheld)}${promptDetails(offer.prompt)}
        <details class="from-here">
          <summary>From here</summary>
          <div class="row wrap">
            <button
              class="button small"
              type="button"
              @click=${() => sendCommand(this, { command: "ask-me", offer: offer.offer })}
            >
              ${iconPerson} Ask me instead
            </button>
            <button
              class="button small"
              type="button"
              @click=${() => sendCommand(this, { command: "choose-again", offer: offer.offer })}
            >
              Choose again, with the settings above
            </button>
          </div>
        </details>
      </div>
    </li>`;
  }

  #exec({ n, symbol, text, inputs, state, output, fault }: PlanExec): unknown {
    return html` <li class="log-entry exec ${state}">
      <span class="log-number">${iconTool}</span>
      <div class="log-head">
        <span class="log-title">${text}${symbol === text ? nothing : html` <code>${symbol}</code>`}</span>
        ${state === "failed" ? html`<span class="pill bad">failed</span>` : state === "known" ? html`<span class="pill">known already</span>` : html`<span class="hint">step ${n}</span>`}
      </div>
      <dl class="values">
        ${
          inputs.length === 0
            ? nothing
            : html`<div>
                <dt>${inputs.length === 1 ? "took" : `took ${count(inputs.length, "value")}`}</dt>
                ${inputs.map((input) => html`<dd>${clip(input)}</dd>`)}
              </div>`
        }
        ${
          state === "failed"
            ? html`<div class="fault-text">
                <dt>failed</dt>
                <dd>${fault ?? ""}</dd>
              </div>`
            : html`<div>
                <dt>gave</dt>
                <dd>${clip(output ?? "")}</dd>
              </div>`
        }
      </dl>
    </li>`;
  }
}

/** Returns the indexes of the taken choices of an offer; several choices are identified by their symbols. */
function takenOf({ offer, take }: PlanMove): readonly number[] {
  if (take === undefined) return [];
  const symbols = take.symbol.split(" ");
  return offer?.many === true
    ? offer.choices.filter((choice) => symbols.includes(choice.symbol)).map((choice) => choice.n)
    : [take.n];
}

customElements.define("stile-plan-log", StilePlanLog);
