/**
 * Puts the arguments of tools aside while the protocol's package reads their message. The package checks and copies a message
 * several times in one go, which takes 10 microseconds for each field.
 */
import { invalid } from '#core/error.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '#core/json/value.ts'
import { limit } from '#core/limit.ts'

const MAX_VALUES = limit(
  'job.tool_message',
  2_000,
  'items',
  'Values in a message to `/mcp`, without the arguments of a tool. More: 400.',
)

const MAX_ID_LENGTH = limit(
  'job.tool_message_id',
  1_000,
  'characters',
  'Id and progress token of a message to `/mcp`. More: 400.',
)

const PLACE = 'svc.place'

export type MessageWithoutArguments = Readonly<{
  /** The message, or several, with places instead of arguments. */
  message: JsonValue
  /** Returns the arguments from what the package passes on. */
  restore: (given: Readonly<Record<string, unknown>> | undefined) => JsonObject
}>

const hasMoreValues = (message: JsonValue): boolean => {
  const open: JsonValue[] = [message]
  for (const value of open) {
    if (typeof value !== 'object' || value === null) continue
    const inner: readonly JsonValue[] = Object.values(value)
    if (open.length + inner.length > MAX_VALUES) return true
    open.push(...inner)
  }
  return false
}

const isLong = (id: JsonValue | undefined): boolean =>
  typeof id === 'string' && id.length > MAX_ID_LENGTH

/** Every notification of progress repeats the token, and waits in memory until the agent reads it. */
const hasLongId = (message: JsonValue): boolean => {
  if (!isJsonObject(message)) return false
  const meta = isJsonObject(message.params) ? message.params._meta : undefined
  return isLong(message.id) || (isJsonObject(meta) && isLong(meta.progressToken))
}

/** Arguments that are not an object stay, because the package refuses them. @throws {AppError} invalid: the message has too many values, or a long id */
export const setArgumentsAside = (message: JsonValue): MessageWithoutArguments => {
  const all: JsonObject[] = []
  const reduce = (one: JsonValue): JsonValue => {
    if (!isJsonObject(one) || !isJsonObject(one.params)) return one
    const { arguments: given } = one.params
    if (!isJsonObject(given)) return one
    all.push(given)
    return { ...one, params: { ...one.params, arguments: { [PLACE]: all.length - 1 } } }
  }
  const reduced = Array.isArray(message) ? message.map(reduce) : reduce(message)
  if (hasMoreValues(reduced)) {
    throw invalid(`A message has at most ${MAX_VALUES} values besides the arguments of its tool.`)
  }
  if ((Array.isArray(message) ? message : [message]).some(hasLongId)) {
    throw invalid(`The id and the progress token have at most ${MAX_ID_LENGTH} characters.`)
  }
  return {
    message: reduced,
    restore: (given) => {
      const place = given?.[PLACE]
      return (typeof place === 'number' ? all[place] : undefined) ?? {}
    },
  }
}
