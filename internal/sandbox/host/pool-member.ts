/** A process as the pool keeps it, and the rules for when it is used up. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { MIB } from '#core/byte-units.ts'
import { processorMs, residentBytes } from '../linux/process-tree.ts'
import type { ProcessShape } from '../providers/provider.ts'
import type { SandboxOutcome, SandboxRun } from '../sandbox.ts'
import type { GuestProcess } from './process.ts'
import type { StackTraceMapper } from './stack-trace.ts'

/** A bundle that a process has. */
export type MemberBundle = Readonly<{ mapStackTrace: StackTraceMapper; codeLength: number }>

export type Member = {
  readonly guest: GuestProcess
  readonly shape: ProcessShape
  /** Bundles by their hash. A process rarely sees more than one. */
  readonly bundles: Map<string, MemberBundle>
  /** Null until the process gets its first job. */
  key: string | null
  jobs: number
  idleSince: number
  /** The number of threads at the last check. */
  threads: number
  /** The number of open descriptors of the runtime when it was ready; null before. */
  ownDescriptors: number | null
  readonly fewest: FewestDescriptors
  /** What the last check of the idle process found: its processor time, in milliseconds, after this number of jobs. */
  checked: Readonly<{ jobs: number; processorMs: number }>
  /** Characters of code that were loaded again after suspended runs. */
  reloaded: number
}

/**
 * The smallest number of descriptors that a process of a pool had open when it was ready. A
 * runtime may briefly have one more, which would hide a descriptor that a job leaves open.
 */
export type FewestDescriptors = { count: number }

/** A start takes 30 ms, and V8 compiles the code of the new process again. */
export const MAX_JOBS = 4_000
const MAX_IDLE_MS = 600_000
/** Processor time between two checks of an idle process. The runtime needs little to collect garbage and to optimize code. */
const MAX_IDLE_WORK_MS = 1_000
/** A process that uses more than this share of its memory or its folder is not reused. */
const MEMORY_MARK = 0.8
const FOLDER_MARK = 0.5
const MEMORY_CHECK_EVERY_JOBS = 25
/** A runtime never frees a module, so reloaded code must not take much of the memory of its jobs. */
const MAX_RELOADED = 4 * MIB
/** The names that Deno and Node give threads of `Worker`. The runtime's own threads have other names. */
const WORKER_THREAD = /^(?:worker-\d+|WorkerThread)$/

/** Names of failures after which a process is not trusted or has ended. */
const NOT_REUSED_AFTER: ReadonlySet<string> = new Set([
  'Timeout',
  'OutOfMemory',
  'DiskLimit',
  'SandboxCrashed',
])

const isGrown = ({ guest, shape }: Member): boolean =>
  residentBytes(guest.pid) > shape.memoryMb * MEMORY_MARK * MIB

const threadNames = (folder: string): readonly string[] =>
  readdirSync(folder).map((thread) => readFileSync(`${folder}/${thread}/comm`, 'latin1').trim())

/**
 * Whether a job has left a worker thread behind. Such a thread would go on while the process waits, and write into the
 * next job's log. Names are read only when the number of threads has changed, so most jobs cost one system call.
 */
const hasWorkerThread = (member: Member): boolean => {
  const folder = `/proc/${member.guest.runtimePid()}/task`
  try {
    const threads = statSync(folder).nlink
    if (threads === member.threads) return false
    member.threads = threads
    return threadNames(folder).some((name) => WORKER_THREAD.test(name))
  } catch {
    // a thread has ended, or this is not Linux
    return false
  }
}

/** Half of the descriptors that a process may have open. */
const MOST_DESCRIPTORS = 256
/** Deno opens this many descriptors for signals at its first wait that is longer than half a second. */
const LATE_DESCRIPTORS = 2

/** @returns null if the process has ended, or if this is not Linux */
const countDescriptors = (guest: GuestProcess): number | null => {
  const folder = `/proc/${guest.runtimePid()}/fd`
  try {
    // the size is their number since Linux 6.2 and 0 before, where counting takes a call per descriptor
    return statSync(folder).size || readdirSync(folder).length
  } catch {
    return null
  }
}

/** Creates a pool member that has not run a job yet. @param fewest shared by processes of its kind */
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
    checked: { jobs: 0, processorMs: 0 },
    reloaded: 0,
  }
  void guest.ready.then(() => {
    const own = countDescriptors(guest)
    member.ownDescriptors = own
    if (own !== null) fewest.count = Math.min(fewest.count, own)
  })
  return member
}

/** Descriptors that jobs leave open add up, and a runtime that can open no more fails the next job. */
const hasFilledDescriptors = ({ guest }: Member): boolean =>
  (countDescriptors(guest) ?? 0) > MOST_DESCRIPTORS

const hasLeftOpen = ({ guest, ownDescriptors, fewest }: Member): boolean => {
  const open = countDescriptors(guest)
  if (open === null || ownDescriptors === null) return true
  return open > Math.min(ownDescriptors, fewest.count) + LATE_DESCRIPTORS
}

/** @returns whether the process may load the bundle again; this counts the load */
const takeReload = (member: Member, { bundleHash }: SandboxRun): boolean => {
  member.reloaded += member.bundles.get(bundleHash)?.codeLength ?? 0
  return member.reloaded <= MAX_RELOADED
}

/**
 * Whether the process may be reused after a run: not after an end that came from outside the script, nor after
 * some suspensions. A suspended run never reaches its `finally` blocks. What it holds open, such as a
 * connection, would stay open, so its process is not reused. What it holds in its modules, such as a lock,
 * would stay locked, so the guest loads the modules again for the next run (guest/bundles.ts).
 */
export const isReusable = (member: Member, run: SandboxRun, outcome: SandboxOutcome): boolean => {
  if (outcome.kind === 'suspended') return !hasLeftOpen(member) && takeReload(member, run)
  return (
    outcome.kind === 'success' ||
    (outcome.kind === 'failure' && !NOT_REUSED_AFTER.has(outcome.error.name))
  )
}

/** Files that jobs leave in the folder stay for the next job, and must leave room for it. */
const hasFilledFolder = ({ guest: { disk } }: Member): boolean =>
  disk.isTouched() && disk.isOverfull(FOLDER_MARK)

/** Whether no further job may follow. Called after a job. */
export const isUsedUp = (member: Member): boolean =>
  !member.guest.alive() ||
  member.jobs >= MAX_JOBS ||
  hasWorkerThread(member) ||
  hasFilledFolder(member) ||
  hasFilledDescriptors(member) ||
  (member.jobs % MEMORY_CHECK_EVERY_JOBS === 0 && isGrown(member))

/**
 * Whether a process has worked since the last check although it was idle. It blocks between jobs, but threads of the runtime do
 * not: a job may have left a long computation to them, such as deriving a key. Nothing limits the processor time of idle processes.
 */
const isBusy = (member: Member): boolean => {
  const { checked, jobs } = member
  member.checked = { jobs, processorMs: processorMs(member.guest.runtimePid()) }
  return (
    checked.jobs === jobs && member.checked.processorMs - checked.processorMs > MAX_IDLE_WORK_MS
  )
}

/** Whether an idle process must end. Called every few seconds. */
export const mustEnd = (member: Member, now: number): boolean =>
  now - member.idleSince > MAX_IDLE_MS || isGrown(member) || isBusy(member)
