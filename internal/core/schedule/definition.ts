/** A schedule in the manifest [schedules 7.1]. */
import { z } from 'zod'
import type { ActionDefinition } from '../action/definition.ts'
import { type InputCheck, inputCheck } from '../action/input-schema.ts'
import { type Fault, findDoubles, type Row } from '../manifest/fault.ts'
import { key, mapping, text, yesOrNo } from '../manifest/fields.ts'
import { OVERLAPS } from './overlap.ts'
import { parseTiming } from './timing.ts'

/** Only its fields, for manifests that were checked when they were deployed. */
export const scheduleFields = mapping({
  key,
  action: key.optional(),
  flow: key.optional(),
  cron: text(256),
  timezone: text(100).default('UTC'),
  input: z.record(z.string(), z.json(), 'must be a mapping').default({}),
  enabled: yesOrNo.default(true),
  overlap: z.enum(OVERLAPS, 'must be allow, skip or queue').default('allow'),
})

export const scheduleSchema = scheduleFields.superRefine(
  ({ action, flow, cron, timezone }, context) => {
    if ((action === undefined) === (flow === undefined)) {
      context.addIssue({
        code: 'custom',
        message: 'must name what it starts: either action or flow',
      })
    }
    const { fault } = parseTiming(cron, timezone)
    if (fault !== null) {
      context.addIssue({ code: 'custom', path: [fault.path], message: fault.message })
    }
  },
)

export type ScheduleDefinition = Readonly<z.output<typeof scheduleSchema>>

type App = Readonly<{
  definitions: readonly ActionDefinition[]
}>

/**
 * Finds inputs that do not fit the action, and duplicate keys.
 * @param keys of all rows, also of those with faults
 */
export const findScheduleFaults = (
  schedules: readonly Row<ScheduleDefinition>[],
  keys: readonly Row<string>[],
  app: App,
): readonly Fault[] => {
  const checks = new Map(
    app.definitions.map(({ key, inputSchema }) => [key, inputCheck(inputSchema, MAX_STEPS)]),
  )
  return [
    ...findDoubles(keys, ['schedules']),
    ...schedules.flatMap(({ index, value }) =>
      findInputFaults(value, ['schedules', index], checks.get(value.action ?? '') ?? null),
    ),
  ]
}

/** About 20 ms for one schedule at worst; the input of a whole manifest needs a tenth of it. */
const MAX_STEPS = 400_000

const findInputFaults = (
  { action, input }: ScheduleDefinition,
  path: Fault['path'],
  check: InputCheck | null,
): readonly Fault[] => {
  const [first] = check?.(input) ?? []
  if (first === undefined) return []
  const message = `does not fit the inputSchema of the action "${action}": ${first.path} ${first.message}`
  return [{ path: [...path, 'input'], message: message.replace(/\.$/, '') }]
}
