/** How a job was started, as the API shows it. */
export const TRIGGER_KINDS = ['api', 'webhook', 'schedule'] as const
export type TriggerKind = (typeof TRIGGER_KINDS)[number]

/**
 * The trigger of a job by what started it or the flow run that it belongs to. The schema knows three triggers; a further
 * one needs the table `jobs` rebuilt.
 */
export const JOB_TRIGGERS = {
  api: 'api',
  webhook: 'webhook',
  schedule: 'schedule',
  public: 'api',
  subflow: 'api',
  error_handler: 'api',
} as const satisfies Readonly<Record<string, TriggerKind>>

/** The trigger of the jobs of a flow run, from the run's own. */
export const jobTriggerOf = (runTrigger: string): TriggerKind =>
  new Map<string, TriggerKind>(Object.entries(JOB_TRIGGERS)).get(runTrigger) ?? 'api'
