/** What people see before they decide: title, description and chosen data [flows 9.14]. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts'
import { limit } from '../../limit.ts'
import { list, mapping, text } from '../../manifest/fields.ts'
import { type FlowData, type Found, found } from '../data.ts'
import { jsonBytes } from '../data-size.ts'
import { parseTemplate, resolveTemplate } from '../template.ts'

const MAX_TITLE = 200
const MAX_DESCRIPTION = 4_000
const MAX_ITEMS = 20
const MAX_TEMPLATE = 500

const MAX_VALUE_BYTES = limit(
  'flow.shown',
  16_384,
  'bytes',
  'A value that `show` names at an approval, as JSON; a larger one is replaced by its size.',
)

const template = text(MAX_TEMPLATE)
const labeled = mapping({ label: text(100), value: template })

export const shownFields = {
  title: text(MAX_TEMPLATE).optional(),
  description: text(MAX_DESCRIPTION).optional(),
  show: list(labeled.or(template), MAX_ITEMS).optional(),
}

/** The settings of an approval that this file reads. */
export type ShownSettings = Readonly<{
  title?: string | undefined
  description?: string | undefined
  show?: readonly (string | Readonly<{ label: string; value: string }>)[] | undefined
}>

export type ShownValue = Readonly<{ label: string; value: JsonValue }>

export type Shown = Readonly<{
  title: string | null
  description: string | null
  show: readonly ShownValue[]
}>

/** What a step without such settings shows. */
export const NOTHING_SHOWN: Shown = { title: null, description: null, show: [] }

/** The templates of an approval. The deploy checks their references, and the engine loads them. */
export const shownTemplates = ({ title, description, show = [] }: ShownSettings) => [
  title,
  description,
  ...show.map((item) => (typeof item === 'string' ? item : item.value)),
]

/** `${results.plan.total}` is labeled `plan.total`, `${input.amount}` `amount`, and other texts as they are. */
const labelOf = (value: string): string => {
  const [only, ...others] = parseTemplate(value).pieces ?? []
  return only === undefined || typeof only === 'string' || others.length > 0
    ? value
    : only.text.replace(/^(?:results|input)\./, '')
}

const bounded = (value: JsonValue): JsonValue =>
  jsonBytes(value, MAX_VALUE_BYTES) > MAX_VALUE_BYTES
    ? 'Too large to be shown here: open the run.'
    : value

/** Returns the text of a value, at most `max` characters; null for a setting that is missing. */
const textOf = (value: JsonValue | undefined, max: number): string | null => {
  if (value === undefined) return null
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, max)
}

/**
 * Resolves what an approval shows, as JSON in the shape of `Shown`; null for a step that shows nothing. The error names a
 * reference that leads nowhere.
 */
export const resolveShown = (settings: ShownSettings, data: FlowData): Found => {
  const { title, description, show = [] } = settings
  if (title === undefined && description === undefined && show.length === 0) return found(null)
  const items = show.map((item) =>
    typeof item === 'string' ? { label: labelOf(item), value: item } : item,
  )
  const resolved = resolveTemplate(
    {
      ...(title === undefined ? {} : { title }),
      ...(description === undefined ? {} : { description }),
      values: items.map(({ value }) => value),
    },
    data,
  )
  if (resolved.error !== null || !isJsonObject(resolved.value)) return resolved
  const texts = resolved.value
  const values: readonly JsonValue[] = Array.isArray(texts.values) ? texts.values : []
  return found({
    title: textOf(texts.title, MAX_TITLE),
    description: textOf(texts.description, MAX_DESCRIPTION),
    show: items.map(({ label }, at) => ({ label, value: bounded(values[at] ?? null) })),
  })
}

const textOrNull = (value: JsonValue | undefined): string | null =>
  typeof value === 'string' ? value : null

/** Reads what `resolveShown` returned and the store kept. */
export const toShown = (stored: JsonValue): Shown => {
  if (!isJsonObject(stored)) return NOTHING_SHOWN
  const show = Array.isArray(stored.show) ? stored.show.filter(isJsonObject) : []
  return {
    title: textOrNull(stored.title),
    description: textOrNull(stored.description),
    show: show.map(({ label, value }: JsonObject) => ({
      label: textOrNull(label) ?? '',
      value: value ?? null,
    })),
  }
}
