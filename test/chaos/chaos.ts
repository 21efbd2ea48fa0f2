/**
 * Chaos: servers, workers and schedulers over one database, under load, while faults are dealt to them, to their guests,
 * to their database and to its disk; then an audit of the database and of an outside witness. The seed repeats what is
 * done and in which order, not how the processes take it.
 */
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { untilAllEnded } from '../e2e/durable-node.ts'
import { type Fleet, type FleetBackend, openFleet } from '../e2e/fleet.ts'
import { auditAtRest, auditNow } from './audit/audit.ts'
import { type Finding, isBroken } from './audit/finding.ts'
import type { AuditInput } from './audit/input.ts'
import { type Disk, openDisk } from './disk.ts'
import { createFaultLog, watchStalls, watchWrites } from './fault-log.ts'
import { type Answers, createCaller } from './load/caller.ts'
import { createDurableLoad } from './load/durable.ts'
import { createFlowLoad } from './load/flows.ts'
import { createFunctionLoad } from './load/functions.ts'
import { createJobLoad } from './load/jobs.ts'
import { createNemesis, type FaultCounts, possibleFaults } from './nemesis.ts'
import { createNodes, type Nodes } from './nodes.ts'
import { inOwnSession, requireDistSvc } from './program.ts'
import { createChance } from './random.ts'
import {
  addAgedJobs,
  addApprovers,
  addSchedules,
  deployApp,
  endOfLoad,
  type ScheduleCounts,
} from './setting.ts'
import { watchQueue } from './watch-queue.ts'
import { startWitness, type Witness } from './witness.ts'

export type ChaosOptions = Readonly<{
  backend: FleetBackend
  /** Of load and faults. */
  seconds: number
  seed: number
  /** What the nodes run, as a command and its first arguments. @default dist/svc */
  program?: readonly string[]
  /** The run ends at the first invariant that is seen broken, which is looked for all the time. */
  stopsAtFirst?: boolean
  onFault?: (text: string) => void
}>

export type ChaosReport = Readonly<{
  backend: FleetBackend
  seconds: number
  seed: number
  faults: FaultCounts
  /** Kinds of faults that this backend and this machine do not allow are left out. */
  possible: readonly string[]
  answers: Answers
  findings: readonly Finding[]
  /** Of a run that ended at the first broken invariant: seconds from the first fault. */
  brokenAfterS: number | null
}>

const LEASE_MS = 2_000
const CALLERS = 16
const REST_MS = 40
const DURABLE_EVERY_MS = 2_000
const FUNCTION_CALLERS = 2
const FUNCTION_EVERY_MS = 250
const LONG_RUN_S = 300
/**
 * A long run is made on a quiet machine, which has room for more flows at once. A job that sleeps holds a slot of its worker
 * and no time of the machine.
 */
const mixOf = (seconds: number) =>
  seconds >= LONG_RUN_S
    ? { concurrency: 8, flowEveryMs: 500, openFlows: 20 }
    : { concurrency: 4, flowEveryMs: 800, openFlows: 12 }
/**
 * A long run has more schedules, of which fewer fire each second: their jobs share four workers with those of the callers,
 * and every fault leaves work to do again.
 */
const schedulesOf = (seconds: number): ScheduleCounts =>
  seconds >= LONG_RUN_S ? { eachSecond: 2, each10Seconds: 18 } : { eachSecond: 4, each10Seconds: 0 }
const SETTLE_MS = 90_000
const SHORT_RUN_S = 60
const LOOK_EVERY_MS = 2_000

/** Short leases, so that pauses outlast them; no job may end for having lost its worker too often. */
const SETTINGS = {
  SVC_JOB_LEASE_S: String(LEASE_MS / 1_000),
  SVC_JOB_MAX_CRASHES: '100',
  SVC_SHUTDOWN_GRACE_S: '3',
  SVC_RATE_OTHER_PER_S: '0',
  SVC_RATE_RUN_PER_S: '0',
  SVC_RATE_ANONYMOUS_PER_S: '0',
}

