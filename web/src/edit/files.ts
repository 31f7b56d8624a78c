import { html, nothing, type PropertyValues } from "lit";
import { iconClose, iconEdit, iconPlus } from "../ui/icons.js";
import type { File } from "../core/wire.js";
import { LightElement, prop, state } from "../ui/light-element.js";

/** A request to rename a file. */
export interface Renaming {
  readonly name: string;
  readonly to: string;
}

/** The workspace's files as a row of tabs; the open one can be renamed and removed. */
export class StileFiles extends LightElement {
  @prop files: readonly File[] = [];
  @prop current = "";
  /** The id of the panel that shows the open file. */
  @prop panel = "";
  @state renaming = false;

  protected override render(): unknown {
    return html` <div class="tabs file-tabs" role="tablist" aria-label="Files" @keydown=${this.#key}>
        ${this.#inFolders().map(({ name }, i, all) => {
          const folder = folderOf(name);
          const first = folder !== folderOf(all[i - 1]?.name ?? "");
          return html` <button
            class="tab ${folder !== "" && first ? "first-of" : ""}"
            type="button"
            role="tab"
            data-file=${name}
            aria-selected=${name === this.current}
            aria-controls=${this.panel}
            aria-label=${folder === "" ? nothing : name}
            title=${folder === "" ? nothing : name}
            tabindex=${name === this.current ? 0 : -1}
            @click=${() => this.emit("file-chosen", name)}
            @dblclick=${() => this.#rename()}
          >
            ${first && folder !== "" ? html`<span class="folder">${folder}</span>` : nothing}${name.slice(folder.length)}
          </button>`;
        })}
      </div>
      ${
        this.renaming
          ? html` <form class="rename" @submit=${this.#renamed}>
              <input
                type="text"
                name="to"
                aria-label="New name of ${this.current}"
                .value=${this.current}
                spellcheck="false"
                autocomplete="off"
                @keydown=${this.#leave}
                @blur=${() => (this.renaming = false)}
              />
            </form>`
          : nothing
      }
      <div class="row file-tools">
        <button
          class="icon-button small"
          type="button"
          title="Rename the file"
          aria-label="Rename ${this.current}"
          @click=${this.#rename}
        >
          ${iconEdit}
        </button>
        ${this.files.length > 1 ? html`<button class="icon-button small" type="button" title="Remove the file" aria-label="Remove ${this.current}" @click=${() => this.emit("file-removed", this.current)}>${iconClose}</button>` : nothing}
        <button
          class="icon-button small"
          type="button"
          title="New file"
          aria-label="New file"
          @click=${() => this.emit("file-requested", null)}
        >
          ${iconPlus}
        </button>
      </div>`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (!changed.has("current")) return;
    const [list, tab] = [this.querySelector(".file-tabs"), this.querySelector<HTMLElement>("[aria-selected=true]")];
    if (list === null || tab === null) return;
    const [outer, inner] = [list.getBoundingClientRect(), tab.getBoundingClientRect()];
    if (inner.left < outer.left) list.scrollLeft -= outer.left - inner.left;
    else if (inner.right > outer.right) list.scrollLeft += inner.right - outer.right;
  }

  /** Returns the files, with those of a folder grouped at the position of its first file. */
  #inFolders(): readonly File[] {
    const first = (file: File): number =>
      this.files.findIndex(
        (f) => f === file || (folderOf(file.name) !== "" && folderOf(f.name) === folderOf(file.name)),
      );
    return this.files
      .map((file, i) => ({ file, i, first: first(file) }))
      .sort((a, b) => a.first - b.first || a.i - b.i)
      .map(({ file }) => file);
  }

  #key = (event: KeyboardEvent): void => {
    const files = this.#inFolders();
    const at = files.findIndex((f) => f.name === this.current);
    const target = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: files.length - 1 }[event.key];
    if (event.key === "F2") this.#rename();
    if (target === undefined) return;
    event.preventDefault();
    const file = files[(target + files.length) % files.length];
    if (file === undefined) return;
    this.emit("file-chosen", file.name);
    [...this.querySelectorAll<HTMLElement>("[data-file]")].find((tab) => tab.dataset["file"] === file.name)?.focus();
  };

  #rename = (): void => {
    this.renaming = true;
    void this.updateComplete.then(() => {
      const input = this.querySelector<HTMLInputElement>("input[name=to]");
      input?.focus();
      input?.setSelectionRange(
        folderOf(this.current).length,
        Math.max(this.current.lastIndexOf("."), 0) || this.current.length,
      );
    });
  };

  #leave = (event: KeyboardEvent): void => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    this.renaming = false;
    this.#back();
  };

  #renamed = (event: SubmitEvent): void => {
    event.preventDefault();
    const to = this.querySelector<HTMLInputElement>("input[name=to]")?.value.trim() ?? "";
    this.renaming = false;
    this.emit<Renaming>("file-renamed", { name: this.current, to });
    this.#back();
  };

  #back(): void {
    void this.updateComplete.then(() => this.querySelector<HTMLElement>("[aria-selected=true]")?.focus());
  }
}

/** The folder of a file with its slash, or "". */
function folderOf(name: string): string {
  return name.slice(0, name.lastIndexOf("/") + 1);
}

customElements.define("stile-files", StileFiles);
