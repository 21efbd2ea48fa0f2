/** Explains a field that a manifest does not have, with the one that was probably meant. */
import { nearestTo } from '../edit-distance.ts'
import { MANIFEST_DESCRIPTIONS } from './descriptions.ts'

type Field = Readonly<{ parent: string; name: string }>

/** `actions[].retry` is the parent of `maxAttempts`. */
const toField = (path: string): Field => {
  const dot = path.lastIndexOf('.')
  return { parent: path.slice(0, Math.max(dot, 0)), name: path.slice(dot + 1) }
}

const FIELDS: readonly Field[] = Object.keys(MANIFEST_DESCRIPTIONS).map(toField)

const parentOf = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((shown, step) => {
    if (typeof step === 'number') return `${shown}[]`
    return shown === '' ? String(step) : `${shown}.${String(step)}`
  }, '')

/** What other systems call a field, in lower case. Where several fields have the name, the first that the mapping has is meant. */
const ELSEWHERE: ReadonlyMap<string, readonly string[]> = new Map([
  ['retries', ['retry']],
  ['onfailure', ['failureModule']],
  ['on_failure', ['failureModule']],
  ['compensate', ['undo']],
  ['if', ['condition', 'skipIf']],
  ['when', ['condition', 'skipIf']],
  ['foreach', ['items']],
  ['parallelism', ['atOnce']],
  ['file', ['entrypoint']],
  ['path', ['entrypoint']],
  ['throttle', ['rate']],
  ['ttl', ['startTimeoutS']],
  ['queue', ['tag']],
  ['schema', ['inputSchema']],
  ['id', ['key']],
  ['schedule', ['cron']],
  ['tz', ['timezone']],
])

const VARIABLES =
  'Values come from variables of the workspace: svc variables set <NAME>, and ctx.variables.<NAME> in code'
const STARTS = 'What starts it is in schedules, webhooks or events of the manifest'

/** Where a manifest has what other systems write with the object, in lower case. */
const NOT_HERE: ReadonlyMap<string, string> = new Map([
  ...['env', 'envs', 'environment', 'secrets', 'variables', 'vars'].map(
    (name) => [name, VARIABLES] as const,
  ),
  ...['cron', 'event', 'on', 'schedule', 'trigger', 'triggers', 'webhook'].map(
    (name) => [name, STARTS] as const,
  ),
  ...['depends_on', 'dependson', 'needs', 'parents'].map(
    (name) => [name, 'Steps run in the order of their list'] as const,
  ),
])

/** Shorter parts of a name are too common. */
const SHORTEST_PART = 3

const contains = (name: string, typed: string): boolean =>
  typed.length >= SHORTEST_PART && name.toLowerCase().includes(typed.toLowerCase())

/** Many mappings have these, so that they do not show to which one the field belongs. */
const COMMON: readonly string[] = ['key', 'name']

/** Whether wrong indentation may have moved a field: into a mapping within its own, or out to the one around it. */
const mayComeFrom = (home: string, parent: string): boolean =>
  parent.startsWith(home) ||
  (home.startsWith(parent) && !home.slice(parent.length + 1).includes('.'))

/** @param path of the mapping that contains the field */
export const explainUnknownField = (path: readonly PropertyKey[], typed: string): string => {
  const parent = parentOf(path)
  const siblings = FIELDS.filter((field) => field.parent === parent).map(({ name }) => name)
  // a field of the same name belongs to another kind of this mapping
  const names = siblings.includes(typed) ? [] : siblings
  const meant =
    ELSEWHERE.get(typed.toLowerCase())?.find((name) => names.includes(name)) ??
    nearestTo(typed, names) ??
    names.find((name) => contains(name, typed))
  const elsewhere = NOT_HERE.get(typed.toLowerCase())
  if (elsewhere === VARIABLES) return `${typed} is not a field of a manifest. ${elsewhere}`
  if (meant !== undefined) return `${typed} is not a field of a manifest. Did you mean ${meant}?`
  const home = FIELDS.find(
    (field) => field.name === typed && mayComeFrom(field.parent, parent),
  )?.parent
  if (home === undefined && elsewhere !== undefined) {
    return `${typed} is not a field of a manifest. ${elsewhere}`
  }
  if (home === undefined || COMMON.includes(typed) || names.length === 0) {
    return `${typed} is not a field of a manifest. Remove it, or correct its spelling`
  }
  const of = home === '' ? 'the manifest itself' : home
  return `${typed} is not a field here, but of ${of}. Check the indentation`
}
