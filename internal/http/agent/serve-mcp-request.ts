/** Answers one POST of the Model Context Protocol: a message, or several in a list, as old versions of the protocol allow [agents 3.1]. */
import { AppError } from '#core/error.ts'
import { isJsonObject, type JsonValue } from '#core/json/value.ts'
import { limit } from '#core/limit.ts'
import { readJson } from '#service/portions/read-json.ts'
import { acceptsEvents } from '../event-stream.ts'
import { responseWithText } from '../respond.ts'
import type { McpDeps, McpInput } from './mcp-call.ts'
import { serveMessage } from './serve-mcp.ts'
import { setArgumentsAside } from './tool-arguments.ts'

/** The protocol's package takes 100, and keeps all their answers in memory. */
const MAX_MESSAGES = limit(
  'job.tool_messages',
  10,
  'items',
  'Messages in the list of a request to `/mcp`. More: 400.',
)
const MAX_ANSWERS = limit(
  'job.tool_answers',
  4_194_304,
  'characters',
  'Answers to the list of a request to `/mcp`. Messages after that get an error.',
)

const INVALID_REQUEST = -32_600
const PARSE_ERROR = -32_700

type Id = string | number | null

const errorText = (code: number, message: string, id: Id = null): string =>
  JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id })

const refusal = (code: number, message: string): Response =>
  new Response(errorText(code, message), {
    status: 400,
    headers: { 'content-type': 'application/json' },
  })

/** Reads a message within the bounds of JSON bodies. @returns null for a text that is not JSON, which the transport refuses */
const readMessage = async (text: string): Promise<JsonValue> => {
  try {
    return await readJson(text, 'JSON')
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** @returns the id of a message that expects an answer, else undefined */
const requestIdOf = (message: JsonValue): Id | undefined => {
  if (!isJsonObject(message)) return null
  const { id } = message
  return typeof id === 'string' || typeof id === 'number' ? id : undefined
}

const answerOf = async (deps: McpDeps, input: McpInput, message: JsonValue): Promise<string> => {
  if (!isJsonObject(message)) {
    return errorText(INVALID_REQUEST, 'A message in a list is an object.')
  }
  const text = JSON.stringify(message)
  return (await serveMessage(deps, input, { text, message, streams: false })).text()
}

/**
 * Answers the messages of a list one after another, because the answers of all at once may take gigabytes. It stops when the caller
 * has left.
 */
const serveList = async (
  deps: McpDeps,
  input: McpInput,
  messages: readonly JsonValue[],
): Promise<Response> => {
  const answers: string[] = []
  let characters = 0
  for (const message of messages) {
    if (input.signal.aborted) break
    const id = requestIdOf(message)
    const isFull = characters > MAX_ANSWERS && id !== undefined
    const answer = isFull
      ? errorText(INVALID_REQUEST, 'The answers before are too large. Send this message alone.', id)
      : await answerOf(deps, input, message)
    characters += answer.length
    if (answer !== '') answers.push(answer)
  }
  // a list of notifications
  if (answers.length === 0) return new Response(null, { status: 202 })
  const headers = new Headers({ 'content-type': 'application/json' })
  return responseWithText(`[${answers.join(',')}]`, 200, headers)
}

/** Answers one POST of the protocol. */
export const serveMcp = async (deps: McpDeps, input: McpInput): Promise<Response> => {
  const text = new TextDecoder().decode(input.bodyBytes)
  let message: JsonValue
  try {
    message = await readMessage(text)
    setArgumentsAside(message)
  } catch (error) {
    if (error instanceof AppError) return refusal(PARSE_ERROR, error.message)
    throw error
  }
  if (!Array.isArray(message) || message.length === 0) {
    // a client that does not accept event streams gets one JSON response
    return serveMessage(deps, input, { text, message, streams: acceptsEvents(input) })
  }
  if (message.length > MAX_MESSAGES) {
    return refusal(INVALID_REQUEST, `A list has at most ${MAX_MESSAGES} messages.`)
  }
  // the request itself counted as one
  for (const _ of message.slice(1)) input.takeRate('other', input.principal.credentialId)
  return serveList(deps, input, message)
}
