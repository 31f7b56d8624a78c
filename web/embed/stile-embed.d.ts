/** A file of a workspace. */
export interface EmbeddedFile {
  readonly name: string;
  readonly text: string;
}

/** The fragment of a link that holds files: "#1:" and the packed archive of them. */
export function fragmentOf(files: readonly EmbeddedFile[]): Promise<string>;

/** Gives every fenced block of a specification, and every figure of one, a button that wakes it up. */
export function upgrade(root?: ParentNode): void;

/** A live specification; see the attributes in README.md. */
export class StileEmbed extends HTMLElement {
  /** The link to what is shown, with the changes that were made here. */
  link: string;
  /** Shows it live, where it waits for a click. */
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
