import { html, nothing } from "lit";
import { markupDOM } from "../draw/svg-dom.js";
import type { TextPlace } from "../draw/drawing.js";
import type { GrammarRailroadResult, Railroad } from "../core/wire.js";
import { prop } from "../ui/light-element.js";
import { type RailPicture, railPicture } from "./rail-layout.js";
import { ReadingPart } from "./reading-part.js";

/** Railroad diagrams of a grammar. Their symbols link to the text, and show the cursor's place. */
export class StileRailroad extends ReadingPart<GrammarRailroadResult> {
  @prop cursor = -1;

  #pictures = new Map<Railroad, { readonly svg: SVGElement; readonly picture: RailPicture }>();

  protected override load(): Promise<GrammarRailroadResult> {
    return this.core.call("grammar.railroad", { source: this.text });
  }

  protected override show({ diagrams }: GrammarRailroadResult): unknown {
    for (const old of this.#pictures.keys()) if (!diagrams.includes(old)) this.#pictures.delete(old);
    return html`${diagrams.map((diagram) => {
      const { svg, picture } = this.#pictureOf(diagram);
      this.#light(svg, picture);
      return html`<figure class="rail">
        <figcaption>
          <button
            class="link rail-name"
            type="button"
            title="Show the rule in the text"
            @click=${() => this.#place(diagram)}
          >
            <code>${diagram.name}</code>
          </button>
          ${diagram.start ? html`<span class="hint">start</span>` : nothing}
          ${diagram.note === undefined ? nothing : html`<span class="hint">${diagram.note}</span>`}
        </figcaption>
        <div
          class="rail-scroll"
          @click=${(e: Event) => this.#click(e, picture)}
          @keydown=${(e: KeyboardEvent) => this.#key(e, picture)}
        >
          ${svg}
        </div>
      </figure>`;
    })}`;
  }

  #pictureOf(diagram: Railroad): { readonly svg: SVGElement; readonly picture: RailPicture } {
    let known = this.#pictures.get(diagram);
    if (known === undefined) {
      const picture = railPicture(diagram);
      const svg = markupDOM(picture.markup);
      svg.querySelector("[tabindex]")?.setAttribute("tabindex", "0");
      known = { svg, picture };
      this.#pictures.set(diagram, known);
    }
    return known;
  }

  #light(svg: SVGElement, picture: RailPicture): void {
    const fresh = this.of === this.key;
    for (const part of svg.querySelectorAll<SVGElement>("[data-id]")) {
      const place = picture.places.get(part.dataset["id"] ?? "");
      const here = fresh && place !== undefined && place.from <= this.cursor && this.cursor <= place.to;
      part.classList.toggle("here", here);
    }
  }

  #place({ from, to }: TextPlace): void {
    if (this.of === this.key && from >= 0) this.emit<TextPlace>("place-requested", { from, to });
  }

  #click(event: Event, picture: RailPicture): void {
    const part = event.target instanceof Element ? event.target.closest("[data-id]") : null;
    const place = picture.places.get(part?.getAttribute("data-id") ?? "");
    if (place !== undefined) this.#place(place);
  }

  #key(event: KeyboardEvent, picture: RailPicture): void {
    const parts = [...(event.currentTarget as Element).querySelectorAll<SVGElement>("[data-id]")];
    const at = parts.findIndex((part) => part === document.activeElement);
    if (at < 0) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.#click(event, picture);
      return;
    }
    const next = {
      ArrowRight: at + 1,
      ArrowDown: at + 1,
      ArrowLeft: at - 1,
      ArrowUp: at - 1,
      Home: 0,
      End: parts.length - 1,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const part = parts[Math.min(Math.max(next, 0), parts.length - 1)];
    for (const other of parts) other.setAttribute("tabindex", other === part ? "0" : "-1");
    part?.focus();
    part?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
}

customElements.define("stile-railroad", StileRailroad);
