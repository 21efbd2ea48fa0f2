/** What starts jobs and flow runs: one row for each kind (docs/checklists/new-trigger-kind.md). */
type Row = Readonly<{
  /** `trigger_kind` of the job that it starts, and of the jobs of the run that it starts [jobs 2.7]. */
  ofJobs: string
  /** Whether it starts flow runs [flows 6.3]. */
  startsRuns: boolean
  /** What scripts see of it: the raw body and the headers of its request [jobs 11.3], or other facts [jobs 4.1]. @default nothing */
  passes?: 'request' | 'facts'
}>

const TRIGGERS = {
  api: { ofJobs: 'api', startsRuns: true },
  webhook: { ofJobs: 'webhook', startsRuns: true, passes: 'request' },
  schedule: { ofJobs: 'schedule', startsRuns: true, passes: 'facts' },
  job: { ofJobs: 'job', startsRuns: true },
  function: { ofJobs: 'function', startsRuns: true },
  event: { ofJobs: 'event', startsRuns: true, passes: 'facts' },
  public: { ofJobs: 'public', startsRuns: true },
  subflow: { ofJobs: 'flow', startsRuns: true },
  error_handler: { ofJobs: 'error_handler', startsRuns: false },
} as const satisfies Readonly<Record<string, Row>>

type Triggers = typeof TRIGGERS
type Kind = keyof Triggers

/** What started a job. */
export type TriggerKind = Triggers[Kind]['ofJobs']
/** What started a flow run. */
export type FlowTriggerKind = {
  [K in Kind]: Triggers[K]['startsRuns'] extends true ? K : never
}[Kind]

const ROWS: ReadonlyMap<string, Row> = new Map(Object.entries(TRIGGERS))
const startsRuns = (kind: string): kind is FlowTriggerKind => ROWS.get(kind)?.startsRuns ?? false

export const TRIGGER_KINDS: readonly TriggerKind[] = Object.values(TRIGGERS).map(
  ({ ofJobs }) => ofJobs,
)
export const FLOW_TRIGGER_KINDS: readonly FlowTriggerKind[] = [...ROWS.keys()].filter(startsRuns)

const KNOWN: ReadonlySet<string> = new Set(TRIGGER_KINDS)
const isKnown = (text: string): text is TriggerKind => KNOWN.has(text)

/** Reads a stored kind. One that a newer svc added is `api`, because older nodes run its jobs as well [wire 9.6]. */
export const readTriggerKind = (text: string): TriggerKind => (isKnown(text) ? text : 'api')

/** The trigger of the jobs of a flow run, from the run's own. */
export const jobTriggerOf = (runTrigger: FlowTriggerKind): TriggerKind =>
  TRIGGERS[runTrigger].ofJobs

/** @param jobTrigger of a job */
export const passesRequest = (jobTrigger: TriggerKind): boolean =>
  ROWS.get(jobTrigger)?.passes === 'request'

/** Whether something is stored for `ctx.trigger`. @param jobTrigger of a job */
export const passesTrigger = (jobTrigger: TriggerKind): boolean =>
  ROWS.get(jobTrigger)?.passes !== undefined
