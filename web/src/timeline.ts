// Folds a run's events into what its timeline shows. No verdict is formed here:
// everything that is shown was said by the core.
import type {
  MonitorCorrection, MonitorSegment, MonitorViolation, PlanDone, PlanOffer, PlanReply, PlanTake, RunEvent, Transcript,
} from "./events.js";

/** One step of a plan: what was offered, what was answered, what was taken. */
export interface PlanEntry {
  readonly step: number;
  readonly offer?: PlanOffer;
  readonly replies: readonly PlanReply[];
  readonly take?: PlanTake;
}

/** One entry of an agent's transcript. */
export type MonitorEntry =
  | { readonly type: "call"; readonly number: number }
  | { readonly type: "segment"; readonly segment: MonitorSegment }
  | { readonly type: "violation"; readonly violation: MonitorViolation }
  | { readonly type: "correction"; readonly correction: MonitorCorrection };

export interface Timeline {
  readonly plan: readonly PlanEntry[];
  readonly planDone?: PlanDone;
  readonly monitor: readonly MonitorEntry[];
  readonly transcript?: Transcript;
  /** What has streamed in and is no segment yet. */
  readonly live: string;
  readonly calls: number;
  readonly violations: number;
}

export const emptyTimeline: Timeline = { plan: [], monitor: [], live: "", calls: 0, violations: 0 };

/** The timeline after more events. Entries that did not change stay the same objects. */
export function advance(timeline: Timeline, events: readonly unknown[]): Timeline {
  if (events.length === 0) return timeline;
  const plan = [...timeline.plan];
  const monitor = [...timeline.monitor];
  let { planDone, transcript, live, calls, violations } = timeline;
  for (const raw of events) {
    const event = raw as RunEvent;
    switch (event.kind) {
      case "plan.offer":
        plan.push({ step: event.step, offer: event, replies: [] });
        break;
      case "plan.reply":
        calls++;
        change(plan, event.step, (entry) => ({ ...entry, replies: [...entry.replies, event] }));
        break;
      case "plan.take":
        if (plan.at(-1)?.step === event.step && plan.at(-1)?.take === undefined) change(plan, event.step, (entry) => ({ ...entry, take: event }));
        else plan.push({ step: event.step, replies: [], take: event });
        break;
      case "plan.done":
        planDone = event;
        break;
      case "monitor.call":
        calls++;
        live = "";
        monitor.push({ type: "call", number: calls });
        break;
      case "monitor.delta":
        live += event.text;
        break;
      case "monitor.segment":
        live = "";
        monitor.push({ type: "segment", segment: event });
        break;
      case "monitor.violation":
        live = "";
        violations++;
        monitor.push({ type: "violation", violation: event });
        break;
      case "monitor.correction":
        live = "";
        monitor.push({ type: "correction", correction: event });
        break;
      case "monitor.done":
        live = "";
        transcript = event.transcript ?? transcript;
        break;
    }
  }
  return { plan, monitor, live, calls, violations, ...(planDone && { planDone }), ...(transcript && { transcript }) };
}

function change(plan: PlanEntry[], step: number, f: (entry: PlanEntry) => PlanEntry): void {
  const at = plan.findLastIndex((entry) => entry.step === step);
  const entry = plan[at];
  if (entry === undefined) plan.push(f({ step, replies: [] }));
  else plan[at] = f(entry);
}
