/** The channels of a workspace, which are its `notify` rules in their order. Pure. */
import type { Schemas } from '#sdk/client.ts'

export type Channel = NonNullable<Schemas['Workspace']['notify']>[number]
type Target = Channel['to']

export const KINDS = ['webhook', 'slack', 'email'] as const
export type Kind = (typeof KINDS)[number]

export const EVENTS = [
  'job_failed',
  'flow_failed',
  'schedule_disabled',
  'approval_waiting',
] as const satisfies readonly Channel['on'][number][]
export type NotifyEvent = (typeof EVENTS)[number]

/** The typed values of a new channel. */
export type ChannelDraft = Readonly<{
  kind: Kind
  address: string
  /** Key of the variable that signs requests of a webhook. Empty for none. */
  secret: string
  on: readonly NotifyEvent[]
}>

export const toTarget = ({ kind, address, secret }: ChannelDraft): Target => {
  const to = address.trim()
  if (kind === 'email') return { email: to }
  if (kind === 'slack') return { slack: to }
  return { webhook: to, ...(secret.trim() === '' ? {} : { secret: secret.trim() }) }
}

export const kindOf = (to: Target): Kind =>
  'email' in to ? 'email' : 'slack' in to ? 'slack' : 'webhook'

export const addressOf = (to: Target): string =>
  'email' in to ? to.email : 'slack' in to ? to.slack : to.webhook
