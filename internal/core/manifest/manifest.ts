/**
 * The app manifest, `app.yaml` or `app.json`. All faults are reported at once, each with its line and
 * column; an unknown field is a fault.
 */

import { z } from 'zod'
import {
  type ActionDefinition,
  actionRequests,
  actionSchema,
  entrypoint,
} from '../action/definition.ts'
import { findKeyWarnings, findUnequalLimits } from '../action/key-warnings.ts'
import { findExposeFaults } from '../agent/expose.ts'
import { type DeployPolicy, findPolicyFaults, withCappedDefaults } from '../deploy/policy.ts'
import { type PreviewSettings, previewSettings } from '../deploy/preview.ts'
import type { ErrorDetail } from '../error.ts'
import {
  type EventTarget,
  eventTargetFields,
  eventTargetSchema,
  findDoubleEvents,
} from '../event/target.ts'
import { findFlowFaults } from '../flow/check.ts'
import { type FlowDefinition, flowSchema } from '../flow/definition.ts'
import { findFlowWarnings } from '../flow/warnings.ts'
import { APP_KEY } from '../key-patterns.ts'
import { limit } from '../limit.ts'
import {
  findScheduleFaults,
  type ScheduleDefinition,
  scheduleFields,
  scheduleSchema,
} from '../schedule/definition.ts'
import { type WebhookDefinition, webhookSchema } from '../webhook/definition.ts'
import { findWebhookWarnings } from '../webhook/warnings.ts'
import { type Fault, findDoubles, MAX_FAULTS, type Row } from './fault.ts'
import { text } from './fields.ts'
import { type ManifestSource, readManifestSource } from './source.ts'
import { findMissingTargets, type KnownKeys, withMeantTargets } from './targets.ts'
import { explainUnknownField } from './unknown-field.ts'

export type Manifest = Readonly<{
  key: string
  name: string
  actions: readonly ActionDefinition[]
  flows: readonly FlowDefinition[]
  webhooks: readonly WebhookDefinition[]
  schedules: readonly ScheduleDefinition[]
  events: readonly EventTarget[]
  /** Without it, previews start nothing by themselves. */
  previews?: PreviewSettings
}>

export type ManifestResult =
  | Readonly<{
      ok: true
      manifest: Manifest
      /** What is allowed, but fails when it runs. Absent if there are none. */
      warnings?: readonly ErrorDetail[]
    }>
  | Readonly<{
      ok: false
      faults: readonly ErrorDetail[]
      /** Files that its actions name, as far as they could be read: a missing one is a further fault. */
      entrypoints?: readonly string[]
    }>

const MAX_ACTIONS = limit('app.actions', 500, 'items', 'Actions in a manifest.')
const MAX_FLOWS = limit('app.flows', 100, 'items', 'Flows in a manifest.')
const MAX_WEBHOOKS = limit('app.webhooks', 100, 'items', 'Webhooks in a manifest.')
const MAX_SCHEDULES = limit('app.schedules', 100, 'items', 'Schedules in a manifest.')
const MAX_EVENTS = limit('app.events', 100, 'items', 'Events in a manifest.')

/** Its rows are checked one by one, so that a fault in one hides none in the others. */
export const manifestFrame = z.strictObject(
  {
    key: z
      .string('must be a string')
      .regex(
        APP_KEY,
        'must have 1 to 63 characters a-z, 0-9 or -, and begin with a letter or digit',
      ),
    name: text(200).optional(),
    actions: rows(MAX_ACTIONS),
    flows: rows(MAX_FLOWS),
    webhooks: rows(MAX_WEBHOOKS),
    schedules: rows(MAX_SCHEDULES),
    events: rows(MAX_EVENTS),
    previews: previewSettings.optional(),
  },
  {
    error: ({ code }) =>
      code === 'invalid_type' ? 'must be a mapping with at least `key`' : undefined,
  },
)

function rows(max: number) {
  return z
    .array(z.unknown(), {
      error: ({ input }) =>
        typeof input === 'object' && input !== null
          ? 'must be a list, with the name of each item as its key: - key: name'
          : 'must be a list',
    })
    .max(max, `must have at most ${max} items`)
    .default([])
}

/** The lists of a manifest. */
type ListName = 'actions' | 'flows' | 'webhooks' | 'schedules' | 'events'

const parseRows = <T>(manifest: unknown, list: ListName, schema: z.ZodType<T>) => {
  const good: Row<T>[] = []
  const issues: z.core.$ZodIssue[] = []
  for (const [index, value] of listIn(manifest, list).entries()) {
    const parsed = schema.safeParse(value)
    if (parsed.success) good.push({ index, value: parsed.data })
    else {
      const at = (issue: z.core.$ZodIssue) => ({ ...issue, path: [list, index, ...issue.path] })
      issues.push(...parsed.error.issues.map(at))
    }
  }
  return { good, issues, values: good.map(({ value }) => value) }
}