/** The fleet's folders lie on the disk of the run. */
const openFleetOn = async (
  disk: Disk,
  { backend, seconds }: Pick<ChaosOptions, 'backend' | 'seconds'>,
): Promise<Fleet> => {
  const own = process.env.TMPDIR
  if (disk.path !== null) process.env.TMPDIR = disk.path
  try {
    const settings = { ...SETTINGS, SVC_CONCURRENCY: String(mixOf(seconds).concurrency) }
    return await openFleet(backend, settings, {}, requireDistSvc(), { ownSession: true })
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

/** Starts everything, loads it and breaks it. */
const runIn = async (
  world: World,
  faults: ReturnType<typeof createFaultLog>,
): Promise<ChaosReport> => {
  const { options, disk, fleet, witness, nodes } = world
  const { seconds, seed, stopsAtFirst = false, onFault = () => undefined } = options
  await Promise.all(nodes.all.map((node) => (node.role === 'server' ? nodes.start(node) : null)))
  const [server] = nodes.servers()
  if (server === undefined) throw new Error('No server started.')
  await deployApp(fleet, server, witness.port)
  const approvers = await addApprovers(fleet)
  // before the first scheduler starts, which then sweeps
  const aged = await addAgedJobs(fleet)
  await Promise.all(nodes.all.map((node) => nodes.start(node)))
  await addSchedules(fleet, server, schedulesOf(seconds))

  const from = Date.now()
  let isBrokenNow: readonly Finding[] = []
  let brokenAt = 0
  let isSettled = false
  const isOver = (): boolean => Date.now() > from + seconds * 1_000 || isBrokenNow.length > 0
  const queue = watchQueue(fleet)
  const stopWriting = watchWrites(faults, fleet.folder.databaseUrl)
  const caller = createCaller(nodes, createChance(seed + 1), { token: fleet.folder.token })
  const jobs = createJobLoad({
    caller,
    chance: createChance(seed + 2),
    callers: CALLERS,
    restMs: REST_MS,
    isOver,
    mustRest: queue.isLong,
    isFull: queue.isFull,
  })
  const flows = createFlowLoad({
    caller,
    chance: createChance(seed + 3),
    approvers,
    everyMs: mixOf(seconds).flowEveryMs,
    most: mixOf(seconds).openFlows,
    isOver,
    isSettled: () => isSettled || isBrokenNow.length > 0,
  })
  const durable = createDurableLoad({
    caller,
    chance: createChance(seed + 4),
    witness,
    everyMs: DURABLE_EVERY_MS,
    isOver,
    isSettled: () => isSettled || isBrokenNow.length > 0,
  })
  const functions = createFunctionLoad({
    caller,
    callers: FUNCTION_CALLERS,
    everyMs: FUNCTION_EVERY_MS,
    isOver,
  })
  const nemesis = createNemesis({
    fleet,
    nodes,
    disk,
    witness,
    faults,
    chance: createChance(seed),
    leaseMs: LEASE_MS,
    provokeFailures: jobs.provokeFailures,
    isOver,
    onFault,
  })
  const input = (): AuditInput => ({
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
    faults,
    leaseMs: LEASE_MS,
    isShort: seconds < SHORT_RUN_S,
    guestFaults: nemesis.count['kill guest'] + nemesis.count['pause guest'],
    mostRunning: queue.most(),
    aged,
    badEnds: nodes.badEnds(),
    givenUpStarts: nodes.givenUp(),
  })
  const look = async (): Promise<void> => {
    while (stopsAtFirst && !isOver()) {
      await sleep(LOOK_EVERY_MS)
      // the database may be away at the moment
      const findings = await fleet.read((db) => auditNow(db, input())).catch(() => [])
      isBrokenNow = findings.filter(isBroken)
      if (isBrokenNow.length > 0) brokenAt = Date.now()
    }
  }
  const looking = look()
  const loads = [jobs.run(), functions.run(), durable.ask()]
  const answering = durable.answer()
  const people = flows.run()
  await nemesis.run()
  await Promise.all([...loads, looking])
  // callers stop at that time; until the last faults are over, few requests are sent
  const until = Math.min(Date.now(), from + seconds * 1_000)
  const left = isBrokenNow.length > 0 ? [] : await settle(fleet, people)
  isSettled = true
  await Promise.all([people, answering, queue.stop(), stopWriting()])
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
  }
  const findings =
    isBrokenNow.length > 0
      ? isBrokenNow
      : [...left, ...(await fleet.read((db) => auditAtRest(db, input(), progress)))]
  const isFound = findings.some(isBroken)
  return {
    backend: options.backend,
    seconds,
    seed,
    faults: nemesis.count,
    possible: progress.possible,
    answers: caller.answers,
    findings,
    brokenAfterS: isFound ? ((brokenAt || Date.now()) - from) / 1_000 : null,
  }
}

/** What was queued ends, and people answer what waits for them. @returns what did not come to rest in time */
const settle = async (fleet: Fleet, people: Promise<void>): Promise<readonly Finding[]> => {
  await endOfLoad(fleet)
  const timeout = AbortSignal.timeout(SETTLE_MS)
  const late = new Promise<'late'>((resolve) => {
    timeout.addEventListener('abort', () => resolve('late'))
  })
  const all = Promise.all([people, untilAllEnded(fleet.folder, SETTLE_MS)]).then(
    () => '',
    (error: unknown) => String(error),
  )
  const outcome = await Promise.race([all, late])
  const text = outcome === 'late' ? 'People still waited for their flows.' : outcome
  return [
    {
      invariant: 'I3',
      what: `everything came to rest within ${SETTLE_MS / 1_000} s of the last fault`,
      violations: text === '' ? [] : [text],
    },
  ]
}

/** A run that is broken off leaves no process and no mount behind. */
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
