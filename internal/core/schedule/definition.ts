/** A schedule in the manifest [schedules 7.1]. */
import { z } from 'zod'
import type { ActionDefinition } from '../action/definition.ts'
import { type InputCheck, inputCheck } from '../action/input-schema.ts'
import type { FlowDefinition } from '../flow/definition.ts'
import type { JsonValue } from '../json/value.ts'
import { type Fault, findDoubles, type Row } from '../manifest/fault.ts'
import { key, mapping, text, yesOrNo } from '../manifest/fields.ts'
import { checkOneTarget } from '../manifest/one-target.ts'
import { OVERLAPS } from './overlap.ts'
import { MAX_CRON_LENGTH, parseTiming } from './timing.ts'

/** Only its fields, for manifests that were checked when they were deployed. */
export const scheduleFields = mapping(
  {
    key,
    action: key.optional(),
    flow: key.optional(),
    cron: text(MAX_CRON_LENGTH),
    timezone: text(100).default('UTC'),
    input: z.record(z.string(), z.json(), 'must be a mapping').default({}),
    enabled: yesOrNo.default(true),
    overlap: z.enum(OVERLAPS, 'must be allow, skip or queue').default('allow'),
  },
  '{ key: daily, cron: "0 9 * * *", action: greet }',
)

export const scheduleSchema = scheduleFields.superRefine((schedule, context) => {
  checkOneTarget(schedule, context)
  const { fault } = parseTiming(schedule.cron, schedule.timezone)
  if (fault !== null) {
    context.addIssue({ code: 'custom', path: [fault.path], message: fault.message })
  }
})

export type ScheduleDefinition = Readonly<z.output<typeof scheduleSchema>>

type App = Readonly<{
  actions: readonly ActionDefinition[]
  flows: readonly FlowDefinition[]
}>

/**
 * Finds inputs that do not fit what they start, and duplicate keys.
 * @param keys of all rows, also of those with faults
 */
export const findScheduleFaults = (
  schedules: readonly Row<ScheduleDefinition>[],
  keys: readonly Row<string>[],
  app: App,
): readonly Fault[] => {
  const actions = checksOf(app.actions)
  const flows = checksOf(app.flows)
  return [
    ...findDoubles(keys, ['schedules']),
    ...schedules.flatMap(({ index, value }) => {
      const { action = '', flow = '' } = value
      const path = ['schedules', index, 'input']
      return [
        ...findInputFaults(value, {
          path,
          target: `action "${action}"`,
          check: actions.get(action),
        }),
        ...findInputFaults(value, { path, target: `flow "${flow}"`, check: flows.get(flow) }),
      ]
    }),
  ]
}

/** About 20 ms for one schedule at worst; the input of a whole manifest needs a tenth of it. */
const MAX_STEPS = 400_000

type Checked = Readonly<{ key: string; inputSchema?: JsonValue | undefined }>

const checksOf = (definitions: readonly Checked[]): ReadonlyMap<string, InputCheck | null> =>
  new Map(
    definitions.map(({ key, inputSchema }) => [key, inputCheck(inputSchema ?? null, MAX_STEPS)]),
  )

type Target = Readonly<{
  path: Fault['path']
  target: string
  check: InputCheck | null | undefined
}>

const findInputFaults = (
  { input }: ScheduleDefinition,
  { path, target, check }: Target,
): readonly Fault[] => {
  const [first] = check?.(input) ?? []
  if (first === undefined) return []
  const message = `does not fit the inputSchema of the ${target}: ${first.path} ${first.message}`
  return [{ path, message: message.replace(/\.$/, '') }]
}
