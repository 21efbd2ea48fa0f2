/** Writes docs/manifest.md from the JSON Schema of app.yaml; `--check` fails if it is stale. */
import { resolve } from 'node:path'
import { isJsonObject, type JsonObject, type JsonValue } from '../../internal/core/json/value.ts'
import { MANIFEST_SCHEMA_PATH, manifestSchema } from '../../internal/core/manifest/schema.ts'
import { writeGenerated } from './write-generated.ts'

type Field = Readonly<{
  path: string
  schema: JsonObject
  isRequired: boolean
  of: readonly string[]
}>

const objectsIn = (value: JsonValue | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : []

/** The scheme of one of the ways to verify a webhook; empty for other objects. */
const schemeOf = ({ properties }: JsonObject): readonly string[] =>
  isJsonObject(properties) && isJsonObject(properties.scheme)
    ? [String(properties.scheme.const)]
    : []

const schemes = (schema: JsonObject): readonly string[] => objectsIn(schema.oneOf).flatMap(schemeOf)

/** Fields of alternatives. Where only some of them require a field, `of` names those. */
const fieldsOfVariants = (schema: JsonObject, path: string): readonly Field[] => {
  const variants = objectsIn(schema.oneOf)
  const fields = variants.flatMap((each) =>
    fieldsOf(each, path).map((field) => ({ ...field, scheme: schemeOf(each) })),
  )
  return fields.map(({ scheme: _, ...field }) => {
    const requiring = fields.filter(({ path: at, isRequired }) => at === field.path && isRequired)
    const isRequired = requiring.length === variants.length
    const of = isRequired ? [] : requiring.flatMap(({ scheme }) => scheme)
    return { ...field, isRequired, of }
  })
}

/** A field that several alternatives share is listed once, at its first occurrence. */
const fieldsOf = (schema: JsonObject, path: string): readonly Field[] => {
  const required = Array.isArray(schema.required) ? schema.required : []
  const properties = isJsonObject(schema.properties) ? Object.entries(schema.properties) : []
  const own = properties.flatMap(([name, field]): readonly Field[] => {
    if (!isJsonObject(field)) return []
    const at = path === '' ? name : `${path}.${name}`
    const isRequired = required.includes(name) && field.default === undefined
    return [{ path: at, schema: field, isRequired, of: [] }, ...fieldsOf(field, at)]
  })
  const items = isJsonObject(schema.items) ? fieldsOf(schema.items, `${path}[]`) : []
  const all = [...own, ...items, ...fieldsOfVariants(schema, path)]
  return all.filter(({ path: at }, index) => all.findIndex((each) => each.path === at) === index)
}

const code = (value: JsonValue): string =>
  `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``

const range = (noun: string, low: JsonValue | undefined, high: JsonValue | undefined): string => {
  const [from, to] = [low, high].map((value) => value?.toLocaleString('en-US'))
  if (to === undefined) return from === undefined ? noun : `${noun}, at least ${from}`
  return from === undefined ? `${noun}, at most ${to}` : `${noun}, ${from} to ${to}`
}

const valuesOf = (schema: JsonObject): string => {
  const { type, anyOf, oneOf } = schema
  if (schema.const !== undefined) return code(schema.const)
  if (Array.isArray(schema.enum)) return schema.enum.map(code).join(', ')
  if (anyOf !== undefined) return objectsIn(anyOf).map(valuesOf).join(' or ')
  if (oneOf !== undefined) return `mapping, of scheme ${schemes(schema).map(code).join(', ')}`
  if (type === 'string') {
    const pattern =
      schema.pattern === undefined ? '' : `, ${code(String(schema.pattern)).replaceAll('|', '\\|')}`
    return `${range('text', undefined, schema.maxLength)}${schema.maxLength === undefined ? '' : ' characters'}${pattern}`
  }
  if (type === 'integer') return range('whole number', schema.minimum, schema.maximum)
  if (type === 'number') return range('number', schema.minimum, schema.maximum)
  if (type === 'boolean') return '`true`, `false`'
  if (type === 'array')
    return `${range('list', schema.minItems, schema.maxItems)}${schema.maxItems === undefined ? '' : ' items'}`
  return type === 'object' ? 'mapping' : 'any value'
}

/** Lists the schemes once, because all variants of a webhook's verification share this field. */
const shownValues = ({ path, schema }: Field, root: JsonObject): string =>
  path === 'webhooks[].verify.scheme'
    ? fieldsOf(root, '')
        .filter((field) => field.path === 'webhooks[].verify')
        .flatMap((field) => schemes(field.schema).map(code))
        .join(', ')
    : valuesOf(schema)

const schema = manifestSchema()

const shownDefault = ({ schema: { default: fallback }, isRequired, of }: Field): string => {
  if (isRequired) return 'required'
  if (of.length > 0) return `required for ${of.map(code).join(', ')}`
  return fallback === undefined ? '' : code(fallback)
}

const rows = fieldsOf(schema, '').map((field) => {
  const value = shownDefault(field)
  const about = String(field.schema.description).replaceAll('<', '&lt;')
  return `| \`${field.path}\` | ${shownValues(field, schema)} | ${value} | ${about} |`
})

writeGenerated(
  resolve(import.meta.dirname, '../../docs/manifest.md'),
  `# The manifest: app.yaml

Made by \`make generate\` from the schemas by which svc reads a manifest. Do not edit it.

\`app.yaml\` (or \`app.json\`) lists what an app is made of. A field that is not listed here is a fault; a deploy reports all faults at
once, each with its line and column. A server has this page as a JSON Schema at \`${MANIFEST_SCHEMA_PATH}\`. Editors complete and check
a file that begins with the line that \`svc init\` writes:

\`\`\`yaml
# yaml-language-server: $schema=http://localhost:3000${MANIFEST_SCHEMA_PATH}
\`\`\`

\`[]\` is an item of a list.

| Field | Values and limits | Default | Meaning |
|---|---|---|---|
${rows.join('\n')}
`,
)
