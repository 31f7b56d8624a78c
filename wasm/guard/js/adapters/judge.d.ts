import type { Call, Decision } from "../index.js";

export interface AdapterOptions {
  /** Resolves to true to permit a call with the verdict ask. Without this function, such a call is refused. */
  readonly approve?: (call: Call, decision: Decision) => boolean | Promise<boolean>;
}
