// <stile-embed>: a live specification in any page, and a script that makes the fenced
// blocks of specifications live. It has no dependency, no inline style and builds no
// markup from text, so that strict content security policies allow it.
//
//   <script type="module" src="https://…/stile-embed.js"></script>
//   <stile-embed example="react" height="420"></stile-embed>
//
// The element contains a frame of the playground, which stores nothing on the device
// and calls no model.

/** The extensions of specifications, which are also languages of fenced blocks. "stile" is a complete workspace. */
const LANGUAGES = {
  cfg: "grammar.cfg",
  pda: "automaton.pda",
  flow: "chart.flow",
  ltl: "properties.ltl",
  agent: "agent.agent",
  rules: "policy.rules",
  stile: "",
};
const USUAL_HEIGHT = 420;

/** The default address of the playground: the folder of this script. An element may name another. */
const HOME = new URL("./", import.meta.url).href;

const sheet = new CSSStyleSheet();
sheet.replaceSync(`
  :host { display: block; min-height: 3rem; }
  :host([hidden]) { display: none; }
  .frame { position: relative; border: 1px solid light-dark(#e1e5da, #29322c); border-radius: 8px; overflow: hidden; background: light-dark(#f1f3ed, #0c100e); }
  iframe { display: block; width: 100%; height: var(--stile-height, ${USUAL_HEIGHT}px); border: 0; }
  button { font: 600 0.875rem system-ui, sans-serif; padding: 0.5rem 0.875rem; border: 0; border-radius: 6px; color: light-dark(#fff, #08150f); background: light-dark(#17694a, #74d3a4); cursor: pointer; }
  button:focus-visible { outline: 2px solid light-dark(#17694a, #74d3a4); outline-offset: 2px; }
  .wake { margin: 0.5rem 0; }
  p { margin: 0; padding: 1rem; font: 0.875rem system-ui, sans-serif; color: light-dark(#b0251c, #ff958a); }
`);

/** Returns the fragment of a link that contains files: "#1:" and the packed archive. */
export async function fragmentOf(files) {
  return fragmentOfArchive(files.map(({ name, text }) => archived(name, text)).join(""));
}

