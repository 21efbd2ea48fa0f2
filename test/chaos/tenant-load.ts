/**
 * The load of one workspace in a chaos run: its callers, its people, its
 * schedules. It also collects what an audit of the workspace needs.
 */
import type { Database } from '#store/database.ts'
import type { Node } from '../e2e/durable-node.ts'
import type { AuditInput } from './audit/input.ts'
import { createCaller } from './load/caller.ts'
import { createDurableLoad } from './load/durable.ts'
import { createFlowLoad } from './load/flows.ts'
import { createFunctionLoad } from './load/functions.ts'
import { createJobLoad } from './load/jobs.ts'
import type { Nodes } from './nodes.ts'
import { createChance } from './random.ts'
import { addAgedJobs, addApprovers, deployApp } from './setting.ts'
import type { Tenant } from './tenant.ts'
import { watchQueue } from './watch-queue.ts'
import { type Witness, witnessOf } from './witness.ts'

const CALLERS = 16
const REST_MS = 40
const DURABLE_EVERY_MS = 2_000
const FUNCTION_CALLERS = 2
const FUNCTION_EVERY_MS = 250

export type Setting = Readonly<{ approvers: Awaited<ReturnType<typeof addApprovers>> }> &
  Pick<AuditInput, 'aged'>

/** Call it before the first scheduler starts, because that one applies retention. */
export const prepareTenant = async (
  tenant: Tenant,
  { home, server, witness }: Readonly<{ home: Database; server: Node; witness: Witness }>,
): Promise<Setting> => {
  await deployApp(tenant, server, witness.port)
  return { approvers: await addApprovers(tenant, home), aged: await addAgedJobs(tenant) }
}

export type TenantLoadOptions = Readonly<{
  nodes: Nodes
  witness: Witness
  seed: number
  /** Number of workspaces that share the machine. */
  tenants: number
  flows: Readonly<{ everyMs: number; most: number }>
  isOver: () => boolean
  isSettled: () => boolean
}>

/** What the load of a workspace contributes to its audit. */
export type TenantFacts = Pick<
  AuditInput,
  'ledgers' | 'answers' | 'witness' | 'sightings' | 'steps' | 'mostRunning' | 'mostRuns' | 'aged'
>

export const createTenantLoad = (
  tenant: Tenant,
  { approvers, aged }: Setting,
  { nodes, witness: all, seed, tenants, flows: mix, isOver, isSettled }: TenantLoadOptions,
) => {
  const { ws, token } = tenant
  const witness = witnessOf(all, ws)
  const queue = watchQueue(tenant)
  const caller = createCaller(nodes, createChance(seed + 1), { ws, token })
  const jobs = createJobLoad({
    caller,
    chance: createChance(seed + 2),
    callers: CALLERS / tenants,
    restMs: REST_MS,
    isOver,
    mustRest: queue.isLong,
    isFull: queue.isFull,
  })
  const flows = createFlowLoad({
    caller,
    chance: createChance(seed + 3),
    approvers,
    everyMs: mix.everyMs * tenants,
    most: mix.most / tenants,
    isOver,
    isSettled,
  })
  const durable = createDurableLoad({
    caller,
    chance: createChance(seed + 4),
    witness,
    everyMs: DURABLE_EVERY_MS * tenants,
    isOver,
    isSettled,
  })
  const functions = createFunctionLoad({
    caller,
    callers: FUNCTION_CALLERS / tenants,
    everyMs: FUNCTION_EVERY_MS,
    isOver,
  })
  return {
    tenant,
    provokeFailures: jobs.provokeFailures,
    /** `asking` ends with the load; `people` and `answering` end once everything that was begun is over. */
    run: () => ({
      asking: Promise.all([jobs.run(), functions.run(), durable.ask()]),
      people: flows.run(),
      answering: durable.answer(),
    }),
    stop: queue.stop,
    facts: (): TenantFacts => ({
      ledgers: {
        jobs: jobs.ledger,
        flows: flows.ledger,
        functions: functions.ledger,
        durable: durable.ledger,
      },
      answers: caller.answers,
      witness,
      sightings: witness.sightings,
      steps: witness.steps,
      mostRunning: queue.most(),
      mostRuns: queue.mostRuns(),
      aged,
    }),
  }
}
export type TenantLoad = ReturnType<typeof createTenantLoad>
