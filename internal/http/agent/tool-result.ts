/** What a tool answers: a text of JSON, and for programs the same as an object. */
import { isJsonObject, type JsonValue } from '#core/json.ts'
import { toWireError } from '../error.ts'

export type ToolResult = {
  content: { type: 'text'; text: string }[]
  structuredContent?: Record<string, unknown>
  isError?: boolean
  _meta?: Record<string, unknown>
}

export const textResult = (text: string): ToolResult => ({ content: [{ type: 'text', text }] })

/** @param value as JSON has it */
export const jsonResult = (value: unknown): ToolResult => ({
  ...textResult(JSON.stringify(value)),
  ...(isJsonObject(value) ? { structuredContent: { ...value } } : {}),
})

/** The job that ran goes along, so that the agent can read its log. */
export const ofWork = (
  result: ToolResult,
  work: Readonly<Record<string, JsonValue>>,
): ToolResult => ({
  ...result,
  _meta: { ...work },
})

export const failed = (value: unknown): ToolResult => ({ ...jsonResult(value), isError: true })

/**
 * A refusal is a result, so that the agent reads it and may correct its call.
 * @throws what is a fault of svc itself
 */
export const refused = (error: unknown): ToolResult => {
  const { message, code, details, isOurs } = toWireError(error)
  if (isOurs) throw error
  const faults = (details ?? []).map(({ path, message: why }) => `${path} ${why}`)
  return { ...textResult([`${message} (${code})`, ...faults].join('\n')), isError: true }
}
