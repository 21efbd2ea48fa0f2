/**
 * GET /healthz
 * GET /metrics
 */
import { AppError } from '#core/error.ts'
import type { Database } from '#store/database.ts'
import { type Reply, publicRoute, type Route, reply } from '../route.ts'
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
): Reply => ({ status: 503, body: { status: 'unavailable', ...facts }, headers: { 'retry-after': '2' } })

const LOOPBACK = /^(?:::ffff:)?127\.|^::1$/

const mayScrape = (
  deps: HealthDeps,
  address: string | null,
  authorization: string | undefined,
): boolean =>
  (address !== null && LOOPBACK.test(address)) ||
  (deps.metricsToken !== undefined && authorization === `Bearer ${deps.metricsToken}`)

export const healthRoutes = (deps: HealthDeps): readonly Route[] => [
  publicRoute({
    method: 'get',
    path: '/healthz',
    tag: 'Node',
    summary: 'Whether this node can work',
    responses: {
      200: { description: 'It can', schema: health },
      503: { description: 'The database is away, or the node is stopping', schema: health },
    },
    handler: async () => {
      const { version, role, isolation } = deps
      if (deps.isStopping()) return unavailable({ version, role, database: 'ok' })
      try {
        await deps.db.now()
      } catch {
        return unavailable({ version, role, database: 'unavailable' })
      }
      return reply(200, { status: 'ok', version, role, database: 'ok', isolation })
    },
  }),
  publicRoute({
    method: 'get',
    path: '/metrics',
    tag: 'Node',
    summary: 'Prometheus metrics, for callers on this machine or with SVC_METRICS_TOKEN',
    responses: { 200: { description: 'Text', contentType: 'text/plain' } },
    handler: async ({ address, header }) => {
      if (!mayScrape(deps, address, header('authorization'))) {
        throw new AppError('forbidden', 'Scrape from this machine, or with SVC_METRICS_TOKEN.')
      }
      const headers = { 'content-type': deps.metrics.contentType }
      return new Response(await deps.metrics.render(), { headers })
    },
  }),
]
