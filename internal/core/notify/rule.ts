/** Which events of a workspace are reported to whom [notifications 1.1]. */
import { z } from 'zod'
import { isEmail } from '../access/email.ts'
import { limit } from '../limit.ts'

export const NOTIFY_EVENTS = [
  'job_failed',
  'flow_failed',
  'schedule_disabled',
  'approval_waiting',
] as const

export const MAX_RULES = limit('workspace.notify_rules', 20, 'items', 'Rules of `notify`.')
const MAX_URL = limit('workspace.notify_url', 2_000, 'characters', 'Address of a rule of `notify`.')

const address = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .max(MAX_URL)
  .refine((text) => URL.parse(text)?.username === '', 'must contain no credentials')

const webhook = z.strictObject({
  webhook: address,
  secret: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('key of the variable that contains the signing secret'),
})
const slack = z.strictObject({ slack: address })
const email = z.strictObject({
  email: z.string().max(320).refine(isEmail, 'must be an e-mail address'),
})

export const notifyTarget = z.union([webhook, slack, email])
export type NotifyTarget = Readonly<z.infer<typeof notifyTarget>>

export const notifyRule = z.strictObject({
  on: z.array(z.enum(NOTIFY_EVENTS)).min(1).max(NOTIFY_EVENTS.length),
  to: notifyTarget,
})
export type NotifyRule = Readonly<z.infer<typeof notifyRule>>

/** What identifies a receiver; its secret may change. */
const addressOf = (to: NotifyTarget): string => {
  if ('email' in to) return to.email
  return 'slack' in to ? to.slack : to.webhook
}

/** Returns whether a rule reports such events to this target [notifications 2.8]. */
export const isReported = (
  rules: readonly NotifyRule[],
  event: string,
  to: NotifyTarget,
): boolean =>
  rules.some(
    (rule) => rule.on.some((each) => each === event) && addressOf(rule.to) === addressOf(to),
  )

const originOf = (text: string): string => URL.parse(text)?.origin ?? ''

/** The target with only the origin of its address. */
export const shortTarget = (to: NotifyTarget): NotifyTarget => {
  if ('email' in to) return to
  return 'slack' in to ? { slack: originOf(to.slack) } : { ...to, webhook: originOf(to.webhook) }
}

/** The target without secrets: an address of Slack is a credential, and paths of webhooks may contain one. */
export const shownTarget = (to: NotifyTarget): Readonly<{ kind: string; address: string }> => {
  if ('email' in to) return { kind: 'email', address: to.email }
  const [kind, text] = 'slack' in to ? ['slack', to.slack] : ['webhook', to.webhook]
  return { kind, address: originOf(text) }
}
