// Written by `go run ./build gen` from the types of core/session; change them there.

/** Use limits: "each" for every terminal not in "except", a name for the limit of that terminal. */
export type Limits = { readonly each?: number; readonly except?: readonly string[] } & { readonly [terminal: string]: number | readonly string[] | undefined };

export interface AgentAliasesParams {
  readonly source: string;
  readonly state: string;
  readonly texts: readonly string[];
}

export interface AgentAliasesResult {
  readonly source: string;
}

export interface AgentCheckParams {
  readonly source: string;
}

export interface AgentCheckResult {
  readonly agent: string;
  readonly examples: readonly string[];
  readonly states: readonly string[];
  readonly envInput: readonly string[];
  readonly start: readonly string[];
  readonly final: readonly string[];
  readonly automaton?: Automaton;
  readonly diagnostics: readonly Diagnostic[];
}

export interface Automaton {
  readonly letters: readonly string[];
  readonly states: number;
  readonly start: number;
  readonly accepting: readonly number[];
  readonly transitions: readonly (readonly number[])[];
}

export interface Diagnostic {
  readonly code: string;
  readonly severity: string;
  readonly message: string;
  readonly file?: string;
  readonly start: number;
  readonly end: number;
  readonly from: number;
  readonly to: number;
  readonly line: number;
  readonly column: number;
  readonly notes?: readonly Note[];
  readonly fixes?: readonly Fix[];
}

export interface Note {
  readonly message: string;
  readonly from: number;
  readonly to: number;
  readonly line: number;
  readonly column: number;
}

export interface Fix {
  readonly title: string;
  readonly edits: readonly Edit[];
}

export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

export interface AgentCompareParams {
  readonly source: string;
  readonly other: string;
}

export interface AgentCompareResult {
  readonly equivalent: boolean;
  readonly run: readonly string[] | null;
  readonly of?: string;
}

export interface AgentVerdictParams {
  readonly source: string;
  readonly sequence: readonly string[];
}

export interface AgentVerdictResult {
  readonly verdict: string;
  readonly next: readonly string[];
  readonly violation: number | null;
}

export interface AgentVerifyParams {
  readonly source: string;
  readonly formula: string;
}

export interface AgentVerifyResult {
  readonly holds: boolean;
  readonly counterexample: readonly string[] | null;
}

export interface ApibankCallParams {
  readonly tasks: string;
  readonly text: string;
}

