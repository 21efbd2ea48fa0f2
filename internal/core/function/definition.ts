/** `function.yaml` [functions 3]. All of it is optional, with the defaults of a function that has none. */

import { z } from 'zod'
import { minLevel, networkEntry } from '../action/definition.ts'
import type { ErrorDetail } from '../error.ts'
import { explainIssue } from '../explain-issue.ts'
import { limit } from '../limit.ts'
import { MAX_FAULTS } from '../manifest/fault.ts'
import { list, mapping, text, wholeSeconds } from '../manifest/fields.ts'
import { readManifestSource } from '../manifest/source.ts'
import { ISOLATION_LEVELS, type IsolationLevel } from '../placement/isolation-level.ts'

const HTTP_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const
export type HttpMethod = (typeof HTTP_METHODS)[number]

const MAX_TIMEOUT_S = limit('function.timeout', 300, 's', '`timeoutS` of a function.')
const DEFAULT_TIMEOUT_S = 30

const method = z
  .string('must be a string')
  .transform((given) => given.toUpperCase())
  .pipe(z.enum(HTTP_METHODS, `must be one of ${HTTP_METHODS.join(', ')}`))

const network = list(networkEntry, 200, '[api.example.com]').optional()

const schema = mapping({
  description: text(2_000).optional(),
  methods: list(method, HTTP_METHODS.length, '[GET, POST]')
    .min(1, 'must name at least one method')
    .optional(),
  tags: list(text(100), 50).default([]),
  timeoutS: wholeSeconds(1, MAX_TIMEOUT_S).default(DEFAULT_TIMEOUT_S),
  network,
  minLevel,
})

const withNetwork = z.object({ network })

export type FunctionDefinition = Readonly<{
  description: string
  methods: readonly HttpMethod[]
  tags: readonly string[]
  timeoutS: number
  /** Hosts that it may reach; null for any public address. Definitions of earlier versions lack it. */
  network?: readonly string[] | null
  /** The server answers 503 below this level of isolation; null for any level. */
  minLevel: IsolationLevel | null
}>

/**
 * As an app stores it. Strict, because an older svc without a field that a newer one wrote would serve the function by other rules.
 * Definitions of earlier versions lack some fields.
 */
export const storedFunction = z.strictObject({
  description: z.string(),
  methods: z.array(z.enum(HTTP_METHODS)),
  tags: z.array(z.string()),
  timeoutS: z.number(),
  network: z.array(z.string()).nullable().default(null),
  minLevel: z.enum(ISOLATION_LEVELS).nullable().default(null),
})

/** Whether a function takes requests of a method; one that takes GET also takes HEAD. */
export const takesMethod = (
  { methods }: Pick<FunctionDefinition, 'methods'>,
  method: string,
): boolean => methods.some((known) => known === method || (method === 'HEAD' && known === 'GET'))

/** Whether a function gets the body of a request; GET and HEAD have none [functions 4.4]. */
export const takesBody = (method: string): boolean => method !== 'GET' && method !== 'HEAD'

export type FunctionResult =
  | Readonly<{ ok: true; definition: FunctionDefinition }>
  | Readonly<{
      ok: false
      faults: readonly ErrorDetail[]
      /** As far as it could be read: what is not granted is a further fault. */
      network?: readonly string[]
    }>

const DEFAULT_METHODS: readonly HttpMethod[] = ['GET', 'POST']

export const defaultDefinition = (name: string): FunctionDefinition => ({
  description: `Function: ${name}`,
  methods: DEFAULT_METHODS,
  tags: [],
  timeoutS: DEFAULT_TIMEOUT_S,
  minLevel: null,
})

/** An unknown field is a fault at its own place. */
const partsOf = (issue: z.core.$ZodIssue) =>
  issue.code === 'unrecognized_keys'
    ? issue.keys.slice(0, MAX_FAULTS).map((key) => ({
        path: [...issue.path, key],
        message: `${key} is not a field of function.yaml. Remove it, or correct its spelling.`,
      }))
    : [{ path: issue.path, message: `${issue.message}.` }]

/** @param file its path, for the positions in faults */
export const parseFunctionYaml = (name: string, source: string, file: string): FunctionResult => {
  if (source.trim() === '') return { ok: true, definition: defaultDefinition(name) }
  const read = readManifestSource(source, file)
  if (!read.ok) return read
  const parsed = schema.safeParse(read.source.value ?? {}, { error: explainIssue })
  if (!parsed.success) {
    const faults = parsed.error.issues
      .slice(0, MAX_FAULTS)
      .flatMap(partsOf)
      .slice(0, MAX_FAULTS)
      .map(({ path, message }) => ({
        path: `${file}:${read.source.placeOf(path)} ${path.map(String).join('.')}`.trimEnd(),
        message,
      }))
    const { network } = withNetwork.safeParse(read.source.value).data ?? {}
    return { ok: false, faults, ...(network === undefined ? {} : { network }) }
  }
  const {
    description = `Function: ${name}`,
    methods = DEFAULT_METHODS,
    minLevel: level = null,
    network = null,
    ...rest
  } = parsed.data
  return { ok: true, definition: { description, methods, network, minLevel: level, ...rest } }
}
