import { html } from "lit";
import { armName, type Curve, curveInWords, type Measure } from "./learn-figures.js";
import { LightElement, prop } from "../ui/light-element.js";

/** Minimum milliseconds between two drawings. */
const PAUSE = 200;

/** Below this width, in pixels, axes have fewer ticks. */
const NARROW = 420;

/**
 * A figure per epoch, with and without the automaton: a line for the mean over the seeds, and a band for
 * its interval. The line with the automaton is solid, the other is dashed; each ends with its name.
 */
export class StileLearnCurves extends LightElement {
  @prop curves: readonly Curve[] = [];
  @prop measure: Measure = "valid";
  /** Number of epochs of the run. */
  @prop epochs = 0;

  #drawnAt = -Infinity;
  #timer = 0;
  #width = 0;
  #watch = new ResizeObserver(([entry]) => {
    const width = Math.floor(entry?.contentRect.width ?? 0);
    if (width !== this.#width) {
      this.#width = width;
      this.#soon();
    }
  });

  override connectedCallback(): void {
    super.connectedCallback();
    void import("./chart.js").catch(() => {}); // loads the library in advance
    const host = this.querySelector(".learn-plot");
    if (host !== null) this.#watch.observe(host);
  }

  protected override render(): unknown {
    return html` <figure class="learn-figure">
      <figcaption>
        <strong>${this.measure === "valid" ? "Valid plans" : "Reward"}</strong>
        <span class="hint"
          >${this.measure === "valid" ? "share of an epoch's plans" : "mean of an epoch's plans, simulated"}</span
        >
      </figcaption>
      <div class="learn-plot"></div>
    </figure>`;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#watch.disconnect();
    clearTimeout(this.#timer);
    this.#timer = 0;
  }

  protected override firstUpdated(): void {
    const host = this.querySelector(".learn-plot");
    if (host !== null) this.#watch.observe(host);
  }

  protected override updated(): void {
    this.#soon();
  }

  /** Draws at a limited rate. */
  #soon(): void {
    if (this.#timer !== 0) return;
    const wait = Math.max(this.#drawnAt + PAUSE - performance.now(), 0);
    this.#timer = window.setTimeout(() => {
      this.#timer = 0;
      this.#drawnAt = performance.now();
      void this.#draw();
    }, wait);
  }

  async #draw(): Promise<void> {
    if (this.#width === 0) return;
    const [{ chart }, { areaY, dot, line, ruleY, text }] = await Promise.all([
      import("./chart.js"),
      import("@observablehq/plot"),
    ]);
    const host = this.querySelector(".learn-plot");
    if (host === null || !this.isConnected) return;
    const { measure, curves } = this;
    const scale = measure === "valid" ? 100 : 1;
    const marks = curves.flatMap((curve) => {
      const name = armName(curve.with);
      const rows = curve.points
        .filter((p) => p !== undefined)
        .map((p) => ({
          epoch: p.epoch,
          mean: scale * p[measure].mean,
          low: scale * p[measure].low,
          high: scale * p[measure].high,
        }));
      return [
        areaY(rows, {
          x: "epoch",
          y1: "low",
          y2: "high",
          className: `learn-band ${name}`,
          fill: "currentColor",
          fillOpacity: 0.18,
          clip: true,
        }),
        line(rows, {
          x: "epoch",
          y: "mean",
          className: `learn-line ${name}`,
          stroke: "currentColor",
          strokeWidth: 2,
          ...(!curve.with && { strokeDasharray: "6 4" }),
        }),
        // A single epoch is drawn as dots, because a line needs two points.
        ...(rows.length === 1
          ? [dot(rows, { x: "epoch", y: "mean", className: `learn-line ${name}`, fill: "currentColor", r: 3 })]
          : []),
        text(rows.slice(-1), {
          x: "epoch",
          y: "mean",
          text: () => name,
          className: `learn-name ${name}`,
          fill: "currentColor",
          textAnchor: "start",
          lineAnchor: curve.with ? "bottom" : "top",
          dx: 7,
          dy: curve.with ? 4 : -4,
        }),
      ];
    });
    const drawn = chart({
      ariaLabel: `${measure === "valid" ? "Share of valid plans" : "Reward"} by epoch: ${curves.map((c) => curveInWords(c, measure)).join("; ")}. The tables list all figures.`,
      width: this.#width,
      height: this.#width < NARROW ? 220 : 260,
      marginRight: 62,
      marginLeft: 44,
      marginTop: 16,
      marginBottom: 36,
      x: {
        label: "Epoch",
        labelArrow: "none",
        domain: [1, Math.max(this.epochs, 2)],
        ticks: ticksOf(this.epochs, this.#width < NARROW ? 4 : 7),
        tickFormat: String,
      },
      y: {
        label: null,
        domain: [0, scale],
        ticks: 5,
        grid: true,
        ...(measure === "valid" && { tickFormat: (n: number) => `${n} %` }),
      },
      marks: [ruleY([0]), ...marks],
    });
    host.replaceChildren(drawn);
  }
}

/** Returns the first epoch and at most `most` round numbers of epochs after it. */
function ticksOf(epochs: number, most: number): readonly number[] {
  const step = [1, 2, 5, 10, 20, 50, 100, 200].find((s) => epochs / s <= most) ?? 500;
  const round = Array.from({ length: Math.floor(epochs / step) }, (_, i) => (i + 1) * step);
  return round[0] === 1 ? round : [1, ...round];
}

customElements.define("stile-learn-curves", StileLearnCurves);
