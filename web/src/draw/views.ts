import { html, nothing } from "lit";
import type { NotationName } from "../core/notations.js";

/** A way to read a spec in the Automaton tab. All but the automaton are loaded on demand. */
export type View = "events" | "automaton" | "railroad" | "nonterminals" | "words" | "explain";

const labels: Readonly<Record<View, string>> = {
  events: "Events",
  automaton: "Automaton",
  railroad: "Railroad",
  nonterminals: "Nonterminals",
  words: "Words",
  explain: "In words",
};

const views: Partial<Readonly<Record<NotationName, readonly View[]>>> = {
  grammar: ["automaton", "railroad", "nonterminals", "words", "explain"],
  automaton: ["automaton", "words", "explain"],
  flowchart: ["automaton", "words", "explain"],
  agent: ["automaton", "words", "explain"],
  formulas: ["automaton", "words", "explain"],
  rules: ["events", "automaton", "words", "explain"],
};

/** Returns the view of a file: the chosen one, if the notation has it, or else its first. */
export function viewOf(notation: NotationName, chosen: View | null): View {
  const list = views[notation] ?? ["automaton"];
  return list.find((view) => view === chosen) ?? list[0] ?? "automaton";
}

/** Reports whether a view is an element of its own, next to the drawing. */
export function isRead(view: View): boolean {
  return view !== "automaton" && view !== "events";
}

/** Renders the switch between the views of a notation. */
export function viewSwitch(notation: NotationName, chosen: View, choose: (view: View) => void): unknown {
  const list = views[notation];
  if (list === undefined) return nothing;
  return html`<div class="view-switch" role="group" aria-label="View">
    ${list.map(
      (view) =>
        html`<button class="view" type="button" aria-pressed=${view === chosen} @click=${() => choose(view)}>
          ${labels[view]}
        </button>`,
    )}
  </div>`;
}
