import { html, nothing } from "lit";
import { type DiffLine, diffLines } from "./diff-lines.js";
import { LightElement, prop } from "../ui/light-element.js";

/** The number of unchanged lines that are shown before and after a change. */
const AROUND = 3;

/** A file before and after, line by line. */
export class StileDiff extends LightElement {
  @prop name = "";
  /** undefined if the file is new. */
  @prop from: string | undefined = undefined;
  @prop to = "";

  protected override render(): unknown {
    const lines = diffLines(this.from ?? "", this.to);
    const added = lines.filter((l) => l.kind === "added").length;
    const removed = lines.filter((l) => l.kind === "removed").length;
    return html` <figure class="diff">
      <figcaption>
        <code>${this.name}</code>
        <span class="hint"
          >${this.from === undefined ? "new" : added + removed === 0 ? "unchanged" : `${added} added, ${removed} removed`}</span
        >
      </figcaption>
      <pre tabindex="0" aria-label="Changes of ${this.name}">
${folded(lines).map((part) => (typeof part === "number" ? html`<span class="diff-gap">${part} unchanged lines</span>` : line(part)))}</pre>
    </figure>`;
  }
}

function line({ kind, text }: DiffLine): unknown {
  const sign = { same: " ", added: "+", removed: "−" }[kind];
  return html`<span class="diff-line ${kind}"
    ><span class="diff-sign">${sign}</span
    >${kind === "same" ? nothing : html`<span class="visually-hidden">${kind}: </span>`}${text}
  </span>`;
}

/** Replaces long stretches of unchanged lines with their number. */
function folded(lines: readonly DiffLine[]): readonly (DiffLine | number)[] {
  const near = lines.map((_, i) => lines.slice(Math.max(0, i - AROUND), i + AROUND + 1).some((l) => l.kind !== "same"));
  const out: (DiffLine | number)[] = [];
  for (const [i, l] of lines.entries()) {
    const last = out.at(-1);
    if (near[i] === true) out.push(l);
    else if (typeof last === "number") out[out.length - 1] = last + 1;
    else out.push(1);
  }
  return out;
}

customElements.define("stile-diff", StileDiff);
