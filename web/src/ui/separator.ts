import { recallPlain, rememberPlain } from "../store/storage.js";
import { LightElement, property } from "./light-element.js";

const STEP = 2; // per cent of the pane per arrow key
const MIN = 15;
const MAX = 85;

/**
 * The separator of two panes, moved by pointer or arrow keys. It sets a custom property of its parent to the
 * size of the first pane in per cent.
 */
export class StileSeparator extends LightElement {
  /** "vertical" is between panes side by side, "horizontal" between stacked ones. */
  @property({ type: String }) orientation: "vertical" | "horizontal" = "vertical";
  /** Name of the custom property without dashes, and of the stored value. */
  @property({ type: String }) name = "split";
  @property({ type: String }) label = "";
  @property({ type: Number }) value = 50;
  #initial = 50;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#initial = this.value;
    const remembered = Number(recallPlain(this.name));
    if (remembered >= MIN && remembered <= MAX) this.value = remembered;
    this.setAttribute("role", "separator");
    this.setAttribute("aria-orientation", this.orientation);
    this.setAttribute("aria-valuemin", String(MIN));
    this.setAttribute("aria-valuemax", String(MAX));
    this.setAttribute("aria-label", this.label);
    this.tabIndex = 0;
    this.addEventListener("pointerdown", this.#pointerDown);
    this.addEventListener("pointermove", this.#pointerMove);
    this.addEventListener("keydown", this.#key);
    this.addEventListener("dblclick", () => this.#move(this.#initial));
  }

  protected override updated(): void {
    this.setAttribute("aria-valuenow", String(Math.round(this.value)));
    this.parentElement?.style.setProperty(`--${this.name}`, `${this.value}%`);
  }

  #move(value: number): void {
    this.value = Math.min(MAX, Math.max(MIN, value));
    rememberPlain(this.name, String(Math.round(this.value * 10) / 10));
  }

  #pointerDown = (event: PointerEvent): void => {
    event.preventDefault();
    this.focus();
    this.setPointerCapture(event.pointerId);
  };

  #pointerMove = (event: PointerEvent): void => {
    const box = this.parentElement?.getBoundingClientRect();
    if (box === undefined || !this.hasPointerCapture(event.pointerId)) return;
    this.#move(
      this.orientation === "vertical"
        ? ((event.clientX - box.left) / box.width) * 100
        : ((event.clientY - box.top) / box.height) * 100,
    );
  };

  #key = (event: KeyboardEvent): void => {
    const less = this.orientation === "vertical" ? "ArrowLeft" : "ArrowUp";
    const more = this.orientation === "vertical" ? "ArrowRight" : "ArrowDown";
    if (event.key === less) this.#move(this.value - STEP);
    else if (event.key === more) this.#move(this.value + STEP);
    else if (event.key === "Home") this.#move(MIN);
    else if (event.key === "End") this.#move(MAX);
    else if (event.key === "Enter") this.#move(this.#initial);
    else return;
    event.preventDefault();
  };
}

customElements.define("stile-separator", StileSeparator);
