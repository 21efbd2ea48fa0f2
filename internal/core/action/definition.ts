/** An action in the manifest [jobs 1.1]. */

import { z } from 'zod'
import { type ActionExpose, actionExpose } from '../agent/expose.ts'
import type { JsonValue } from '../json/value.ts'
import { limit } from '../limit.ts'
import {
  explainSeconds,
  key,
  list,
  mapping,
  oneOf,
  retry,
  wholeNumber,
  wholeSeconds,
} from '../manifest/fields.ts'
import { networkEntryFault } from '../network/network-entry.ts'
import { ISOLATION_LEVELS, type IsolationLevel } from '../placement/isolation-level.ts'
import { tagName } from '../placement/tag-name.ts'
import type { ConcurrencyPolicy, RatePolicy, SharedScope } from './concurrency-key.ts'
import { inputSchemaField } from './input-schema-field.ts'
import { inputText, labelsField } from './input-text-field.ts'
import type { RetryPolicy } from './retry.ts'

/** An action as a deployment pins it: the manifest's object with every default filled in. */
export type ActionDefinition = Readonly<{
  key: string
  /** Path of the entry file inside the app, for example `actions/parse.ts`. */
  entrypoint: string
  timeoutS: number
  /** Null selects the workspace's default tag. */
  tag: string | null
  /** JSON Schema 2020-12, checked at enqueue; null if there is none. */
  inputSchema: JsonValue
  retry: RetryPolicy | null
  concurrency: ConcurrencyPolicy | null
  /** At most `limit` starts in any `perS` seconds for each key; null for any number. */
  rate: RatePolicy | null
  /**
   * Requests of one key within `quietS` seconds become one job, at the latest `maxS` seconds after the first; null if none do.
   */
  debounce: Readonly<{ key: string; quietS: number; maxS: number }> | null
  /** Jobs of each key take turns; null if the longest due is first. */
  fairKey: string | null
  isolation: 'fresh' | 'shared'
  onWorkerLost: 'requeue' | 'fail'
  /** Null selects the instance's SVC_JOB_MEMORY_MB. */
  memoryMb: number | null
  /** Hosts that it may reach; null for any public address, empty for none. */
  network: readonly string[] | null
  /** Only workers of at least this level claim its jobs; null for any level that the worker itself accepts. */
  minLevel: IsolationLevel | null
  /** Texts that label its jobs (core/job/labels.ts); absent if it has none. */
  labels?: readonly string[] | undefined
  /** What agents see of it; absent if they see nothing. */
  expose?: ActionExpose | undefined
  /** Seconds that a canceled script has to end by itself. Absent: 5. */
  cancelGraceS?: number | undefined
  /** Seconds after it is due within which a job must start, or it is canceled (job/start-timeout.ts). Absent: any time. */
  startTimeoutS?: number | undefined
}>

/** @see ActionDefinition.cancelGraceS */
export const DEFAULT_CANCEL_GRACE_S = 5

const MAX_TIMEOUT_S = limit(
  'job.timeout',
  86_400,
  's',
  '`timeoutS` of an action. `SVC_JOB_MAX_TIMEOUT_S` may lower it.',
)
/** Allows relative paths that do not lead upwards. */
const ENTRYPOINT =
  /^(?!\/)(?!.*(?:^|\/)\.\.(?:\/|$))[^\\\0]{1,250}\.(?:ts|mts|cts|js|mjs|cjs|tsx|jsx)$/

/** Seconds, including fractions. */
const seconds = z
  .number({
    error: ({ input }: Readonly<{ input?: unknown }>) =>
      explainSeconds(input) ?? 'must be a number of seconds',
  })
  .min(0.1, 'must be at least 0.1')
  .max(86_400, 'must be at most 86400')

/** By which actions share a limit. */
const shared = {
  scope: oneOf(['action', 'app', 'workspace']).optional(),
  name: key.optional(),
}

const checkShared = ({ scope, name }: SharedScope, context: z.RefinementCtx): void => {
  const isShared = scope === 'app' || scope === 'workspace'
  if (isShared === (name !== undefined)) return
  const message = isShared
    ? `must be given: actions of the scope ${scope} share the limit under this name`
    : 'needs scope: app or scope: workspace'
  context.addIssue({ code: 'custom', path: ['name'], message })
}

