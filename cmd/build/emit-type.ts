/** Emits a JSON Schema as a TypeScript type. It knows the keywords that our routes use and refuses any other. */
import { z } from 'zod'

export type Schema = Readonly<{
  $ref?: string | undefined
  type?: string | readonly string[] | undefined
  const?: unknown
  enum?: readonly unknown[] | undefined
  properties?: Readonly<Record<string, Schema>> | undefined
  required?: readonly string[] | undefined
  additionalProperties?: boolean | Schema | undefined
  items?: Schema | undefined
  anyOf?: readonly Schema[] | undefined
  oneOf?: readonly Schema[] | undefined
  allOf?: readonly Schema[] | undefined
  format?: string | undefined
  description?: string | undefined
}>

/** Keywords that a type cannot express. */
const UNTYPED = [
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'pattern',
  'default',
  'minItems',
  'maxItems',
  'propertyNames',
]

export const schemaShape: z.ZodType<Schema> = z.lazy(() => {
  const list = z.array(schemaShape).optional()
  return z.strictObject({
    $ref: z.string().optional(),
    type: z.union([z.string(), z.array(z.string())]).optional(),
    const: z.unknown().optional(),
    enum: z.array(z.unknown()).optional(),
    properties: z.record(z.string(), schemaShape).optional(),
    required: z.array(z.string()).optional(),
    additionalProperties: z.union([z.boolean(), schemaShape]).optional(),
    items: schemaShape.optional(),
    anyOf: list,
    oneOf: list,
    allOf: list,
    format: z.string().optional(),
    description: z.string().optional(),
    ...Object.fromEntries(UNTYPED.map((name) => [name, z.unknown().optional()])),
  })
})

const ANY_JSON = 6

export const emitComment = (text: string | undefined): string =>
  text === undefined ? '' : `/** ${text.replaceAll('*/', '*\\/').replaceAll('\n', ' ')} */\n`

export const emitKey = (name: string): string =>
  /^[a-z_]\w*$/i.test(name) ? name : `'${name.replaceAll("'", "\\'")}'`

export const unionOf = (types: readonly string[]): string => [...new Set(types)].join(' | ')

const isUnion = ({ enum: values, anyOf, oneOf, type }: Schema): boolean =>
  [values, anyOf, oneOf].some((choices) => (choices?.length ?? 0) > 1) ||
  (Array.isArray(type) && type.length !== ANY_JSON)

/** Emits a part of a larger type, in parentheses if needed. */
const emitPart = (schema: Schema): string =>
  isUnion(schema) ? `(${emitType(schema)})` : emitType(schema)

const emitObject = ({ properties = {}, required = [], additionalProperties }: Schema): string => {
  const members = Object.entries(properties).map(([name, schema]) => {
    const mark = required.includes(name) ? '' : '?'
    return `${emitComment(schema.description)}readonly ${emitKey(name)}${mark}: ${emitType(schema)}`
  })
  if (typeof additionalProperties === 'object') {
    // TypeScript requires named members to match the index signature
    const rest = members.length === 0 ? emitType(additionalProperties) : 'unknown'
    members.push(`readonly [key: string]: ${rest}`)
  }
  return members.length === 0 ? 'Readonly<Record<string, unknown>>' : `{\n${members.join('\n')}\n}`
}

const emitNamed = (schema: Schema, type: string): string => {
  switch (type) {
    case 'string':
      return schema.format === 'binary' ? 'Blob' : 'string'
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
    case 'null':
      return type
    case 'array':
      return `readonly ${emitPart(schema.items ?? {})}[]`
    case 'object':
      return emitObject(schema)
    default:
      throw new Error(`emit-type.ts does not know the type ${type}.`)
  }
}

export const emitType = (schema: Schema): string => {
  if (schema.$ref !== undefined) return `Schemas['${schema.$ref.split('/').at(-1)}']`
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return unionOf(schema.enum.map((each) => JSON.stringify(each)))
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return unionOf(choices.map(emitType))
  if (schema.allOf !== undefined) return schema.allOf.map(emitPart).join(' & ')
  if (schema.type === undefined) return 'unknown'
  if (typeof schema.type === 'string') return emitNamed(schema, schema.type)
  if (schema.type.length === ANY_JSON) return 'Json'
  return unionOf(schema.type.map((each) => emitNamed(schema, each)))
}
