import { html } from "lit";
import { LightElement, prop } from "./light-element.js";

/** A tab: its label and its panel. */
export interface Tab {
  readonly id: string;
  readonly label: string;
  readonly panel: string;
  /** A number next to the label, for example of problems. */
  readonly badge?: string;
  readonly tone?: "error" | "warning";
}

/** A row of tabs. The arrow keys move between them; only the chosen one is a tab stop. */
export class StileTabs extends LightElement {
  @prop tabs: readonly Tab[] = [];
  @prop chosen = "";
  @prop label = "";

  protected override render(): unknown {
    return html` <div class="tabs" role="tablist" aria-label=${this.label} @keydown=${this.#key}>
      ${this.tabs.map(
        (tab) =>
          html` <button
            class="tab"
            type="button"
            role="tab"
            id="tab-${tab.panel}-${tab.id}"
            data-tab=${tab.id}
            aria-selected=${tab.id === this.chosen}
            aria-controls=${tab.panel}
            tabindex=${tab.id === this.chosen ? 0 : -1}
            @click=${() => this.emit("tab-chosen", tab.id)}
          >
            ${tab.label}${tab.badge === undefined ? "" : html`<span class="badge ${tab.tone ?? ""}">${tab.badge}</span>`}
          </button>`,
      )}
    </div>`;
  }

  #key = (event: KeyboardEvent): void => {
    const at = this.tabs.findIndex((tab) => tab.id === this.chosen);
    const target = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: this.tabs.length - 1 }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    const tab = this.tabs[(target + this.tabs.length) % this.tabs.length];
    if (tab === undefined) return;
    this.emit("tab-chosen", tab.id);
    this.querySelector<HTMLElement>(`[data-tab="${tab.id}"]`)?.focus();
  };
}

customElements.define("stile-tabs", StileTabs);
