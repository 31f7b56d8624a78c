// The deferred tabs and dialogs: their modules, data and handlers. This file is loaded when the first of
// them is opened.
import { html, nothing } from "lit";
import { sameFiles } from "../store/drafts.js";
import { hasScript } from "../store/example-script.js";
import { endpointOf, type EndpointCommand, type Price } from "../models/endpoint-actions.js";
import type { Playground } from "../store/playground.js";
import type { RunSettings } from "../run/run-form.js";
import type { WorkspaceRequest, RunCommand } from "../run/run-command.js";
import { linkOf, saveShared, share, shared, shorten } from "../share/share-link.js";
import { isBroken, rowOf, runTarget, shownKinds, notationOf } from "../store/file-kind.js";
import type { Draft, Place, State, Workspace } from "../store/state.js";
import type { Task } from "../store/tasks.js";
import type {
  DocumentAnalyzeResult,
  File,
  LabOpenResult,
  PlanCheckResult,
  TeamDefaultsResult,
  TeamGraph,
  TeamGraphResult,
} from "../core/wire.js";
import type { Part, StileApp } from "./app.js";
import type { Accepted } from "../edit/draft-spec.js";
import type { Insertion } from "../edit/manual.js";
import type { ExampleChoice } from "./gallery.js";
import type { Passing } from "../lab/lab-panel.js";
import type { Stepped } from "../verify/compare-specs.js";
import type { ProvedSession } from "../verify/prove-rules.js";
import type { StileRulesRoom } from "../rules/rules-room.js";

/** The modules of each tab and dialog. */
const needs: Readonly<Record<Part, (playground: Playground) => Promise<unknown>>> = {
  run: (playground) => playground.runs(),
  trace: () => import("../trace/trace-panel.js"),
  verify: (playground) => Promise.all([playground.runs(), import("../verify/verify-panel.js")]),
  lab: (playground) => Promise.all([playground.runs(), import("../lab/lab-panel.js")]),
  export: () => import("../share/export-panel.js"),
  new: (playground) => Promise.all([playground.newTexts(), import("../edit/new-workspace.js")]),
  manual: (playground) => Promise.all([playground.newTexts(), import("../edit/manual.js")]),
  gallery: () => import("./gallery.js"),
  bench: () => import("../lab/benchmarks.js"),
  share: () => import("../share/share-dialog.js"),
  endpoints: () => import("../models/endpoint-list.js"),
  draft: (playground) => Promise.all([playground.runs(), import("../edit/draft-spec.js")]),
  help: () => import("./help.js"),
  import: () => import("../read/import-spec.js"),
};

/** The deferred tabs and dialogs of a page. */
export class DeferredPanels {
  /** The benchmark of the open dialog. */
  bench = "";

  readonly #passing: Passing;

