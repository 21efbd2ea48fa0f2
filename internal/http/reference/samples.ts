/** A request for each operation, as curl and in TypeScript with `@svc/sdk/client`. */
import type { JsonValue } from '#core/json.ts'
import type { Description, Operation, Schema } from './description.ts'
import { jsonSchemaOf } from './description.ts'

const UUID = '01a1fd91-3d6b-770e-a570-5f660007cb1b'
const WORKSPACE = '/api/w/{ws}'

/** Words that read as what they are; other texts are their own name. */
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
  name: 'order.paid',
}

const textOf = ({ format, pattern, minLength = 0 }: Schema, name: string): string => {
  if (format === 'uuid') return UUID
  if (format === 'date-time') return '2026-12-01T09:00:00Z'
  if (format === 'email') return 'ada@example.com'
  if (format === 'uri') return 'https://example.com'
  if (pattern === '^-?\\d{1,3}$') return '10'
  return (WORDS[name] ?? name).padEnd(minLength, 'x')
}

/** A value that fits: required fields alone. */
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

type Call = Readonly<{
  path: string
  params: Readonly<Record<string, JsonValue>>
  query: Readonly<Record<string, JsonValue>>
  /** Undefined: there is none, or it is not JSON. */
  body: JsonValue | undefined
  isJson: boolean
}>

const callOf = (description: Description, operation: Operation): Call => {
  const { parameters, requestBody, path } = operation
  const namedIn = (place: 'path' | 'query') =>
    Object.fromEntries(
      parameters.flatMap((each) =>
        each.in === place && each.required && !(place === 'path' && each.name === 'ws')
          ? [[each.name, sampleOf(description, each.schema, each.name)] as const]
          : [],
      ),
    )
  const schema = requestBody?.required === true ? jsonSchemaOf(requestBody.content) : null
  return {
    path,
    params: namedIn('path'),
    query: namedIn('query'),
    body: schema === null ? undefined : sampleOf(description, schema, 'body'),
    isJson: requestBody === undefined || jsonSchemaOf(requestBody.content) !== null,
  }
}

const fill = (path: string, params: Call['params']): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    name === 'ws' ? 'default' : encodeURIComponent(String(params[name] ?? name)),
  )

export const curlSample = (description: Description, operation: Operation): string => {
  const { path, params, query, body, isJson } = callOf(description, operation)
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  )
  const address = `$SVC_URL${fill(path, params)}${search.size === 0 ? '' : `?${search}`}`
  const method = operation.method === 'get' ? '' : ` -X ${operation.method.toUpperCase()}`
  return [
    `curl -sS${method} "${address}"`,
    '-H "authorization: Bearer $SVC_TOKEN"',
    ...(body === undefined
      ? []
      : [
          `-H 'content-type: application/json'`,
          `-d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`,
        ]),
    ...(isJson ? [] : ['--data-binary @file']),
  ].join(' \\\n  ')
}

/** JSON as an object literal, with bare keys where they can be. */
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

/** A page for people, or a socket. */
const isForPrograms = ({ responses }: Operation): boolean =>
  Object.entries(responses).some(
    ([status, { content }]) => status.startsWith('2') && content?.['text/html'] === undefined,
  )

/** @returns null for what the typed client does not call: bodies that are not JSON, pages and sockets */
export const typescriptSample = (description: Description, operation: Operation): string | null => {
  const { path, params, query, body, isJson } = callOf(description, operation)
  if (!isJson || !isForPrograms(operation)) return null
  const short = path.startsWith(WORKSPACE) ? path.slice(WORKSPACE.length) : path
  const parts = [
    ...(Object.keys(params).length === 0 ? [] : [`params: ${literalOf(params)}`]),
    ...(Object.keys(query).length === 0 ? [] : [`query: ${literalOf(query)}`]),
    ...(body === undefined ? [] : [`body: ${literalOf(body)}`]),
  ]
  const options = parts.length === 0 ? '' : `, {\n${parts.map((part) => `  ${part},\n`).join('')}}`
  return `const answer = await client.${operation.method}('${short}'${options})`
}
