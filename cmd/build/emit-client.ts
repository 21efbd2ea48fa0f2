/** Emits the types of the client (sdk/api.gen.ts) from the OpenAPI document. */
import { z } from 'zod'
import { METHODS } from '../../internal/http/endpoint.ts'
import { emitComment, emitKey, emitType, type Schema, schemaShape, unionOf } from './emit-type.ts'

const content = z.record(z.string(), z.looseObject({ schema: schemaShape.optional() }))

const operation = z.looseObject({
  summary: z.string(),
  description: z.string(),
  parameters: z
    .array(
      z.looseObject({
        name: z.string(),
        in: z.enum(['path', 'query', 'header']),
        required: z.boolean().default(false),
        description: z.string().optional(),
        schema: schemaShape,
      }),
    )
    .default([]),
  requestBody: z.looseObject({ required: z.boolean().default(false), content }).optional(),
  responses: z.record(z.string(), z.looseObject({ content: content.optional() })),
})
type Operation = z.infer<typeof operation>

const documentShape = z.looseObject({
  paths: z.record(z.string(), z.partialRecord(z.enum(METHODS), operation)),
  components: z.looseObject({ schemas: z.record(z.string(), schemaShape) }),
})

const WORKSPACE = '/api/w/{ws}'

/** Returns the path in the form that the client uses. */
const shortPath = (path: string): string =>
  path.startsWith(`${WORKSPACE}/`) ? path.slice(WORKSPACE.length) : path

/** Returns null for content that only people read, such as a page. */
const answerType = (type: string, schema: Schema | undefined): string | null => {
  if (type === 'text/html') return null
  if (type === 'text/event-stream') return 'AsyncIterable<ServerEvent>'
  return type === 'application/json' ? emitType(schema ?? {}) : 'string'
}

const answersOf = ({ responses }: Operation): readonly string[] =>
  Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, { content: kinds }]) =>
      kinds === undefined
        ? ['undefined']
        : Object.entries(kinds).flatMap(([type, { schema }]) => answerType(type, schema) ?? []),
    )

const bodyType = (type: string, schema: Schema | undefined): string => {
  if (type === 'multipart/form-data') return 'FormData'
  // routes that accept a form accept the same fields as JSON
  return type === '*/*' ? 'string | Blob' : emitType(schema ?? {})
}

/** Parameters in a URL may be given as numbers. */
const addressType = (schema: Schema): string => {
  const type = emitType(schema)
  return type === 'string' && schema.format === undefined ? 'string | number' : type
}

const emitParts = (parameters: Operation['parameters'], place: 'path' | 'query'): string | null => {
  const members = parameters
    .filter(({ name, in: where }) => where === place && name !== 'ws')
    .map(({ name, required, description, schema }) => {
      const rest = required ? '' : ' | undefined'
      const mark = required ? '' : '?'
      return `${emitComment(description)}${emitKey(name)}${mark}: ${place === 'query' ? addressType(schema) : emitType(schema)}${rest}`
    })
  return members.length === 0 ? null : `{\n${members.join('\n')}\n}`
}

const emitArgs = ({ parameters, requestBody }: Operation): string => {
  const members: string[] = []
  const params = emitParts(parameters, 'path')
  if (params !== null) members.push(`params: ${params}`)
  const query = emitParts(parameters, 'query')
  const needsQuery = parameters.some(({ in: where, required }) => where === 'query' && required)
  if (query !== null) members.push(`query${needsQuery ? '' : '?'}: ${query}`)
  // a body has the same fields in every content type; the client sends JSON
  const bodies = Object.entries(requestBody?.content ?? {})
  const sent = bodies.find(([type]) => type === 'application/json') ?? bodies[0]
  if (sent !== undefined) {
    const [type, { schema }] = sent
    members.push(`body${requestBody?.required ? '' : '?'}: ${bodyType(type, schema)}`)
  }
  const isOptional = members.every((member) => /^\w+\?:/.test(member))
  const own = members.length === 0 ? '' : `{\n${members.join('\n')}\n} & `
  return `[options${isOptional ? '?' : ''}: ${own}CallOptions]`
}

const emitOperation = (path: string, one: Operation): string | null => {
  const answers = answersOf(one)
  if (answers.length === 0) return null
  const comment = emitComment(`${one.summary}. ${one.description}`)
  return `${comment}${emitKey(shortPath(path))}: {\nargs: ${emitArgs(one)}\nanswer: ${unionOf(answers)}\n}`
}

/** Indents by two spaces per open bracket. */
const indent = (source: string): string => {
  let depth = 0
  return source
    .split('\n')
    .map((line) => {
      const isComment = line.startsWith('/**')
      if (/^[}\])]/.test(line)) depth -= 1
      const shown = line === '' ? '' : `${'  '.repeat(depth)}${line}`
      if (!isComment && /[{[(]$/.test(line)) depth += 1
      return shown
    })
    .join('\n')
}

/** Returns paths outside workspaces, which the client cannot detect by their prefix. @param source the OpenAPI document */
export const rootPathsOf = (source: unknown): readonly string[] =>
  Object.entries(documentShape.parse(source).paths)
    .filter(([path, known]) => {
      const isCalled = Object.values(known).some((one) => answersOf(one).length > 0)
      return !path.startsWith('/api/') && isCalled
    })
    .map(([path]) => path)

/** @param source the OpenAPI document @throws {z.ZodError} it contains a keyword that this emitter does not support */
export const emitClient = (source: unknown): string => {
  const { paths, components } = documentShape.parse(source)
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => `${emitKey(name)}: ${emitType(schema)}`,
  )
  const methods = METHODS.map((method) => {
    const members = Object.entries(paths).flatMap(([path, known]) => {
      const one = known[method]
      return (one === undefined ? null : emitOperation(path, one)) ?? []
    })
    return `${method}: {\n${members.join('\n')}\n}`
  })
  return `// Made by \`make generate\` from the routes of internal/http. Do not edit.
import type { CallOptions } from './call-options.ts'
import type { ServerEvent } from './event-stream.ts'
import type { Json } from './mod.ts'

${indent(`/** What routes take and answer, by name. */
export interface Schemas {
${schemas.join('\n')}
}

/** The routes by method and path. */
export interface Operations {
${methods.join('\n')}
}
`)}`
}
