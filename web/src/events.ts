// The events of runs under the names that the page uses for them. A kind that is
// not known here is passed over, so that a newer core loses nothing but a line of
// the timeline.
export type {
  MonitorCorrectionEvent as MonitorCorrection,
  MonitorSegmentEvent as MonitorSegment,
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
} from "./wire.js";
