// The events of runs under the page's names. Unknown kinds are ignored, so that a newer core only
// loses a line of the timeline.
export type {
  EnforceEvent as RuleEvent,
  FormulateAssessEvent as Assessed,
  FormulateChange,
  FormulateCheck,
  FormulateComparison,
  FormulateFinding as Finding,
  FormulateFindingEvent as Found,
  FormulateOfferEvent as ProductOffer,
  FormulateProductEvent as ProductMade,
  FormulateReplyEvent as StageReply,
  FormulateResult,
  FormulateSettings,
  FormulateSolveEvent as Asked,
  FormulateSpent,
  FormulateStageEvent as StageState,
  FormulateSteps,
  FormulateTried as Tried,
  FormulateVerdict,
  LlmThoughtEvent as LlmThought,
  MonitorCorrectionEvent as MonitorCorrection,
  MonitorKeepEvent as MonitorKeep,
  MonitorSampleEvent as MonitorSampleEnd,
  MonitorSegmentEvent as MonitorSegment,
  MonitorSideEvent as MonitorSide,
  MonitorStats,
  MonitorToolEvent as MonitorTool,
  MonitorTranscript as Transcript,
  MonitorViolationEvent as MonitorViolation,
  PlanBackEvent as PlanBack,
  PlanCompareEvent as CompareTry,
  PlanCompareRow as CompareRow,
  PlanCompareResult as Comparison,
  PlanDraftFile as DraftFile,
  PlanDraftResult as DraftDone,
  PlanDraftRound as DraftRound,
  PlanChange,
  PlanChoice as Choice,
  PlanDone,
  PlanExecEvent as PlanExec,
  PlanOfferEvent as PlanOffer,
  PlanBeamEvent as PlanBeam,
  PlanBeamPrefix,
  PlanReplyEvent as PlanReply,
  PlanSettings,
  PlanTake as TakeSetting,
  PlanTakeEvent as PlanTake,
  PlanWithheld as Withheld,
  RunEvent,
  SolveFamily as Family,
  SolveResult,
  TeamDone,
  TeamExecutor,
  TeamFacts,
  TeamGraph,
  TeamGraphEvent as TeamAdopted,
  TeamMessageEvent as TeamMessage,
  TeamOfferEvent as TeamOffer,
  TeamPromptEvent as TeamPrompt,
  TeamReplyEvent as TeamReply,
  TeamResult,
  TeamSettings,
  TeamSpent,
  TeamStateEvent as TeamState,
  TeamSubtask,
  TeamViolation,
} from "../core/wire.js";
import type { FormulateCheck, FormulateSteps, SolveOutcome as WholeOutcome } from "../core/wire.js";

/** A solver's answer for a text. The page receives the first values, and their number if there are more. */
export interface SolveOutcome extends WholeOutcome {
  readonly values?: number;
}

/** The result of a search for a plan with steps. It is the run's result, not an event. */
export interface StepsOutcome {
  readonly status: string;
  readonly message: string;
  readonly steps: FormulateSteps;
  readonly checks: readonly FormulateCheck[];
}
