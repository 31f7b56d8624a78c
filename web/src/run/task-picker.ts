import { html, nothing } from "lit";
import { iconSearch } from "../ui/panel-icons.js";
import type { Task } from "../store/tasks.js";
import { LightElement, prop, state } from "../ui/light-element.js";

/** The maximum number of listed tasks. */
const MAX_LISTED = 60;

/** A search field for proposed tasks. */
export class StileTaskPicker extends LightElement {
  @prop tasks: readonly Task[] = [];
  @state words = "";
  @state active = 0;
  @state open = false;

  protected override render(): unknown {
    const found = this.#found();
    const shown = found.slice(0, MAX_LISTED);
    return html` <div class="picker" @focusout=${this.#leave}>
      <span class="picker-icon">${iconSearch}</span>
      <input
        type="search"
        role="combobox"
        aria-label="Choose one of ${this.tasks.length} tasks"
        aria-expanded=${this.open}
        aria-controls="task-list"
        aria-autocomplete="list"
        aria-activedescendant=${this.open && shown.length > 0 ? `task-${this.active}` : nothing}
        autocomplete="off"
        placeholder="Choose one of ${this.tasks.length} tasks…"
        .value=${this.words}
        @input=${this.#input}
        @focus=${() => (this.open = true)}
        @click=${() => (this.open = true)}
        @keydown=${this.#key}
      />
      <ul class="picker-list" id="task-list" role="listbox" aria-label="Tasks" ?hidden=${!this.open}>
        ${shown.map(
          (task, i) =>
            html` <li
              id="task-${i}"
              role="option"
              aria-selected=${i === this.active}
              class=${i === this.active ? "active" : ""}
              @pointerdown=${(e: Event) => e.preventDefault()}
              @click=${() => this.#choose(task)}
            >
              <span>${task.text}</span><small class="hint">${task.group}</small>
            </li>`,
        )}
        ${shown.length === 0 ? html`<li role="option" aria-selected="false" aria-disabled="true" class="hint">No task contains all of these words.</li>` : nothing}
        ${found.length > shown.length ? html`<li role="option" aria-selected="false" aria-disabled="true" class="hint">and ${found.length - shown.length} more: type some words</li>` : nothing}
      </ul>
    </div>`;
  }

  protected override updated(): void {
    if (this.open) this.querySelector(".picker-list .active")?.scrollIntoView({ block: "nearest" });
  }

  #found(): readonly Task[] {
    const words = this.words
      .toLowerCase()
      .split(/\s+/)
      .filter((w) => w !== "");
    return this.tasks.filter((task) => {
      const text = `${task.text} ${task.group} ${task.spec}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
  }

  #input = (event: Event): void => {
    this.words = (event.target as HTMLInputElement).value;
    this.active = 0;
    this.open = true;
  };

  #key = (event: KeyboardEvent): void => {
    const shown = this.#found().slice(0, MAX_LISTED);
    switch (event.key) {
      case "ArrowDown":
        this.active = this.open ? Math.min(this.active + 1, shown.length - 1) : 0;
        this.open = true;
        break;
      case "ArrowUp":
        this.active = Math.max(this.active - 1, 0);
        break;
      case "Enter": {
        const task = shown[this.active];
        if (this.open && task !== undefined) this.#choose(task);
        break; // Enter never submits the form
      }
      case "Escape":
        if (!this.open) return;
        this.open = false;
        break;
      default:
        return;
    }
    event.preventDefault();
    event.stopPropagation();
  };

  #leave = (event: FocusEvent): void => {
    if (!this.contains(event.relatedTarget as Node | null)) this.open = false;
  };

  #choose(task: Task): void {
    this.words = "";
    this.active = 0;
    this.open = false;
    this.emit<Task>("task-chosen", task);
  }
}

customElements.define("stile-task-picker", StileTaskPicker);
