/** Calls a server's API for commands. A refusal becomes an error message that names the next step. */
import { z } from 'zod'
import { AppError, invalid } from '#core/error.ts'
import { type Credentials, loadCredentials } from './credentials.ts'
import { type Answer, type Exchange, exchange } from './exchange.ts'
import { nameHint } from './name-hint.ts'
import { refusalOf } from './refusal.ts'
import { unreachable } from './unreachable.ts'

export type CallOptions = Readonly<{
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Sent as JSON. */
  json?: unknown
  /** Sent unchanged. */
  body?: FormData | string
  headers?: Readonly<Record<string, string>>
}>

export interface Client {
  readonly endpoint: string
  /** The workspace of the credential. */
  workspace(): Promise<string>
  /** Whether the credential holds a scope. */
  holds(scope: string): Promise<boolean>
  /** @param path from the server's root. @throws {AppError} the server refused, or was not reached */
  fetch(path: string, options?: CallOptions): Promise<Response>
  /** The body of a response. @param path from the server's root. @throws {AppError} the server refused, or was not reached */
  text(path: string): Promise<string>
  /** Like `text`, parsed with the schema. */
  read<Schema extends z.ZodType>(schema: Schema, path: string): Promise<z.output<Schema>>
  /** Calls a path below `/api/w/{ws}`, and parses the response with the schema. */
  call<Schema extends z.ZodType>(
    schema: Schema,
    path: string,
    options?: CallOptions,
  ): Promise<z.output<Schema>>
}

const identity = z.looseObject({
  workspace: z.string().optional(),
  scopes: z.array(z.string()).default([]),
})

const otherServer = (cause: unknown): AppError =>
  new AppError(
    'bad_gateway',
    'What answers there is not svc, or svc of another version. Check SVC_URL, or `svc login` again.',
    { cause },
  )

/** @throws {AppError} bad_gateway: the text is not the JSON of a response of svc */
const parseWith = <Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> => {
  try {
    return schema.parse(text === '' ? null : JSON.parse(text))
  } catch (cause) {
    throw otherServer(cause)
  }
}

/** @throws {AppError} unauthenticated: there are no credentials */
export const createClient = (credentials: Credentials = loadCredentials()): Client => {
  const { endpoint, token } = credentials
  let own: Promise<z.output<typeof identity>> | null = null

  const toExchange = ({ method = 'GET', json, body, headers = {} }: CallOptions): Exchange => {
    const content = json === undefined ? body : JSON.stringify(json)
    return {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(content === undefined ? {} : { body: content }),
    }
  }

  const orUnreachable = async <T>(send: () => Promise<T>): Promise<T> => {
    try {
      return await send()
    } catch (error) {
      throw unreachable(endpoint, error)
    }
  }

  const fetchFrom: Client['fetch'] = async (path, options = {}) => {
    const { method, headers, body } = toExchange(options)
    const init = { method, headers: { ...headers }, ...(body === undefined ? {} : { body }) }
    const response = await orUnreachable(() => fetch(`${endpoint}${path}`, init))
    if (response.ok) return response
    throw refusalOf({ status: response.status, text: await response.text() })
  }

  const answerOf = (path: string, options: CallOptions = {}): Promise<Answer> =>
    orUnreachable(() => exchange(`${endpoint}${path}`, toExchange(options)))

  const findHint = async (answer: Answer): Promise<string | undefined> => {
    try {
      return await nameHint(answer, async (list) => answerOf(`/api/w/${await workspace()}${list}`))
    } catch {
      // without a suggestion, the person still learns what the server refused
      return undefined
    }
  }

  const readText = async (path: string, options: CallOptions = {}): Promise<string> => {
    const answer = await answerOf(path, options)
    if (answer.status >= 200 && answer.status < 300) return answer.text
    throw refusalOf(answer, answer.status === 404 ? await findHint(answer) : undefined)
  }

  const findOwn = async () => parseWith(identity, await readText('/api/auth/me'))
  const readOwn = (): ReturnType<typeof findOwn> => {
    own ??= findOwn()
    return own
  }
  const workspace = async (): Promise<string> => {
    const { workspace: found } = await readOwn()
    if (found !== undefined) return found
    throw invalid('This token belongs to no workspace.')
  }

  return {
    endpoint,
    workspace,
    holds: async (scope) => (await readOwn()).scopes.some((each) => each === '*' || each === scope),
    fetch: fetchFrom,
    text: readText,
    read: async (schema, path) => parseWith(schema, await readText(path)),
    call: async (schema, path, options) => {
      const text = await readText(`/api/w/${await workspace()}${path}`, options)
      return parseWith(schema, text)
    },
  }
}
