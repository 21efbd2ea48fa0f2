/** The end of a chaos run: queued work comes to rest, then every database is audited. */
import { untilAllEnded } from '../e2e/durable-node.ts'
import type { Fleet } from '../e2e/fleet.ts'
import { auditAtRest } from './audit/audit.ts'
import { auditCells } from './audit/cells.ts'
import type { Finding } from './audit/finding.ts'
import type { AuditInput } from './audit/input.ts'
import type { ProgressInput } from './audit/progress.ts'
import type { Mover } from './mover.ts'
import { endOfLoad } from './setting.ts'
import type { TenantLoad } from './tenant-load.ts'

const SETTLE_MS = 90_000

export type Loaded = Readonly<{ fleet: Fleet; loads: readonly TenantLoad[]; mover: Mover | null }>

export const auditAll = async (
  { fleet, loads, mover }: Loaded,
  {
    inputOf,
    progress,
  }: Readonly<{ inputOf: (load: TenantLoad) => AuditInput; progress: ProgressInput }>,
): Promise<readonly Finding[]> => {
  const findings: Finding[] = []
  for (const load of loads) {
    const { ws, isMoved, read } = load.tenant
    const own = await read((db) => auditAtRest(db, inputOf(load), { ...progress, isMoved }))
    findings.push(...(loads.length === 1 ? own : own.map((each) => inWorkspace(ws, each))))
  }
  if (mover === null) return findings
  const workspaces = loads.map(({ tenant }) => tenant.ws)
  return [...findings, ...(await auditCells(fleet, { workspaces, mover }))]
}

const inWorkspace = (ws: string, finding: Finding): Finding => ({
  ...finding,
  what: `${ws}: ${finding.what}`,
})

/** Lets queued work end, while people answer waiting approvals. @returns what did not come to rest in time */
export const settle = async (
  { fleet, loads, mover }: Loaded,
  people: readonly Promise<void>[],
): Promise<readonly Finding[]> => {
  const unmoved = (await mover?.finish()) ?? ''
  for (const { tenant } of loads) await endOfLoad(tenant)
  const timeout = AbortSignal.timeout(SETTLE_MS)
  const late = new Promise<'late'>((resolve) => {
    timeout.addEventListener('abort', () => resolve('late'))
  })
  const ended = fleet.databases.map(({ url }) => untilAllEnded({ databaseUrl: url }, SETTLE_MS))
  const all = Promise.all([...people, ...ended]).then(
    () => '',
    (error: unknown) => String(error),
  )
  const outcome = await Promise.race([all, late])
  const text = outcome === 'late' ? 'People still waited for their flows.' : outcome
  return [
    {
      invariant: 'I3',
      what: `everything came to rest within ${SETTLE_MS / 1_000} s of the last fault`,
      violations: [text, unmoved].filter((each) => each !== ''),
    },
  ]
}
