// The two solvers as functions from a text to their output. The page's worker and Node run the same
// code, so both get the same answers.

import { instantiate } from "./solver-invoke.mjs";

/** A failure with the core's code. */
export class SolverFault extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** Starts a solver from a compiled module. */
export async function startSolver(solver, module) {
  return solver === "highs" ? startHiGHS(module) : startZ3(module);
}

/** Instantiates the compiled module for Emscripten's code, which would otherwise download a module. */
function instance(module, rest) {
  return {
    ...rest,
    print: () => {},
    printErr: () => {},
    instantiateWasm: (imports, receive) => {
      const made = instantiate(module, imports);
      receive(made, module);
      return made.exports;
    },
  };
}

function words(reason) {
  return String(reason?.message ?? reason);
}

/** Returns the fault of an exception from a module. */
function faultOf(name, reason) {
  const said = words(reason);
  if (/exit\(101\)|out of memory|Cannot enlarge|OOM|bad_alloc|could not allocate/i.test(said)) {
    return new SolverFault("memory", `${name} ran out of memory`);
  }
  if (/thread constructor failed/.test(said)) {
    return new SolverFault("solver.thread", `${name} needs threads for this problem, which a page does not have`);
  }
  if (/stack size|recursion/i.test(said)) {
    return new SolverFault("solver.crash", `the terms are nested too deeply for ${name}`);
  }
  return new SolverFault("solver.crash", `${name} failed: ${said.slice(0, 300)}`);
}

/**
 * Z3, called synchronously. Threads are needed only by its asynchronous wrapper, and by some tactics for
 * nonlinear arithmetic, which set timers. If Z3 uses such a tactic, a fresh instance solves the problem
 * again without these tactics.
 */
async function startZ3(module) {
  const { default: init } = await import("z3-solver/build/z3-built.js");
  const fresh = () => init(instance(module, {}));
  let z3;
  try {
    z3 = await fresh();
  } catch (reason) {
    throw /memory|allocat/i.test(words(reason))
      ? new SolverFault("memory", "Z3 needs 2 GB of address space, which this device does not provide")
      : faultOf("Z3", reason);
  }
  const run = (text, plain) => {
    z3._Z3_global_param_reset_all();
    if (plain) z3.ccall("Z3_global_param_set", null, ["string", "string"], ["tactic.default_tactic", "smt"]);
    const config = z3._Z3_mk_config();
    const context = z3._Z3_mk_context(config);
    z3._Z3_del_config(config);
    z3._set_noop_error_handler(context);
    // The stack is too small for the text.
    const bytes = new TextEncoder().encode(text);
    const at = z3._malloc(bytes.length + 1);
    if (at === 0) throw new SolverFault("memory", "the problem is too large for Z3's memory");
    z3.HEAPU8.set(bytes, at);
    z3.HEAPU8[at + bytes.length] = 0;
    const said = z3.UTF8ToString(z3._Z3_eval_smtlib2_string(context, at));
    z3._free(at);
    z3._Z3_del_context(context);
    return said;
  };
  const version = z3.ccall("Z3_get_full_version", "string", [], []);
  return {
    async solve({ text }) {
      try {
        return { text: run(text, false), version };
      } catch (reason) {
        const fault = reason instanceof SolverFault ? reason : faultOf("Z3", reason);
        if (fault.code !== "solver.thread") throw fault;
      }
      try {
        z3 = await fresh();
        return { text: run(text, true), version };
      } catch (reason) {
        throw reason instanceof SolverFault ? reason : faultOf("Z3", reason);
      }
    },
  };
}

/** The maximum number of variables with which a conflict is searched for, because the search solves many problems. */
const CONFLICT_LIMIT = 2_000;

async function startHiGHS(module) {
  const { default: init } = await import("highs");
  const highs = await init(instance(module, {}));
  const { modelStatus } = highs.constants;
  const names = new Map(Object.entries(modelStatus).map(([name, code]) => [code, name]));
  const version = `HiGHS ${highs.version.string}`;
  return {
    async solve({ text, milliseconds, first }) {
      try {
        return highs.withModel((model) => {
          // With a gap the solver would accept a solution that is worse than the optimum.
          model.options.set({
            output_flag: false,
            time_limit: milliseconds / 1000,
            mip_rel_gap: 0,
            mip_abs_gap: 1e-6,
            random_seed: 0,
          });
          if (first) model.options.set({ mip_max_improving_sols: 1 });
          model.readModel({ data: new TextEncoder().encode(text), format: "lp" });
          model.run();
          const status = model.getModelStatus();
          const info = (name) => {
            const value = Number(model.info.get(name));
            return Number.isFinite(value) ? value : undefined;
          };
          const { colValue, rowValue } = model.getSolution();
          const feasible = status === modelStatus.optimal || info("primal_solution_status") === 2;
          const mixed = (info("mip_node_count") ?? -1) >= 0;
          const reply = {
            status: names.get(status) ?? String(status),
            ...(feasible && {
              objective: info("objective_function_value"),
              names: [...colValue].map((_, i) => model.getColName(i)),
              values: [...colValue],
            }),
            ...(mixed && { bound: info("mip_dual_bound"), gap: info("mip_gap") }),
            statistics: ["simplex_iteration_count", "ipm_iteration_count", "qp_iteration_count", "mip_node_count"]
              .map((name) => ({ name: name.replaceAll("_", "-"), value: String(info(name) ?? 0) }))
              .filter(({ value }) => Number(value) > 0),
          };
          if (
            status === modelStatus.infeasible &&
            colValue.length <= CONFLICT_LIMIT &&
            rowValue.length <= CONFLICT_LIMIT
          ) {
            // 2: from the linear relaxation, 4: irreducible, 16: also with integer variables.
            model.options.set({ iis_strategy: 2 | 4 | 16 });
            const found = model.getIis();
            reply.rows = [...found.rowIndex].map((i) => model.getRowName(i));
            reply.bounds = [...found.colIndex].filter((_, i) => found.colBound[i] > 1).map((i) => model.getColName(i));
          }
          return { text: JSON.stringify(reply), version };
        });
      } catch (reason) {
        throw faultOf("HiGHS", reason);
      }
    },
  };
}
