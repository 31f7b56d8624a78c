import { LitElement } from "lit";

/**
 * An element that renders into the page itself. One style sheet then serves the
 * first response and what the elements draw, and labels may point from one
 * element into another.
 */
export class LightElement extends LitElement {
  protected override createRenderRoot(): this {
    this.replaceChildren();
    return this;
  }

  /** Tells the parent what the person did. */
  protected emit<T>(name: string, detail: T): void {
    this.dispatchEvent(new CustomEvent<T>(name, { detail, bubbles: false }));
  }
}
