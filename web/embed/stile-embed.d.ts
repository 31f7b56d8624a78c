/** A file of a workspace. */
export interface EmbeddedFile {
  readonly name: string;
  readonly text: string;
}

/** Returns the fragment of a link that contains files: "#1:" and the packed archive. */
export function fragmentOf(files: readonly EmbeddedFile[]): Promise<string>;

/** Adds a button to each fenced block and figure of a specification; the button makes the specification live. */
export function upgrade(root?: ParentNode): void;

/** A live specification; see the attributes in README.md. */
export class StileEmbed extends HTMLElement {
  /** The link to the shown workspace, including changes made in this element. */
  link: string;
  /** Makes the element live if it waits for a click. */
  wake(): void;
}

declare global {
  interface HTMLElementTagNameMap {
    "stile-embed": StileEmbed;
  }
  interface HTMLElementEventMap {
    "stile-change": CustomEvent<{ readonly link: string }>;
  }
}