const parseActions = (manifest: unknown, policy: DeployPolicy | null) => {
  const { good, issues } = parseRows(manifest, 'actions', actionSchema)
  const written = listIn(manifest, 'actions')
  const capped =
    policy === null
      ? good
      : good.map(({ index, value }) => ({
          index,
          value: withCappedDefaults(value, written[index], policy),
        }))
  return { good: capped, issues, values: capped.map(({ value }) => value) }
}

const parseLists = (manifest: unknown, policy: DeployPolicy | null) => ({
  actions: parseActions(manifest, policy),
  flows: parseRows(manifest, 'flows', flowSchema),
  webhooks: parseRows(manifest, 'webhooks', webhookSchema),
  schedules: parseRows(manifest, 'schedules', scheduleSchema),
  events: parseRows(manifest, 'events', eventTargetSchema),
})
type Lists = ReturnType<typeof parseLists>

/** Leaves out what else is wrong with a value of a wrong type: a text in place of a list may be longer than the list. */
const firstByType = (issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] => {
  const placeOf = ({ path }: z.core.$ZodIssue): string => JSON.stringify(path)
  const wrong = new Set(issues.filter(({ code }) => code === 'invalid_type').map(placeOf))
  return issues.filter((issue) => issue.code === 'invalid_type' || !wrong.has(placeOf(issue)))
}

/**
 * @param file its name, for the positions in faults; a name that ends in .json requires JSON
 * @param policy what the operator allows; null to skip these rules
 */
export const parseManifest = (
  text: string,
  file: string,
  policy: DeployPolicy | null = null,
): ManifestResult => {
  const read = readManifestSource(text, file)
  if (!read.ok) return read
  const { source } = read
  const outer = manifestFrame.safeParse(source.value)
  const lists = parseLists(source.value, policy)
  const { actions, flows, webhooks, schedules, events } = lists
  const shape = firstByType([
    ...(outer.error?.issues ?? []),
    ...Object.values(lists).flatMap(({ issues }) => issues),
  ])
  const faults = [
    ...shape.slice(0, MAX_FAULTS).flatMap((issue) => toDetails(issue, source, file)),
    ...withMeantTargets(
      [
        ...findCrossFaults(source.value, lists),
        ...(policy === null ? [] : findPolicyFaults(requestsIn(source.value), policy)),
      ].slice(0, MAX_FAULTS),
      knownIn(source.value),
    ).map(({ path, message }) => toDetail({ path, message, source, file })),
  ]
  if (!outer.success || faults.length > 0) {
    const entrypoints = entrypointsIn(source.value)
    return { ok: false, faults: faults.slice(0, MAX_FAULTS).toSorted(byPlace), entrypoints }
  }
  const { key, name = key, previews } = outer.data
  const warnings = [
    ...findKeyWarnings('actions', actions.values),
    ...findKeyWarnings('flows', flows.values),
    ...findUnequalLimits(actions.values),
    ...findFlowWarnings(flows.values),
    ...findWebhookWarnings(webhooks.values, { actions: actions.values, flows: flows.values }),
  ].map(({ path, message }) => toDetail({ path, message, source, file }))
  return {
    ok: true,
    ...(warnings.length === 0 ? {} : { warnings }),
    manifest: {
      key,
      name,
      actions: actions.values,
      flows: flows.values,
      webhooks: webhooks.values,
      schedules: schedules.values,
      events: events.values,
      ...(previews === undefined ? {} : { previews }),
    },
  }
}

const listIn = (manifest: unknown, name: ListName): readonly unknown[] => {
  if (typeof manifest !== 'object' || manifest === null || !Object.hasOwn(manifest, name)) return []
  const list: unknown = Reflect.get(manifest, name)
  return Array.isArray(list) ? list.slice(0, MAX_ACTIONS) : []
}

/** Returns what the actions request of the operator, those with faults too. */
const requestsIn = (manifest: unknown) =>
  rowsIn(manifest, 'actions').flatMap(({ index, value }) => {
    const parsed = actionRequests.safeParse(value)
    return parsed.success ? [{ index, value: parsed.data }] : []
  })

/** Returns the files that actions name, whatever other faults the actions have. */
const entrypointsIn = (manifest: unknown): readonly string[] =>
  listIn(manifest, 'actions').flatMap((row) => {
    const parsed = withEntrypoint.safeParse(row)
    return parsed.success ? [parsed.data.entrypoint] : []
  })
const withEntrypoint = z.object({ entrypoint })

