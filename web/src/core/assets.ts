import type { SolverAddress, SolverAddresses } from "./core-protocol.js";

/** Addresses of the files that the page loads. The build writes them into index.html. */
export interface Assets {
  /** The address of the first module, with which the page starts. */
  readonly module_br: string;
  readonly module_gz: string;
  /** The address of the full module, which has every method. */
  readonly whole_br: string;
  readonly whole_gz: string;
  readonly core_worker: string;
  readonly layout_worker: string;
  readonly viz: string;
  readonly solvers: SolverAddresses;
  /** The style sheet of the deferred panels. */
  readonly late_style: string;
  /** The address of the worker that makes short links; "" if there is none. */
  readonly worker: string;
  /** The folder of the gallery. */
  readonly gallery: string;
  /** The version of the site. */
  readonly version: string;
}

export function readAssets(): Assets {
  const listed = JSON.parse(document.getElementById("assets")?.textContent ?? "{}") as Partial<Assets>;
  const resolve = (path: string): string => new URL(path, document.baseURI).href;
  const address = (name: Exclude<keyof Assets, "solvers">): string => resolve(listed[name] ?? "");
  const modules: Record<string, SolverAddress> = {};
  for (const [name, at] of Object.entries(listed.solvers?.modules ?? {}))
    modules[name] = { ...at, br: resolve(at.br), gz: resolve(at.gz) };
  return {
    solvers: { worker: resolve(listed.solvers?.worker ?? ""), modules },
    module_br: address("module_br"),
    module_gz: address("module_gz"),
    whole_br: address("whole_br"),
    whole_gz: address("whole_gz"),
    core_worker: address("core_worker"),
    layout_worker: address("layout_worker"),
    viz: address("viz"),
    late_style: address("late_style"),
    worker: listed.worker ?? "",
    version: listed.version ?? "",
    gallery: address("gallery"),
  };
}
