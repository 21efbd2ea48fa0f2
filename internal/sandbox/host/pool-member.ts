/** A process as the pool keeps it, and when it is used up. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { residentBytes } from '../linux/process-tree.ts'
import type { ProcessShape } from '../providers/provider.ts'
import type { SandboxOutcome, SandboxRun } from '../sandbox.ts'
import type { GuestProcess } from './process.ts'
import type { StackTraceMapper } from './stack-trace.ts'

/** A bundle that a process has. */
export type MemberBundle = Readonly<{ mapStackTrace: StackTraceMapper; codeLength: number }>

export type Member = {
  readonly guest: GuestProcess
  readonly shape: ProcessShape
  /** By the bundle's hash. A process seldom sees more than one. */
  readonly bundles: Map<string, MemberBundle>
  /** Null until it is given to its first job. */
  key: string | null
  jobs: number
  idleSince: number
  /** How many threads it had when they were last looked at. */
  threads: number
  /** How many descriptors the runtime had open when it was ready; null before. */
  ownDescriptors: number | null
  readonly fewest: FewestDescriptors
  /** Characters of code that it has loaded again after suspended runs. */
  reloaded: number
}

/**
 * The fewest descriptors that a process of a pool had open when it was ready. A runtime may have one more open for a moment, and
 * what a job leaves open would hide behind that.
 */
export type FewestDescriptors = { count: number }

const MAX_JOBS = 1_000
const MAX_IDLE_MS = 600_000
/** A process that uses more than this share of its memory, or of its folder, is not used again. */
const MEMORY_MARK = 0.8
const FOLDER_MARK = 0.5
const MEMORY_LOOK_EVERY_JOBS = 25
const MB = 1_048_576
/** A runtime never frees a module, so what is loaded again must not take much of the memory of its jobs. */
const MAX_RELOADED = 4 * MB
/** As Deno and Node call the threads of `Worker`; the runtime's own have other names. */
const WORKER_THREAD = /^(?:worker-\d+|WorkerThread)$/

/** Failure names after which a process is not to be trusted or no more there. */
const UNSOUND: ReadonlySet<string> = new Set([
  'Timeout',
  'OutOfMemory',
  'DiskLimit',
  'SandboxCrashed',
])

const isGrown = ({ guest, shape }: Member): boolean =>
  residentBytes(guest.pid) > shape.memoryMb * MEMORY_MARK * MB

const threadNames = (folder: string): readonly string[] =>
  readdirSync(folder).map((thread) => readFileSync(`${folder}/${thread}/comm`, 'latin1').trim())

/**
 * A thread that a job left behind runs on while the process waits, and would write into the next job's log. Names are
 * read only when their number has changed: that is one call of the system for each job.
 */
const hasWorkerThread = (member: Member): boolean => {
  const folder = `/proc/${member.guest.runtimePid()}/task`
  try {
    const threads = statSync(folder).nlink
    if (threads === member.threads) return false
    member.threads = threads
    return threadNames(folder).some((name) => WORKER_THREAD.test(name))
  } catch {
    // a thread ended meanwhile, or this is not Linux
    return false
  }
}

/** Half of those that a process may have open. */
const MOST_DESCRIPTORS = 256
/** Deno opens so many for signals at its first wait that is later than half a second. */
const LATE_DESCRIPTORS = 2

/** @returns null when it has ended, or this is not Linux */
const countDescriptors = (guest: GuestProcess): number | null => {
  const folder = `/proc/${guest.runtimePid()}/fd`
  try {
    // their number since Linux 6.2, 0 before: one call of the system, or one for each
    return statSync(folder).size || readdirSync(folder).length
  } catch {
    return null
  }
}

/** A pool member that has not run a job yet. @param fewest of processes of its kind */
export const createMember = (
  guest: GuestProcess,
  shape: ProcessShape,
  fewest: FewestDescriptors,
): Member => {
  const member: Member = {
    guest,
    shape,
    bundles: new Map(),
    key: null,
    jobs: 0,
    idleSince: 0,
    threads: 0,
    ownDescriptors: null,
    fewest,
    reloaded: 0,
  }
  void guest.ready.then(() => {
    const own = countDescriptors(guest)
    member.ownDescriptors = own
    if (own !== null) fewest.count = Math.min(fewest.count, own)
  })
  return member
}

/** What jobs leave open stays open, and a runtime that can open nothing more fails the next job. */
const hasFilledDescriptors = ({ guest }: Member): boolean =>
  (countDescriptors(guest) ?? 0) > MOST_DESCRIPTORS

const hasLeftOpen = ({ guest, ownDescriptors, fewest }: Member): boolean => {
  const open = countDescriptors(guest)
  if (open === null || ownDescriptors === null) return true
  return open > Math.min(ownDescriptors, fewest.count) + LATE_DESCRIPTORS
}

/** @returns whether it may load the bundle again; this counts the load */
const takeReload = (member: Member, { bundleHash }: SandboxRun): boolean => {
  member.reloaded += member.bundles.get(bundleHash)?.codeLength ?? 0
  return member.reloaded <= MAX_RELOADED
}

/**
 * False after an end that came from outside the script, and after some suspensions. A suspended run never reaches its
 * `finally` blocks. What it holds open, such as a connection, would stay open: its process is not used again. What it holds in
 * its modules, such as a lock, would stay locked: the guest loads them again for the next run (guest/bundles.ts).
 */
export const isSound = (member: Member, run: SandboxRun, outcome: SandboxOutcome): boolean => {
  if (outcome.kind === 'suspended') return !hasLeftOpen(member) && takeReload(member, run)
  return (
    outcome.kind === 'success' || (outcome.kind === 'failure' && !UNSOUND.has(outcome.error.name))
  )
}

/** What jobs leave in the folder stays for the next one, and must leave it room. */
const hasFilledFolder = ({ guest: { disk } }: Member): boolean =>
  disk.isTouched() && disk.isOverfull(FOLDER_MARK)

/** After a job: whether another may follow. */
export const isSpent = (member: Member): boolean =>
  !member.guest.alive() ||
  member.jobs >= MAX_JOBS ||
  hasWorkerThread(member) ||
  hasFilledFolder(member) ||
  hasFilledDescriptors(member) ||
  (member.jobs % MEMORY_LOOK_EVERY_JOBS === 0 && isGrown(member))

/** While idle: whether it has to go. */
export const isStale = (member: Member, now: number): boolean =>
  now - member.idleSince > MAX_IDLE_MS || isGrown(member)
