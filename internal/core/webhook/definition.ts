/** A webhook in the manifest [webhooks 1.1]. */
import { z } from 'zod'
import { WEBHOOK_KEY } from '../key-patterns.ts'
import { key, mapping, wholeSeconds } from '../manifest/fields.ts'
import { checkOneTarget } from '../manifest/one-target.ts'
import { dedupeSchema } from './dedupe.ts'
import { verifySchema } from './schemes.ts'

const RULE = 'must have 1 to 63 characters a-z, 0-9 or -, and begin with a letter or digit'

export const webhookSchema = mapping(
  {
    key: z.string('must be a string').regex(WEBHOOK_KEY, RULE),
    action: key.optional(),
    flow: key.optional(),
    verify: verifySchema,
    /** What the target gets as its input: the body as text, or what its JSON stands for. @default text */
    input: z.enum(['text', 'json'], 'must be text or json').optional(),
    dedupe: dedupeSchema.optional(),
    /** The sender waits for the result, for at most this many seconds. */
    respond: mapping({ waitS: wholeSeconds(1, 25) }, '{ waitS: 10 }').optional(),
  },
  '{ key: hook, action: receive, verify: { scheme: none } }',
).superRefine(checkOneTarget)

export type WebhookDefinition = Readonly<z.output<typeof webhookSchema>>

export type WebhookTarget = Readonly<{ kind: 'action' | 'flow'; key: string }>

/** What a delivery starts. The schema ensures that there is a target. */
export const targetOf = ({ action, flow = '' }: WebhookDefinition): WebhookTarget =>
  action === undefined ? { kind: 'flow', key: flow } : { kind: 'action', key: action }
