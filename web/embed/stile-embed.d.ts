/** A file of a workspace. */
export interface EmbeddedFile {
  readonly name: string;
  readonly text: string;
}

/** Returns the fragment of a link that contains files: "#1:" and the packed archive. */
export function fragmentOf(files: readonly EmbeddedFile[]): Promise<string>;

/** Adds a button to every fenced block and figure of a specification that makes it live. */
export function upgrade(root?: ParentNode): void;

/** A live specification; see the attributes in README.md. */
export class StileEmbed extends HTMLElement {
  /** The link to the shown workspace, with the changes made here. */
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