export interface ApibankCallResult {
  readonly calls: readonly ApibankCalled[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface ApibankCalled {
  readonly call: ApibankCall;
  readonly text: string;
  readonly outcome: ApibankOutcome;
}

export interface ApibankCall {
  readonly name: string;
  readonly arguments: readonly ApibankArgument[];
}

export interface ApibankArgument {
  readonly name: string;
  readonly value: unknown;
}

export interface ApibankOutcome {
  readonly output: unknown;
  readonly exception: unknown;
  readonly code: string;
}

export interface ApibankJudgeParams {
  readonly tasks: string;
  readonly sample: number;
  readonly text?: string;
  readonly calls?: readonly ApibankMade[];
  readonly response: string;
}

export interface ApibankMade {
  readonly text?: string;
  readonly api_name?: string;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly exception?: unknown;
  readonly gold?: number;
}

export interface ApibankJudgeResult {
  readonly scores: ApibankTaskScores;
  readonly diagnostics: readonly Diagnostic[];
}

export interface ApibankTaskScores {
  readonly sample: number;
  readonly correctness: BenchRate;
  readonly completeness: BenchRate;
  readonly repeats: number;
  readonly rouge: ApibankRouge;
  readonly accurate: boolean;
  readonly calls: readonly ApibankJudged[];
  readonly missing: readonly string[];
}

export interface BenchRate {
  readonly count: number;
  readonly of: number;
  readonly share: number;
}

export interface ApibankRouge {
  readonly precision: number;
  readonly recall: number;
  readonly f: number;
}

export interface ApibankJudged {
  readonly call: string;
  readonly correct: boolean;
  readonly repeat: boolean;
  readonly gold: number;
  readonly inPlace: boolean;
  readonly outcome: ApibankOutcome;
  readonly why: string;
}

export interface ApibankScoreParams {
  readonly tasks: string;
  readonly transcripts: readonly ApibankTranscript[];
}

export interface ApibankTranscript {
  readonly sample_id: number;
  readonly calls: readonly ApibankMade[];
  readonly response: string;
}

export interface ApibankScoreResult {
  readonly scores: ApibankScores;
}

export interface ApibankScores {
  readonly correctness: BenchRate;
  readonly completeness: BenchRate;
  readonly repeats: number;
  readonly rouge: number;
  readonly accuracy: BenchRate;
  readonly sampleAccuracy: BenchRate;
  readonly tasks: readonly ApibankTaskScores[];
}

export interface ApibankTasksParams {
  readonly tasks: string;
}

export interface ApibankTasksResult {
  readonly tasks: readonly ApibankTask[];
  readonly tools: readonly BenchmarkTool[];
}

export interface ApibankTask {
  readonly sample: number;
  readonly requirement: string;
  readonly response: string;
  readonly calls: readonly ApibankCalled[];
}

export interface BenchmarkTool {
  readonly name: string;
  readonly description: string;
  readonly schema: unknown;
}

export interface BenchmarkTeamResult {
  readonly files: readonly File[];
  readonly name: string;
  readonly task: string;
  readonly diagnostics: readonly Diagnostic[];
}

export interface File {
  readonly name: string;
  readonly text: string;
}

export interface ChoiceReadParams {
  readonly options: readonly string[];
  readonly reply: string;
}

export interface ChoiceReadResult {
  readonly choice: number | null;
  readonly reason: string;
}

export interface DocumentParams {
  readonly files: readonly File[];
  readonly name: string;
}

export interface DocumentAnalyzeResult {
  readonly kind: string;
  readonly summary: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly tokens: readonly Token[];
  readonly outline: readonly OutlineItem[];
  readonly symbols: readonly Letter[];
  readonly drawing?: Drawing;
}

export interface Token {
  readonly from: number;
  readonly to: number;
  readonly class: string;
}

export interface OutlineItem {
  readonly name: string;
  readonly detail: string;
  readonly from: number;
  readonly to: number;
}

export interface Letter {
  readonly name: string;
  readonly label: string;
}

export interface Drawing {
  readonly title: string;
  readonly nodes: readonly DrawingNode[];
  readonly edges: readonly DrawingEdge[];
  readonly dot: string;
  readonly folded: number;
  readonly down: boolean;
}

export interface DrawingNode {
  readonly id: string;
  readonly label: string;
  readonly detail?: string;
  readonly kind: string;
  readonly start: boolean;
  readonly accepting: boolean;
  readonly from: number;
  readonly to: number;
}

export interface DrawingEdge {
  readonly id: string;
  readonly source: string;
  readonly target: string;
  readonly lines: readonly DrawingLine[];
  readonly folded: number;
}

export interface DrawingLine {
  readonly id: string;
  readonly label: string;
  readonly from: number;
  readonly to: number;
}

export interface DocumentFormatParams {
  readonly name: string;
  readonly text: string;
}

export interface DocumentFormatResult {
  readonly text: string;
  readonly changed: boolean;
}

export interface DrawingWholeParams {
  readonly files: readonly File[];
  readonly name: string;
  readonly view?: string;
}

export interface DrawingWholeResult {
  readonly drawing?: Drawing;
  readonly view: string;
  readonly views: readonly DrawingView[];
  readonly places: readonly DrawingPlace[];
  readonly groups: readonly DrawingGroup[];
}

export interface DrawingView {
  readonly id: string;
  readonly title: string;
  readonly from: number;
  readonly to: number;
}

export interface DrawingPlace {
  readonly id: string;
  readonly from: number;
  readonly to: number;
}

export interface DrawingGroup {
  readonly name: string;
  readonly nodes: readonly string[];
  readonly folded: boolean;
}

export interface EndpointPriceParams {
  readonly model: string;
}

export interface EndpointPriceResult {
  readonly price: LlmPrice | null;
  readonly of: string;
}

export interface LlmPrice {
  readonly prompt: number;
  readonly completion: number;
}

export interface FormulaParams {
  readonly formula: string;
  readonly propositions: readonly string[];
  readonly letters: string;
}

export interface FormulaAutomatonResult {
  readonly states: number;
  readonly start: number;
  readonly accepting: readonly number[];
  readonly letters: readonly (readonly string[])[];
  readonly transitions: readonly (readonly number[])[];
  readonly guards: readonly (readonly FormulaGuard[])[];
}

export interface FormulaGuard {
  readonly to: number;
  readonly guard: string;
}

export interface FormulaExplainParams {
  readonly formula: string;
  readonly trace: readonly (readonly string[])[];
}

export interface FormulaExplainResult {
  readonly holds: boolean;
  readonly reason: string;
  readonly simpler: string;
}

export interface FormulaVerdictParams {
  readonly formula: string;
  readonly propositions: readonly string[];
  readonly letters: string;
  readonly trace: readonly (readonly string[])[];
}

export interface FormulaVerdictResult {
  readonly holds: boolean;
  readonly verdict: string;
}

export interface FormulateDefaultsParams {
}

export interface FormulateDefaultsResult {
  readonly templates: FormulateTemplates;
  readonly tokens: number;
  readonly rounds: number;
  readonly regenerations: number;
  readonly horizon: number;
  readonly mistakes: readonly FormulateMistake[];
}

export interface FormulateTemplates {
  readonly definer?: string;
  readonly formulator?: string;
  readonly steps?: string;
  readonly generator?: string;
  readonly formatter?: string;
  readonly assessor?: string;
  readonly direct?: string;
  readonly cot?: string;
  readonly code?: string;
}

export interface FormulateMistake {
  readonly name: string;
  readonly text: string;
}

export interface GrammarAcceptsParams {
  readonly source: string;
  readonly start?: string;
  readonly word: readonly string[];
}

export interface GrammarAcceptsResult {
  readonly accepted: boolean;
  readonly trees: number;
}

export interface GrammarAmbiguityParams {
  readonly source: string;
  readonly start?: string;
  readonly maxLength: number;
}

export interface GrammarAmbiguityResult {
  readonly unambiguous: boolean;
  readonly witness: readonly string[] | null;
  readonly trees: number;
  readonly upTo: number;
}

export interface GrammarCheckParams {
  readonly source: string;
  readonly start?: string;
}

export interface GrammarCheckResult {
  readonly start: string;
  readonly terminals: readonly string[];
  readonly nonterminals: readonly string[];
  readonly productive: readonly string[];
  readonly reachable: readonly string[];
  readonly nullable: readonly string[];
  readonly empty: boolean;
  readonly finite: boolean;
  readonly cyclic: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

export interface GrammarCompleteParams {
  readonly source: string;
  readonly start?: string;
  readonly prefix: readonly string[];
}

export interface GrammarCompleteResult {
  readonly rest: readonly string[] | null;
}

export interface GrammarCountParams {
  readonly source: string;
  readonly start?: string;
  readonly maxLength: number;
}

export interface GrammarCountResult {
  readonly words: readonly number[];
}

export interface GrammarNextParams {
  readonly source: string;
  readonly start?: string;
  readonly prefix: readonly string[];
  readonly limits?: Limits;
}

export interface GrammarNextResult {
  readonly viable: boolean;
  readonly complete: boolean;
  readonly next: readonly string[];
}

export interface GrammarParsingParams {
  readonly source: string;
  readonly start?: string;
}

export interface GrammarParsingResult {
  readonly leftRecursion: readonly string[];
  readonly ll: readonly ParsingConflict[];
  readonly lr: readonly ParsingConflict[];
}

export interface ParsingConflict {
  readonly nonterminal?: string;
  readonly lookahead: string;
  readonly productions: readonly string[];
  readonly shift: boolean;
}

export interface GrammarPlansParams {
  readonly source: string;
  readonly start?: string;
  readonly limits: Limits;
}

export interface GrammarPlansResult {
  readonly plans: string;
  readonly deadEnds: string;
}

export interface GrammarRailroadParams {
  readonly source: string;
}

export interface GrammarRailroadResult {
  readonly diagrams: readonly Railroad[];
}

export interface Railroad {
  readonly name: string;
  readonly start: boolean;
  readonly note?: string;
  readonly rail: Rail | null;
  readonly from: number;
  readonly to: number;
}

export interface Rail {
  readonly kind: string;
  readonly text?: string;
  readonly label?: string;
  readonly of?: readonly Rail[];
  readonly from: number;
  readonly to: number;
}

export interface GrammarSampleParams {
  readonly source: string;
  readonly start?: string;
  readonly length: number;
  readonly number: number;
  readonly seed?: number;
}

export interface GrammarSampleResult {
  readonly words: readonly (readonly string[])[];
}

export interface GrammarShortestParams {
  readonly source: string;
  readonly start?: string;
}

export interface GrammarShortestResult {
  readonly word: readonly string[] | null;
}

export interface GrammarTreesParams {
  readonly source: string;
  readonly start?: string;
  readonly word: readonly string[];
  readonly number: number;
}

export interface GrammarTreesResult {
  readonly drawings: readonly Drawing[];
}

export interface GrammarVerifyParams {
  readonly source: string;
  readonly start?: string;
  readonly formula: string;
}

export interface GrammarVerifyResult {
  readonly holds: boolean;
  readonly counterexample: readonly string[] | null;
}

export interface MonitorCheckParams {
  readonly source: string;
  readonly text: string;
  readonly format?: string;
  readonly mapping?: readonly MonitorMapping[];
  readonly roles?: MonitorRoles;
  readonly properties?: string;
  readonly others?: readonly File[];
  readonly rules?: string;
}

export interface MonitorMapping {
  readonly part: string;
  readonly tool?: string;
  readonly states: readonly string[];
}

export interface MonitorRoles {
  readonly action?: string;
  readonly input?: string;
  readonly label?: string;
}

export interface GuardCheckResult {
  readonly verdict: string;
  readonly violation: GuardViolation | null;
}

export interface GuardViolation {
  readonly index: number;
  readonly state: string;
  readonly reason: string;
  readonly content?: boolean;
  readonly property?: string;
  readonly allowed: readonly string[];
  readonly contents?: readonly string[];
}

export interface GuardCompileParams {
  readonly files: readonly File[];
  readonly options?: GateCompileOptions;
}

export interface GateCompileOptions {
  readonly name?: string;
  readonly version?: string;
  readonly texts?: boolean;
  readonly only?: string;
  readonly tools?: readonly string[];
  readonly mapping?: readonly MonitorMapping[];
  readonly roles?: MonitorRoles;
  readonly unchecked?: readonly string[];
}

export interface GuardCompileResult {
  readonly text: string;
  readonly hash: string;
  readonly rules: readonly string[];
  readonly portable: boolean;
}

export interface GuardDecideParams {
  readonly guard: string;
  readonly state?: string;
  readonly modes?: { readonly [key: string]: string };
  readonly redact?: readonly string[];
  readonly operations: readonly GuardOperation[];
}

export interface GuardOperation {
  readonly op: string;
  readonly event?: string;
}

export interface GuardDecideResult {
  readonly decisions: readonly GateDecision[];
  readonly state: string;
  readonly next: readonly string[];
  readonly mayEnd: boolean;
  readonly log: readonly string[];
}

export interface GateDecision {
  readonly verdict: string;
  readonly code: string;
  readonly reason: string;
  readonly rule: string;
  readonly next: readonly string[];
  readonly mayEnd: boolean;
  readonly shadow: readonly GateFinding[];
  readonly at?: number;
}

export interface GateFinding {
  readonly rule: string;
  readonly code: string;
  readonly reason: string;
}

export interface GuardParams {
  readonly source: string;
  readonly properties?: string;
  readonly run?: GuardSaved;
}

export interface GuardSaved {
  readonly spec: string;
  readonly index: number;
  readonly state: number;
  readonly properties: readonly number[];
  readonly refused?: string;
  readonly ended?: boolean;
}

export interface GuardResult {
  readonly run: GuardSaved;
  readonly next: readonly string[];
  readonly done: boolean;
  readonly violation: GuardViolation | null;
}

export interface GuardEnterParams {
  readonly source: string;
  readonly properties?: string;
  readonly run?: GuardSaved;
  readonly state: string;
  readonly content: string | null;
}

export interface InferAskParams {
  readonly left: string;
  readonly right: string;
  readonly most?: number;
}

export interface InferAskResult {
  readonly questions: readonly InferQuestion[];
}

export interface InferQuestion {
  readonly steps: readonly string[];
  readonly left: boolean;
}

export interface InferPropertiesParams {
  readonly runs: readonly InferRun[];
  readonly support?: number;
  readonly confidence?: number;
  readonly most?: number;
}

export interface InferRun {
  readonly name: string;
  readonly steps: readonly string[];
  readonly failed?: boolean;
}

export interface InferPropertiesResult {
  readonly properties: readonly InferProperty[];
  readonly size: number;
  readonly separated: boolean;
}

export interface InferProperty {
  readonly name: string;
  readonly formula: string;
  readonly template: string;
  readonly sentence: string;
  readonly for: InferCases;
  readonly against: InferCases;
  readonly rejects: InferCases;
  readonly altered: number;
  readonly chosen: boolean;
  readonly text: string;
}

export interface InferCases {
  readonly number: number;
  readonly runs: readonly number[];
}

export interface InferRunsParams {
  readonly traces: readonly BacktestPart[];
  readonly format?: string;
  readonly failing?: boolean;
  readonly outcome?: string;
}

export interface BacktestPart {
  readonly name: string;
  readonly text: string;
  readonly line?: number;
  readonly runs?: number;
  readonly alone?: boolean;
  readonly fault?: string;
}

export interface InferRunsResult {
  readonly runs: readonly InferRun[];
  readonly unread: readonly InferUnread[];
}

export interface InferUnread {
  readonly name: string;
  readonly reason: string;
}

export interface InferSpecParams {
  readonly runs: readonly InferRun[];
  readonly states?: number;
  readonly strict?: boolean;
  readonly verdicts?: boolean;
  readonly name?: string;
  readonly accept?: readonly (readonly string[])[];
  readonly refuse?: readonly (readonly string[])[];
}

export interface InferSpecResult {
  readonly text: string;
  readonly states: number;
  readonly pass: number;
  readonly fail: number;
  readonly accepted: number;
  readonly held: number;
  readonly forced: number;
  readonly remarks: readonly string[];
}

export interface LabCheckParams {
  readonly files: readonly File[];
  readonly name?: string;
  readonly settings?: LabSettings;
}

export interface LabSettings {
  readonly models?: readonly LabNamedModel[];
  readonly endpoints?: readonly LlmEndpoint[];
  readonly seeds?: readonly number[];
  readonly tasks?: number;
  readonly budget?: MeterBudget;
  readonly concurrent?: number;
  readonly earlier?: readonly LabOutcome[];
  readonly without?: readonly string[];
  readonly wording?: string;
}

export interface LabNamedModel {
  readonly name: string;
  readonly spec: LlmSpec;
}

export interface LlmSpec {
  readonly kind: string;
  readonly script?: readonly string[];
  readonly errorRate?: number;
  readonly constrained?: boolean;
  readonly endpoint?: LlmEndpoint;
}

export interface LlmEndpoint {
  readonly name: string;
  readonly format?: string;
  readonly url: string;
  readonly model: string;
  readonly server?: string;
  readonly capabilities?: LlmCapabilities;
  readonly price?: LlmPrice;
  readonly idle?: number;
  readonly effort?: string;
  readonly thinking?: number;
  readonly body?: unknown;
}

export interface LlmCapabilities {
  readonly stop?: boolean;
  readonly maxStops?: number;
  readonly logprobs?: boolean;
  readonly tools?: boolean;
  readonly schema?: boolean;
  readonly prefix?: string;
  readonly choice?: string;
  readonly custom?: boolean;
  readonly thinking?: number;
  readonly unopened?: boolean;
}

export interface MeterBudget {
  readonly calls?: number;
  readonly tokens?: number;
  readonly money?: number;
}

export interface LabOutcome {
  readonly key: string;
  readonly stamp: string;
  readonly method: string;
  readonly model: string;
  readonly group: string;
  readonly task: string;
  readonly seed: number;
  readonly runSeed: number;
  readonly state: string;
  readonly simulated?: boolean;
  readonly reason: string;
  readonly measures: readonly LabMeasure[];
  readonly answers?: readonly Answer[];
}

export interface LabMeasure {
  readonly name: string;
  readonly count: number;
  readonly of?: number;
}

export interface Answer {
  readonly effect: string;
  readonly chunk?: string;
  readonly value?: unknown;
  readonly error?: EffectError;
}

export interface EffectError {
  readonly code: string;
  readonly message: string;
}

export interface LabCheckResult {
  readonly name: string;
  readonly title: string;
  readonly note: string;
  readonly needs: readonly string[];
  readonly endpoints: readonly string[];
  readonly methods: readonly string[];
  readonly models: readonly string[];
  readonly seeds: readonly number[];
  readonly concurrent: number;
  readonly cells: readonly LabOutcome[];
  readonly notes: readonly string[];
  readonly known: number;
  readonly budget: LabCheckBudget;
  readonly ceiling: LabCheckBudget;
  readonly table: LabTable;
  readonly fault: string;
}

export interface LabCheckBudget {
  readonly calls: number;
  readonly tokens: number;
  readonly money: number;
}

export interface LabTable {
  readonly name: string;
  readonly title: string;
  readonly across?: string;
  readonly columns: readonly LabColumn[];
  readonly groups?: readonly string[];
  readonly levels?: readonly LabLevel[];
  readonly rows: readonly LabRow[];
  readonly cells: number;
  readonly done: number;
  readonly failed: number;
  readonly references: readonly LabTableReference[];
  readonly notes: readonly string[];
}

export interface LabColumn {
  readonly title: string;
  readonly measure: string;
  readonly of?: readonly string[];
  readonly sum?: boolean;
}

export interface LabLevel {
  readonly title: string;
  readonly columns: readonly number[];
}

export interface LabRow {
  readonly method: string;
  readonly model: string;
  readonly reference?: string;
  readonly simulated?: boolean;
  readonly values: readonly LabValue[];
  readonly cells: number;
  readonly failed: number;
}

export interface LabValue {
  readonly known: boolean;
  readonly share: boolean;
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly n: number;
  readonly unpriced?: boolean;
}

export interface LabTableReference {
  readonly title: string;
  readonly source: string;
}

export interface LabExportParams {
  readonly files?: readonly File[];
  readonly name?: string;
  readonly outcomes?: readonly LabOutcome[];
  readonly results?: string;
  readonly form: string;
}

export interface LabExportResult {
  readonly text: string;
}

export interface LabOpenParams {
  readonly files: readonly File[];
  readonly name?: string;
  readonly settings?: LabSettings;
  readonly key: string;
  readonly stamp?: string;
  readonly answers?: readonly Answer[];
}

export interface LabOpenResult {
  readonly workspace: RunWorkspace;
  readonly log: RunLog;
}

export interface RunWorkspace {
  readonly files: readonly File[];
  readonly name?: string;
}

export interface RunLog {
  readonly version: number;
  readonly kind: string;
  readonly name: string;
  readonly seed: number;
  readonly settings: unknown;
  readonly answers: readonly Answer[];
}

export interface LabTablesParams {
  readonly files?: readonly File[];
  readonly name?: string;
  readonly outcomes?: readonly LabOutcome[];
  readonly results?: string;
}

export interface LabTablesResult {
  readonly table: LabTable;
  readonly markdown: string;
  readonly outcomes: readonly LabOutcome[];
}

export interface LanguageCheckResult {
  readonly diagnostics: readonly Diagnostic[];
  readonly about?: string;
  readonly agent?: AgentFacts;
  readonly team?: TeamFacts;
}

export interface AgentFacts {
  readonly ways: readonly string[];
  readonly prompt?: string;
  readonly tools: readonly string[];
  readonly servers?: number;
  readonly calls?: readonly ToolAgenttoolsRemoteCall[];
  readonly states: readonly AgentState[];
}

export interface ToolAgenttoolsRemoteCall {
  readonly tool: string;
  readonly method: string;
  readonly address: string;
  readonly path?: string;
  readonly auth?: string;
}

export interface AgentState {
  readonly name: string;
  readonly prompt: string;
  readonly aliases: readonly string[];
}

export interface TeamFacts {
  readonly executors: readonly TeamExecutor[];
  readonly role: string;
  readonly shape?: string;
  readonly steps: number;
  readonly retries: number;
  readonly concurrent: number;
  readonly subtasks: number;
  readonly checked: number;
  readonly told: number;
  readonly tools: readonly string[];
  readonly servers?: number;
  readonly calls?: readonly ToolAgenttoolsRemoteCall[];
}

export interface TeamExecutor {
  readonly name: string;
  readonly does: string;
  readonly agent: string;
  readonly react?: string;
  readonly tools: readonly string[];
}

export interface LanguageCompleteParams {
  readonly files: readonly File[];
  readonly name: string;
  readonly at: number;
  readonly run?: string;
}

export interface LanguageCompleteResult {
  readonly from: number;
  readonly to: number;
  readonly items: readonly LanguageItem[];
}

export interface LanguageItem {
  readonly label: string;
  readonly kind: string;
  readonly detail?: string;
  readonly insert?: string;
}

export interface LanguagePlaceParams {
  readonly files: readonly File[];
  readonly name: string;
  readonly at: number;
}

export interface LanguageFindResult {
  readonly kind: string;
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly places: readonly LanguagePlace[];
}

export interface LanguagePlace {
  readonly file: string;
  readonly from: number;
  readonly to: number;
  readonly line: number;
  readonly text: string;
  readonly defines: boolean;
}

export interface LanguageFoldsResult {
  readonly folds: readonly LanguageFold[];
}

export interface LanguageFold {
  readonly from: number;
  readonly to: number;
}

export interface LanguageHoverResult {
  readonly card: LanguageCard | null;
}

export interface LanguageCard {
  readonly from: number;
  readonly to: number;
  readonly kind: string;
  readonly name: string;
  readonly form?: string;
  readonly lines: readonly string[];
  readonly word?: readonly string[];
  readonly ofIt?: boolean;
}

export interface LanguageReferenceParams {
  readonly kind: string;
}

export interface LanguageReferenceResult {
  readonly entries: readonly LanguageEntry[];
}

export interface LanguageEntry {
  readonly words: readonly string[];
  readonly form: string;
  readonly text: string;
  readonly example: string;
}

export interface LanguageRenameParams {
  readonly files: readonly File[];
  readonly name: string;
  readonly at: number;
  readonly to: string;
}

export interface LanguageRenameResult {
  readonly changes: readonly FileEdits[];
}

export interface FileEdits {
  readonly file: string;
  readonly edits: readonly Edit[];
}

export interface LearnTrajectoriesParams {
  readonly layout: string;
  readonly workspace?: RunWorkspace;
  readonly logs?: readonly RunLog[];
  readonly trajectories?: readonly LearnTrajectory[];
}

export interface LearnTrajectory {
  readonly group: string;
  readonly plan: number;
  readonly spec: string;
  readonly task: string;
  readonly word: readonly string[];
  readonly valid: boolean;
  readonly reward: number;
  readonly decisions: readonly LearnDecision[];
}

export interface LearnDecision {
  readonly step: number;
  readonly prompt: string;
  readonly choices: readonly string[];
  readonly chosen: readonly number[];
  readonly answer: string;
  readonly by: string;
  readonly logprob: number | null;
}

export interface LearnTrajectoriesResult {
  readonly text: string;
  readonly lines: number;
  readonly plans: number;
  readonly unfinished: number;
}

export interface MonitorCheckResult {
  readonly agent: string;
  readonly segments: readonly Segment[];
  readonly verdict: string;
  readonly spec: string;
  readonly next: readonly string[];
  readonly violation: Violation | null;
  readonly unread?: readonly TraceUnread[];
  readonly moreUnread?: number;
  readonly format?: string;
  readonly runs?: number;
  readonly conversations?: readonly TraceRun[];
  readonly parts?: readonly TracePart[];
  readonly mapped?: readonly TraceMapped[];
  readonly properties?: readonly TraceProperty[];
  readonly rules?: readonly TraceRule[];
  readonly lookalikes?: readonly Lookalike[];
}

export interface Segment {
  readonly state: string;
  readonly content: string;
  readonly start: number;
  readonly end: number;
  readonly from: number;
  readonly to: number;
  readonly part?: number;
  readonly implied?: boolean;
}

export interface Violation {
  readonly index: number;
  readonly state: string;
  readonly reason: string;
  readonly content?: boolean;
  readonly allowed: readonly string[];
  readonly start: number;
  readonly end: number;
  readonly from: number;
  readonly to: number;
  readonly line: number;
  readonly column: number;
}

export interface TraceUnread {
  readonly path?: string;
  readonly reason: string;
  readonly keys?: readonly string[];
  readonly from: number;
  readonly to: number;
  readonly line: number;
}

export interface TraceRun {
  readonly name?: string;
  readonly verdict: string;
  readonly next: readonly string[];
  readonly violation: Violation | null;
  readonly segment: number;
  readonly part: number;
}

export interface TracePart {
  readonly kind: string;
  readonly tool?: string;
  readonly text: string;
  readonly joined?: number;
  readonly from: number;
  readonly to: number;
}

export interface TraceMapped {
  readonly part: string;
  readonly tool?: string;
  readonly states: readonly string[];
  readonly number: number;
  readonly varies?: boolean;
}

export interface TraceProperty {
  readonly name: string;
  readonly holds: boolean;
  readonly verdict?: string;
  readonly reason?: string;
  readonly fault?: string;
  readonly other?: boolean;
}

export interface TraceRule {
  readonly name: string;
  readonly verdict: string;
  readonly reason?: string;
  readonly run?: number;
  readonly from?: number;
  readonly to?: number;
}

export interface Lookalike {
  readonly state: string;
  readonly reason: string;
  readonly from: number;
  readonly to: number;
  readonly line: number;
}

export interface PlanCheckParams {
  readonly files: readonly File[];
  readonly name?: string;
  readonly text: string;
  readonly limits?: Limits;
  readonly without?: readonly string[];
}

export interface PlanCheckResult {
  readonly form: string;
  readonly found: readonly PlanFound[];
  readonly unread: readonly PlanUnread[];
  readonly notes: readonly string[];
  readonly valid: boolean;
  readonly word: readonly string[];
  readonly function: string;
  readonly steps: readonly PlanStep[];
  readonly fault?: string;
  readonly reason?: string;
  readonly at: number;
  readonly from: number;
  readonly to: number;
  readonly expected: readonly PlanExpected[];
  readonly nearest?: PlanNearPlan;
}

export interface PlanFound {
  readonly symbol: string;
  readonly label: string;
  readonly from: number;
  readonly to: number;
  readonly step?: number;
  readonly note?: string;
}

export interface PlanUnread {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly step: boolean;
}

export interface PlanStep {
  readonly n: number;
  readonly symbol: string;
  readonly text: string;
}

export interface PlanExpected {
  readonly symbol: string;
  readonly label: string;
}

export interface PlanNearPlan {
  readonly word: readonly string[];
  readonly function: string;
  readonly steps: readonly PlanStep[];
  readonly distance: number;
  readonly edits: readonly PlanPlanEdit[];
}

export interface PlanPlanEdit {
  readonly op: string;
  readonly at: number;
  readonly symbol: string;
  readonly label: string;
  readonly text: string;
}

export interface ProblemFilesParams {
  readonly domain: string;
  readonly text: string;
  readonly index: number;
  readonly notation?: string;
}

export interface ProblemFilesResult {
  readonly folder: string;
  readonly files: readonly File[];
  readonly name: string;
  readonly task: ProblemTask;
}

export interface ProblemTask {
  readonly index: number;
  readonly question: string;
  readonly kind: string;
  readonly status: string;
  readonly optimum: string;
}

export interface ProblemJudgeParams {
  readonly domain: string;
  readonly text: string;
  readonly index: number;
  readonly status: string;
  readonly objective?: string;
  readonly answer?: unknown;
  readonly plan?: readonly string[];
}

export interface ProblemJudgeResult {
  readonly right: boolean;
  readonly reason: string;
  readonly planned: boolean;
  readonly feasible: boolean;
  readonly cost: string;
  readonly faults: readonly string[];
  readonly task: ProblemTask;
}

export interface ProblemTasksParams {
  readonly domain: string;
  readonly text: string;
}

export interface ProblemTasksResult {
  readonly title: string;
  readonly steps: boolean;
  readonly base: string;
  readonly notations: readonly string[];
  readonly tasks: readonly ProblemTask[];
}

export interface RulesCheckParams {
  readonly source: string;
  readonly events: readonly RulesRawEvent[];
}

export interface RulesRawEvent {
  readonly kind?: string;
  readonly name?: string;
  readonly fields?: unknown;
  readonly time?: unknown;
  readonly agent?: unknown;
  readonly id?: unknown;
}

export interface RulesCheckResult {
  readonly rules: readonly RuleVerdict[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface RuleVerdict {
  readonly name: string;
  readonly verdict: string;
  readonly violations: readonly RuleViolation[];
}

export interface RuleViolation {
  readonly event: number;
  readonly bindings: { readonly [key: string]: unknown };
  readonly witnesses?: readonly number[];
}

export interface RulesTraceParams {
  readonly source: string;
  readonly table?: number;
  readonly from?: number;
  readonly events?: string;
  readonly try?: string;
  readonly echo?: boolean;
  readonly write?: boolean;
}

export interface RulesTraceResult {
  readonly table: number;
  readonly events: number;
  readonly rules: readonly TracedRule[];
  readonly states: readonly string[];
  readonly violations: readonly TraceViolation[];
  readonly moreViolations?: number;
  readonly tried: readonly TriedEvent[];
  readonly echo?: readonly RulesRawEvent[];
  readonly text?: string;
  readonly bad: number;
  readonly reason?: string;
  readonly diagnostics: readonly Diagnostic[];
}

export interface TracedRule {
  readonly name: string;
  readonly verdict: string;
  readonly reason?: string;
  readonly from: number;
  readonly to: number;
  readonly windows: readonly TraceWindow[];
  readonly tools: readonly string[];
}

export interface TraceWindow {
  readonly operator: string;
  readonly seconds: number;
}

export interface TraceViolation {
  readonly rule: number;
  readonly event: number;
  readonly bindings: { readonly [key: string]: unknown };
  readonly witnesses: readonly number[];
  readonly requirement: string;
  readonly from: number;
  readonly to: number;
}

export interface TriedEvent {
  readonly allowed: boolean;
  readonly violations: readonly TraceViolation[];
  readonly faults: readonly string[];
  readonly reason?: string;
}

export interface RunDefaultsParams {
}

export interface RunDefaultsResult {
  readonly planTemplate: string;
  readonly planAttempts: number;
  readonly ceiling: DefaultCeiling;
  readonly manyCeiling: DefaultCeiling;
  readonly monitorTemplate: string;
  readonly monitorToolsTemplate: string;
  readonly monitorSteps: number;
  readonly monitorCorrections: number;
  readonly monitorTokens: number;
  readonly monitorSamples: number;
}

export interface DefaultCeiling {
  readonly calls: number;
  readonly tokens: number;
  readonly money: number;
}

export interface RunEstimateParams {
  readonly kind: string;
  readonly workspace: RunWorkspace;
  readonly settings?: unknown;
  readonly seed?: number;
}

export interface RunEstimateResult {
  readonly calls: number;
  readonly tokens: number;
  readonly runs: number;
  readonly tried: number;
  readonly without: readonly string[];
}

export interface RunForkParams {
  readonly run: number;
  readonly at: number;
  readonly settings?: unknown;
}

export interface RunStartResult {
  readonly run: number;
}

export interface RunLogParams {
  readonly run: number;
  readonly from?: number;
}

export interface RunLogResult {
  readonly log: RunLog;
}

export interface RunResumeParams {
  readonly run: number;
  readonly answers?: readonly Answer[];
  readonly slice?: number;
}

export interface RunResumeResult {
  readonly effects: readonly Effect[];
  readonly cancel: readonly string[];
  readonly events: readonly unknown[];
  readonly state: string;
  readonly result?: unknown;
  readonly error?: ErrorReply;
}

export interface Effect {
  readonly id: string;
  readonly kind: string;
  readonly http?: HTTP;
  readonly question?: Question;
  readonly timer?: Timer;
  readonly solve?: SolveQuery;
  readonly clock?: Clock;
}

export interface HTTP {
  readonly method: string;
  readonly url: string;
  readonly headers?: { readonly [key: string]: string };
  readonly body?: string;
  readonly auth?: string;
  readonly tool?: boolean;
  readonly stream?: boolean;
  readonly authHeader?: string;
  readonly idle?: number;
}

export interface Question {
  readonly prompt: string;
  readonly choices?: readonly string[];
  readonly multiline?: boolean;
}

export interface Timer {
  readonly milliseconds: number;
}

export interface SolveQuery {
  readonly solver: string;
  readonly text: string;
  readonly milliseconds: number;
  readonly memory: number;
  readonly first?: boolean;
}

export interface Clock {
}

export interface ErrorReply {
  readonly code: string;
  readonly message: string;
  readonly diagnostics?: readonly Diagnostic[];
  readonly without?: readonly string[];
}

export interface RunStartParams {
  readonly kind?: string;
  readonly workspace: RunWorkspace;
  readonly settings?: unknown;
  readonly seed?: number;
  readonly log?: RunLog;
  readonly ceiling?: MeterBudget;
}

export interface RunParams {
  readonly run: number;
}

export interface ShareDecodeParams {
  readonly fragment: string;
}

export interface ShareDecodeResult {
  readonly files: readonly File[];
  readonly main: string;
  readonly log?: RunLog;
}

export interface ShareEncodeParams {
  readonly files: readonly File[];
  readonly log?: RunLog;
}

export interface ShareEncodeResult {
  readonly fragment: string;
}

export interface SolveCheckParams {
  readonly solver: string;
  readonly text: string;
  readonly optimize?: boolean;
}

export interface SolveCheckResult {
  readonly variables: number;
  readonly constraints: number;
  readonly names: readonly SolveName[];
  readonly named: readonly SolvePlace[];
  readonly objectives: readonly SolveObjective[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface SolveName {
  readonly name: string;
  readonly sort: string;
  readonly from: number;
  readonly to: number;
}

export interface SolvePlace {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

export interface SolveObjective {
  readonly expression: string;
  readonly sense: string;
  readonly value: string;
  readonly low: string;
  readonly high: string;
  readonly strict: boolean;
  readonly shown: string;
}

export interface SolvePrepareParams {
  readonly solver: string;
  readonly text: string;
  readonly limits?: SolveLimits;
}

export interface SolveLimits {
  readonly milliseconds?: number;
  readonly memory?: number;
  readonly work?: number;
  readonly first?: boolean;
}

export interface SolvePrepareResult {
  readonly query: SolveQuery;
}

export interface SolveReadParams {
  readonly solver: string;
  readonly text: string;
  readonly reply: SolveReply;
}

export interface SolveReply {
  readonly text: string;
  readonly milliseconds: number;
  readonly version?: string;
}

export interface SolveOutcome {
  readonly answer: SolveResult;
  readonly core: readonly SolvePlace[];
  readonly families: readonly SolveFamily[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface SolveResult {
  readonly solver: string;
  readonly status: string;
  readonly message: string;
  readonly objectives: readonly SolveObjective[];
  readonly model: readonly SolveValue[];
  readonly core: readonly SolveNamed[];
  readonly checks: readonly string[];
  readonly bound: string;
  readonly gap: string;
  readonly statistics: readonly SolveStatistic[];
  readonly proven: boolean;
  readonly searched: number;
  readonly milliseconds: number;
  readonly version: string;
}

export interface SolveValue {
  readonly name: string;
  readonly sort: string;
  readonly value: string;
  readonly params: readonly string[];
}

export interface SolveNamed {
  readonly name: string;
}

export interface SolveStatistic {
  readonly name: string;
  readonly value: string;
}

export interface SolveFamily {
  readonly name: string;
  readonly axes: readonly (readonly string[])[];
  readonly chart: string;
  readonly cells: readonly SolveCell[];
}

export interface SolveCell {
  readonly at: readonly number[];
  readonly value: string;
}

export interface SpecCompareParams {
  readonly first: File;
  readonly second: File;
  readonly files?: readonly File[];
  readonly maxLength?: number;
}

export interface SpecCompareResult {
  readonly relation: string;
  readonly onlyFirst: Difference;
  readonly onlySecond: Difference;
  readonly traces: boolean;
}

export interface Difference {
  readonly word: WordSample | null;
  readonly exact: boolean;
  readonly upTo: number;
}

export interface WordSample {
  readonly word: readonly string[];
  readonly text?: string;
}

export interface SpecCostParams {
  readonly files: readonly File[];
  readonly name: string;
  readonly maxLength?: number;
}

export interface SpecCostResult {
  readonly words: string;
  readonly left: string;
  readonly rules: readonly RuleCost[];
  readonly specs: readonly SpecSize[];
  readonly upTo: number;
  readonly last: number;
}

export interface RuleCost {
  readonly name: string;
  readonly alone: string;
  readonly others: string;
  readonly then: string;
}

export interface SpecSize {
  readonly name: string;
  readonly words: string;
}

export interface SpecExplainParams {
  readonly files: readonly File[];
  readonly name: string;
}

export interface SpecExplainResult {
  readonly items: readonly Explanation[];
}

export interface Explanation {
  readonly name?: string;
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

export interface SpecExportParams {
  readonly name: string;
  readonly text: string;
  readonly format: string;
  readonly separator?: string;
  readonly formula?: number;
  readonly files?: readonly File[];
}

export interface SpecExportResult {
  readonly text: string;
  readonly diagnostics?: readonly Diagnostic[];
  readonly formulas?: readonly string[];
}

export interface SpecImportParams {
  readonly text: string;
  readonly format: string;
}

export interface SpecImportResult {
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly notes?: readonly string[];
}

export interface SpecWordsParams {
  readonly files: readonly File[];
  readonly name: string;
  readonly view?: string;
  readonly length?: number;
  readonly number: number;
  readonly seed?: number;
}

export interface SpecWordsResult {
  readonly shortest: WordSample | null;
  readonly empty: boolean;
  readonly counts: readonly WordCount[];
  readonly words: readonly WordSample[];
  readonly walks: boolean;
  readonly nearMisses: readonly NearMiss[];
}

export interface WordCount {
  readonly length: number;
  readonly words: string;
}

export interface NearMiss {
  readonly word: readonly string[];
  readonly of: readonly string[];
  readonly edit: string;
  readonly at: number;
  readonly expected: readonly string[];
  readonly more: number;
}

export interface StepWalkParams {
  readonly files: readonly File[];
  readonly name: string;
  readonly word: readonly string[];
  readonly view?: string;
}

export interface StepWalkResult {
  readonly verdict: string;
  readonly viable: boolean;
  readonly complete: boolean;
  readonly violation: number | null;
  readonly next: readonly Letter[];
  readonly configurations: readonly Configuration[];
  readonly truncated: boolean;
  readonly active: readonly string[];
  readonly uses: readonly Use[];
  readonly tree?: Tree;
  readonly treeDrawing?: Drawing;
}

export interface Configuration {
  readonly state: string;
  readonly stack: readonly string[];
}

export interface Use {
  readonly name: string;
  readonly label: string;
  readonly used: number;
  readonly limit: number;
}

export interface Tree {
  readonly symbol: string;
  readonly label: string;
  readonly terminal: boolean;
  readonly children?: readonly Tree[];
}

export interface StepsEncodeParams {
  readonly files: readonly File[];
  readonly name: string;
  readonly steps: number;
}

export interface StepsEncodeResult {
  readonly domain: string;
  readonly problem: string;
  readonly text: string;
  readonly steps: number;
  readonly least: number;
  readonly reachable: boolean;
  readonly facts: number;
  readonly operators: number;
}

export interface StepsValidateParams {
  readonly files: readonly File[];
  readonly name: string;
  readonly plan: string;
}

export interface StepsValidateResult {
  readonly steps: readonly StepsPlace[];
  readonly states: readonly FormulateState[];
  readonly fault?: StepsFault;
  readonly cost?: number;
  readonly checks: readonly FormulateCheck[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface StepsPlace {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

export interface FormulateState {
  readonly facts: readonly string[];
  readonly gains: readonly string[];
  readonly loses: readonly string[];
}

export interface StepsFault {
  readonly code: string;
  readonly step: number;
  readonly literal: string;
  readonly since: number;
  readonly message: string;
}

export interface FormulateCheck {
  readonly file: string;
  readonly name: string;
  readonly holds: boolean;
  readonly reason: string;
}

export interface TeamDefaultsParams {
}

export interface TeamDefaultsResult {
  readonly templates: TeamTemplates;
  readonly tokens: number;
  readonly functions: readonly TeamFunction[];
}

export interface TeamTemplates {
  readonly manager?: string;
  readonly executor?: string;
  readonly supervisor?: string;
  readonly inference?: string;
  readonly reporting?: string;
  readonly alone?: string;
}

export interface TeamFunction {
  readonly form: string;
  readonly text: string;
}

export interface TeamGraphParams {
  readonly files: readonly File[];
  readonly name: string;
  readonly graph?: TeamGraph;
  readonly text?: string;
  readonly before?: TeamGraph;
  readonly create?: number;
}

export interface TeamGraph {
  readonly executors?: readonly TeamCreated[];
  readonly subtasks: readonly TeamSubtask[];
  readonly global: readonly string[];
}

export interface TeamCreated {
  readonly name: string;
  readonly does: string;
  readonly tools: readonly string[];
}

export interface TeamSubtask {
  readonly id: string;
  readonly task: string;
  readonly executor: string;
  readonly needs: readonly string[];
  readonly local: readonly string[];
}

export interface TeamGraphResult {
  readonly faults: readonly string[];
  readonly graph?: TeamGraph;
  readonly critical: readonly string[];
  readonly again: readonly string[];
  readonly drawing?: Drawing;
}

export interface TestsAddParams {
  readonly files: readonly File[];
  readonly spec: string;
  readonly form: string;
  readonly word?: readonly string[];
  readonly text?: string;
  readonly expect?: string;
  readonly title?: string;
  readonly property?: TestsProperty;
}

export interface TestsProperty {
  readonly file: string;
  readonly at: number;
}

export interface TestsAddResult {
  readonly file: File;
  readonly expect: string;
  readonly added: boolean;
  readonly from: number;
  readonly to: number;
  readonly line: number;
  readonly spec: string;
  readonly word?: readonly string[];
}

export interface TestsRunParams {
  readonly files: readonly File[];
  readonly name?: string;
  readonly from?: number;
  readonly count?: number;
}

export interface TestsRunResult {
  readonly total: number;
  readonly verdict: string;
  readonly passed: number;
  readonly failed: number;
  readonly errors: number;
  readonly cases: readonly TestsCase[];
  readonly faults: readonly Diagnostic[];
}

export interface TestsCase {
  readonly file: string;
  readonly spec: string;
  readonly form: string;
  readonly label: string;
  readonly word?: readonly string[];
  readonly expected: string;
  readonly actual: string;
  readonly status: string;
  readonly reason?: string;
  readonly line: number;
  readonly from: number;
  readonly to: number;
  readonly atFrom: number;
  readonly atTo: number;
}

export interface TraceDiffParams {
  readonly before: readonly File[];
  readonly after: readonly File[];
  readonly traces: readonly BacktestPart[];
  readonly options?: BacktestOptions;
}

export interface BacktestOptions {
  readonly format?: string;
  readonly mapping?: readonly MonitorMapping[];
  readonly roles?: MonitorRoles;
}

export interface BacktestDifference {
  readonly runs: number;
  readonly stopped: number;
  readonly released: number;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changes: readonly BacktestChange[];
}

export interface BacktestChange {
  readonly trace: string;
  readonly number: number;
  readonly name?: string;
  readonly before: string;
  readonly after: string;
  readonly rules: readonly BacktestRuleChange[];
}

export interface BacktestRuleChange {
  readonly name: string;
  readonly before: string;
  readonly after: string;
  readonly reason?: string;
  readonly line?: number;
  readonly tool?: string;
}

export interface TraceLinesParams {
  readonly text: string;
}

export interface TraceLinesResult {
  readonly runs: boolean;
}

export interface TraceMatrixParams {
  readonly files: readonly File[];
  readonly traces: readonly BacktestPart[];
  readonly options?: BacktestOptions;
  readonly matrix?: BacktestMatrix;
}

export interface BacktestMatrix {
  readonly rules: readonly BacktestRow[];
  readonly runs: readonly BacktestCounted[];
  readonly tools: readonly BacktestCalled[];
}

export interface BacktestRow {
  readonly rule: BacktestRule;
  readonly outcomes: readonly BacktestCounted[];
  readonly tools: readonly BacktestCounted[];
  readonly agents: readonly BacktestCounted[];
  readonly examples: readonly BacktestExample[];
}

export interface BacktestRule {
  readonly name: string;
  readonly kind: string;
  readonly file: string;
  readonly line: number;
}

export interface BacktestCounted {
  readonly name: string;
  readonly number: number;
}

export interface BacktestExample {
  readonly trace: string;
  readonly number: number;
  readonly cell: BacktestCell;
}

export interface BacktestCell {
  readonly outcome: string;
  readonly reason?: string;
  readonly line?: number;
  readonly tool?: string;
  readonly agent?: string;
  readonly part?: string;
  readonly near?: readonly number[];
}

export interface BacktestCalled {
  readonly name: string;
  readonly calls: number;
  readonly runs: number;
  readonly named: boolean;
}

export interface TraceMatrixResult {
  readonly runs: readonly BacktestRun[];
  readonly matrix: BacktestMatrix | null;
  readonly passes: boolean;
}

export interface BacktestRun {
  readonly trace: string;
  readonly number: number;
  readonly name?: string;
  readonly line: number;
  readonly outcome: string;
  readonly reason?: string;
  readonly cells: readonly BacktestCell[];
  readonly calls: readonly BacktestCounted[];
}

export interface TraceReadParams {
  readonly text: string;
  readonly name?: string;
  readonly map?: string;
}

export interface TraceReadResult {
  readonly format: string;
  readonly runs: readonly TraceReadRun[];
  readonly unread: readonly TraceUnread[];
  readonly moreUnread?: number;
  readonly diagnostics: readonly Diagnostic[];
}

export interface TraceReadRun {
  readonly events: unknown;
}

export interface TravelCheckParams {
  readonly data: readonly string[];
  readonly query: TravelQuery;
  readonly plan: string;
  readonly released?: boolean;
}

export interface TravelQuery {
  readonly org: string;
  readonly dest: string;
  readonly days: number;
  readonly visiting_city_number: number;
  readonly date: readonly string[];
  readonly people_number: number;
  readonly local_constraint: TravelWishes;
  readonly budget: number;
  readonly query?: string;
  readonly level?: string;
}

export interface TravelWishes {
  readonly "house rule": string;
  readonly cuisine: readonly string[];
  readonly "room type": string;
  readonly transportation: string;
}

export interface TravelCheckResult {
  readonly days: readonly TravelDay[];
  readonly text: string;
  readonly json: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly report: TravelReport;
}

export interface TravelDay {
  readonly current_city: string;
  readonly transportation: string;
  readonly breakfast: string;
  readonly attraction: string;
  readonly lunch: string;
  readonly dinner: string;
  readonly accommodation: string;
}

export interface TravelReport {
  readonly delivered: boolean;
  readonly commonsense: readonly TravelCheck[];
  readonly hard: readonly TravelCheck[];
  readonly gated: boolean;
  readonly cost: TravelCost;
  readonly commonsensePass: boolean;
  readonly hardPass: boolean;
  readonly final: boolean;
}

export interface TravelCheck {
  readonly constraint: string;
  readonly verdict: string;
  readonly asked: boolean;
  readonly reason: string;
  readonly faults: readonly TravelFault[];
}

export interface TravelFault {
  readonly day: number;
  readonly field: string;
  readonly message: string;
}

export interface TravelCost {
  readonly total: number;
  readonly sums: readonly TravelCostSum[];
  readonly lines: readonly TravelCostLine[];
  readonly unknown: readonly TravelFault[];
}

export interface TravelCostSum {
  readonly kind: string;
  readonly amount: number;
}

export interface TravelCostLine {
  readonly day: number;
  readonly field: string;
  readonly kind: string;
  readonly name: string;
  readonly price: number;
  readonly pieces: number;
  readonly amount: number;
}

export interface TravelDataParams {
  readonly data: readonly string[];
}

export interface TravelDataResult {
  readonly cities: readonly string[];
  readonly recorded: readonly string[];
  readonly states: readonly string[];
  readonly houseRules: readonly string[];
  readonly roomTypes: readonly string[];
  readonly cuisines: readonly string[];
  readonly transports: readonly string[];
  readonly tools: readonly BenchmarkTool[];
}

export interface TravelFlowParams {
  readonly data: readonly string[];
  readonly query: TravelQuery;
  readonly tools: string;
}

export interface TravelFlowResult {
  readonly files: readonly File[];
  readonly name: string;
  readonly task: string;
}

export interface TravelPlanParams {
  readonly data: readonly string[];
  readonly query: TravelQuery;
  readonly plan: string;
}

export interface TravelItineraryResult {
  readonly itinerary: TravelItinerary;
  readonly diagnostics: readonly Diagnostic[];
}

export interface TravelItinerary {
  readonly days: readonly TravelOuting[];
  readonly timeline: readonly TravelMoment[];
  readonly cost: TravelCost;
  readonly budget: number;
  readonly left: number;
}

export interface TravelOuting {
  readonly day: number;
  readonly date: string;
  readonly city: string;
  readonly cities: readonly string[];
  readonly leg?: TravelLeg;
  readonly meals: readonly TravelMeal[];
  readonly attractions: readonly TravelSight[];
  readonly night?: TravelNight;
  readonly cost: number;
}

export interface TravelLeg {
  readonly text: string;
  readonly known: boolean;
  readonly mode: string;
  readonly number?: string;
  readonly from: string;
  readonly to: string;
  readonly departs?: string;
  readonly arrives?: string;
  readonly duration?: string;
  readonly kilometres?: number;
  readonly cost: number;
}

export interface TravelMeal {
  readonly slot: string;
  readonly text: string;
  readonly known: boolean;
  readonly name: string;
  readonly city: string;
  readonly cuisines: readonly string[];
  readonly rating: number;
  readonly cost: number;
}

export interface TravelSight {
  readonly text: string;
  readonly known: boolean;
  readonly name: string;
  readonly city: string;
  readonly address?: string;
}

export interface TravelNight {
  readonly text: string;
  readonly known: boolean;
  readonly name: string;
  readonly city: string;
  readonly type: string;
  readonly rules: readonly string[];
  readonly least: number;
  readonly night: number;
  readonly of: number;
  readonly rooms: number;
  readonly cost: number;
}

export interface TravelMoment {
  readonly day: number;
  readonly kind: string;
  readonly label: string;
  readonly city: string;
  readonly start: number;
  readonly end: number;
  readonly minutes: number;
  readonly known: boolean;
  readonly cost: number;
}

export interface TravelScoreParams {
  readonly data: readonly string[];
  readonly trips: readonly TravelTrip[];
  readonly released?: boolean;
}

export interface TravelTrip {
  readonly query: TravelQuery;
  readonly plan: string;
}

export interface TravelScoreResult {
  readonly scores: TravelScores;
  readonly reports: readonly TravelReport[];
}

export interface TravelScores {
  readonly delivery: BenchRate;
  readonly commonsenseMicro: BenchRate;
  readonly commonsenseMacro: BenchRate;
  readonly hardMicro: BenchRate;
  readonly hardMacro: BenchRate;
  readonly final: BenchRate;
  readonly constraints: readonly TravelScoreOfRule[];
}

export interface TravelScoreOfRule {
  readonly constraint: string;
  readonly rate: BenchRate;
}

export interface TravelSearchParams {
  readonly data: readonly string[];
  readonly tool: string;
  readonly arguments: unknown;
}

export interface TravelSearchResult {
  readonly text: string;
  readonly left: number;
  readonly code: string;
}

export interface WorkspaceExportParams {
  readonly files: readonly File[];
}

export interface WorkspaceExportResult {
  readonly archive: string;
}

export interface WorkspaceImportParams {
  readonly name: string;
  readonly base64: string;
}

export interface WorkspaceImportResult {
  readonly files: readonly File[];
  readonly main: string;
}

export interface PlanOfferEvent {
  readonly kind: "plan.offer";
  readonly offer: number;
  readonly at: number;
  readonly step: number;
  readonly item: string;
  readonly question: boolean;
  readonly for: string;
  readonly reason: string;
  readonly prompt: string;
  readonly many: boolean;
  readonly choices: readonly PlanChoice[];
  readonly withheld: readonly PlanWithheld[];
  readonly stack: readonly string[];
  readonly word: readonly string[];
}

export interface PlanChoice {
  readonly n: number;
  readonly symbol: string;
  readonly label: string;
  readonly pushes: readonly string[];
}

export interface PlanWithheld {
  readonly symbol: string;
  readonly label: string;
  readonly why: string;
  readonly reason: string;
}

export interface PlanReplyEvent {
  readonly kind: "plan.reply";
  readonly offer: number;
  readonly step: number;
  readonly attempt: number;
  readonly text: string;
  readonly choice: number;
  readonly chosen: readonly number[];
  readonly how: string;
  readonly fault?: string;
  readonly calls: number;
  readonly tokens: number;
  readonly money: number;
}

export interface PlanTakeEvent {
  readonly kind: "plan.take";
  readonly step: number;
  readonly offer: number;
  readonly n: number;
  readonly label: string;
  readonly symbol: string;
  readonly by: string;
  readonly stack: readonly string[];
  readonly word: readonly string[];
  readonly grows: readonly PlanGrowth[];
}

export interface PlanGrowth {
  readonly node: number;
  readonly label?: string;
  readonly children: readonly PlanLeaf[];
}

export interface PlanLeaf {
  readonly id: number;
  readonly symbol: string;
  readonly label: string;
  readonly terminal: boolean;
}

export interface PlanScoreEvent {
  readonly kind: "plan.score";
  readonly round: number;
  readonly prefix: number;
  readonly reason: string;
  readonly prompt: string;
  readonly attempt: number;
  readonly text: string;
  readonly how: string;
  readonly fault?: string;
  readonly choices: readonly PlanScored[];
  readonly calls: number;
  readonly tokens: number;
  readonly money: number;
}

export interface PlanScored {
  readonly n: number;
  readonly label: string;
  readonly probability: number;
}

export interface PlanBeamEvent {
  readonly kind: "plan.beam";
  readonly round: number;
  readonly kept: readonly PlanBeamPrefix[];
  readonly dropped: readonly PlanBeamPrefix[];
  readonly omitted: number;
}

export interface PlanBeamPrefix {
  readonly prefix: number;
  readonly parent: number;
  readonly label: string;
  readonly word: readonly string[];
  readonly score: number;
  readonly done: boolean;
}

export interface PlanDeltaEvent {
  readonly kind: "plan.delta";
  readonly offer: number;
  readonly attempt: number;
  readonly text: string;
}

export interface PlanBackEvent {
  readonly kind: "plan.back";
  readonly word: readonly string[];
  readonly choices: number;
  readonly why: string;
  readonly nodes: number;
}

export interface PlanExecEvent {
  readonly kind: "plan.exec";
  readonly n: number;
  readonly symbol: string;
  readonly text: string;
  readonly inputs: readonly string[];
  readonly state: string;
  readonly output?: string;
  readonly fault?: string;
}

export interface PlanDone {
  readonly kind: "plan.done";
  readonly plan: Plan;
  readonly treeDrawing?: Drawing;
}

export interface Plan {
  readonly word: readonly string[];
  readonly function: string;
  readonly steps: readonly PlanStep[];
  readonly tree?: PlanNode;
  readonly end?: PlanEnd;
  readonly choices: number;
  readonly calls: number;
  readonly usage: LlmUsage;
  readonly money?: number;
  readonly seconds?: number;
  readonly forced: number;
  readonly otherwise?: number;
  readonly deadEnds: number;
  readonly backtracks: number;
  readonly executed?: number;
  readonly failed?: number;
  readonly result?: ToolValue;
  readonly met?: boolean;
  readonly lacks?: string;
  readonly rules?: readonly EnforceReport[];
}

export interface PlanNode {
  readonly symbol: string;
  readonly label: string;
  readonly terminal: boolean;
  readonly children?: readonly PlanNode[];
}

export interface PlanEnd {
  readonly name: string;
  readonly text: string;
  readonly good: boolean;
}

export interface LlmUsage {
  readonly prompt: number;
  readonly completion: number;
}

export interface ToolValue {
  readonly type: string;
  readonly text: string;
  readonly marks?: readonly string[];
  readonly sums?: readonly ToolSum[];
}

export interface ToolSum {
  readonly name: string;
  readonly amount: number;
}

export interface EnforceReport {
  readonly name: string;
  readonly verdict: string;
  readonly reason?: string;
  readonly denied: number;
  readonly violations?: number;
}

export interface AskDelta {
  readonly kind: "ask.delta";
  readonly text: string;
}

export interface EnforceEvent {
  readonly kind: "rules.event";
  readonly sample?: number;
  readonly event: RulesRawEvent;
  readonly denied?: boolean;
  readonly rules?: readonly string[];
  readonly reason?: string;
  readonly allowed?: readonly string[];
}

export interface LlmRetryEvent {
  readonly kind: "llm.retry";
  readonly endpoint: string;
  readonly attempt: number;
  readonly milliseconds: number;
  readonly why: string;
}

export interface LlmThoughtEvent {
  readonly kind: "llm.thought";
  readonly endpoint: string;
  readonly sample?: number;
  readonly text: string;
  readonly tokens: number;
  readonly more?: boolean;
  readonly withdrawn?: boolean;
}

export interface LlmSpentEvent {
  readonly kind: "llm.spent";
  readonly calls: number;
  readonly tokens: number;
  readonly money: number;
}

export interface LlmProbeEvent {
  readonly kind: "probe.step";
  readonly name: string;
  readonly state: string;
  readonly message: string;
  readonly fix?: string;
}

export interface MonitorCallEvent {
  readonly kind: "monitor.call";
  readonly sample?: number;
  readonly call: number;
  readonly length: number;
  readonly stop: readonly string[];
}

export interface MonitorDeltaEvent {
  readonly kind: "monitor.delta";
  readonly sample?: number;
  readonly text: string;
}

export interface MonitorSegmentEvent {
  readonly kind: "monitor.segment";
  readonly sample?: number;
  readonly index: number;
  readonly state: string;
  readonly text: string;
  readonly source: string;
}

export interface MonitorViolationEvent {
  readonly kind: "monitor.violation";
  readonly sample?: number;
  readonly index: number;
  readonly state: string;
  readonly reason: string;
  readonly allowed: readonly string[];
  readonly discarded: string;
}

export interface MonitorCorrectionEvent {
  readonly kind: "monitor.correction";
  readonly sample?: number;
  readonly text: string;
  readonly allowed: readonly string[];
  readonly forced: boolean;
}

export interface MonitorToolEvent {
  readonly kind: "monitor.tool";
  readonly sample?: number;
  readonly state: string;
  readonly label?: string;
  readonly call?: number;
  readonly tool: string;
  readonly input: string;
  readonly output: string;
  readonly fault?: string;
}

export interface MonitorSideEvent {
  readonly kind: "monitor.side";
  readonly sample?: number;
  readonly state: string;
  readonly way: string;
  readonly prompt: string;
  readonly text: string;
}

export interface MonitorKeepEvent {
  readonly kind: "monitor.keep";
  readonly sample?: number;
  readonly state: string;
  readonly kept: string;
  readonly how: string;
  readonly reason: string;
  readonly summary: number;
  readonly results: number;
}

export interface MonitorSampleEvent {
  readonly kind: "monitor.sample";
  readonly sample: number;
  readonly agent: string;
  readonly answer: string;
  readonly fault?: string;
}

export interface MonitorDoneEvent {
  readonly kind: "monitor.done";
  readonly transcript: MonitorTranscript;
}

export interface MonitorTranscript {
  readonly agent?: string;
  readonly segments: readonly MonitorSegment[];
  readonly verdict: string;
  readonly text: string;
  readonly answer: string;
  readonly refusal?: boolean;
  readonly stats: MonitorStats;
  readonly samples?: readonly MonitorSample[];
  readonly votes?: readonly MonitorVote[];
  readonly tied?: number;
  readonly fellBack?: boolean;
  readonly properties?: readonly MonitorProperty[];
  readonly rules?: readonly EnforceReport[];
}

export interface MonitorSegment {
  readonly state: string;
  readonly text: string;
  readonly cut?: boolean;
}

export interface MonitorStats {
  readonly calls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly tokensKept: number;
  readonly tokensDiscarded: number;
  readonly tokensRegenerated: number;
  readonly tokensGiven: number;
  readonly violations: number;
  readonly corrections: number;
  readonly forced: number;
  readonly toolCalls: number;
  readonly sideCalls: number;
  readonly sideTokens: number;
  readonly cost: MonitorCost;
}

export interface MonitorCost {
  readonly prompt: number;
  readonly completion: number;
  readonly eagerCalls: number;
  readonly eagerPrompt: number;
  readonly eagerCompletion: number;
}

export interface MonitorSample {
  readonly agent: string;
  readonly answer: string;
  readonly segments: readonly MonitorSegment[];
  readonly stats: MonitorStats;
  readonly fault?: string;
}

export interface MonitorVote {
  readonly answer: string;
  readonly count: number;
}

export interface MonitorProperty {
  readonly name: string;
  readonly holds: boolean;
  readonly reason?: string;
  readonly fault?: string;
}

export interface PlanBaselinePrompt {
  readonly kind: "baseline.prompt";
  readonly method: string;
  readonly prompt: string;
}

export interface PlanBaselineDelta {
  readonly kind: "baseline.delta";
  readonly text: string;
}

export interface BaselineDone {
  readonly kind: "baseline.done";
  readonly method: string;
  readonly text: string;
  readonly check: PlanCheckResult;
  readonly calls: number;
  readonly tokens: number;
  readonly milliseconds: number;
  readonly money: number;
  readonly enforced?: boolean;
  readonly refusal?: boolean;
}

export interface PlanCompareEvent {
  readonly kind: "compare.row";
  readonly row: PlanCompareRow;
  readonly try: number;
  readonly text: string;
  readonly valid: boolean;
  readonly fault?: string;
  readonly function?: string;
  readonly enforced?: boolean;
  readonly refusal?: boolean;
}

export interface PlanCompareRow {
  readonly method: string;
  readonly plans: number;
  readonly valid: number;
  readonly calls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly milliseconds: number;
  readonly money: number;
  readonly simulated?: boolean;
  readonly randomShots?: boolean;
  readonly refused?: number;
}

export interface PlanCompareResult {
  readonly kind: "compare.done";
  readonly rows: readonly PlanCompareRow[];
  readonly markdown: string;
}

export interface PlanDraftPrompt {
  readonly kind: "draft.prompt";
  readonly round: number;
  readonly prompt: string;
}

export interface PlanDraftDelta {
  readonly kind: "draft.delta";
  readonly round: number;
  readonly text: string;
}

export interface PlanDraftRound {
  readonly kind: "draft.round";
  readonly round: number;
  readonly files: readonly PlanDraftFile[];
  readonly problems: readonly string[];
}

export interface PlanDraftFile {
  readonly name: string;
  readonly text: string;
}

export interface PlanDraftResult {
  readonly kind: "draft.done";
  readonly files: readonly PlanDraftFile[];
  readonly problems: readonly string[];
  readonly rounds: number;
  readonly clean: boolean;
  readonly calls: number;
  readonly usage: LlmUsage;
  readonly money: number;
}

export interface TeamPromptEvent {
  readonly kind: "team.prompt";
  readonly role: string;
  readonly attempt: number;
  readonly prompt: string;
}

export interface TeamDeltaEvent {
  readonly kind: "team.delta";
  readonly role: string;
  readonly text: string;
}

export interface TeamReplyEvent {
  readonly kind: "team.reply";
  readonly role: string;
  readonly attempt: number;
  readonly text: string;
  readonly faults: readonly string[];
  readonly spent: TeamSpent;
  readonly told: number;
}

export interface TeamSpent {
  readonly calls: number;
  readonly toolCalls: number;
  readonly usage: LlmUsage;
  readonly money: number;
  readonly milliseconds: number;
}

export interface TeamOfferEvent {
  readonly kind: "team.offer";
  readonly at: number;
  readonly graph: TeamGraph;
  readonly faults: readonly string[];
}

export interface TeamGraphEvent {
  readonly kind: "team.graph";
  readonly at: number;
  readonly after: number;
  readonly by: string;
  readonly graph: TeamGraph;
  readonly critical: readonly string[];
  readonly again: readonly string[];
  readonly drawing: Drawing | null;
}

export interface TeamStateEvent {
  readonly kind: "team.state";
  readonly subtask: string;
  readonly state: string;
  readonly at: number;
  readonly after: number;
  readonly told: number;
  readonly executor: string;
  readonly attempt: number;
  readonly task: string;
  readonly text: string;
  readonly reason: string;
  readonly spent: TeamSpent;
}

export interface TeamMessageEvent {
  readonly kind: "team.message";
  readonly from: string;
  readonly to: string;
  readonly text: string;
}

export interface TeamViolationEvent {
  readonly kind: "team.violation";
  readonly violation: TeamViolation;
}

export interface TeamViolation {
  readonly constraint: string;
  readonly reason: string;
  readonly subtask: string;
  readonly local: boolean;
}

export interface TeamDoneEvent {
  readonly kind: "team.done";
  readonly result: TeamResult;
}

export interface TeamResult {
  readonly method: string;
  readonly answer: string;
  readonly valid: boolean;
  readonly graph?: TeamGraph;
  readonly subtasks: readonly TeamDone[];
  readonly violations: readonly TeamViolation[];
  readonly critical: readonly string[];
  readonly spent: TeamSpent;
  readonly trace: readonly TeamEvent[];
  readonly rules?: readonly EnforceReport[];
  readonly refusal?: boolean;
}

export interface TeamDone {
  readonly subtask: string;
  readonly state: string;
  readonly executor: string;
  readonly task: string;
  readonly text: string;
  readonly reason: string;
  readonly attempts: number;
  readonly spent: TeamSpent;
}

export interface TeamEvent {
  readonly kind: string;
  readonly subtask?: string;
  readonly executor?: string;
  readonly tool?: string;
  readonly instead?: readonly string[];
}

export interface BenchmarkEvent {
  readonly kind: "benchmark.row";
  readonly row: BenchmarkRow;
  readonly task: number;
  readonly title: string;
  readonly pass: boolean;
  readonly said: string;
  readonly answer: string;
}

export interface BenchmarkRow {
  readonly method: string;
  readonly tasks: number;
  readonly scores: readonly BenchmarkScore[];
  readonly calls: number;
  readonly toolCalls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly milliseconds: number;
  readonly money: number;
  readonly simulated?: boolean;
}

export interface BenchmarkScore {
  readonly name: string;
  readonly value: number;
  readonly share: boolean;
  readonly of?: string;
  readonly count?: number;
  readonly total?: number;
}

export interface BenchmarkDone {
  readonly kind: "benchmark.done";
  readonly rows: readonly BenchmarkRow[];
  readonly tasks: readonly BenchmarkTask[];
}

export interface BenchmarkTask {
  readonly method: string;
  readonly task: number;
  readonly pass: boolean;
  readonly said: string;
  readonly asked: readonly string[];
  readonly failed: readonly string[];
}

export interface FormulateStageEvent {
  readonly kind: "formulate.stage";
  readonly stage: string;
  readonly state: string;
  readonly round: number;
  readonly attempt: number;
  readonly at: number;
  readonly reason: string;
  readonly spent: FormulateSpent;
}

export interface FormulateSpent {
  readonly calls: number;
  readonly usage: LlmUsage;
  readonly money: number;
  readonly milliseconds: number;
  readonly solving: number;
  readonly solves: number;
}

export interface FormulatePromptEvent {
  readonly kind: "formulate.prompt";
  readonly stage: string;
  readonly round: number;
  readonly attempt: number;
  readonly prompt: string;
}

export interface FormulateDeltaEvent {
  readonly kind: "formulate.delta";
  readonly stage: string;
  readonly text: string;
}

export interface FormulateReplyEvent {
  readonly kind: "formulate.reply";
  readonly stage: string;
  readonly round: number;
  readonly attempt: number;
  readonly text: string;
  readonly faults: readonly string[];
  readonly spent: FormulateSpent;
}

export interface FormulateProductEvent {
  readonly kind: "formulate.product";
  readonly stage: string;
  readonly round: number;
  readonly name: string;
  readonly text: string;
  readonly before: string;
  readonly by: string;
}

export interface FormulateOfferEvent {
  readonly kind: "formulate.offer";
  readonly stage: string;
  readonly name: string;
  readonly at: number;
  readonly text: string;
  readonly faults: readonly string[];
}

export interface FormulateSolveEvent {
  readonly kind: "formulate.solve";
  readonly round: number;
  readonly attempt: number;
  readonly purpose: string;
  readonly horizon: number;
  readonly solver: string;
  readonly bytes: number;
  readonly result?: SolveResult;
}

export interface FormulateFindingEvent {
  readonly kind: "formulate.finding";
  readonly round: number;
  readonly finding: FormulateFinding;
}

export interface FormulateFinding {
  readonly mistake: string;
  readonly stage: string;
  readonly certain: boolean;
  readonly message: string;
  readonly round: number;
  readonly file?: string;
  readonly line?: number;
}

export interface FormulateAssessEvent {
  readonly kind: "formulate.assess";
  readonly round: number;
  readonly ratings: readonly FormulateRating[];
  readonly wrong: string;
}

export interface FormulateRating {
  readonly stage: string;
  readonly right: boolean;
  readonly reason: string;
  readonly how: string;
  readonly by: string;
  readonly instead: string;
}

export interface FormulateDoneEvent {
  readonly kind: "formulate.done";
  readonly result: FormulateResult;
}

export interface FormulateResult {
  readonly method: string;
  readonly notation: string;
  readonly status: string;
  readonly noPlan?: boolean;
  readonly message: string;
  readonly ask: string;
  readonly askBy: string;
  readonly answer: unknown;
  readonly objective: string;
  readonly solution?: SolveResult;
  readonly families: readonly SolveFamily[];
  readonly steps?: FormulateSteps;
  readonly verdicts: readonly FormulateVerdict[];
  readonly base?: FormulateComparison;
  readonly findings: readonly FormulateFinding[];
  readonly mended: readonly FormulateFinding[];
  readonly checks: readonly FormulateCheck[];
  readonly rounds: number;
  readonly assessed: boolean;
  readonly stages: readonly FormulateStageSpent[];
  readonly products: readonly FormulateProduct[];
  readonly spent: FormulateSpent;
}

export interface FormulateSteps {
  readonly plan: readonly string[];
  readonly states: readonly FormulateState[];
  readonly tried: readonly FormulateTried[];
  readonly least: number;
  readonly optimal: boolean;
  readonly cost?: number;
  readonly cheapest?: boolean;
  readonly largest?: boolean;
  readonly searched?: number;
}

export interface FormulateTried {
  readonly steps: number;
  readonly status: string;
  readonly milliseconds: number;
}

export interface FormulateVerdict {
  readonly constraint: string;
  readonly holds: boolean;
  readonly reason: string;
  readonly by: string;
}

export interface FormulateComparison {
  readonly status: string;
  readonly objective: string;
  readonly changed: readonly FormulateChange[];
}

export interface FormulateChange {
  readonly name: string;
  readonly base: string;
  readonly now: string;
}

export interface FormulateStageSpent {
  readonly stage: string;
  readonly runs: number;
  readonly spent: FormulateSpent;
}

export interface FormulateProduct {
  readonly name: string;
  readonly text: string;
}

export interface StepsTriedEvent {
  readonly kind: "steps.tried";
  readonly bytes: number;
  readonly tried: FormulateTried;
}

export interface ProveTriedEvent {
  readonly kind: "prove.tried";
  readonly question: string;
  readonly rule?: string;
  readonly tool?: string;
  readonly tried: RulesProveTried;
}

export interface RulesProveTried {
  readonly events: number;
  readonly status: string;
  readonly milliseconds: number;
  readonly bytes: number;
}

export interface ProveAnswerEvent {
  readonly kind: "prove.answer";
  readonly answer: ProveAnswer;
}

export interface ProveAnswer {
  readonly question: string;
  readonly rule?: string;
  readonly tool?: string;
  readonly good: boolean;
  readonly text: string;
  readonly lines: readonly string[];
  readonly answer: RulesProveAnswer;
}

export interface RulesProveAnswer {
  readonly status: string;
  readonly upTo: number;
  readonly exact: boolean;
  readonly events: readonly RulesRawEvent[];
  readonly message: string;
  readonly tried: readonly RulesProveTried[];
}

export interface LearnEpochEvent {
  readonly kind: "learn.epoch";
  readonly seed: number;
  readonly with: boolean;
  readonly epoch: number;
  readonly plans: number;
  readonly valid: number;
  readonly reward: number;
  readonly soFar: LearnPoint;
  readonly done: number;
  readonly of: number;
}

export interface LearnPoint {
  readonly epoch: number;
  readonly valid: LearnInterval;
  readonly reward: LearnInterval;
}

export interface LearnInterval {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

export interface LearnResult {
  readonly kind: "learn.done";
  readonly simulated: boolean;
  readonly tasks: number;
  readonly seeds: number;
  readonly epochs: number;
  readonly arms: readonly LearnArm[];
  readonly claim?: LearnClaim;
  readonly controls?: readonly LearnControl[];
  readonly trajectories: readonly LearnTrajectory[];
}

export interface LearnArm {
  readonly with: boolean;
  readonly points: readonly LearnPoint[];
  readonly groups: readonly LearnGroup[];
  readonly plans: number;
  readonly valid: number;
}

export interface LearnGroup {
  readonly kind: string;
  readonly tasks: number;
  readonly valid: LearnInterval;
  readonly reward: LearnInterval;
}

export interface LearnClaim {
  readonly allValid: boolean;
  readonly difference: LearnInterval;
  readonly higher: boolean;
  readonly training?: LearnTraining;
  readonly holds: boolean;
}

export interface LearnTraining {
  readonly difference: LearnInterval;
  readonly tasks: number;
  readonly split: boolean;
  readonly higher: boolean;
  readonly lower: boolean;
}

export interface LearnControl {
  readonly trained: string;
  readonly with: boolean;
  readonly valid: LearnInterval;
  readonly reward: LearnInterval;
  readonly score: LearnInterval;
}

export interface LabCellEvent {
  readonly kind: "lab.cell";
  readonly cell: number;
  readonly of: number;
  readonly known: boolean;
  readonly outcome: LabOutcome;
}

export interface LabTableEvent {
  readonly kind: "lab.table";
  readonly table: LabTable;
  readonly spent: LabSpent;
  readonly stopped: string;
}

export interface LabSpent {
  readonly cells: number;
  readonly calls: number;
  readonly tokens: number;
  readonly money: number;
}

export interface AskSettings {
  readonly model: LlmSpec;
  readonly messages: readonly LlmMessage[];
  readonly prefix?: string;
  readonly stop?: readonly string[];
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly tools?: readonly LlmTool[];
  readonly toolChoice?: string;
  readonly topLogprobs?: number;
  readonly constraint?: LlmConstraint;
  readonly stopAfter?: number;
}

export interface LlmMessage {
  readonly role: string;
  readonly content: string;
  readonly toolCalls?: readonly LlmToolCall[];
  readonly toolCallId?: string;
  readonly opaque?: LlmOpaque;
}

export interface LlmToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  readonly opaque?: LlmOpaqueCall;
}

export interface LlmOpaqueCall {
  readonly extraContent?: unknown;
  readonly thoughtSignature?: unknown;
}

export interface LlmOpaque {
  readonly reasoningContent?: string;
  readonly reasoningDetails?: unknown;
  readonly content?: unknown;
}

export interface LlmTool {
  readonly name: string;
  readonly description?: string;
  readonly parameters?: unknown;
}

export interface LlmConstraint {
  readonly choices?: readonly string[];
  readonly schema?: unknown;
  readonly regex?: string;
  readonly grammar?: string;
  readonly lark?: string;
}

export interface PlanBaselineSettings {
  readonly task?: string;
  readonly limits?: Limits;
  readonly model: LlmSpec;
  readonly method?: string;
  readonly shots?: readonly PlanBaselineShot[];
  readonly template?: string;
  readonly without?: readonly string[];
  readonly maxTokens?: number;
  readonly temperature?: number;
}

export interface PlanBaselineShot {
  readonly task: string;
  readonly steps: readonly string[];
}

export interface BenchmarkSettings {
  readonly methods?: readonly string[];
  readonly tasks?: readonly number[];
  readonly hints?: readonly string[];
  readonly wording?: string;
  readonly bare?: boolean;
  readonly steps?: number;
  readonly passed?: boolean;
  readonly model?: LlmSpec;
  readonly slips?: number;
  readonly budget?: MeterBudget;
}

export interface PlanCompareSettings {
  readonly task?: string;
  readonly limits?: Limits;
  readonly model: LlmSpec;
  readonly methods?: readonly string[];
  readonly tries?: number;
  readonly shots?: readonly PlanBaselineShot[];
  readonly solved?: boolean;
  readonly attempts?: number;
  readonly wording?: string;
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly without?: readonly string[];
}

export interface ContractsSettings {
  readonly server: string;
}

export interface PlanDraftSettings {
  readonly description: string;
  readonly languages?: readonly string[];
  readonly examples?: PlanDraftExamples;
  readonly files?: readonly PlanDraftFile[];
  readonly model: LlmSpec;
  readonly rounds?: number;
  readonly template?: string;
  readonly maxTokens?: number;
  readonly temperature?: number;
}

export interface PlanDraftExamples {
  readonly pass?: readonly string[];
  readonly fail?: readonly string[];
}

export interface FormulateSettings {
  readonly query?: string;
  readonly ask?: string;
  readonly askBack?: boolean;
  readonly method?: string;
  readonly notation?: string;
  readonly model: LlmSpec;
  readonly models?: { readonly [key: string]: LlmSpec };
  readonly from?: string;
  readonly without?: readonly string[];
  readonly rounds?: number;
  readonly regenerations?: number;
  readonly approve?: boolean;
  readonly example?: boolean;
  readonly horizon?: number;
  readonly limits?: SolveLimits;
  readonly mistakes?: readonly string[];
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly templates?: FormulateTemplates;
  readonly wording?: string;
  readonly budget?: MeterBudget;
}

export interface LearnSettings {
  readonly tasks?: readonly number[];
  readonly test?: readonly number[];
  readonly epochs?: number;
  readonly batch?: number;
  readonly rate?: number;
  readonly seeds?: number;
  readonly automaton?: string;
  readonly prior?: number;
  readonly controls?: boolean;
  readonly samples?: number;
}

export interface MonitorSettings {
  readonly question?: string;
  readonly model: LlmSpec;
  readonly environment?: string;
  readonly forced?: boolean;
  readonly eager?: boolean;
  readonly maxSteps?: number;
  readonly maxLoops?: number;
  readonly maxCorrections?: number;
  readonly maxTokens?: number;
  readonly chunk?: number;
  readonly temperature?: number;
  readonly budget?: MeterBudget;
  readonly template?: string;
  readonly reference?: string;
  readonly evaluator?: string;
  readonly keep?: string;
  readonly alpha?: number;
  readonly roles?: MonitorRoles;
  readonly rehearsal?: MonitorRehearsal;
  readonly surface?: string;
  readonly mapping?: readonly MonitorMapping[];
  readonly aliases?: readonly MonitorAlias[];
  readonly markdown?: boolean;
  readonly samples?: number;
  readonly then?: string;
  readonly without?: readonly string[];
  readonly rules?: string;
  readonly rulesObserved?: boolean;
}

export interface MonitorRehearsal {
  readonly steps: readonly MonitorRehearsedStep[];
  readonly final: string;
  readonly answer: string;
}

export interface MonitorRehearsedStep {
  readonly thought: string;
  readonly tool: string;
  readonly input: string;
  readonly result: string;
}

export interface MonitorAlias {
  readonly state: string;
  readonly text: string;
}

export interface PlanSettings {
  readonly task?: string;
  readonly limits?: Limits;
  readonly model: LlmSpec;
  readonly attempts?: number;
  readonly maxSteps?: number;
  readonly naive?: boolean;
  readonly reading?: string;
  readonly properties?: string;
  readonly without?: readonly string[];
  readonly execute?: boolean;
  readonly inputs?: { readonly [key: string]: ToolValue };
  readonly goal?: ToolGoal;
  readonly take?: readonly PlanTake[];
  readonly changes?: readonly PlanChange[];
  readonly template?: string;
  readonly wording?: string;
  readonly budget?: MeterBudget;
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly otherwise?: string;
  readonly consequences?: boolean;
  readonly rules?: string;
  readonly rulesObserved?: boolean;
  readonly beam?: number;
  readonly score?: string;
}

export interface ToolGoal {
  readonly type: string;
  readonly marks?: readonly string[];
  readonly without?: readonly string[];
  readonly most?: readonly ToolSum[];
}

export interface PlanTake {
  readonly offer: number;
  readonly choice: readonly number[];
}

export interface PlanChange {
  readonly from: number;
  readonly model?: LlmSpec;
  readonly attempts?: number;
  readonly reading?: string;
  readonly template?: string;
}

export interface LlmProbeSettings {
  readonly endpoint: LlmEndpoint;
  readonly origin?: string;
}

export interface ProveSettings {
  readonly source: string;
  readonly question: string;
  readonly rule?: string;
  readonly tool?: string;
  readonly goal?: string;
  readonly other?: string;
  readonly tools?: readonly string[];
  readonly words?: File;
  readonly max?: number;
  readonly spend?: number;
  readonly limits?: SolveLimits;
}

export interface SolveSettings {
  readonly solver?: string;
  readonly text?: string;
  readonly limits?: SolveLimits;
}

export interface StepsSettings {
  readonly from?: number;
  readonly most?: number;
  readonly limits?: SolveLimits;
  readonly properties?: string;
  readonly search?: string;
  readonly without?: readonly string[];
}

export interface TeamSettings {
  readonly task?: string;
  readonly model: LlmSpec;
  readonly models?: { readonly [key: string]: LlmSpec };
  readonly method?: string;
  readonly known?: string;
  readonly hints?: readonly string[];
  readonly graph?: TeamGraph;
  readonly create?: number;
  readonly approve?: boolean;
  readonly changes?: readonly TeamChange[];
  readonly supervisor?: string;
  readonly otherwise?: string;
  readonly environment?: string;
  readonly steps?: number;
  readonly totalSteps?: number;
  readonly retries?: number;
  readonly concurrent?: number;
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly templates?: TeamTemplates;
  readonly wording?: string;
  readonly budget?: MeterBudget;
  readonly without?: readonly string[];
  readonly rules?: string;
  readonly rulesObserved?: boolean;
}

export interface TeamChange {
  readonly after: number;
  readonly told?: number;
  readonly graph: TeamGraph | null;
}

/** The methods of the protocol. */
export interface Methods {
  "agent.aliases": { readonly params: AgentAliasesParams; readonly result: AgentAliasesResult };
  "agent.check": { readonly params: AgentCheckParams; readonly result: AgentCheckResult };
  "agent.compare": { readonly params: AgentCompareParams; readonly result: AgentCompareResult };
  "agent.verdict": { readonly params: AgentVerdictParams; readonly result: AgentVerdictResult };
  "agent.verify": { readonly params: AgentVerifyParams; readonly result: AgentVerifyResult };
  "apibank.call": { readonly params: ApibankCallParams; readonly result: ApibankCallResult };
  "apibank.judge": { readonly params: ApibankJudgeParams; readonly result: ApibankJudgeResult };
  "apibank.score": { readonly params: ApibankScoreParams; readonly result: ApibankScoreResult };
  "apibank.tasks": { readonly params: ApibankTasksParams; readonly result: ApibankTasksResult };
  "apibank.team": { readonly params: ApibankJudgeParams; readonly result: BenchmarkTeamResult };
  "choice.read": { readonly params: ChoiceReadParams; readonly result: ChoiceReadResult };
  "document.analyze": { readonly params: DocumentParams; readonly result: DocumentAnalyzeResult };
  "document.format": { readonly params: DocumentFormatParams; readonly result: DocumentFormatResult };
  "drawing.whole": { readonly params: DrawingWholeParams; readonly result: DrawingWholeResult };
  "endpoint.price": { readonly params: EndpointPriceParams; readonly result: EndpointPriceResult };
  "formula.automaton": { readonly params: FormulaParams; readonly result: FormulaAutomatonResult };
  "formula.explain": { readonly params: FormulaExplainParams; readonly result: FormulaExplainResult };
  "formula.verdict": { readonly params: FormulaVerdictParams; readonly result: FormulaVerdictResult };
  "formulate.defaults": { readonly params: FormulateDefaultsParams; readonly result: FormulateDefaultsResult };
  "grammar.accepts": { readonly params: GrammarAcceptsParams; readonly result: GrammarAcceptsResult };
  "grammar.ambiguity": { readonly params: GrammarAmbiguityParams; readonly result: GrammarAmbiguityResult };
  "grammar.check": { readonly params: GrammarCheckParams; readonly result: GrammarCheckResult };
  "grammar.complete": { readonly params: GrammarCompleteParams; readonly result: GrammarCompleteResult };
  "grammar.count": { readonly params: GrammarCountParams; readonly result: GrammarCountResult };
  "grammar.next": { readonly params: GrammarNextParams; readonly result: GrammarNextResult };
  "grammar.parsing": { readonly params: GrammarParsingParams; readonly result: GrammarParsingResult };
  "grammar.plans": { readonly params: GrammarPlansParams; readonly result: GrammarPlansResult };
  "grammar.railroad": { readonly params: GrammarRailroadParams; readonly result: GrammarRailroadResult };
  "grammar.sample": { readonly params: GrammarSampleParams; readonly result: GrammarSampleResult };
  "grammar.shortest": { readonly params: GrammarShortestParams; readonly result: GrammarShortestResult };
  "grammar.trees": { readonly params: GrammarTreesParams; readonly result: GrammarTreesResult };
  "grammar.verify": { readonly params: GrammarVerifyParams; readonly result: GrammarVerifyResult };
  "guard.check": { readonly params: MonitorCheckParams; readonly result: GuardCheckResult };
  "guard.compile": { readonly params: GuardCompileParams; readonly result: GuardCompileResult };
  "guard.decide": { readonly params: GuardDecideParams; readonly result: GuardDecideResult };
  "guard.end": { readonly params: GuardParams; readonly result: GuardResult };
  "guard.enter": { readonly params: GuardEnterParams; readonly result: GuardResult };
  "guard.open": { readonly params: GuardParams; readonly result: GuardResult };
  "guard.retract": { readonly params: GuardParams; readonly result: GuardResult };
  "infer.ask": { readonly params: InferAskParams; readonly result: InferAskResult };
  "infer.properties": { readonly params: InferPropertiesParams; readonly result: InferPropertiesResult };
  "infer.runs": { readonly params: InferRunsParams; readonly result: InferRunsResult };
  "infer.spec": { readonly params: InferSpecParams; readonly result: InferSpecResult };
  "lab.check": { readonly params: LabCheckParams; readonly result: LabCheckResult };
  "lab.export": { readonly params: LabExportParams; readonly result: LabExportResult };
  "lab.open": { readonly params: LabOpenParams; readonly result: LabOpenResult };
  "lab.tables": { readonly params: LabTablesParams; readonly result: LabTablesResult };
  "language.check": { readonly params: DocumentParams; readonly result: LanguageCheckResult };
  "language.complete": { readonly params: LanguageCompleteParams; readonly result: LanguageCompleteResult };
  "language.find": { readonly params: LanguagePlaceParams; readonly result: LanguageFindResult };
  "language.folds": { readonly params: DocumentFormatParams; readonly result: LanguageFoldsResult };
  "language.hover": { readonly params: LanguagePlaceParams; readonly result: LanguageHoverResult };
  "language.reference": { readonly params: LanguageReferenceParams; readonly result: LanguageReferenceResult };
  "language.rename": { readonly params: LanguageRenameParams; readonly result: LanguageRenameResult };
  "learn.trajectories": { readonly params: LearnTrajectoriesParams; readonly result: LearnTrajectoriesResult };
  "monitor.check": { readonly params: MonitorCheckParams; readonly result: MonitorCheckResult };
  "plan.check": { readonly params: PlanCheckParams; readonly result: PlanCheckResult };
  "problem.files": { readonly params: ProblemFilesParams; readonly result: ProblemFilesResult };
  "problem.judge": { readonly params: ProblemJudgeParams; readonly result: ProblemJudgeResult };
  "problem.tasks": { readonly params: ProblemTasksParams; readonly result: ProblemTasksResult };
  "rules.check": { readonly params: RulesCheckParams; readonly result: RulesCheckResult };
  "rules.trace": { readonly params: RulesTraceParams; readonly result: RulesTraceResult };
  "run.defaults": { readonly params: RunDefaultsParams; readonly result: RunDefaultsResult };
  "run.estimate": { readonly params: RunEstimateParams; readonly result: RunEstimateResult };
  "run.fork": { readonly params: RunForkParams; readonly result: RunStartResult };
  "run.log": { readonly params: RunLogParams; readonly result: RunLogResult };
  "run.resume": { readonly params: RunResumeParams; readonly result: RunResumeResult };
  "run.start": { readonly params: RunStartParams; readonly result: RunStartResult };
  "run.stop": { readonly params: RunParams; readonly result: RunResumeResult };
  "share.decode": { readonly params: ShareDecodeParams; readonly result: ShareDecodeResult };
  "share.encode": { readonly params: ShareEncodeParams; readonly result: ShareEncodeResult };
  "solve.check": { readonly params: SolveCheckParams; readonly result: SolveCheckResult };
  "solve.prepare": { readonly params: SolvePrepareParams; readonly result: SolvePrepareResult };
  "solve.read": { readonly params: SolveReadParams; readonly result: SolveOutcome };
  "spec.compare": { readonly params: SpecCompareParams; readonly result: SpecCompareResult };
  "spec.cost": { readonly params: SpecCostParams; readonly result: SpecCostResult };
  "spec.explain": { readonly params: SpecExplainParams; readonly result: SpecExplainResult };
  "spec.export": { readonly params: SpecExportParams; readonly result: SpecExportResult };
  "spec.import": { readonly params: SpecImportParams; readonly result: SpecImportResult };
  "spec.words": { readonly params: SpecWordsParams; readonly result: SpecWordsResult };
  "step.walk": { readonly params: StepWalkParams; readonly result: StepWalkResult };
  "steps.encode": { readonly params: StepsEncodeParams; readonly result: StepsEncodeResult };
  "steps.validate": { readonly params: StepsValidateParams; readonly result: StepsValidateResult };
  "team.defaults": { readonly params: TeamDefaultsParams; readonly result: TeamDefaultsResult };
  "team.graph": { readonly params: TeamGraphParams; readonly result: TeamGraphResult };
  "tests.add": { readonly params: TestsAddParams; readonly result: TestsAddResult };
  "tests.run": { readonly params: TestsRunParams; readonly result: TestsRunResult };
  "trace.diff": { readonly params: TraceDiffParams; readonly result: BacktestDifference };
  "trace.lines": { readonly params: TraceLinesParams; readonly result: TraceLinesResult };
  "trace.matrix": { readonly params: TraceMatrixParams; readonly result: TraceMatrixResult };
  "trace.read": { readonly params: TraceReadParams; readonly result: TraceReadResult };
  "travel.check": { readonly params: TravelCheckParams; readonly result: TravelCheckResult };
  "travel.data": { readonly params: TravelDataParams; readonly result: TravelDataResult };
  "travel.flow": { readonly params: TravelFlowParams; readonly result: TravelFlowResult };
  "travel.itinerary": { readonly params: TravelPlanParams; readonly result: TravelItineraryResult };
  "travel.score": { readonly params: TravelScoreParams; readonly result: TravelScoreResult };
  "travel.search": { readonly params: TravelSearchParams; readonly result: TravelSearchResult };
  "travel.team": { readonly params: TravelPlanParams; readonly result: BenchmarkTeamResult };
  "workspace.export": { readonly params: WorkspaceExportParams; readonly result: WorkspaceExportResult };
  "workspace.import": { readonly params: WorkspaceImportParams; readonly result: WorkspaceImportResult };
}

/** The settings of each kind of run. */
export interface RunSettings {
  "ask": AskSettings;
  "baseline": PlanBaselineSettings;
  "benchmark": BenchmarkSettings;
  "compare": PlanCompareSettings;
  "contracts": ContractsSettings;
  "draft": PlanDraftSettings;
  "formulate": FormulateSettings;
  "lab": LabSettings;
  "learn": LearnSettings;
  "monitor": MonitorSettings;
  "plan": PlanSettings;
  "probe": LlmProbeSettings;
  "prove": ProveSettings;
  "solve": SolveSettings;
  "steps": StepsSettings;
  "team": TeamSettings;
}

/** An event of a run. Every event also has its number, "seq"; an event of a sub-task has its identifier in "subtask". */
export type RunEvent =
  | PlanOfferEvent
  | PlanReplyEvent
  | PlanTakeEvent
  | PlanScoreEvent
  | PlanBeamEvent
  | PlanDeltaEvent
  | PlanBackEvent
  | PlanExecEvent
  | PlanDone
  | AskDelta
  | EnforceEvent
  | LlmRetryEvent
  | LlmThoughtEvent
  | LlmSpentEvent
  | LlmProbeEvent
  | MonitorCallEvent
  | MonitorDeltaEvent
  | MonitorSegmentEvent
  | MonitorViolationEvent
  | MonitorCorrectionEvent
  | MonitorToolEvent
  | MonitorSideEvent
  | MonitorKeepEvent
  | MonitorSampleEvent
  | MonitorDoneEvent
  | PlanBaselinePrompt
  | PlanBaselineDelta
  | BaselineDone
  | PlanCompareEvent
  | PlanCompareResult
  | PlanDraftPrompt
  | PlanDraftDelta
  | PlanDraftRound
  | PlanDraftResult
  | TeamPromptEvent
  | TeamDeltaEvent
  | TeamReplyEvent
  | TeamOfferEvent
  | TeamGraphEvent
  | TeamStateEvent
  | TeamMessageEvent
  | TeamViolationEvent
  | TeamDoneEvent
  | BenchmarkEvent
  | BenchmarkDone
  | FormulateStageEvent
  | FormulatePromptEvent
  | FormulateDeltaEvent
  | FormulateReplyEvent
  | FormulateProductEvent
  | FormulateOfferEvent
  | FormulateSolveEvent
  | FormulateFindingEvent
  | FormulateAssessEvent
  | FormulateDoneEvent
  | StepsTriedEvent
  | ProveTriedEvent
  | ProveAnswerEvent
  | LearnEpochEvent
  | LearnResult
  | LabCellEvent
  | LabTableEvent;
