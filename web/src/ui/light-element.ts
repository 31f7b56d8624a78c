import { LitElement, type PropertyDeclaration } from "lit";

/** Declares a reactive property of an element. Lit's own decorator also serves standard decorators, which costs bytes. */
export const property =
  (options: PropertyDeclaration) =>
  (element: LitElement, name: string): void =>
    (element.constructor as typeof LitElement).createProperty(name, options);

/** Declares a property that a parent binds in a template (`.name=${value}`). It has no attribute. */
export const prop = property({ attribute: false });

/** Declares a property that only the element itself sets. */
export const state = property({ state: true });

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

  /** Notifies the parent element. */
  protected emit<T>(name: string, detail: T): void {
    this.dispatchEvent(new CustomEvent<T>(name, { detail, bubbles: false }));
  }
}
