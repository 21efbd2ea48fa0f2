/** The values of a schedule's form, as one text that survives a reload, and the request that they become. Pure. */
import type { Schemas } from '#sdk/client.ts'
import type { Json } from '#sdk/mod.ts'
import { parseJson } from '../../../form/schema-form.tsx'
import { isObject } from '../../../ui/json-object.ts'

/** What happens at a fire time while the previous run has not ended. */
export const OVERLAPS = ['allow', 'skip', 'queue'] as const
export type Overlap = (typeof OVERLAPS)[number]

/** A value that this console does not know is shown as the default. */
export const overlapOf = (value: unknown): Overlap =>
  OVERLAPS.find((each) => each === value) ?? 'allow'

export type Draft = Readonly<{
  app: string
  kind: 'action' | 'flow'
  target: string
  cron: string
  timezone: string
  /** JSON, as typed. */
  input: string
  enabled: boolean
  overlap: Overlap
}>

export const newDraft = (timezone: string, app = ''): Draft => ({
  app,
  kind: 'action',
  target: '',
  cron: '0 9 * * 1-5',
  timezone,
  input: '{}',
  enabled: true,
  overlap: 'allow',
})

export const draftOf = (schedule: Schemas['Schedule']): Draft => ({
  app: schedule.app_key,
  kind: schedule.flow_key === null ? 'action' : 'flow',
  target: schedule.action_key ?? schedule.flow_key ?? '',
  cron: schedule.cron,
  timezone: schedule.timezone,
  input: JSON.stringify(schedule.input, null, 2),
  enabled: schedule.enabled,
  overlap: overlapOf(schedule.overlap),
})

/** The text of a draft in which nothing was changed. */
export const UNCHANGED = '{}'

/**
 * Adds changes to the text of a draft, which has only the fields that were changed, and in `base` what they were before. App,
 * kind and target are changed together, because they are one target.
 */
export const changeText = (text: string, draft: Draft, next: Partial<Draft>): string => {
  const parsed = parseJson(text)
  const changed = isObject(parsed) ? parsed : {}
  const { app, kind, target } = draft
  const change = { ...(next.target === undefined ? {} : { app, kind, target }), ...next }
  const base = Object.entries(draft).filter(([name]) => name in change && !(name in changed))
  return JSON.stringify({
    ...changed,
    ...change,
    base: { ...baseOf(text), ...Object.fromEntries(base) },
  })
}

/** Removes the input, also what it was before, from the text of a draft. */
export const withoutInput = (text: string): string => {
  const parsed = parseJson(text)
  const { input: _, base: __, ...changed } = isObject(parsed) ? parsed : {}
  const { input: ___, ...base } = baseOf(text)
  return Object.keys(changed).length === 0 ? UNCHANGED : JSON.stringify({ ...changed, base })
}

const baseOf = (text: string): Readonly<Record<string, unknown>> => {
  const parsed = parseJson(text)
  return isObject(parsed) && isObject(parsed.base) ? parsed.base : {}
}

/** Returns the changed fields that another person has changed too since they were typed, to something else. */
export const conflictsOf = (text: string, now: Draft): readonly (keyof Draft)[] => {
  const base = baseOf(text)
  const draft = readDraft(text, now)
  const isField = (name: string): name is keyof Draft => name in now
  return Object.keys(base)
    .filter(isField)
    .filter((name) => now[name] !== base[name] && draft[name] !== now[name])
}

/** Parses a draft. Values that the text lacks are taken from the initial draft. */
export const readDraft = (text: string, initial: Draft): Draft => {
  const found = parseJson(text)
  if (!isObject(found)) return initial
  const textOf = (name: 'app' | 'target' | 'cron' | 'timezone' | 'input'): string => {
    const value = found[name]
    return typeof value === 'string' ? value : initial[name]
  }
  return {
    app: textOf('app'),
    kind: found.kind === 'flow' || found.kind === 'action' ? found.kind : initial.kind,
    target: textOf('target'),
    cron: textOf('cron'),
    timezone: textOf('timezone'),
    input: textOf('input'),
    enabled: typeof found.enabled === 'boolean' ? found.enabled : initial.enabled,
    overlap: found.overlap === undefined ? initial.overlap : overlapOf(found.overlap),
  }
}

export type ScheduleBody = Readonly<{
  app_key: string
  action_key?: string
  flow_key?: string
  cron: string
  timezone: string
  input: Readonly<Record<string, Json>>
  enabled: boolean
  overlap: Overlap
}>

const targetOf = ({ app, kind, target }: Draft) => ({
  app_key: app,
  ...(kind === 'flow' ? { flow_key: target } : { action_key: target }),
})

/** @returns null while a field is missing */
export const toBody = (draft: Draft): ScheduleBody | null => {
  const { app, target, cron, timezone, enabled, overlap } = draft
  const input = parseJson(draft.input)
  if (app === '' || target === '' || cron.trim() === '' || !isObject(input)) return null
  return {
    ...targetOf(draft),
    cron: cron.trim(),
    timezone: timezone.trim(),
    input: Object.fromEntries(
      Object.entries(input).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value]],
      ),
    ),
    enabled,
    overlap,
  }
}

/** Returns the fields of a request that differ from the initial draft, so that it undoes no change of another person. */
export const toChanges = (
  { cron, timezone, input, enabled, overlap }: ScheduleBody,
  draft: Draft,
  initial: Draft,
): Partial<ScheduleBody> => {
  const differs = (...names: readonly (keyof Draft)[]): boolean =>
    names.some((name) => draft[name] !== initial[name])
  return {
    ...(differs('app', 'kind', 'target') ? targetOf(draft) : {}),
    ...(differs('cron') ? { cron } : {}),
    ...(differs('timezone') ? { timezone } : {}),
    ...(differs('input') ? { input } : {}),
    ...(differs('enabled') ? { enabled } : {}),
    ...(differs('overlap') ? { overlap } : {}),
  }
}
