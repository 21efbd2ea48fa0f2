/** Warns at deploy of webhooks whose deliveries are all refused, or whose runs all fail [webhooks 2.3]. */
import type { ActionDefinition } from '../action/definition.ts'
import type { FlowDefinition } from '../flow/definition.ts'
import { firstReadOfInput } from '../flow/read-input.ts'
import { isJsonObject, type JsonValue } from '../json/value.ts'
import { type Fault, MAX_FAULTS } from '../manifest/fault.ts'
import { targetOf, type WebhookDefinition } from './definition.ts'

type App = Readonly<{
  actions: readonly ActionDefinition[]
  flows: readonly FlowDefinition[]
}>

/** Without `input: json` the input of a delivery is its body as text, so what needs an object refuses each, or fails each run. */
export const findWebhookWarnings = (
  webhooks: readonly WebhookDefinition[],
  app: App,
): readonly Fault[] =>
  webhooks
    .flatMap((webhook, index): readonly Fault[] => {
      if (webhook.input === 'json') return []
      const { kind, key } = targetOf(webhook)
      const message =
        kind === 'action'
          ? doubtOfAction(app.actions.find((action) => action.key === key))
          : doubtOfFlow(app.flows.find((flow) => flow.key === key))
      return message === null ? [] : [{ path: ['webhooks', index, kind], message }]
    })
    .slice(0, MAX_FAULTS)

const doubtOfAction = (action: ActionDefinition | undefined): string | null => {
  if (action === undefined) return null
  const { key, inputSchema, concurrency, rate, debounce, fairKey } = action
  if (!takesText(inputSchema)) return doubtOfSchema('action', key)
  const keys = [
    ['concurrency.key', concurrency?.key],
    ['rate.key', rate?.key],
    ['debounce.key', debounce?.key],
    ['fairKey', fairKey],
  ] as const
  const needy = keys.find(([, text]) => FIELD_OF_INPUT.test(text ?? ''))
  return needy === undefined
    ? null
    : `it refuses each delivery: the input is the body as text, and \`${needy[0]}\` of the action "${key}" needs a field of it. ${REMEDY}`
}

const doubtOfFlow = (flow: FlowDefinition | undefined): string | null => {
  if (flow === undefined) return null
  if (!takesText(flow.inputSchema)) return doubtOfSchema('flow', flow.key)
  const read = firstReadOfInput(flow)
  return read === null
    ? null
    : `its runs fail at step "${read.step}": the input is the body as text, so ${read.text} does not exist. ${REMEDY}`
}

const REMEDY = 'Write `input: json` if the sender sends JSON, or take the text and parse it'

const doubtOfSchema = (kind: 'action' | 'flow', key: string): string =>
  `it refuses each delivery: the input is the body as text, which the inputSchema of the ${kind} "${key}" does not take. ${REMEDY}`

const FIELD_OF_INPUT = /\$\{input[.[]/

/** Looks only at `type`, the keyword that schemas of objects have. */
const takesText = (schema: JsonValue | undefined): boolean => {
  if (schema === undefined) return true
  if (!isJsonObject(schema)) return schema !== false
  const { type } = schema
  return type === undefined || [type].flat().includes('string')
}
