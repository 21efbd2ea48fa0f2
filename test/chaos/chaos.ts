/**
 * Chaos: servers, workers and schedulers over one database or several cells run under load, while faults hit them, their
 * guests, their database and its disk. Then the database and an outside witness are audited. The seed repeats the actions
 * and their order, but not how the processes react.
 */
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Fleet, type FleetBackend, openFleet } from '../e2e/fleet.ts'
import { auditNow } from './audit/audit.ts'
import { type Finding, isBroken } from './audit/finding.ts'
import type { AuditInput } from './audit/input.ts'
import { type Disk, openDisk } from './disk.ts'
import { createFaultLog, watchStalls, watchWrites } from './fault-log.ts'
import { type Answers, joinAnswers } from './load/caller.ts'
import { createMover } from './mover.ts'
import { createNemesis, type FaultCounts, possibleFaults } from './nemesis.ts'
import { createNodes, type Nodes } from './nodes.ts'
import { inOwnSession, requireDistSvc } from './program.ts'
import { createChance } from './random.ts'
import { auditAll, settle } from './rest.ts'
import { addSchedules, type ScheduleCounts } from './setting.ts'
import { homeTenant, openMovedTenant, type Tenant } from './tenant.ts'
import { createTenantLoad, prepareTenant, type TenantLoad } from './tenant-load.ts'
import { startWitness, type Witness } from './witness.ts'

export type ChaosOptions = Readonly<{
  backend: FleetBackend
  /** Seconds of load and faults. */
  seconds: number
  seed: number
  /** The program of the nodes, as a command and its first arguments. @default dist/svc */
  program?: readonly string[]
  /** Whether the run ends at the first broken invariant. Invariants are then checked all the time. */
  stopsAtFirst?: boolean
  onFault?: (text: string) => void
}>

export type ChaosReport = Readonly<{
  backend: FleetBackend
  seconds: number
  seed: number
  faults: FaultCounts
  /** The kinds of faults that this backend and this machine allow. */
  possible: readonly string[]
  answers: Answers
  findings: readonly Finding[]
  /** Seconds from the first fault to the first broken invariant, if the run ended at it. */
  brokenAfterS: number | null
}>

const LEASE_MS = 2_000
const LONG_RUN_S = 300
/**
 * A long run is made on a quiet machine, which has room for more flows at once. A job
 * that sleeps holds a slot of its worker, but uses no processor time.
 */
const mixOf = (seconds: number) =>
  seconds >= LONG_RUN_S
    ? { concurrency: 8, flowEveryMs: 500, openFlows: 20 }
    : { concurrency: 4, flowEveryMs: 800, openFlows: 12 }
/**
 * A long run has more schedules, of which fewer fire each second. Their jobs share four workers with those of the callers,
 * and every fault causes work that must be repeated.
 */
const schedulesOf = (seconds: number): ScheduleCounts =>
  seconds >= LONG_RUN_S ? { eachSecond: 2, each10Seconds: 18 } : { eachSecond: 4, each10Seconds: 0 }
const SHORT_RUN_S = 60
const LOOK_EVERY_MS = 2_000

/** Short leases, so that pauses outlast them. No job may end because it lost its worker too often. */
const SETTINGS = {
  SVC_JOB_LEASE_S: String(LEASE_MS / 1_000),
  SVC_JOB_MAX_CRASHES: '100',
  SVC_SHUTDOWN_GRACE_S: '3',
  SVC_RATE_OTHER_PER_S: '0',
  SVC_RATE_RUN_PER_S: '0',
  SVC_RATE_ANONYMOUS_PER_S: '0',
}

/** Opens the fleet with its folders on the disk of the run. */
const openFleetOn = async (
  disk: Disk,
  { backend, seconds }: Pick<ChaosOptions, 'backend' | 'seconds'>,
): Promise<Fleet> => {
  const own = process.env.TMPDIR
  if (disk.path !== null) process.env.TMPDIR = disk.path
  try {
    const settings = { ...SETTINGS, SVC_CONCURRENCY: String(mixOf(seconds).concurrency) }
    return await openFleet(backend, settings, {}, requireDistSvc(), {
      ownSession: true,
      place: 'disk',
    })
  } finally {
    if (own === undefined) Reflect.deleteProperty(process.env, 'TMPDIR')
    else process.env.TMPDIR = own
  }
}

type World = Readonly<{
  options: ChaosOptions
  disk: Disk
  fleet: Fleet
  witness: Witness
  nodes: Nodes
}>

/** The home workspace and, in a run over cells, one that is moved. */
const openTenants = async (fleet: Fleet): Promise<readonly Tenant[]> =>
  fleet.databases.length === 1
    ? [homeTenant(fleet)]
    : [homeTenant(fleet), await openMovedTenant(fleet)]

/** Starts all nodes that get load. */
const openLoads = async (
  { options: { seconds, seed }, fleet, witness, nodes }: World,
  over: Readonly<{ isOver: () => boolean; isSettled: () => boolean }>,
): Promise<readonly TenantLoad[]> => {
  await Promise.all(nodes.all.map((node) => (node.role === 'server' ? nodes.start(node) : null)))
  const [server] = nodes.servers()
  if (server === undefined) throw new Error('No server started.')
  const tenants = await openTenants(fleet)
  const settings = await fleet.read((home) =>
    Promise.all(tenants.map((tenant) => prepareTenant(tenant, { home, server, witness }))),
  )
  await Promise.all(nodes.all.map((node) => nodes.start(node)))
  const counts = schedulesOf(seconds)
  const { flowEveryMs: everyMs, openFlows: most } = mixOf(seconds)
  const loads: TenantLoad[] = []
  for (const [at, tenant] of tenants.entries()) {
    await addSchedules(tenant, server, counts)
    const setting = settings[at]
    if (setting === undefined) throw new Error('A workspace was not prepared.')
    const flows = { everyMs, most }
    // the seeds of one workspace are five numbers
    const own = { nodes, witness, seed: seed + at * 10, tenants: tenants.length, flows, ...over }
    loads.push(createTenantLoad(tenant, setting, own))
  }
  return loads
}

