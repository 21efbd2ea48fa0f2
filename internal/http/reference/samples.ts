/** Sample requests for each operation, as curl and in TypeScript with `@svc/sdk/client`. */
import { isJsonObject, type JsonValue } from '#core/json/value.ts'
import { type Description, jsonSchemaOf, type Operation, type Schema } from './description.ts'
import { OWN_SAMPLES } from './own-samples.ts'

const UUID = '01a1fd91-3d6b-770e-a570-5f660007cb1b'
const WORKSPACE = '/api/w/{ws}'

/** Readable sample values by field name; other texts use the field's name as the value. */
const WORDS: Readonly<Record<string, string>> = {
  app: 'hello',
  app_key: 'hello',
  action: 'greet',
  action_key: 'greet',
  flow: 'report',
  ws: 'default',
  cron: '0 9 * * *',
  timezone: 'Asia/Seoul',
  email: 'ada@example.com',
  url: 'https://example.com/hook',
  name: 'example',
  key: 'greeting',
  imageUrl: 'https://example.com/certificate.pdf',
}

const textOf = ({ format, pattern, minLength = 0 }: Schema, name: string): string => {
  if (format === 'uuid') return UUID
  if (format === 'date-time') return '2026-12-01T09:00:00Z'
  if (format === 'email') return 'ada@example.com'
  if (format === 'uri') return 'https://example.com'
  if (pattern === '^-?\\d{1,3}$') return '10'
  return (WORDS[name] ?? name).padEnd(minLength, 'x')
}

/** A value that fits the schema, with only the required fields. */
const sampleOf = (description: Description, given: Schema, name: string): JsonValue => {
  const found = description.resolve(given)
  const { const: only, enum: values, default: preset } = found
  if (only !== undefined) return only
  if (values !== undefined) return values[0] ?? null
  const [choice] = found.anyOf ?? found.oneOf ?? found.allOf ?? []
  if (choice !== undefined) return sampleOf(description, choice, name)
  const type = [found.type ?? 'object'].flat()[0]
  switch (type) {
    case 'string':
      return textOf(found, name)
    case 'integer':
    case 'number':
      return typeof preset === 'number' ? preset : Math.max(found.minimum ?? 1, 1)
    case 'boolean':
      return true
    case 'array':
      return found.items === undefined ? [] : [sampleOf(description, found.items, name)]
    case 'null':
      return null
    default:
      return objectOf(description, found)
  }
}

const objectOf = (
  description: Description,
  { properties = {}, required = [] }: Schema,
): JsonValue =>
  Object.fromEntries(
    Object.entries(properties).flatMap(([name, field]) =>
      required.includes(name) ? [[name, sampleOf(description, field, name)] as const] : [],
    ),
  )

/** What a call sends; a file has the name that the reader's own file would have. */
type SentBody =
  | Readonly<{ kind: 'none' | 'bytes' }>
  | Readonly<{ kind: 'json'; value: JsonValue }>
  | Readonly<{ kind: 'form'; fields: readonly (readonly [name: string, value: string])[] }>
  | Readonly<{ kind: 'files'; names: readonly string[] }>

type Call = Readonly<{
  path: string
  params: Readonly<Record<string, JsonValue>>
  query: Readonly<Record<string, JsonValue>>
  body: SentBody
}>

/** Sample file names by form field. */
const FILES: Readonly<Record<string, string>> = { bundle: 'app.tar.gz', file: 'certificate.pdf' }

const bodyOf = (description: Description, { requestBody, operationId }: Operation): SentBody => {
  const own = OWN_SAMPLES[operationId] ?? {}
  if (requestBody?.required !== true) return { kind: 'none' }
  const schema = jsonSchemaOf(requestBody.content)
  if (schema !== null) {
    const value = sampleOf(description, schema, 'body')
    return { kind: 'json', value: { ...(isJsonObject(value) ? value : {}), ...own.body } }
  }
  const [[type, { schema: form = {} }] = ['*/*', {}]] = Object.entries(requestBody.content)
  const { properties = {}, required = [] } = description.resolve(form)
  if (type === 'multipart/form-data') {
    return { kind: 'files', names: required.length === 0 ? ['hello.ts'] : required }
  }
  if (type !== 'application/x-www-form-urlencoded') return { kind: 'bytes' }
  const fields = required.map((name) => {
    const value = sampleOf(description, properties[name] ?? {}, name)
    return [name, String(value)] as const
  })
  return { kind: 'form', fields }
}