/** Excludes `none`, which demands nothing; leave the field out instead. */
export const minLevel = z
  .enum(ISOLATION_LEVELS, 'must be runtime, os or vm')
  .exclude(['none'], 'must be runtime, os or vm')
  .optional()

/** An entry of `network`. */
export const networkEntry = z
  .string('must be a host name such as api.example.com')
  .superRefine((entry, context) => {
    const fault = networkEntryFault(entry)
    const message = `${JSON.stringify(entry.slice(0, 260))} ${fault}`
    if (fault !== null) context.addIssue({ code: 'custom', message })
  })

/** The path of a file in the app, without a leading `./`. */
export const entrypoint = z
  .string('must be a path such as actions/parse.ts')
  .regex(ENTRYPOINT, 'must be the path of a .ts or .js file inside the app')
  .transform((path) => path.replace(/^\.\/+/, ''))

const row = mapping(
  {
    key,
    entrypoint,
    timeoutS: wholeSeconds(1, MAX_TIMEOUT_S, 'SVC_JOB_MAX_TIMEOUT_S').default(300),
    tag: tagName.optional(),
    inputSchema: inputSchemaField.optional(),
    retry: retry.optional(),
    concurrency: mapping(
      {
        limit: wholeNumber(1, 10_000),
        key: inputText.default('all'),
        ...shared,
      },
      '{ limit: 5 }',
    )
      .superRefine(checkShared)
      .optional(),
    rate: mapping(
      {
        limit: wholeNumber(1, 10_000),
        perS: seconds,
        key: inputText.default('all'),
        ...shared,
      },
      '{ limit: 10, perS: 60 }',
    )
      .superRefine(checkShared)
      .optional(),
    debounce: mapping(
      { key: inputText, quietS: seconds, maxS: seconds },
      '{ key: "all", quietS: 5, maxS: 60 }',
    )
      .superRefine(({ quietS, maxS }, context) => {
        const message = 'must not be less than quietS'
        if (maxS < quietS) context.addIssue({ code: 'custom', path: ['maxS'], message })
      })
      .optional(),
    fairKey: inputText.optional(),
    labels: labelsField.optional(),
    isolation: z.literal('fresh', 'must be fresh, or left out').optional(),
    onWorkerLost: z.enum(['requeue', 'fail'], 'must be requeue or fail').default('requeue'),
    memoryMb: wholeNumber(64, 1_048_576, 'SVC_JOB_MAX_MEMORY_MB').optional(),
    network: list(networkEntry, 200, '[api.example.com]').optional(),
    minLevel,
    expose: actionExpose.optional(),
    cancelGraceS: wholeSeconds(0, 60).optional(),
    startTimeoutS: wholeSeconds(1, 604_800).optional(),
  },
  '{ key: greet, entrypoint: actions/greet.ts }',
)

/** What a row requests of the operator, as far as it can be read. A default requests nothing. */
export const actionRequests = z.object({
  timeoutS: row.shape.timeoutS.unwrap().nullish().transform(orNull).catch(null),
  tag: row.shape.tag.transform(orNull).catch(null),
  memoryMb: row.shape.memoryMb.transform(orNull).catch(null),
  network: row.shape.network.transform(orNull).catch(null),
})

function orNull<T>(value: T | undefined): T | null {
  return value ?? null
}

export const actionSchema = row.transform(
  (action): ActionDefinition => ({
    key: action.key,
    entrypoint: action.entrypoint,
    timeoutS: action.timeoutS,
    tag: action.tag ?? null,
    inputSchema: action.inputSchema ?? null,
    retry: action.retry ?? null,
    concurrency: action.concurrency ?? null,
    rate: action.rate ?? null,
    debounce: action.debounce ?? null,
    fairKey: action.fairKey ?? null,
    isolation: action.isolation === undefined ? 'shared' : 'fresh',
    onWorkerLost: action.onWorkerLost,
    memoryMb: action.memoryMb ?? null,
    network: action.network ?? null,
    minLevel: action.minLevel ?? null,
    // left out, so that an app that was deployed before still counts as unchanged
    ...(action.labels === undefined ? {} : { labels: action.labels }),
    ...(action.expose === undefined ? {} : { expose: action.expose }),
    ...(action.cancelGraceS === undefined ? {} : { cancelGraceS: action.cancelGraceS }),
    ...(action.startTimeoutS === undefined ? {} : { startTimeoutS: action.startTimeoutS }),
  }),
)
