import { forbidden } from '#core/error.ts'
import type { NodeRole } from '#core/node-role.ts'
import { isSameSecret } from '#service/access/hash-token.ts'
import { databaseSentence } from '#service/database-refusal.ts'
import { orAfter } from '#service/or-after.ts'
import { type Database, DatabaseError, type DatabaseErrorKind } from '#store/database.ts'
import type { DatabaseCondition } from '#store/database-condition.ts'
import type { Durability } from '#store/durability.ts'
import { SCHEMA_VERSION } from '#store/migrate.ts'
import { answer, ok } from '../answer.ts'
import { healthEndpoints } from '../endpoints/health.ts'
import { handlers } from '../handlers.ts'
import type { RequestFacts } from '../request.ts'

export type HealthDeps = Readonly<{
  db: Database
  condition: DatabaseCondition
  /** Whether each further cell answers; undefined if the instance has one database. @default the instance has one database */
  cells?: () => Promise<Readonly<Record<string, 'ok' | 'unavailable'>> | undefined>
  version: string
  role: NodeRole
  isolation: string
  isStopping: () => boolean
  metrics: Readonly<{ contentType: string; render: () => Promise<string> }>
  metricsToken: string | undefined
}>

/** A node that cannot work, or that is stopping. */
const unavailable = (
  facts: Readonly<{
    version: string
    role: NodeRole
    database: 'ok' | 'unavailable'
    durability?: Durability
    schema?: Readonly<{ known: number; database: number }>
    cells?: Readonly<Record<string, 'ok' | 'unavailable'>>
    reason?: string
  }>,
) => answer(503, { status: 'unavailable', ...facts }, { 'retry-after': '2' })

/** Milliseconds. A probe must fail rather than hang, and the database's own timeout is longer than that of most probes. */
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

/** Why the database cannot work, or null if it can. */
const findTrouble = (
  deps: Pick<HealthDeps, 'db' | 'condition'>,
): Promise<DatabaseErrorKind | null> => orAfter(examine(deps), DATABASE_PATIENCE_MS, 'unavailable')

const LOOPBACK = /^(?:::ffff:)?127\.|^::1$/

const FORWARDED_BY_PROXIES = ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via'] as const

/** A web page can resolve its own domain to loopback (DNS rebinding), but not a name without a dot, or an address. */
const isLocalHost = (host: string): boolean => !host.includes('.') || /^[\d.]+(?::\d+)?$/.test(host)

/** A proxy on this machine connects from loopback on behalf of remote callers: requests that it forwards need the token. */
const isFromHere = (address: string | null, header: RequestFacts['header']): boolean =>
  address !== null &&
  LOOPBACK.test(address) &&
  isLocalHost(header('host') ?? '') &&
  FORWARDED_BY_PROXIES.every((name) => header(name) === undefined)

const mayScrape = (
  { metricsToken }: Pick<HealthDeps, 'metricsToken'>,
  { address, header }: Pick<RequestFacts, 'address' | 'header'>,
): boolean =>
  isFromHere(address, header) ||
  (metricsToken !== undefined &&
    isSameSecret(header('authorization') ?? '', `Bearer ${metricsToken}`))

export const healthRoutes = handlers(healthEndpoints, (deps: HealthDeps) => ({
  getHealth: async () => {
    const { version, role, isolation } = deps
    if (deps.isStopping()) return unavailable({ version, role, database: 'ok' })
    const [trouble, cells] = await Promise.all([findTrouble(deps), deps.cells?.()])
    // read after the query, because the first successful query after an outage updates the durability
    const { durability, schema } = deps.condition
    const facts = {
      version,
      role,
      ...(durability === null ? {} : { durability }),
      ...(cells === undefined ? {} : { cells }),
      ...(schema === null ? {} : { schema: { known: SCHEMA_VERSION, database: schema.version } }),
    }
    if (trouble !== null) {
      const reason = databaseSentence(trouble) ?? 'The database fails.'
      return unavailable({ ...facts, database: 'unavailable', reason })
    }
    return ok({ status: 'ok', ...facts, database: 'ok', isolation })
  },
  getMetrics: async (request) => {
    if (!mayScrape(deps, request)) {
      throw forbidden(
        'Scrape from this machine by its address or localhost, or with SVC_METRICS_TOKEN.',
      )
    }
    const headers = { 'content-type': deps.metrics.contentType }
    return new Response(await deps.metrics.render(), { headers })
  },
}))
