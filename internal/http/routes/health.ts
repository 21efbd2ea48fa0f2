/**
 * GET /healthz
 * GET /metrics
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { AppError } from '#core/error.ts'
import type { Database } from '#store/database.ts'
import { publicRoute, type Reply, type RequestFacts, type Route, reply } from '../route.ts'
import { z } from '../schemas/z.ts'

export type HealthDeps = Readonly<{
  db: Database
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
    isolation: z.string().optional(),
  })
  .openapi('Health')

/** What a node answers before its database is there, and after it was told to stop. */
export const unavailable = (
  facts: Readonly<{ version: string; role: string; database: 'ok' | 'unavailable' }>,
): Reply => ({
  status: 503,
  body: { status: 'unavailable', ...facts },
  headers: { 'retry-after': '2' },
})

/** A probe that hangs tells less than one that fails: the database's own patience is longer than most callers'. */
const DATABASE_PATIENCE_MS = 2_000

const answersInTime = async (db: Database): Promise<boolean> => {
  const over = new AbortController()
  const late = setTimeout(DATABASE_PATIENCE_MS, false, { signal: over.signal })
  const now = db.now().then(
    () => true,
    () => false,
  )
  const answered = await Promise.race([now, late])
  over.abort()
  // of the two only the timer can still fail, by being called off
  late.catch(() => undefined)
  return answered
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
      503: { description: 'The database is away, or the node is stopping', schema: health },
    },
    handler: async () => {
      const { version, role, isolation } = deps
      if (deps.isStopping()) return unavailable({ version, role, database: 'ok' })
      if (!(await answersInTime(deps.db))) {
        return unavailable({ version, role, database: 'unavailable' })
      }
      return reply(200, { status: 'ok', version, role, database: 'ok', isolation })
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
