import { html } from "lit";
import { editorKeys, type EditorKeys } from "../edit/editor-keys.js";
import { issues, repository } from "./report.js";
import { LightElement, prop, state } from "../ui/light-element.js";

const keys: readonly (readonly [string, string])[] = [
  ["F1", "open the manual of the notation, with examples to insert"],
  ["Ctrl Enter", "run the spec"],
  ["1 … 9", "choose an option when a run asks you"],
  ["Escape, Tab", "leave the editor, where Tab alone indents"],
  ["Shift Alt F", "format the text"],
  ["Ctrl F", "find and replace"],
  ["F8", "go to the next problem"],
  ["F2", "rename the file, on its tab"],
  ["← → ↑ ↓", "move through tabs, through the drawing, and the bars between panes"],
  ["Enter", "in the drawing: show a state’s or transition’s text"],
  ["+ − 0", "in the drawing: zoom in, out, fit"],
];

/** Pages of the documentation. */
const pages: readonly (readonly [string, string])[] = [
  ["guide.html", "The guide, in twenty minutes"],
  ["languages.html", "Reference of the languages"],
  ["papers.html", "The papers"],
  ["agents.html", "Agents and tools"],
  ["security.html", "Security and privacy"],
  ["licences.html", "Third-party licences"],
  ["", "All of the documentation"],
];

/** An introduction, the keys, and the choice of the editor's key bindings. */
export class StileHelp extends LightElement {
  @prop keys: EditorKeys = "usual";
  /** The version of the site. */
  @prop version = "";
  /** Makes the address of a report with the open workspace. */
  @prop report: () => Promise<string> = () => Promise.resolve(issues);
  @state private issue = issues;

  protected override firstUpdated(): void {
    void this.report().then((address) => (this.issue = address));
  }

  protected override render(): unknown {
    return html` <p>
        Stile is a playground for the formal specifications that keep language-model agents on track. Write a grammar
        (<code>.cfg</code>), an automaton (<code>.pda</code>), a flowchart (<code>.flow</code>), properties
        (<code>.ltl</code>), an agent’s behaviour (<code>.agent</code>) or a team (<code>.team</code>); its automaton is
        drawn as you type. Step through it by hand, or let a model, simulated or your own, plan and act inside it.
      </p>
      <p>
        Everything runs in this page. Nothing you write leaves this device unless you share a link or call an endpoint
        of your own.
      </p>
      <h3>Keys</h3>
      <dl class="keys">
        ${keys.map(
          ([key, does]) =>
            html`<div>
              <dt><kbd>${key}</kbd></dt>
              <dd>${does}</dd>
            </div>`,
        )}
      </dl>
      <label class="field"
        ><span>Keys in the editor</span>
        <select @change=${(e: Event) => this.emit("keys-chosen", (e.target as HTMLSelectElement).value)}>
          ${editorKeys.map(([id, label]) => html`<option value=${id} ?selected=${id === this.keys}>${label}</option>`)}
        </select></label
      >
      <p class="hint">Remembered on this device. With any of them, Escape and then Tab leaves the editor.</p>
      <h3>Languages</h3>
      <p>
        <strong>Grammars.</strong> <code>S -> a S b | ε</code>: a left side, an arrow, right sides with
        <code>|</code> between them, one rule per line. A symbol without a rule is a terminal, the name of a tool.
        <code>limit 1 each except i</code> limits how often tools may be used; <code>a1 as "Colorization"</code> gives
        them names. <code>#</code> begins a comment.
      </p>
      <p>
        <strong>Agents.</strong> States with the prompts that begin them, and a behaviour of <code>next</code>,
        <code>or</code>, <code>until</code> and <code>always</code>. A state with <code>(:flags :env-input)</code> is
        filled in by its environment.
      </p>
      <h3>More</h3>
      <p>
        ${pages.map(([page, what], i) => html`${i > 0 ? " · " : ""}<a href="docs/${page}" target="_blank" rel="noopener">${what}</a>`)}
      </p>
      <p>
        Version <code>${this.version}</code> ·
        <a href=${repository} target="_blank" rel="noopener noreferrer">Source code</a> ·
        <a href=${this.issue} target="_blank" rel="noopener noreferrer">Report a problem</a>
        <span class="hint">The report contains a link to the open workspace; you see it before it is sent.</span>
      </p>`;
  }
}

customElements.define("stile-help", StileHelp);
