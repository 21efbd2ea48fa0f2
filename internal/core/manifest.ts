/**
 * The app manifest, `app.yaml` or `app.json` (contract, Apps). Every fault is told at once, each with its line and
 * column; an unknown field is a fault, with the name that was probably meant.
 */
import {
  type Document,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
} from 'yaml'
import { z } from 'zod'
import type { ActionDefinition } from './action-definition.ts'
import type { ErrorDetail } from './error.ts'
import { type FlowDefinition, flowsSchema } from './flow-definition.ts'

export type Manifest = Readonly<{
  key: string
  name: string
  actions: readonly ActionDefinition[]
  flows: readonly FlowDefinition[]
}>

export type ManifestResult =
  | Readonly<{ ok: true; manifest: Manifest }>
  | Readonly<{ ok: false; faults: readonly ErrorDetail[] }>

export const APP_KEY = /^[a-z0-9][a-z0-9-]{0,62}$/
const ACTION_KEY = /^[a-zA-Z0-9][a-zA-Z0-9_-]{0,62}$/
const HOST = /^(?:\*\.)?[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?(?::\d{1,5})?$/i
const MAX_TIMEOUT_S = 86_400

const wholeNumber = (min: number, max: number) =>
  z
    .number(`must be a whole number from ${min} to ${max}`)
    .int(`must be a whole number from ${min} to ${max}`)
    .min(min, `must be at least ${min}`)
    .max(max, `must be at most ${max}`)

/** A path inside the app: nothing absolute, nothing upwards. */
const entrypoint = z
  .string('must be a path such as actions/parse.ts')
  .regex(/^(?!\/)(?!.*(?:^|\/)\.\.(?:\/|$))[^\\\0]{1,255}\.(?:ts|mts|js|mjs|tsx|jsx)$/, {
    error: 'must be the path of a .ts or .js file inside the app, such as actions/parse.ts',
  })
  .transform((path) => path.replace(/^\.\//, ''))

const retry = z.strictObject({
  maxAttempts: wholeNumber(1, 100),
  delayMs: wholeNumber(0, 86_400_000).default(1_000),
  backoffFactor: z
    .number('must be a number')
    .min(1, 'must be at least 1')
    .max(10, 'must be at most 10')
    .default(1),
})

const action = z.strictObject({
  key: z
    .string('must be a text')
    .regex(
      ACTION_KEY,
      'must have 1 to 63 letters, digits, - or _, and begin with a letter or digit',
    ),
  entrypoint,
  timeoutS: wholeNumber(1, MAX_TIMEOUT_S).default(300),
  tag: z
    .string('must be a text')
    .regex(/^[\w.-]{1,64}$/, 'must have 1 to 64 letters, digits, . - or _')
    .optional(),
  inputSchema: z
    .union([z.boolean(), z.record(z.string(), z.unknown())], 'must be a JSON Schema')
    .optional(),
  retry: retry.optional(),
  concurrency: z
    .strictObject({
      limit: wholeNumber(1, 10_000),
      key: z.string('must be a text').min(1).max(500).default('all'),
    })
    .optional(),
  isolation: z.literal('fresh', 'must be fresh, or left out').optional(),
  onWorkerLost: z.enum(['requeue', 'fail'], 'must be requeue or fail').default('requeue'),
  memoryMb: wholeNumber(64, 65_536).optional(),
  network: z
    .array(z.string().regex(HOST, 'must be a host name such as api.example.com'))
    .optional(),
})

const manifestSchema = z
  .strictObject(
    {
      key: z
        .string('must be a text')
        .regex(
          APP_KEY,
          'must have 1 to 63 characters a-z, 0-9 or -, and begin with a letter or digit',
        ),
      name: z.string('must be a text').min(1, 'must not be empty').max(200).optional(),
      actions: z.array(action, 'must be a list').max(500).default([]),
      flows: flowsSchema.default([]),
    },
    {
      error: (issue) =>
        issue.code === 'invalid_type' ? 'must be a mapping with at least `key`' : undefined,
    },
  )
  .superRefine(({ actions, flows }, context) => {
    refuseDoubles(context, 'actions', actions)
    refuseDoubles(context, 'flows', flows)
  })

const refuseDoubles = (
  context: z.RefinementCtx,
  list: 'actions' | 'flows',
  items: readonly Readonly<{ key: string }>[],
): void => {
  for (const [index, { key }] of items.entries()) {
    if (items.findIndex((other) => other.key === key) === index) continue
    context.addIssue({
      code: 'custom',
      path: [list, index, 'key'],
      message: `the key "${key}" stands twice`,
    })
  }
}

const toDefinition = (row: z.infer<typeof action>): ActionDefinition => ({
  key: row.key,
  entrypoint: row.entrypoint,
  timeoutS: row.timeoutS,
  tag: row.tag ?? null,
  inputSchema: row.inputSchema ?? null,
  retry: row.retry ?? null,
  concurrency: row.concurrency ?? null,
  isolation: row.isolation === undefined ? 'shared' : 'fresh',
  onWorkerLost: row.onWorkerLost,
  memoryMb: row.memoryMb ?? null,
  network: row.network ?? null,
})

/** Aliases multiply: a text of a kilobyte can mean gigabytes. */
const MAX_ALIASES = 50
const MAX_MANIFEST_LENGTH = 1_048_576

/** @param file its name, for the places in faults */
export const parseManifest = (text: string, file: string): ManifestResult => {
  if (text.length > MAX_MANIFEST_LENGTH) {
    return { ok: false, faults: [{ path: file, message: 'The manifest is larger than 1 MiB.' }] }
  }
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true })
  if (document.errors.length > 0) {
    return { ok: false, faults: document.errors.map((error) => toSyntaxFault(error, file)) }
  }
  let value: unknown
  try {
    value = document.toJS({ maxAliasCount: MAX_ALIASES })
  } catch (error) {
    return {
      ok: false,
      faults: [{ path: file, message: error instanceof Error ? error.message : String(error) }],
    }
  }
  const parsed = manifestSchema.safeParse(value)
  if (!parsed.success) {
    const source: Source = {
      place: (path) => `${file}:${placeOf(document, lines, path)}`,
      has: (path) => nodeAt(document, path) !== null,
    }
    return { ok: false, faults: parsed.error.issues.flatMap((issue) => toFaults(issue, source)) }
  }
  const { key, name, actions, flows } = parsed.data
  return {
    ok: true,
    manifest: { key, name: name ?? key, actions: actions.map(toDefinition), flows },
  }
}

const toSyntaxFault = (
  error: Readonly<{
    linePos?: readonly Readonly<{ line: number; col: number }>[] | undefined
    message: string
  }>,
  file: string,
): ErrorDetail => {
  const [start] = error.linePos ?? []
  const [message = ''] = error.message.split(' at line ')
  return {
    path: start === undefined ? file : `${file}:${start.line}:${start.col}`,
    message: `${message}.`,
  }
}

/** `12:5` of the node at `path`, or of the nearest one above it that stands in the text. */
const placeOf = (document: Document, lines: LineCounter, path: readonly PropertyKey[]): string => {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = nodeAt(document, path.slice(0, length))
    if (node !== null) {
      const { line, col } = lines.linePos(node)
      return `${line}:${col}`
    }
  }
  return '1:1'
}