/** Runs the load and the faults. */
const runIn = async (
  world: World,
  faults: ReturnType<typeof createFaultLog>,
): Promise<ChaosReport> => {
  const { options, disk, fleet, witness, nodes } = world
  const { seconds, seed, stopsAtFirst = false, onFault = () => undefined } = options
  let from = Number.POSITIVE_INFINITY
  let isBrokenNow: readonly Finding[] = []
  let brokenAt = 0
  let isSettled = false
  const isOver = (): boolean => Date.now() > from + seconds * 1_000 || isBrokenNow.length > 0
  const loads = await openLoads(world, {
    isOver,
    isSettled: () => isSettled || isBrokenNow.length > 0,
  })
  from = Date.now()
  const stopWriting = fleet.databases.map(({ url }) => watchWrites(faults, url))
  const mover =
    loads.length === 1
      ? null
      : createMover(fleet, createChance(seed + 5), options.program ?? requireDistSvc())
  const nemesis = createNemesis({
    fleet,
    nodes,
    disk,
    witness,
    faults,
    mover,
    chance: createChance(seed),
    leaseMs: LEASE_MS,
    provokeFailures: () => {
      for (const load of loads) load.provokeFailures()
    },
    isOver,
    onFault,
  })
  const inputOf = (load: TenantLoad): AuditInput => ({
    ...load.facts(),
    faults,
    leaseMs: LEASE_MS,
    isShort: seconds < SHORT_RUN_S,
    guestFaults: nemesis.count['kill guest'] + nemesis.count['pause guest'],
    badEnds: nodes.badEnds(),
    givenUpStarts: nodes.givenUp(),
  })
  const lookAt = (load: TenantLoad): Promise<readonly Finding[]> =>
    load.tenant.read((db) => auditNow(db, inputOf(load)))
  const look = async (): Promise<void> => {
    // rows of a workspace that moves may be in neither database when they are read
    const still = loads.filter(({ tenant }) => !tenant.isMoved)
    while (stopsAtFirst && !isOver()) {
      await sleep(LOOK_EVERY_MS)
      // the database may be unavailable at the moment
      const findings = await Promise.all(still.map(lookAt)).catch(() => [])
      isBrokenNow = findings.flat().filter(isBroken)
      if (isBrokenNow.length > 0) brokenAt = Date.now()
    }
  }
  const looking = look()
  const running = loads.map((load) => load.run())
  await nemesis.run()
  await Promise.all([...running.map(({ asking }) => asking), looking])
  // callers stop at that time; until the last faults are over, few requests are sent
  const until = Math.min(Date.now(), from + seconds * 1_000)
  const left =
    isBrokenNow.length > 0
      ? []
      : await settle(
          { fleet, loads, mover },
          running.map(({ people }) => people),
        )
  isSettled = true
  await Promise.all([
    ...running.flatMap(({ people, answering }) => [people, answering]),
    ...loads.map((load) => load.stop()),
    ...stopWriting.map((stop) => stop()),
  ])
  await nodes.stopAll()
  const progress = {
    seconds,
    from,
    until,
    counts: nemesis.count,
    lateRetries: nemesis.lateRetries(),
    possible: possibleFaults({ fleet, disk }),
    mostNodes: nodes.most(),
    nodes: nodes.all.length,
    tenants: loads.length,
  }
  const findings =
    isBrokenNow.length > 0
      ? isBrokenNow
      : [...left, ...(await auditAll({ fleet, loads, mover }, { inputOf, progress }))]
  const isFound = findings.some(isBroken)
  return {
    backend: options.backend,
    seconds,
    seed,
    faults: nemesis.count,
    possible: progress.possible,
    answers: joinAnswers(loads.map((load) => load.facts().answers)),
    findings,
    brokenAfterS: isFound ? ((brokenAt || Date.now()) - from) / 1_000 : null,
  }
}

/** Cleans up if the run is interrupted, so that no process and no mount is left. */
const endWithProcess = (clean: () => void): (() => void) => {
  const exit = (): void => process.exit(130)
  process.once('exit', clean)
  process.on('SIGTERM', exit)
  process.on('SIGINT', exit)
  return () => {
    process.off('exit', clean)
    process.off('SIGTERM', exit)
    process.off('SIGINT', exit)
  }
}

export const runChaos = async (options: ChaosOptions): Promise<ChaosReport> => {
  const disk = openDisk()
  const stayOnDisk = endWithProcess(disk.close)
  const faults = createFaultLog()
  const stopWatching = watchStalls(faults)
  const witness = await startWitness()
  try {
    const fleet = await openFleetOn(disk, options)
    try {
      const nodes = await createNodes({
        fleet,
        faults,
        env: fleet.backend === 'file' ? disk.env : {},
        program: inOwnSession(options.program ?? requireDistSvc()),
      })
      const forget = endWithProcess(nodes.killAll)
      return await runIn({ options, disk, fleet, witness, nodes }, faults).finally(forget)
    } finally {
      await fleet.close()
    }
  } finally {
    stopWatching()
    await witness.close()
    stayOnDisk()
    disk.close()
  }
}
