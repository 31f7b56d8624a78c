import { CoreError } from "../core/core-client.js";
import type { Fault } from "../core/core-protocol.js";

/** Explains why the core did not load. */
export function explainLoad(fault: Fault): Fault {
  const why = navigator.onLine
    ? `Reason: ${fault.message}. A content blocker or an interrupted connection may be the cause.`
    : "This device is offline.";
  return { code: fault.code, message: `${why} You can continue to edit; your text is saved.` };
}

/** Reports whether the core was lost or did not load; the page shows such a fault elsewhere. */
export function isLost(reason: unknown): boolean {
  return reason instanceof CoreError && reason.code.startsWith("module.");
}

/** Reports whether the core did not load, so that calls fail until a person requests another try. */
export function isUnloaded(reason: unknown): boolean {
  return reason instanceof CoreError && reason.code === "module.load";
}

/** Returns the fault of a rejected call. */
export function faultOf(reason: unknown): Fault {
  return { code: reason instanceof CoreError ? reason.code : "internal", message: messageOf(reason) };
}

/** Returns the message of an exception. */
export function messageOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}
