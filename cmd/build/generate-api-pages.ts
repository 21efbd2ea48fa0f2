/** Writes docs/api from the endpoints: the operations of the API, with a page for each tag; `--check` fails if one is stale. */
import { globSync, mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { allEndpoints } from '../../internal/http/endpoints/all.ts'
import { openApiDocument } from '../../internal/http/openapi.ts'
import {
  jsonSchemaOf,
  type Operation,
  readDescription,
} from '../../internal/http/reference/description.ts'
import { outlineOf } from '../../internal/http/reference/outline.ts'
import { curlSample, typescriptSample } from '../../internal/http/reference/samples.ts'
import { writeGenerated } from './write-generated.ts'

const FOLDER = resolve(import.meta.dirname, '../../docs/api')

const document: unknown = JSON.parse(JSON.stringify(openApiDocument(allEndpoints, '0')))
const description = readDescription(document)

/** Text outside code: a page contains no HTML. */
const prose = (text: string): string => text.replaceAll('<', '&lt;')

const cell = (text: string): string => prose(text).replaceAll('|', '\\|').replaceAll('\n', ' ')

const block = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``

const parametersOf = ({ parameters }: Operation): readonly string[] => {
  const rows = parameters.map(({ name, in: place, required, schema }) => {
    const shape = cell(outlineOf(description, schema))
    const where = `${place}${required ? '' : ', optional'}`
    return `| \`${name}\` | ${where} | \`${shape}\` ${cell(schema.description ?? '')} |`
  })
  return rows.length === 0 ? [] : [['| Parameter | In | |', '|---|---|---|', ...rows].join('\n')]
}

const bodyOf = ({ requestBody }: Operation): readonly string[] => {
  if (requestBody === undefined) return []
  const types = Object.keys(requestBody.content).map((type) => `\`${type}\``)
  const schema = jsonSchemaOf(requestBody.content)
  const head = `Body${requestBody.required ? '' : ', optional'}: ${types.join(', ')}`
  return schema === null ? [head] : [head, block('text', outlineOf(description, schema))]
}

const answersOf = ({ responses, sharedStatuses }: Operation): readonly string[] => {
  const rows = Object.entries(responses).map(
    ([status, { description: text }]) => `| ${status} | ${cell(text)} |`,
  )
  const shared =
    sharedStatuses.length === 0 ? [] : [`| ${sharedStatuses.join(', ')} | as at every operation |`]
  const [answer = null] = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, { content }]) => jsonSchemaOf(content))
  return [
    ...(answer === null ? [] : ['Response', block('text', outlineOf(description, answer))]),
    ['| Status | |', '|---|---|', ...rows, ...shared].join('\n'),
  ]
}

const sectionOf = (operation: Operation): string => {
  const { operationId, method, path, summary, description: who } = operation
  const typescript = typescriptSample(description, operation)
  return [
    `## ${operationId}`,
    prose(`${summary}. ${who}`),
    block('text', `${method.toUpperCase()} ${path}`),
    ...parametersOf(operation),
    ...bodyOf(operation),
    ...answersOf(operation),
    block('sh', curlSample(description, operation)),
    ...(typescript === null ? [] : [block('ts', typescript)]),
  ].join('\n\n')
}

const fileOf = (tag: string): string => `${tag.toLowerCase().replaceAll(' ', '-')}.md`

const tags = [...new Set(description.operations.map(({ tags: [tag = ''] }) => tag))].toSorted()

mkdirSync(FOLDER, { recursive: true })
for (const tag of tags) {
  const operations = description.operations.filter(({ tags: [first] }) => first === tag)
  writeGenerated(
    join(FOLDER, fileOf(tag)),
    `# API: ${tag}

<!-- made by \`make generate\` from the endpoints -->

\`/api/docs\` of a server shows the same and sends requests. Samples use \`SVC_URL\` and \`SVC_TOKEN\`; \`client\` is that of [the
SDK](../sdk.md). What a refusal means: [Errors](../errors.md).

${operations.map(sectionOf).join('\n\n')}
`,
  )
}

/** Removes pages of tags that no longer exist. */
for (const name of globSync('*.md', { cwd: FOLDER })) {
  if (tags.some((tag) => fileOf(tag) === name)) continue
  if (process.argv.includes('--check')) process.exitCode = 1
  else rmSync(join(FOLDER, name))
}
