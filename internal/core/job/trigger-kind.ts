/** What started a job, as the API shows it. */
export const TRIGGER_KINDS = [
  'api',
  'webhook',
  'schedule',
  'job',
  'function',
  'public',
  'flow',
  'error_handler',
] as const
export type TriggerKind = (typeof TRIGGER_KINDS)[number]

/** What started a flow run. */
export const FLOW_TRIGGER_KINDS = [
  'api',
  'webhook',
  'schedule',
  'public',
  'subflow',
  'job',
  'function',
] as const
export type FlowTriggerKind = (typeof FLOW_TRIGGER_KINDS)[number]

/** A job of a flow run shows what started the run; `flow`: another run did [jobs 2.7]. */
const JOB_TRIGGERS: Readonly<Record<FlowTriggerKind, TriggerKind>> = {
  api: 'api',
  webhook: 'webhook',
  schedule: 'schedule',
  public: 'public',
  subflow: 'flow',
  job: 'job',
  function: 'function',
}

/** The trigger of the jobs of a flow run, from the run's own. */
export const jobTriggerOf = (runTrigger: FlowTriggerKind): TriggerKind => JOB_TRIGGERS[runTrigger]