/** Offset of a value, or of the key when the value is what is unknown. */
const nodeAt = (document: Document, path: readonly PropertyKey[]): number | null => {
  let node: unknown = document.contents
  let offset = isNode(node) ? (node.range?.[0] ?? 0) : 0
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find(
        (item) => isPair(item) && isScalar(item.key) && item.key.value === step,
      )
      if (pair === undefined) return null
      if (isScalar(pair.key)) offset = pair.key.range?.[0] ?? offset
      node = pair.value
    } else if (isSeq(node) && typeof step === 'number') {
      node = node.items[step]
      if (!isNode(node)) return null
      offset = node.range?.[0] ?? offset
    } else return null
  }
  return offset
}

type Source = Readonly<{
  /** `app.yaml:12:5` */
  place: (path: readonly PropertyKey[]) => string
  has: (path: readonly PropertyKey[]) => boolean
}>

const toFaults = (issue: z.core.$ZodIssue, { place, has }: Source): readonly ErrorDetail[] => {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: `${place([...issue.path, key])} ${showPath([...issue.path, key])}`,
      message: `${key} is no field of a manifest. Remove it, or mend its spelling.`,
    }))
  }
  return [
    {
      path: `${place(issue.path)} ${showPath(issue.path)}`.trimEnd(),
      message: has(issue.path) ? `${issue.message}.` : `is missing; it ${issue.message}.`,
    },
  ]
}

const showPath = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((shown, step) => {
    if (typeof step === 'number') return `${shown}[${step}]`
    return shown === '' ? String(step) : `${shown}.${String(step)}`
  }, '')
