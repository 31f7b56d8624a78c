import { html, nothing } from "lit";
import { drawingFile } from "../draw/drawing-file.js";
import { fileName, saveText } from "./save-file.js";
import "../ui/copy-button.js";
import { LightElement, prop } from "../ui/light-element.js";

/** A picture with a link, for pages that run no scripts, such as a README on GitHub. */
export class StileShareReadme extends LightElement {
  @prop link = "";
  /** The title of the workspace. */
  @prop name = "";

  protected override render(): unknown {
    const drawn = document.querySelector<SVGElement>(".main-drawing svg.drawing");
    if (drawn === null) return nothing;
    const file = `${fileName(this.name) || "drawing"}.svg`;
    const said = drawn.getAttribute("aria-label") ?? this.name;
    const alt = said.replace(/[[\]\\]/g, "\\$&").replace(/\s+/g, " ");
    return html` <h3>For a README</h3>
      <p class="hint">A picture with a link, where scripts are forbidden. Put the picture next to the Markdown file.</p>
      <div class="row wrap">
        <button class="button small" type="button" @click=${() => saveText(file, drawingFile(drawn), "image/svg+xml")}>
          Download ${file}
        </button>
        <stile-copy-button
          .text=${`[![${alt}](${file})](${this.link})\n`}
          .what=${"the Markdown"}
          .label=${"Copy Markdown"}
        ></stile-copy-button>
      </div>`;
  }
}

customElements.define("stile-share-readme", StileShareReadme);
