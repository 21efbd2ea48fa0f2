/**
 * GET /healthz
 * GET /metrics
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { AppError } from '#core/error.ts'
import { type Database, DatabaseError, type DatabaseErrorKind } from '#store/database.ts'
import type { DatabaseCondition } from '#store/database-condition.ts'
import type { Durability } from '#store/durability.ts'
import { databaseSentence } from '../error.ts'
import { publicRoute, type Reply, type RequestFacts, type Route, reply } from '../route.ts'
import { z } from '../schemas/z.ts'

export type HealthDeps = Readonly<{
  db: Database
  condition: DatabaseCondition
  version: string
  role: string
  isolation: string
  isStopping: () => boolean
  metrics: Readonly<{ contentType: string; render: () => Promise<string> }>
  metricsToken: string | undefined
}>

const health = z
  .object({
    status: z.enum(['ok', 'unavailable']),
    version: z.string(),
    role: z.string(),
    database: z.enum(['ok', 'unavailable']),
    durability: z
      .enum(['durable', 'relaxed'])
      .optional()
      .describe(
        'what the database does with a commit: durable, it is on the disk before the answer; relaxed, a power cut may lose it',
      ),
    reason: z.string().optional().describe('why the database is unavailable, and what to do'),
    isolation: z.string().optional(),
  })
  .openapi('Health')

/** What a node answers before its database is there, and after it was told to stop. */
export const unavailable = (
  facts: Readonly<{
    version: string
    role: string
    database: 'ok' | 'unavailable'
    durability?: Durability
    reason?: string
  }>,
): Reply => ({
  status: 503,
  body: { status: 'unavailable', ...facts },
  headers: { 'retry-after': '2' },
})

/** A probe that hangs tells less than one that fails: the database's own patience is longer than most callers'. */
const DATABASE_PATIENCE_MS = 2_000

const examine = async ({
  db,
  condition,
}: Pick<HealthDeps, 'db' | 'condition'>): Promise<DatabaseErrorKind | null> => {
  try {
    await db.now()
  } catch (error) {
    return error instanceof DatabaseError ? error.kind : 'unavailable'
  }
  return await condition.check()
}

/** Why the database cannot work, or null when it can. */
const findTrouble = async (
  deps: Pick<HealthDeps, 'db' | 'condition'>,
): Promise<DatabaseErrorKind | null> => {
  const over = new AbortController()
  const late = setTimeout(DATABASE_PATIENCE_MS, 'unavailable' as const, { signal: over.signal })
  const trouble = await Promise.race([examine(deps), late])
  over.abort()
  // of the two only the timer can still fail, by being called off
  late.catch(() => undefined)
  return trouble
}

const LOOPBACK = /^(?:::ffff:)?127\.|^::1$/

/** Compared by hash, so that the time taken says nothing of how much was right. */
const isSame = (one: string, other: string): boolean => {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(one), digest(other))
}

const FORWARDED_BY_PROXIES = ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via'] as const

/** A proxy on this machine speaks from loopback for callers who are not: what it forwards needs the token. */
const isFromHere = (address: string | null, header: RequestFacts['header']): boolean =>
  address !== null &&
  LOOPBACK.test(address) &&
  FORWARDED_BY_PROXIES.every((name) => header(name) === undefined)

const mayScrape = (
  { metricsToken }: Pick<HealthDeps, 'metricsToken'>,
  { address, header }: Pick<RequestFacts, 'address' | 'header'>,
): boolean =>
  isFromHere(address, header) ||
  (metricsToken !== undefined && isSame(header('authorization') ?? '', `Bearer ${metricsToken}`))

export const healthRoutes = (deps: HealthDeps): readonly Route[] => [
  publicRoute({
    method: 'get',
    path: '/healthz',
    operationId: 'getHealth',
    tag: 'Node',
    rate: 'off',
    summary: 'Whether this node can work',
    responses: {
      200: { description: 'It can', schema: health },
      503: {
        description: 'The database is away or its last write failed, or the node is stopping',
        schema: health,
      },
    },
    handler: async () => {
      const { version, role, isolation } = deps
      if (deps.isStopping()) return unavailable({ version, role, database: 'ok' })
      const trouble = await findTrouble(deps)
      // read after the database was asked: an answer after an absence has it read anew
      const { durability } = deps.condition
      const facts = { version, role, ...(durability === null ? {} : { durability }) }
      if (trouble !== null) {
        const reason = databaseSentence(trouble) ?? 'The database fails.'
        return unavailable({ ...facts, database: 'unavailable', reason })
      }
      return reply(200, { status: 'ok', ...facts, database: 'ok', isolation })
    },
  }),
  publicRoute({
    method: 'get',
    path: '/metrics',
    operationId: 'getMetrics',
    tag: 'Node',
    rate: 'off',
    summary: 'Prometheus metrics, for callers on this machine or with SVC_METRICS_TOKEN',
    responses: { 200: { description: 'Text', contentType: 'text/plain' } },
    handler: async (request) => {
      if (!mayScrape(deps, request)) {
        throw new AppError('forbidden', 'Scrape from this machine, or with SVC_METRICS_TOKEN.')
      }
      const headers = { 'content-type': deps.metrics.contentType }
      return new Response(await deps.metrics.render(), { headers })
    },
  }),
]
