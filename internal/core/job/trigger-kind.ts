/** How a job was started. */

export const TRIGGER_KINDS = ['api', 'webhook', 'schedule'] as const
export type TriggerKind = (typeof TRIGGER_KINDS)[number]
