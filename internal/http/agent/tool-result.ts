/** Results of tools: JSON as text, and the same as an object for programs. */
import { isJsonObject, type JsonValue } from '#core/json/value.ts'
import { toWireError } from '../error.ts'

export type ToolResult = {
  content: { type: 'text'; text: string }[]
  structuredContent?: Record<string, unknown>
  isError?: boolean
  _meta?: Record<string, unknown>
}

export const textResult = (text: string): ToolResult => ({ content: [{ type: 'text', text }] })

/** The package copies the fields of an object and writes it, all in one go. Larger ones are only text. */
const MAX_OBJECT_CHARACTERS = 262_144
const MAX_OBJECT_FIELDS = 1_000

/** @param json a value in wire form */
export const resultOfText = (json: string): ToolResult => {
  const text = textResult(json)
  if (json.length > MAX_OBJECT_CHARACTERS) return text
  const value: JsonValue = JSON.parse(json)
  const isObject = isJsonObject(value) && Object.keys(value).length <= MAX_OBJECT_FIELDS
  return isObject ? { ...text, structuredContent: { ...value } } : text
}

/** @param value JSON-compatible, in wire form */
export const jsonResult = (value: unknown): ToolResult => resultOfText(JSON.stringify(value))

/** Adds the job that ran to the result, so that the agent can read its log. */
export const ofWork = (
  result: ToolResult,
  work: Readonly<Record<string, JsonValue>>,
): ToolResult => ({
  ...result,
  _meta: { ...work },
})

export const failed = (value: unknown): ToolResult => ({ ...jsonResult(value), isError: true })

/**
 * Turns a refusal into a result, so that the agent reads it and may correct its call.
 * @throws a fault of svc itself
 */
export const refused = (error: unknown): ToolResult => {
  const { message, code, details, isOurs } = toWireError(error)
  if (isOurs) throw error
  const faults = (details ?? []).map(({ path, message: why }) => `${path} ${why}`)
  return { ...textResult([`${message} (${code})`, ...faults].join('\n')), isError: true }
}
