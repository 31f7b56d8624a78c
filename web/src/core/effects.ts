import { browserModel, isUnder } from "../models/address.js";
import { type EndpointKey, performHTTP } from "./http-effect.js";
import type { Answer, Effect, ToolAgenttoolsRemoteCall } from "./wire.js";

/** Performs a solve effect, or a request to the model of the browser. */
export type PerformEffect = (effect: Effect, signal: AbortSignal, post: (answer: Answer) => void) => void;

/** The longest delay of a browser's timer, in milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * Performs an effect of a run and reports its answers until the signal aborts. The page answers
 * questions to a person.
 */
export function perform(
  effect: Effect,
  keys: ReadonlyMap<string, EndpointKey>,
  agreed: readonly ToolAgenttoolsRemoteCall[],
  solve: PerformEffect,
  prompt: PerformEffect,
  signal: AbortSignal,
  post: (answer: Answer) => void,
): void {
  switch (effect.kind) {
    case "http":
      if (effect.http?.tool !== true && isUnder(effect.http?.url ?? "", browserModel)) prompt(effect, signal, post);
      else void performHTTP(effect, keys, agreed, signal, post);
      break;
    case "timer": {
      const timer = setTimeout(
        () => post({ effect: effect.id, value: null }),
        Math.min(effect.timer?.milliseconds ?? 0, LONGEST_TIMER),
      );
      signal.addEventListener("abort", () => clearTimeout(timer));
      break;
    }
    case "clock":
      post({ effect: effect.id, value: Date.now() / 1000 });
      break;
    case "solve":
      solve(effect, signal, post);
      break;
    default:
      post({
        effect: effect.id,
        error: { code: "unknown", message: `this page cannot perform an effect of kind ${effect.kind}` },
      });
  }
}

/**
 * Answers an effect that a recording has no answer to. A recording comes with a link,
 * so it must neither use the reader's keys nor send requests from this device.
 */
export function endRecording(effect: Effect): Answer {
  return {
    effect: effect.id,
    error: { code: "aborted", message: "the recording ends here; start a run to continue from the workspace" },
  };
}