async function fragmentOfArchive(archive) {
  const packed = new Blob([archive]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  // The empty stored block at the beginning announces a checksum at the end.
  const bytes = [0, 0, 0, 255, 255, ...new Uint8Array(await new Response(packed).arrayBuffer())];
  let sum = -1;
  for (const byte of bytes) {
    sum ^= byte;
    for (let i = 0; i < 8; i++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  for (const shift of [0, 8, 16, 24]) bytes.push((~sum >>> shift) & 255);
  let binary = "";
  for (let i = 0; i < bytes.length; i += 0x8000) binary += String.fromCharCode(...bytes.slice(i, i + 0x8000));
  return `#1:${btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

/** Returns a file of a txtar archive. If the archive cannot hold a text, each line gets the prefix ">". */
function archived(name, text) {
  if (text !== "" && (!text.endsWith("\n") || text.includes("\r") || /^-- [^\n]* --\n/m.test(text))) {
    const whole = text.endsWith("\n");
    const lines = (whole ? text : `${text}\n`).match(/[^\n]*\n/g) ?? [];
    return `-- >${name}${whole ? "" : " (no newline)"} --\n${lines.map((line) => `>${line}`).join("")}`;
  }
  return `-- ${name} --\n${text}`;
}

/**
 * A live specification.
 *
 * The workspace comes from one of: `src`, a link of the playground; `example`, an
 * example of its gallery; or the element's own text, whose notation `name` selects.
 * `show` lists the visible parts of "automaton", "text", "step" and "tests"; `height` is in pixels;
 * `theme` is "light", "dark" or "auto"; `readonly` keeps the text as it is; `loading`
 * is "lazy" (the default), "eager" or "click"; `playground` is the address of another
 * playground. A change of the text fires the event "stile-change", with a link to the
 * changed workspace in `detail.link`.
 */
export class StileEmbed extends HTMLElement {
  static observedAttributes = [
    "src",
    "example",
    "name",
    "show",
    "height",
    "theme",
    "readonly",
    "playground",
    "loading",
  ];
  #root = this.attachShadow({ mode: "open" });
  #frame = undefined;
  #drawn = false;
  #turn = 0;

  /** The link to the shown workspace, including changes made in this element. */
  link = "";

  connectedCallback() {
    this.#root.adoptedStyleSheets = [sheet];
    window.addEventListener("message", this.#heard);
    if (!this.#drawn) this.#draw();
  }

  disconnectedCallback() {
    window.removeEventListener("message", this.#heard);
  }

  attributeChangedCallback(name, before, after) {
    if (before === after || !this.isConnected) return;
    if (name === "height" && this.#frame !== undefined) this.#size();
    else this.#draw();
  }

  /** Makes the element live if it waits for a click. */
  wake() {
    void this.#live();
  }

  #draw() {
    this.#drawn = true;
    this.#frame = undefined;
    if (this.getAttribute("loading") !== "click") {
      void this.#live();
      return;
    }
    const button = document.createElement("button");
    button.type = "button";
    button.className = "wake";
    button.textContent = "Try it";
    button.addEventListener("click", () => this.wake());
    this.#root.replaceChildren(document.createElement("slot"), button);
  }

  async #live() {
    const turn = ++this.#turn;
    let address;
    try {
      address = await this.#address();
    } catch (reason) {
      if (turn === this.#turn) this.#fail(reason instanceof Error ? reason.message : String(reason));
      return;
    }
    if (turn !== this.#turn) return;
    const frame = document.createElement("iframe");
    frame.title = this.getAttribute("title") ?? "A specification in Stile";
    frame.loading = this.getAttribute("loading") === "eager" ? "eager" : "lazy";
    frame.referrerPolicy = "no-referrer";
    // Scripts and workers of its own origin, and links that open elsewhere; nothing else
    // is allowed.
    frame.setAttribute("sandbox", "allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox");
    // Pages of the playground's own site do not need a credentialless frame, which could not use
    // the site's offline cache.
    if (new URL(address.href).origin !== location.origin) frame.setAttribute("credentialless", "");
    frame.src = address.href;
    this.link = address.link;
    const box = document.createElement("div");
    box.className = "frame";
    box.append(frame);
    this.#frame = frame;
    this.#size();
    this.#root.replaceChildren(box);
  }

  /** Returns the frame's address, and the link to the same workspace in the playground. */
  async #address() {
    const src = this.getAttribute("src");
    const link = new URL(src ?? "./", src === null ? this.#home() : document.baseURI);
    if (link.protocol !== "https:" && link.protocol !== "http:") throw new Error("src must be a link of a playground");
    const example = this.getAttribute("example");
    if (src === null && example === null) link.hash = await fragmentOf([{ name: this.#name(), text: textOf(this) }]);
    const address = new URL("embed.html", new URL("./", link));
    for (const [name, value] of link.searchParams) address.searchParams.set(name, value);
    for (const name of ["example", "show", "theme"]) {
      const value = this.getAttribute(name);
      if (value !== null) address.searchParams.set(name, value);
    }
    if (this.hasAttribute("readonly")) address.searchParams.set("readonly", "1");
    address.hash = link.hash;
    return { href: address.href, link: link.href };
  }

  #home() {
    const given = this.getAttribute("playground");
    return given === null ? HOME : new URL(given, document.baseURI).href;
  }

  #name() {
    const name = this.getAttribute("name") ?? "grammar.cfg";
    return /\.(cfg|pda|flow|ltl|agent)$/.test(name) ? name : `${name}.cfg`;
  }

  #size() {
    const wanted = Number(this.getAttribute("height") ?? USUAL_HEIGHT);
    const height = Number.isFinite(wanted) ? Math.min(Math.max(wanted, 120), 2000) : USUAL_HEIGHT;
    // The height is set through the object model, which no style policy forbids.
    this.#frame?.style.setProperty("--stile-height", `${height}px`);
  }

  #fail(message) {
    const p = document.createElement("p");
    p.setAttribute("role", "alert");
    p.textContent = `Not shown: ${message}.`;
    this.#root.replaceChildren(document.createElement("slot"), p);
  }

  #heard = (event) => {
    const frame = this.#frame;
    if (frame === undefined || event.source !== frame.contentWindow || event.origin !== new URL(frame.src).origin)
      return;
    const { stile, fragment } = event.data ?? {};
    if (stile !== "changed" || typeof fragment !== "string" || !/^#1:[\w-]+$/.test(fragment)) return;
    const link = new URL(this.link);
    link.hash = fragment;
    this.link = link.href;
    this.dispatchEvent(new CustomEvent("stile-change", { detail: { link: this.link }, bubbles: true }));
  };
}

/** Returns the text of an element without its leading line break and the common indentation. */
function textOf(element) {
  const lines = (element.textContent ?? "")
    .replace(/^\s*\n/, "")
    .replace(/\s+$/, "")
    .split("\n");
  const indent = Math.min(
    ...lines.filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length),
    Infinity,
  );
  return `${lines.map((line) => line.slice(Number.isFinite(indent) ? indent : 0)).join("\n")}\n`;
}

/** Adds a button to each fenced block and figure of a specification; the button makes the specification live. */
export function upgrade(root = document) {
  for (const figure of root.querySelectorAll("figure.stile[data-stile]:not([data-stile-ready])")) {
    figure.setAttribute("data-stile-ready", "");
    wakeable(figure, {
      src: figure.getAttribute("data-stile") ?? "",
      show: figure.getAttribute("data-show"),
      height: figure.getAttribute("data-height"),
    });
  }
  for (const code of root.querySelectorAll("pre > code[class*=language-]")) {
    const language = /(?:^|\s)language-(\w+)/.exec(code.className)?.[1] ?? "";
    const pre = code.parentElement;
    if (
      !(language in LANGUAGES) ||
      pre === null ||
      pre.closest("figure.stile, stile-embed, [data-stile-ready]") !== null
    )
      continue;
    pre.setAttribute("data-stile-ready", "");
    const text = code.textContent ?? "";
    // The block of a workspace is already an archive.
    const fragment = language === "stile" ? fragmentOfArchive(text) : fragmentOf([{ name: LANGUAGES[language], text }]);
    void fragment.then((fragment) => wakeable(pre, { src: HOME + fragment, show: null, height: null }));
  }
}

function wakeable(element, { src, show, height }) {
  const embed = document.createElement("stile-embed");
  embed.setAttribute("src", src);
  embed.setAttribute("loading", "click");
  if (show !== null) embed.setAttribute("show", show);
  if (height !== null) embed.setAttribute("height", height);
  element.replaceWith(embed);
  embed.append(element);
}

if (!customElements.get("stile-embed")) customElements.define("stile-embed", StileEmbed);
if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", () => upgrade());
else upgrade();