  constructor(private readonly app: StileApp) {
    const { playground } = app;
    this.#passing = {
      link: (files) => linkOf(playground, files),
      archive: this.#archive,
      shorten: playground.assets.worker === "" ? null : this.#shorten,
    };
  }

  /** Loads a tab or a dialog. */
  arrive(part: Part): Promise<unknown> {
    return needs[part](this.app.playground);
  }

  /** Renders a tab or a dialog. */
  render(part: Part, state: State): unknown {
    return this.#parts[part](state);
  }

  readonly #parts: Readonly<Record<Part, (state: State) => unknown>> = {
    run: (state) => {
      const target = runTarget(state);
      const { playground, store } = this.app;
      return html` <stile-run
        .target=${target}
        .files=${state.files}
        .settings=${state.settings}
        .endpoints=${state.endpoints}
        .keys=${state.keys}
        .defaults=${state.defaults}
        .run=${state.run}
        .runs=${state.runs}
        .interrupted=${interruptedOf(state, ...shownKinds)}
        .states=${state.analysis?.result.symbols.map((s) => s.name) ?? []}
        .checks=${state.checks}
        .layouts=${playground.layouts}
        .broken=${isBroken(target, state.analysis)}
        .scripted=${hasScript(state)}
        .solver=${state.solver}
        .open=${state.current}
        .core=${playground.core}
        .usualTeam=${this.#usualTeam}
        .checkGraph=${this.#checkGraph}
        @part-requested=${this.#partRequested}
        @place-request=${(e: CustomEvent<Omit<Place, "count">>) => playground.show(e.detail)}
        @files-request=${(e: CustomEvent<readonly File[]>) => store.keptFiles(e.detail)}
        @settings-changed=${this.#settings}
        @endpoints-requested=${this.#openEndpoints}
        @defaults-requested=${this.#defaults}
        @task-chosen=${(e: CustomEvent<Task>) => {
          store.settingsChanged({ task: e.detail.text });
          store.openedFile(e.detail.spec);
        }}
        @run-command=${this.#runCommand}
      ></stile-run>`;
    },
    trace: (state) =>
      html` <stile-trace
        .files=${state.files}
        .current=${state.current}
        .runs=${state.runs}
        .core=${this.app.playground.core}
        @place-requested=${this.#place}
        @file-requested=${this.#file}
        @examples-requested=${() => (this.app.dialog = "gallery")}
      ></stile-trace>`,
    verify: (state) => {
      const target = runTarget(state);
      const broken =
        state.analysis?.name === target?.name &&
        state.analysis?.result.diagnostics.some((d) => d.severity === "error") === true;
      const example = state.gallery.find((e) => e.id === state.example);
      return html` <stile-verify
        .target=${target}
        .files=${state.files}
        .examples=${example?.main === target?.name ? (example?.words ?? []) : []}
        .settings=${state.settings}
        .endpoints=${state.endpoints}
        .keys=${state.keys}
        .comparison=${state.runs.find((run) => run.kind === "compare") ?? null}
        .proof=${state.runs.find((run) => run.kind === "prove") ?? null}
        .solver=${state.solver}
        .interrupted=${interruptedOf(state, "compare")}
        .broken=${broken}
        .current=${state.current}
        .drafts=${state.drafts}
        .core=${this.app.playground.core}
        .check=${this.#check}
        .analyse=${this.#analyse}
        @settings-changed=${this.#settings}
        @endpoints-requested=${this.#openEndpoints}
        @place-requested=${this.#place}
        @word-requested=${(e: CustomEvent<readonly string[]>) => this.app.playground.stepThrough(target?.name ?? state.current, e.detail)}
        @step-requested=${(e: CustomEvent<Stepped>) => this.app.playground.stepThrough(e.detail.name, e.detail.word)}
        @session-requested=${(e: CustomEvent<ProvedSession>) => void this.#session(e.detail)}
        @run-command=${this.#runCommand}
      ></stile-verify>`;
    },
    lab: (state) =>
      html` <stile-lab
        .core=${this.app.playground.core}
        .files=${state.files}
        .records=${this.#records}
        .current=${state.current}
        .task=${state.settings.task}
        .runs=${state.runs}
        .endpoints=${state.endpoints}
        .keys=${state.keys}
        .kept=${state.interrupted}
        .passing=${this.#passing}
        @part-requested=${this.#partRequested}
        @place-requested=${this.#place}
        @file-requested=${this.#file}
        @files-request=${(e: CustomEvent<readonly File[]>) => this.app.store.keptFiles(e.detail)}
        @endpoints-requested=${this.#openEndpoints}
        @cell-requested=${(e: CustomEvent<LabOpenResult>) => void this.app.playground.play(e.detail.workspace.files, e.detail.log)}
        @run-command=${this.#runCommand}
      ></stile-lab>`,
    export: (state) => {
      const spec = [null, "problem", "experiment"].includes(notationOf(state.current))
        ? null
        : (state.files.find((f) => f.name === state.current) ?? null);
      const broken = state.analysis?.result.diagnostics.some((d) => d.severity === "error") === true;
      return html`<stile-export
        .spec=${spec}
        .files=${state.files}
        .core=${this.app.playground.core}
        .broken=${broken}
        .share=${this.#link}
      ></stile-export>`;
    },
    new: () =>
      html` <stile-new
        @workspace-requested=${(e: CustomEvent<Workspace>) => {
          this.app.close("new");
          void this.app.playground.openNew(e.detail);
        }}
      ></stile-new>`,
    manual: (state) =>
      html` <stile-manual
        .core=${this.app.playground.core}
        .open=${endingFor(state.current)}
        @workspace-requested=${(e: CustomEvent<Workspace>) => {
          this.app.close("manual");
          void this.app.playground.openNew(e.detail);
        }}
        @insertion=${(e: CustomEvent<Insertion>) => {
          const { ending, text, complete } = e.detail;
          this.app.close("manual");
          this.app.insert(text, complete || ending !== endingFor(state.current) ? `example.${ending}` : "");
        }}
      ></stile-manual>`,
    gallery: (state) =>
      html` <stile-gallery
        .examples=${state.gallery}
        .drafts=${state.drafts}
        .current=${state.example}
        @example-chosen=${(e: CustomEvent<ExampleChoice>) => {
          this.app.close("gallery");
          void this.app.playground.openExample(e.detail.example, e.detail.play);
        }}
        @benchmark-requested=${(e: CustomEvent<string>) => {
          this.bench = e.detail;
          void this.app.openDeferred("bench");
        }}
        @version-requested=${(e: CustomEvent<string>) => this.app.playground.keepVersion(e.detail)}
        @draft-chosen=${(e: CustomEvent<Draft>) => {
          this.app.close("gallery");
          void this.app.playground.reopen(e.detail);
        }}
      ></stile-gallery>`,
    bench: (state) =>
      this.app.dialog !== "bench"
        ? nothing
        : html` <stile-benchmarks
            .core=${this.app.playground.core}
            .records=${this.#records}
            .name=${this.bench}
            .run=${state.runs.find((run) => run.kind === "benchmark") ?? null}
            .endpoints=${state.endpoints}
            .interrupted=${interruptedOf(state, "benchmark")}
            @run-command=${this.#runCommand}
            @workspace-requested=${async (e: CustomEvent<WorkspaceRequest>) => {
              const { playground, store } = this.app;
              this.app.close("bench");
              if (!(await playground.open(e.detail.workspace, "person"))) return;
              store.settingsChanged({ task: e.detail.task });
              store.chosePanel("run");
            }}
          ></stile-benchmarks>`,
    share: (state) =>
      html` <stile-share
        .make=${this.#share}
        .save=${this.#saveShared}
        .archive=${this.#archive}
        .runStale=${state.run !== null && !sameFiles(state.run.params.workspace.files, state.files)}
        .shorten=${this.app.playground.assets.worker === "" ? null : this.#shorten}
        .texts=${this.#texts}
        .hasRun=${state.run?.log !== undefined}
        .name=${state.title}
        .followed=${this.app.playground.followed}
        @follow-changed=${(e: CustomEvent<boolean>) => this.app.playground.follow(e.detail)}
      ></stile-share>`,
    endpoints: (state) =>
      html` <stile-endpoints
        .endpoints=${state.endpoints}
        .keys=${state.keys}
        .probes=${state.probes}
        .used=${endpointOf(state.settings, state.endpoints)?.name ?? ""}
        .priceOf=${this.#priceOf}
        @endpoint-command=${(e: CustomEvent<EndpointCommand>) => this.app.playground.endpoints.do(e.detail)}
      ></stile-endpoints>`,
    draft: (state) =>
      html` <stile-draft
        .run=${state.runs.find((run) => run.kind === "draft") ?? null}
        .files=${state.files}
        .settings=${state.settings}
        .endpoints=${state.endpoints}
        .keys=${state.keys}
        .interrupted=${interruptedOf(state, "draft")}
        .defaults=${state.defaults}
        @defaults-requested=${this.#defaults}
        @settings-changed=${this.#settings}
        @endpoints-requested=${this.#openEndpoints}
        @draft-accepted=${(e: CustomEvent<Accepted>) => {
          this.app.close("draft");
          this.app.playground.doRun({ command: "drop", run: e.detail.run });
          this.app.playground.accept(e.detail.files, e.detail.alone);
        }}
        @run-command=${this.#runCommand}
      ></stile-draft>`,
    import: (state) =>
      html` <stile-import
        .core=${this.app.playground.core}
        .names=${state.files.map((f) => f.name)}
        .given=${this.app.importing}
        @spec-imported=${this.#imported}
      ></stile-import>`,
    help: () =>
      html` <stile-help
        .keys=${this.app.keys}
        .version=${this.app.playground.assets.version}
        .report=${this.#report}
        @keys-chosen=${this.app.chooseKeys}
      ></stile-help>`,
  };

  // Handlers.

  #runCommand = (event: CustomEvent<RunCommand>): void => this.app.playground.doRun(event.detail);

  #partRequested = (event: CustomEvent<() => Promise<unknown>>): void =>
    void this.app.playground.part(event.detail).catch(() => {});

  #place = (event: CustomEvent<Omit<Place, "count">>): void => this.app.playground.show(event.detail);

  #file = (event: CustomEvent<File>): void => this.app.store.addedFile(event.detail);

  /** Adds an imported spec and shows its words, of rules their table of events. */
  #imported = ({ detail }: CustomEvent<File>): void => {
    const { app } = this;
    const before = app.state.current;
    app.close("import");
    app.importing = null;
    app.welcomed = true; // the introduction is about another file
    app.store.addedFile(detail);
    app.store.chosePanel("automaton");
    if (!detail.name.endsWith(".rules")) app.chooseView("words");
    app.store.showedBanner({
      tone: "plain",
      text: `“${detail.name}” was imported.`,
      actions: [
        {
          label: "Undo",
          act: () => {
            app.playground.removeFile(detail.name);
            app.store.openedFile(before);
            app.store.showedBanner(null);
          },
        },
      ],
    });
  };

  #settings = (event: CustomEvent<Partial<RunSettings>>): void => this.app.store.settingsChanged(event.detail);

  #openEndpoints = (): void => void this.app.openDeferred("endpoints");

  /** Shows a session in the table of events of its rules. */
  async #session({ name, lines }: ProvedSession): Promise<void> {
    const { app } = this;
    app.store.openedFile(name);
    app.store.chosePanel("automaton");
    await customElements.whenDefined("stile-rules-room");
    await app.updateComplete;
    app.querySelector<StileRulesRoom>("stile-rules-room")?.show(lines);
  }

  // Data.

  #records = (name: string): Promise<string> => this.app.playground.records(name);

  /** Returns all texts of a link. */
  #texts = (withRun: boolean): readonly File[] => {
    const { files, run } = shared(this.app.playground, withRun);
    return run?.log !== undefined ? [...files, { name: "the recorded run", text: JSON.stringify(run.log) }] : files;
  };

  #link = (): Promise<string> => share(this.app.playground, false);

  #share = (withRun: boolean): Promise<string> => share(this.app.playground, withRun);

  #report = async (): Promise<string> => (await import("./report.js")).reportAddress(this.app.playground);

  #shorten = (link: string): Promise<string> => shorten(this.app.playground, link);

  #saveShared = (withRun: boolean): void => void saveShared(this.app.playground, withRun);

  #archive = (files: readonly File[]): Promise<string> => this.app.playground.archive(files);

  #priceOf = (model: string): Promise<Price | undefined> => this.app.playground.endpoints.price(model);

  #check = (name: string, text: string): Promise<PlanCheckResult> =>
    this.app.playground.core.call("plan.check", { files: [...this.app.state.files], name, text });

  #defaults = (): void =>
    void this.app.playground
      .runs()
      .then((runs) => runs.defaults())
      .catch(() => {});

  #usualTeam = (): Promise<TeamDefaultsResult> => this.app.playground.core.call("team.defaults", {});

  #checkGraph = (graph: TeamGraph, before: TeamGraph | null): Promise<TeamGraphResult> =>
    this.app.playground.core.call("team.graph", {
      files: [...this.app.state.files],
      name: runTarget(this.app.state)?.name ?? "",
      graph,
      create: graph.executors?.length ?? 0,
      ...(before && { before }),
    });

  #analyse = (name: string): Promise<DocumentAnalyzeResult> =>
    this.app.playground.core.call("document.analyze", { files: [...this.app.state.files], name });
}

/** Returns the ending of a file's notation; "" for notes. */
function endingFor(name: string): string {
  return rowOf(name)?.ending ?? "";
}

/** Returns the interrupted runs of some kinds. */
function interruptedOf(state: State, ...kinds: readonly string[]): State["interrupted"] {
  return state.interrupted.filter((run) => kinds.includes(run.kind));
}
