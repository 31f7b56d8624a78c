// The events of runs under the names that the page uses for them. A kind that is
// not known here is passed over, so that a newer core loses nothing but a line of
// the timeline.
export type {
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
  PlanComparison as Comparison,
  PlanDraftFile as DraftFile,
  PlanDraftResult as DraftDone,
  PlanDraftRound as DraftRound,
  PlanChange,
  PlanChoice as Choice,
  PlanDone,
  PlanExecEvent as PlanExec,
  PlanOfferEvent as PlanOffer,
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
} from "./wire.js";
import type { FormulateCheck, FormulateSteps, SolveOutcome as WholeOutcome } from "./wire.js";

/** What a solver said of a text, of whose values the page has the first only; it may be told how many there are. */
export interface SolveOutcome extends WholeOutcome {
  readonly values?: number;
}

/** What a search for a plan with steps comes to. It is no event, but what its run returns. */
export interface StepsOutcome {
  readonly status: string;
  readonly message: string;
  readonly steps: FormulateSteps;
  readonly checks: readonly FormulateCheck[];
}
