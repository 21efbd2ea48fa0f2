/** A webhook in the manifest [webhooks 1.1]. */
import { z } from 'zod'
import { type Fault, findDoubles, type Row } from '../manifest-fault.ts'
import { key, mapping, wholeNumber } from '../manifest-fields.ts'
import { dedupeSchema } from './dedupe.ts'
import { verifySchema } from './schemes.ts'

export const WEBHOOK_KEY = /^[a-z0-9][a-z0-9-]{0,62}$/

const RULE = 'must have 1 to 63 characters a-z, 0-9 or -, and begin with a letter or digit'

export const webhookSchema = mapping({
  key: z.string('must be a text').regex(WEBHOOK_KEY, RULE),
  action: key.optional(),
  flow: key.optional(),
  verify: verifySchema,
  dedupe: dedupeSchema.optional(),
  /** The sender waits for the result, for at most so many seconds. */
  respond: mapping({ waitS: wholeNumber(1, 25) }).optional(),
}).superRefine(({ action, flow }, context) => {
  if ((action === undefined) !== (flow === undefined)) return
  context.addIssue({ code: 'custom', message: 'must name what it starts: either action or flow' })
})

export type WebhookDefinition = Readonly<z.output<typeof webhookSchema>>

export type WebhookTarget = Readonly<{ kind: 'action' | 'flow'; key: string }>

/** What a delivery starts; the schema has seen to it that there is one. */
export const targetOf = ({ action, flow = '' }: WebhookDefinition): WebhookTarget =>
  action === undefined ? { kind: 'flow', key: flow } : { kind: 'action', key: action }

type KnownKeys = Readonly<{ actions: ReadonlySet<string>; flows: ReadonlySet<string> }>

/** Finds targets that the app does not have, and duplicate keys. @param keys of all rows, also of those with faults */
export const findWebhookFaults = (
  webhooks: readonly Row<WebhookDefinition>[],
  keys: readonly Row<string>[],
  app: KnownKeys,
): readonly Fault[] => [
  ...findDoubles(keys, ['webhooks']),
  ...webhooks.flatMap(({ index, value }) => {
    const { kind, key } = targetOf(value)
    const known = kind === 'action' ? app.actions : app.flows
    if (known.has(key)) return []
    const message = `there is no ${kind} "${key}" in this app`
    return [{ path: ['webhooks', index, kind], message }]
  }),
]
