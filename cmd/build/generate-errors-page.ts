/** Writes docs/errors.md and the codes of /api/docs from the errors in the sources; `--check` fails if it is stale. */
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type CallExpression, type Expression, parseSync } from '@swc/core'
import { z } from 'zod'
import { STATUSES } from '../../internal/http/error.ts'
import { ROOT } from '../root.ts'
import { writeGenerated } from './write-generated.ts'

/** The functions of internal/core/error.ts that create an error, by its kind. */
const MAKERS: Readonly<Record<string, string>> = {
  invalid: 'invalid',
  notFound: 'not_found',
  unprocessable: 'unprocessable',
  unavailable: 'unavailable',
  forbidden: 'forbidden',
  conflict: 'conflict',
}

type Found = Readonly<{ code: string; status: number; sentence: string | null }>

/** The value of a string or template; computed parts become `…`. @returns null for any other expression */
const textOf = (expression: Expression | undefined): string | null => {
  if (expression?.type === 'StringLiteral') return expression.value
  if (expression?.type === 'TemplateLiteral') {
    return expression.quasis.map(({ cooked }) => cooked ?? '').join('…')
  }
  if (expression?.type === 'BinaryExpression' && expression.operator === '+') {
    const [left, right] = [textOf(expression.left), textOf(expression.right)]
    return left === null || right === null ? null : `${left}${right}`
  }
  return null
}

const codeOf = (expression: Expression | undefined): string | null => {
  if (expression?.type !== 'ObjectExpression') return null
  for (const property of expression.properties) {
    if (property.type !== 'KeyValueProperty') continue
    const isCode = property.key.type === 'Identifier' && property.key.value === 'code'
    if (isCode) return textOf(property.value)
  }
  return null
}

type Call = Pick<CallExpression, 'callee' | 'arguments'>

const errorOf = ({ callee, arguments: given = [] }: Call): Found | null => {
  if (callee.type !== 'Identifier') return null
  const values = given.map(({ expression }) => expression)
  const isPlain = callee.value === 'AppError'
  const kind = isPlain ? textOf(values[0]) : (MAKERS[callee.value] ?? null)
  const [text, options] = isPlain ? values.slice(1) : values
  const code = codeOf(options)
  const status = Object.entries(STATUSES).find(([name]) => name === kind)?.[1]
  if (code === null || code.includes('…') || status === undefined) return null
  const sentence = textOf(text)
  return {
    code,
    status,
    sentence: kind === 'not_found' && !isPlain ? `${sentence} not found.` : sentence,
  }
}

const node = z.looseObject({ type: z.string() })

/** Finds the errors in a whole syntax tree. */
const errorsIn = (value: unknown): readonly Found[] => {
  if (Array.isArray(value)) return value.flatMap(errorsIn)
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.values(value).flatMap(errorsIn)
  const { data } = node.safeParse(value)
  if (data?.type !== 'CallExpression' && data?.type !== 'NewExpression') return inside
  const own = errorOf(value as Call)
  return own === null ? inside : [own, ...inside]
}

const found = globSync('internal/**/*.ts', { cwd: ROOT })
  .filter((path) => !/\.test\.ts$|\.gen\.ts$/.test(path))
  .toSorted()
  .map((path) => readFileSync(resolve(ROOT, path), 'utf8'))
  .filter((source) => source.includes("code: '"))
  .flatMap((source) => errorsIn(parseSync(source, { syntax: 'typescript' }).body))

const cell = (text: string): string =>
  text.replaceAll('<', '&lt;').replaceAll('|', '\\|').replaceAll('\n', ' ')

/** One code may have several messages; all are shown. */
const codes = [...new Set(found.map(({ code }) => code))].toSorted().map((code) => {
  const all = found.filter((each) => each.code === code)
  const statuses = [...new Set(all.map(({ status }) => status))].toSorted().join(', ')
  // sorted, so that moving a source file changes nothing here
  const sentences = [
    ...new Set(all.flatMap(({ sentence }) => (sentence === null ? [] : [sentence]))),
  ].toSorted()
  return {
    code,
    statuses,
    sentences: sentences.length === 0 ? ['what was wrong, and where'] : sentences,
  }
})

const rows = codes.map(
  ({ code, statuses, sentences }) =>
    `| \`${code}\` | ${statuses} | ${sentences.map(cell).join('<br>')} |`,
)

writeGenerated(
  resolve(ROOT, 'internal/http/reference/errors.gen.ts'),
  `// Made by \`make generate\` from the errors in the sources. Do not edit.
/** Code, statuses and what the errors say; \`…\` stands for what depends on the request. */
export const ERROR_CODES: readonly (readonly [
  code: string,
  statuses: string,
  sentences: readonly string[],
])[] = ${JSON.stringify(codes.map(({ code, statuses, sentences }) => [code, statuses, sentences]))}
`,
)

writeGenerated(
  resolve(ROOT, 'docs/errors.md'),
  `# Errors

<!-- made by \`make generate\` from the errors in the sources -->

A refusal is \`{"error", "code", "request_id", "details"?}\`: a sentence for people that names the remedy, a word to switch on, the id
that the log of svc has, and the places in the input. An error without a code of its own has the code of its status: \`invalid\`
(400), \`unauthenticated\` (401), \`forbidden\` (403), \`not_found\` (404), \`conflict\` (409), \`too_large\` (413), \`unprocessable\`
(422), \`rate_limited\` (429), \`internal\` (500), \`unavailable\` (503) and so on. What a job fails with is in
[Security](security.md#limits).

\`…\` stands for what depends on the request.

| Code | Status | Text |
|---|---|---|
${rows.join('\n')}
`,
)
