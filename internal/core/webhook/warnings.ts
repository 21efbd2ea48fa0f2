/** Warns at deploy of webhooks whose deliveries are all refused [webhooks 2.3]. */
import type { ActionDefinition } from '../action/definition.ts'
import type { FlowDefinition } from '../flow/definition.ts'
import { isJsonObject, type JsonValue } from '../json/value.ts'
import { type Fault, MAX_FAULTS } from '../manifest/fault.ts'
import { targetOf, type WebhookDefinition } from './definition.ts'

type App = Readonly<{
  actions: readonly ActionDefinition[]
  flows: readonly FlowDefinition[]
}>

/** The input of a delivery is its body as text, so a schema that takes no text refuses each. */
export const findWebhookWarnings = (
  webhooks: readonly WebhookDefinition[],
  app: App,
): readonly Fault[] =>
  webhooks
    .flatMap((webhook, index): readonly Fault[] => {
      const { kind, key } = targetOf(webhook)
      const targets = kind === 'action' ? app.actions : app.flows
      const schema = targets.find((target) => target.key === key)?.inputSchema
      if (schema === undefined || takesText(schema)) return []
      const message = `it refuses each delivery: the input is the body as text, which the inputSchema of the ${kind} "${key}" does not take. Use one without inputSchema that parses the text`
      return [{ path: ['webhooks', index, kind], message }]
    })
    .slice(0, MAX_FAULTS)

/** Looks only at `type`, the keyword that schemas of objects have. */
const takesText = (schema: JsonValue): boolean => {
  if (!isJsonObject(schema)) return schema !== false
  const { type } = schema
  return type === undefined || [type].flat().includes('string')
}
