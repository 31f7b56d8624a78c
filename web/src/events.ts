// The events of runs, as the page reads them. A kind that is not known here is
// passed over, so that a newer core loses nothing but a line of the timeline.
import type { Drawing } from "./wire.js";

export interface Choice {
  readonly n: number;
  readonly label: string;
  readonly symbol: string;
  readonly pushes?: readonly string[] | null;
}

export interface PlanStep {
  readonly n: number;
  readonly text: string;
  readonly symbol: string;
}

export interface Plan {
  readonly word: readonly string[];
  readonly function: string;
  readonly steps: readonly PlanStep[];
  readonly calls: number;
  readonly forced: number;
  readonly backtracks: number;
  readonly deadEnds: number;
}

export interface PlanOffer {
  readonly kind: "plan.offer";
  readonly step: number;
  readonly item: string;
  readonly for: string;
  readonly prompt: string;
  readonly choices: readonly Choice[] | null;
  readonly stack: readonly string[] | null;
  readonly word: readonly string[] | null;
}

export interface PlanReply {
  readonly kind: "plan.reply";
  readonly step: number;
  readonly attempt: number;
  readonly text: string;
  readonly choice: number;
  readonly fault?: string;
}

export interface PlanTake {
  readonly kind: "plan.take";
  readonly step: number;
  readonly n: number;
  readonly symbol: string;
  readonly forced: boolean;
  readonly word: readonly string[] | null;
  readonly stack: readonly string[] | null;
}

export interface PlanDone {
  readonly kind: "plan.done";
  readonly plan: Plan;
  readonly treeDrawing?: Drawing | null;
}

export interface MonitorCall {
  readonly kind: "monitor.call";
  readonly prefix: string;
  readonly stop: readonly string[] | null;
}

export interface MonitorDelta {
  readonly kind: "monitor.delta";
  readonly text: string;
}

export interface MonitorSegment {
  readonly kind: "monitor.segment";
  readonly index: number;
  readonly state: string;
  readonly text: string;
  readonly source: string;
}

export interface MonitorViolation {
  readonly kind: "monitor.violation";
  readonly index: number;
  readonly state: string;
  readonly allowed: readonly string[] | null;
  readonly discarded: string;
  readonly reason: string;
}

export interface MonitorCorrection {
  readonly kind: "monitor.correction";
  readonly text: string;
  readonly allowed: readonly string[] | null;
  readonly forced: boolean;
}

export interface MonitorDone {
  readonly kind: "monitor.done";
  readonly transcript?: Transcript;
}

export interface Transcript {
  readonly verdict: string;
  readonly text: string;
  readonly stats?: Readonly<Record<string, number>>;
}

export type RunEvent =
  | PlanOffer | PlanReply | PlanTake | PlanDone
  | MonitorCall | MonitorDelta | MonitorSegment | MonitorViolation | MonitorCorrection | MonitorDone;
