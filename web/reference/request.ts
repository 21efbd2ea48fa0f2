/** Converts what was typed into a form of the reference to a request, and to a curl command. */
import type { Operation } from './operation.ts'

/** The body that is sent. The browser encodes the fields of a form with files. */
export type Body =
  | Readonly<{ kind: 'none' }>
  | Readonly<{ kind: 'text'; type: string; text: string }>
  | Readonly<{ kind: 'files'; fields: readonly (readonly [name: string, value: string | File])[] }>

export type Filled = Readonly<{
  operation: Pick<Operation, 'method' | 'path' | 'parameters' | 'isPublic'>
  /** Returns the value of a parameter as typed. An empty one is left out. */
  valueIn: (place: string, name: string) => string
  body: Body
  /** If it is empty, the browser sends its session. */
  token: string
}>

/** Names what must be filled in before the request can be sent. */
export class NotFilledIn extends Error {}

const addressOf = ({ operation: { path, parameters }, valueIn }: Filled): string => {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = valueIn('path', name)
    if (value === '') throw new NotFilledIn(`Fill in ${name}.`)
    const encoded = encodeURIComponent(value)
    // a path keeps its slashes
    return name === 'path' ? encoded.replaceAll('%2F', '/') : encoded
  })
  const query = new URLSearchParams()
  for (const { name, in: place, required } of parameters) {
    if (place !== 'query') continue
    const value = valueIn('query', name)
    if (value !== '') query.set(name, value)
    else if (required === true) throw new NotFilledIn(`Fill in ${name}.`)
  }
  return query.size === 0 ? filled : `${filled}?${query}`
}

const headersOf = ({ operation: { parameters }, valueIn, body }: Filled): [string, string][] => {
  const own = parameters
    .filter(({ in: place, name }) => place === 'header' && valueIn('header', name) !== '')
    .map(({ name }): [string, string] => [name.toLowerCase(), valueIn('header', name)])
  return body.kind === 'text' ? [...own, ['content-type', body.type]] : own
}

/** Checks JSON here, because the server's refusal would name a position that means nothing in the form. */
const checkBody = (body: Body): void => {
  if (body.kind !== 'text' || body.type !== 'application/json') return
  try {
    JSON.parse(body.text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new NotFilledIn(`The body is not JSON: ${reason}`, { cause: error })
  }
}

const sentBody = (body: Body): BodyInit | null => {
  if (body.kind === 'none') return null
  if (body.kind === 'text') return body.text
  const form = new FormData()
  for (const [name, value] of body.fields) form.append(name, value)
  return form
}

/** @throws {NotFilledIn} something is missing */
export const toRequest = (filled: Filled): Readonly<{ address: string; init: RequestInit }> => {
  const { operation, body, token } = filled
  const address = addressOf(filled)
  checkBody(body)
  const headers = headersOf(filled)
  return {
    address,
    init: {
      method: operation.method,
      headers: token === '' ? headers : [...headers, ['authorization', `Bearer ${token}`]],
      body: sentBody(body),
      // a token is sent without the session, as by a program
      credentials: token === '' ? 'same-origin' : 'omit',
      redirect: 'manual',
      cache: 'no-store',
    },
  }
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** The command never contains the token itself. @throws {NotFilledIn} something is missing */
export const toCurl = (filled: Filled): string => {
  const { operation, body } = filled
  const method = operation.method === 'GET' ? '' : ` -X ${operation.method}`
  const parts = [
    `curl -sS${method} "$SVC_URL${addressOf(filled)}"`,
    ...(operation.isPublic ? [] : ['-H "authorization: Bearer $SVC_TOKEN"']),
    ...headersOf(filled).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
  ]
  if (body.kind === 'text') parts.push(`--data-binary ${quoted(body.text)}`)
  if (body.kind === 'files') {
    for (const [name, value] of body.fields) {
      parts.push(`-F ${quoted(`${name}=${typeof value === 'string' ? value : `@${value.name}`}`)}`)
    }
  }
  return parts.join(' \\\n  ')
}
