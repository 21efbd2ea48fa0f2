/**
 * Keeps guest processes warm and decides which job gets which.
 *
 * It guarantees: a process that ran code of one (workspace, app, commit) never runs code of another; it runs one job at
 * a time; after a failure that came from outside the script it is not used again. Processes are started ahead without
 * anybody's data, so that the first job of a key waits for no start.
 */
import type { GuestProcess } from './guest-process.ts'
import { startGuest } from './guest-process.ts'
import { createMemoryWatch, residentBytes } from './memory-watch.ts'
import { type ProcessShape, type Provider, shapeKey } from './process-shape.ts'
import type { Sandbox, SandboxCallbacks, SandboxOutcome, SandboxRun } from './provider.ts'
import { runOnGuest } from './run-on-guest.ts'

export type PoolOptions = Readonly<{
  /** Processes kept started ahead, for jobs of the default shape. */
  warm: number
  defaultShape: ProcessShape
  /** Idle processes kept for further jobs of their key. */
  maxIdle: number
  /** False: each job has a process of its own. */
  reuse: boolean
}>

const MAX_JOBS_PER_PROCESS = 1_000
const MAX_IDLE_MS = 600_000
const SWEEP_MS = 60_000
/** A process that has grown beyond this share of its memory is not used again. */
const MEMORY_MARK = 0.8
const MEMORY_LOOK_EVERY_JOBS = 50
/** Failure names after which the process may still be sound. */
const UNSOUND = new Set(['Timeout', 'OutOfMemory', 'SandboxCrashed'])

type Member = {
  readonly guest: GuestProcess
  readonly shape: ProcessShape
  readonly loaded: Set<string>
  jobs: number
  idleSince: number
}

const reuseKey = ({ key, limits }: SandboxRun): string =>
  JSON.stringify([key.ws, key.app, key.commit, shapeKey(limits)])

export const createSandboxPool = (provider: Provider, options: PoolOptions): Sandbox => {
  const memory = createMemoryWatch()
  const all = new Set<Member>()
  const ahead: Member[] = []
  const idle = new Map<string, Member[]>()
  const sourceMaps = new Map<string, string>()
  let isClosed = false

  const start = (shape: ProcessShape): Member => {
    const guest = startGuest(provider.commandFor(shape))
    const member: Member = { guest, shape, loaded: new Set(), jobs: 0, idleSince: 0 }
    all.add(member)
    void guest.exited.then(() => forget(member))
    return member
  }

  const forget = (member: Member): void => {
    all.delete(member)
    const at = ahead.indexOf(member)
    if (at >= 0) ahead.splice(at, 1)
    for (const members of idle.values()) {
      const found = members.indexOf(member)
      if (found >= 0) members.splice(found, 1)
    }
  }

  const startAhead = (): void => {
    while (!isClosed && ahead.length < options.warm) ahead.push(start(options.defaultShape))
  }

  const take = (run: SandboxRun): Member => {
    const mine = options.reuse && !run.fresh ? idle.get(reuseKey(run))?.pop() : undefined
    if (mine?.guest.isAlive) return mine
    const fits = shapeKey(run.limits) === shapeKey(options.defaultShape)
    const started = fits ? ahead.shift() : undefined
    // not within the job's own time
    if (fits) setImmediate(startAhead)
    return started ?? start(run.limits)
  }

  const isSpent = (member: Member): boolean =>
    member.jobs >= MAX_JOBS_PER_PROCESS ||
    (member.jobs % MEMORY_LOOK_EVERY_JOBS === 0 &&
      residentBytes(member.guest.pid) > member.shape.memoryMb * MEMORY_MARK * 1_048_576)

  const giveBack = (member: Member, run: SandboxRun, outcome: SandboxOutcome): void => {
    member.jobs += 1
    const isSound =
      outcome.kind === 'success' || (outcome.kind === 'failure' && !UNSOUND.has(outcome.error.name))
    if (isClosed || run.fresh || !options.reuse || !isSound || isSpent(member)) {
      return member.guest.kill()
    }
    const key = reuseKey(run)
    const members = idle.get(key) ?? []
    idle.set(key, members)
    member.idleSince = Date.now()
    members.push(member)
    evict()
  }

  /** The one that has been idle longest makes room. */
  const evict = (): void => {
    const members = [...idle.values()].flat()
    if (members.length <= options.maxIdle) return
    const oldest = members.toSorted((a, b) => a.idleSince - b.idleSince)[0]
    oldest?.guest.kill()
    if (oldest !== undefined) forget(oldest)
  }

  const sweep = setInterval(() => {
    for (const [key, members] of idle) {
      for (const member of [...members]) {
        if (Date.now() - member.idleSince > MAX_IDLE_MS) member.guest.kill()
      }
      if (members.length === 0) idle.delete(key)
    }
  }, SWEEP_MS)
  sweep.unref()

  const codeFor = async (member: Member, run: SandboxRun): Promise<string | null> => {
    if (member.loaded.has(run.bundleHash)) return null
    const { code, sourceMap } = await run.loadCode()
    member.loaded.add(run.bundleHash)
    sourceMaps.set(run.bundleHash, sourceMap)
    return code
  }

  startAhead()
  return {
    name: provider.name,
    level: provider.level,
    run: async (run: SandboxRun, callbacks: SandboxCallbacks, signal: AbortSignal) => {
      const member = take(run)
      const code = await codeFor(member, run).catch((error: unknown) => {
        member.guest.kill()
        throw error
      })
      const outcome = await runOnGuest({
        guest: member.guest,
        run,
        callbacks,
        signal,
        memory,
        code,
        sourceMap: sourceMaps.get(run.bundleHash) ?? '',
      })
      giveBack(member, run, outcome)
      return outcome
    },
    close: async () => {
      isClosed = true
      clearInterval(sweep)
      const members = [...all]
      for (const { guest } of members) guest.kill()
      await Promise.all(members.map(({ guest }) => guest.exited))
    },
  }
}