const rowsIn = (manifest: unknown, name: ListName): readonly Row<unknown>[] =>
  listIn(manifest, name).map((value, index) => ({ index, value }))

/** Returns the key; empty for a manifest without one. */
const keyIn = (manifest: unknown): string => {
  const parsed = keyed.safeParse(manifest)
  return parsed.success ? parsed.data.key : ''
}

const keyed = z.object({ key: z.string() })

/** Returns the keys, including those of rows with other faults, so that a reference to them is valid. */
const keysIn = (manifest: unknown, name: ListName): readonly Row<string>[] =>
  listIn(manifest, name).flatMap((row, index) => {
    const parsed = keyed.safeParse(row)
    return parsed.success ? [{ index, value: parsed.data.key }] : []
  })

/** Returns what the rows of the app may start. */
const knownIn = (manifest: unknown): KnownKeys => ({
  actions: new Set(keysIn(manifest, 'actions').map(({ value }) => value)),
  flows: new Set(keysIn(manifest, 'flows').map(({ value }) => value)),
})

const findCrossFaults = (manifest: unknown, lists: Lists): readonly Fault[] => {
  const { actions, flows, schedules, events } = lists
  const known = knownIn(manifest)
  return [
    ...findDoubles(keysIn(manifest, 'actions'), ['actions']),
    ...findDoubles(keysIn(manifest, 'flows'), ['flows']),
    ...findFlowFaults(flows.good, known),
    ...findExposeFaults(keyIn(manifest), actions.good, flows.good),
    ...findDoubles(keysIn(manifest, 'webhooks'), ['webhooks']),
    ...findMissingTargets('webhooks', rowsIn(manifest, 'webhooks'), known),
    ...findMissingTargets('schedules', rowsIn(manifest, 'schedules'), known),
    ...findScheduleFaults(schedules.good, keysIn(manifest, 'schedules'), {
      actions: actions.values,
      flows: flows.values,
    }),
    ...findDoubleEvents(events.good),
    ...findMissingTargets('events', rowsIn(manifest, 'events'), known),
  ]
}

type LocatedFault = Readonly<{
  path: readonly PropertyKey[]
  message: string
  source: ManifestSource
  file: string
}>

const toDetail = ({ path, message, source, file }: LocatedFault): ErrorDetail => ({
  path: `${file}:${source.placeOf(path)} ${showPath(path)}`.trimEnd(),
  message: withStop(source.has(path) ? message : `is missing; it ${message}`),
})

const withStop = (message: string): string => (message.endsWith('?') ? message : `${message}.`)

/** Compares the places of faults, because people read a file from its top. */
const byPlace = (a: ErrorDetail, b: ErrorDetail): number => {
  const [[lineA, columnA], [lineB, columnB]] = [placeIn(a), placeIn(b)]
  return lineA - lineB || columnA - columnB
}

const placeIn = ({ path }: ErrorDetail): readonly [line: number, column: number] => {
  const [, line, column] = /:(\d+):(\d+)/.exec(path) ?? []
  return [Number(line), Number(column)]
}

const toDetails = (
  issue: z.core.$ZodIssue,
  source: ManifestSource,
  file: string,
): readonly ErrorDetail[] => {
  if (issue.code !== 'unrecognized_keys') {
    return [toDetail({ path: issue.path, message: issue.message, source, file })]
  }
  return issue.keys.slice(0, MAX_FAULTS).map((key) => {
    const message = explainUnknownField(issue.path, key)
    return toDetail({ path: [...issue.path, key], message, source, file })
  })
}

const showPath = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((shown, step) => {
    if (typeof step === 'number') return `${shown}[${step}]`
    return shown === '' ? String(step) : `${shown}.${String(step)}`
  }, '')

/**
 * Returns the manifest as a deployment stores it. Lists that later versions added are left out if they are empty, so that an
 * app that was deployed before still counts as unchanged.
 */
export const storedManifest = ({ webhooks, schedules, events, ...manifest }: Manifest): string =>
  JSON.stringify({
    ...manifest,
    ...(webhooks.length === 0 ? {} : { webhooks }),
    ...(schedules.length === 0 ? {} : { schedules }),
    ...(events.length === 0 ? {} : { events }),
  })

const stored = z.looseObject({
  schedules: z.array(scheduleFields).default([]),
  events: z.array(eventTargetFields).default([]),
})

/** The schedules in a stored manifest. */
export const storedSchedules = (manifestJson: string): readonly ScheduleDefinition[] =>
  stored.parse(JSON.parse(manifestJson)).schedules

/** The events in a stored manifest. */
export const storedEvents = (manifestJson: string): readonly EventTarget[] =>
  stored.parse(JSON.parse(manifestJson)).events