const callOf = (description: Description, operation: Operation): Call => {
  const { parameters, path } = operation
  const namedIn = (place: 'path' | 'query') =>
    Object.fromEntries(
      parameters.flatMap((each) =>
        each.in === place && each.required && !(place === 'path' && each.name === 'ws')
          ? [[each.name, sampleOf(description, each.schema, each.name)] as const]
          : [],
      ),
    )
  const body = bodyOf(description, operation)
  const own = OWN_SAMPLES[operation.operationId]
  const query = { ...namedIn('query'), ...own?.query }
  return { path, params: { ...namedIn('path'), ...own?.params }, query, body }
}

/** A first body for a person to try, as JSON. @returns null if there is no JSON to send, or it is optional */
export const bodySample = (description: Description, operation: Operation): JsonValue => {
  const body = bodyOf(description, operation)
  return body.kind === 'json' ? body.value : null
}

const fill = (path: string, params: Call['params']): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    name === 'ws' ? 'default' : encodeURIComponent(String(params[name] ?? name)),
  )

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const curlBody = (body: SentBody): readonly string[] => {
  switch (body.kind) {
    case 'none':
      return []
    case 'json':
      return [`-H 'content-type: application/json'`, `-d ${quoted(JSON.stringify(body.value))}`]
    case 'form':
      return body.fields.map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`)
    case 'files':
      return body.names.map((name) => `-F ${quoted(`${name}=@${FILES[name] ?? name}`)}`)
    case 'bytes':
      return [`-H 'content-type: application/json'`, '--data-binary @event.json']
  }
}

/** Arguments for the credential: none for public routes; a few routes have a header of their own. */
const curlCredential = ({ security }: Operation): readonly string[] => {
  if (security.length === 0) return []
  const isKey = security.some((each) => 'apiKey' in each)
  return [`-H "authorization: Bearer $${isKey ? 'SVC_API_KEY' : 'SVC_TOKEN'}"`]
}

export const curlSample = (description: Description, operation: Operation): string => {
  const { path, params, query, body } = callOf(description, operation)
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  )
  const address = `$SVC_URL${fill(path, params)}${search.size === 0 ? '' : `?${search}`}`
  const method = operation.method === 'get' ? '' : ` -X ${operation.method.toUpperCase()}`
  return [`curl -sS${method} "${address}"`, ...curlCredential(operation), ...curlBody(body)].join(
    ' \\\n  ',
  )
}

/** JSON as an object literal, with unquoted keys if possible. */
const literalOf = (value: JsonValue): string =>
  JSON.stringify(value)
    .replaceAll(/"((?:[^"\\]|\\.)*)"(:?)/g, (_, text: string, colon: string) =>
      colon === ':' && /^[A-Za-z_]\w*$/.test(text)
        ? `${text}: `
        : `'${text.replaceAll("'", "\\'")}'${colon}`,
    )
    .replaceAll(',', ', ')
    .replaceAll(/\{(?=[^}])/g, '{ ')
    .replaceAll(/(?<=[^{])\}/g, ' }')

/** Whether it is neither a page for people alone nor a socket. */
const isForPrograms = ({ responses }: Operation): boolean =>
  Object.entries(responses).some(([status, { content }]) => {
    const types = Object.keys(content ?? {})
    return status.startsWith('2') && (types.length !== 1 || types[0] !== 'text/html')
  })

/** @returns null for operations that the typed client does not call: bodies that are not JSON, pages and sockets */
export const typescriptSample = (description: Description, operation: Operation): string | null => {
  const { path, params, query, body } = callOf(description, operation)
  if (!['none', 'json'].includes(body.kind) || !isForPrograms(operation)) return null
  // the client reaches only workspace routes below /api/w; others, such as MCP, have their own clients
  if (path.includes('{ws}') && !path.startsWith(WORKSPACE)) return null
  const short = path.startsWith(WORKSPACE) ? path.slice(WORKSPACE.length) : path
  const parts = [
    ...(Object.keys(params).length === 0 ? [] : [`params: ${literalOf(params)}`]),
    ...(Object.keys(query).length === 0 ? [] : [`query: ${literalOf(query)}`]),
    ...(body.kind === 'json' ? [`body: ${literalOf(body.value)}`] : []),
  ]
  const options = parts.length === 0 ? '' : `, {\n${parts.map((part) => `  ${part},\n`).join('')}}`
  return `const answer = await client.${operation.method}('${short}'${options})`
}
