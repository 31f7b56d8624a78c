import { html } from "lit";
import { iconClose } from "../ui/icons.js";
import * as storage from "../store/storage.js";

/** The name of the stored decision to hide the introduction. */
const HIDDEN = "welcomed";

/** Reports whether the introduction is shown: on a plain visit, until it is closed. */
export function isWelcome(): boolean {
  return (
    storage.recallPlain(HIDDEN) === null &&
    location.hash.length < 2 &&
    !/[?&](?:url|gist|example)=/.test(location.search)
  );
}

/** Remembers that the introduction was closed. */
export function closeWelcome(): void {
  storage.rememberPlain(HIDDEN, "1");
}

/** Renders the introduction of the first example. The actions close it, too. */
export function welcome(narrow: boolean, act: (action: "run" | "step" | "new" | "close") => void): unknown {
  const button = (action: "run" | "step" | "new", label: string): unknown =>
    html`<button class="button small ${action === "run" ? "primary" : ""}" type="button" @click=${() => act(action)}>
      ${label}
    </button>`;
  return html` <section class="welcome" aria-label="Introduction">
    <p>
      <strong>Stile shows whether a language-model agent follows its rules:</strong> it draws them, proves properties,
      and stops a model at its first violation.
      ${narrow ? "The tabs show the text, automaton, runs and proofs of a support agent whose refunds a person approves." : "On the left is a support agent whose refunds a person approves; on the right are its automaton, runs and proofs."}
    </p>
    <div class="row wrap">
      ${button("run", "Watch a run")} ${button("step", "Step through it")} ${button("new", "Write your own")}
    </div>
    <button
      class="icon-button small"
      type="button"
      title="Close the introduction"
      aria-label="Close the introduction"
      @click=${() => act("close")}
    >
      ${iconClose}
    </button>
  </section>`;
}
