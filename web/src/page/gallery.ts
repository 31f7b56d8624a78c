import { html, nothing } from "lit";
import { iconPlay } from "../ui/panel-icons.js";
import type { Draft, Example } from "../store/state.js";
import { LightElement, prop, state } from "../ui/light-element.js";

/** A chosen example, to open or, with its recorded run, to replay. */
export interface ExampleChoice {
  readonly example: Example;
  readonly play: boolean;
}

const benchmarks = [
  {
    name: "TravelPlanner",
    about: "Check trips planned by people, or your own, against eight commonsense constraints and five hard ones.",
    source: "Xie et al. 2024",
  },
  {
    name: "API-Bank",
    about: "Tasks whose tools an agent must find first. View the gold calls, or check your own calls against them.",
    source: "Li et al. 2023, level 3",
  },
  {
    name: "LLMFP",
    about:
      "Nine domains, 1,027 queries. A model formulates each problem, a solver solves it, and the page shows the result.",
    source: "Hao et al. 2024",
  },
];

/** The examples by goal, and the earlier drafts. */
export class StileGallery extends LightElement {
  @prop examples: readonly Example[] = [];
  @prop drafts: readonly Draft[] = [];
  @prop current: string | undefined = undefined;
  @state private sought = "";

  protected override render(): unknown {
    const words = plain(this.sought).split(" ");
    const found = this.examples.filter((e) => {
      const text = plain([e.title, e.summary, e.goal, e.terms, e.paper, e.source ?? "", e.main].join(" "));
      // A search word in the plural also finds its singular.
      return words.every((word) => text.includes(word) || (word.length > 3 && text.includes(word.replace(/s$/, ""))));
    });
    const goals = [...new Set(found.map((e) => e.goal))];
    return html` ${
        this.examples.length === 0
          ? html`<p class="empty">The gallery did not load. Reload the page to try again.</p>`
          : html` <input
                class="gallery-search"
                type="search"
                aria-label="Search the examples"
                placeholder="Search ${this.examples.length} examples, such as approval, tool use or .flow"
                autocomplete="off"
                spellcheck="false"
                @input=${(e: InputEvent) => (this.sought = (e.target as HTMLInputElement).value.trim())}
              />
              <p class="visually-hidden" role="status">${this.sought === "" ? "" : `${found.length} found`}</p>
              ${found.length === 0 ? html`<p class="empty">No example contains these words.</p>` : nothing}`
      }
      ${goals.map(
        (goal) =>
          html` <section class="gallery-group">
            <h3>${goal}</h3>
            <ul class="cards">
              ${found
                .filter((e) => e.goal === goal)
                .map(
                  (e) =>
                    html` <li class="example">
                      <button
                        class="card"
                        type="button"
                        data-example=${e.id}
                        aria-current=${e.id === this.current ? "true" : nothing}
                        @click=${() => this.#choose(e, false)}
                      >
                        <strong>${e.title}</strong>
                        <span>${e.summary}</span>
                        ${e.source === undefined || e.source === "" ? nothing : html`<small class="hint">${e.source}</small>`}
                      </button>
                      ${
                        e.recorded === true
                          ? html` <button
                              class="button small play"
                              type="button"
                              data-play=${e.id}
                              @click=${() => this.#choose(e, true)}
                            >
                              ${iconPlay}<span
                                >Play the recorded run<span class="visually-hidden"> of ${e.title}</span></span
                              >
                            </button>`
                          : nothing
                      }
                    </li>`,
                )}
            </ul>
          </section>`,
      )}
      <section class="gallery-group">
        <h3>Benchmarks</h3>
        <ul class="cards">
          ${benchmarks.map(
            (b) =>
              html`<li class="example">
                <button
                  class="card"
                  type="button"
                  data-benchmark=${b.name.toLowerCase()}
                  @click=${() => this.emit("benchmark-requested", b.name)}
                >
                  <strong>${b.name}</strong>
                  <span>${b.about}</span>
                  <small class="hint">${b.source}</small>
                </button>
              </li>`,
          )}
        </ul>
      </section>
      <section class="gallery-group">
        <h3>On this device</h3>
        <form class="keep-version" @submit=${this.#keep}>
          <label class="field"
            ><span>Keep the open workspace under a name</span
            ><input name="version" type="text" maxlength="80" autocomplete="off" required
          /></label>
          <button class="button" type="submit">Keep</button>
        </form>
        ${this.#drafts(
          "Versions",
          this.drafts.filter((d) => d.named === true),
        )}
        ${this.#drafts(
          "Earlier drafts",
          this.drafts.filter((d) => d.named !== true),
        )}
      </section>`;
  }

  #drafts(title: string, list: readonly Draft[]): unknown {
    if (list.length === 0) return nothing;
    return html` <h4>${title}</h4>
      <ul class="cards">
        ${list.map(
          (d) =>
            html` <li>
              <button class="card" type="button" data-draft @click=${() => this.emit("draft-chosen", d)}>
                <strong>${d.title}</strong>
                <span>${d.files.map((f) => f.name).join(", ")}</span>
                <code class="draft-line">${firstLine(d)}</code>
                <small class="hint">${new Date(d.savedAt).toLocaleString()}</small>
              </button>
            </li>`,
        )}
      </ul>`;
  }

  #keep = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const name = String(new FormData(form).get("version") ?? "").trim();
    if (name === "") return;
    form.reset();
    this.emit("version-requested", name);
  };

  #choose(example: Example, play: boolean): void {
    this.emit("example-chosen", { example, play } satisfies ExampleChoice);
  }
}

/** Returns a text in lower case, with a space for each run of characters other than letters, digits and dots. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}.]+/gu, " ")
    .trim();
}

/** Returns the first line of the open file, which distinguishes drafts with equal titles. */
function firstLine({ files, current }: Draft): string {
  return (
    files
      .find((f) => f.name === current)
      ?.text.split("\n", 40)
      .find((line) => line.trim() !== "")
      ?.trim()
      .slice(0, 80) ?? ""
  );
}

customElements.define("stile-gallery", StileGallery);
