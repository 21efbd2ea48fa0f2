/**
 * The processes of a pool: those started ahead, those at work, and those that wait for another
 * job of their key. A process gets its key when it is first taken, and keeps it.
 */

import { hasNetwork, type ProcessShape, type Provider, shapeKey } from '../providers/provider.ts'
import type { SandboxOutcome, SandboxRun } from '../sandbox.ts'
import type { Deadlines } from './deadlines.ts'
import { createIdleMembers } from './idle-members.ts'
import {
  createMember,
  type FewestDescriptors,
  isReusable,
  isUsedUp,
  type Member,
  mustEnd,
} from './pool-member.ts'
import { startGuest } from './process.ts'

export type PoolOptions = Readonly<{
  /** Number of processes to keep started ahead, for jobs of the default shape. */
  warm: number
  /** Delays the first of them, because their start would take processor time from the start of the node. @default no delay */
  warmAfter?: Promise<void>
  defaultShape: ProcessShape
  /** Maximum number of idle processes to keep for further jobs of their key. */
  maxIdle: number
  /** False if each job gets its own process. */
  reuse: boolean
  /** Ends jobs in time when this thread is too busy. @default only this thread ends them */
  deadlines?: Deadlines
}>

export interface PoolMembers {
  /**
   * Takes a free process for the run, or starts one.
   * @throws {Error} the action's `network` is invalid, or the host is out of file descriptors
   */
  take(run: SandboxRun): Member
  /** Starts a new process. Throws like `take`. */
  start(run: SandboxRun): Member
  /** Keeps the process for further jobs, or ends it. */
  giveBack(member: Member, run: SandboxRun, outcome: SandboxOutcome): void
  stop(member: Member): void
  /** Resolves when every process has ended. */
  close(): Promise<void>
}

const SWEEP_MS = 10_000

const reuseKey = ({ key, limits }: SandboxRun): string =>
  JSON.stringify([key.ws, key.app, key.commit, shapeKey(limits)])

/** Starts, keeps and kills the members of a pool. */
export const createPoolMembers = (provider: Provider, options: PoolOptions): PoolMembers => {
  const living = new Set<Member>()
  const ahead = new Set<Member>()
  const idle = createIdleMembers(options.maxIdle)
  const defaultKey = shapeKey(options.defaultShape)
  /** Separate counts, because a connection to the network may use additional descriptors. */
  const fewestOf: Readonly<Record<'online' | 'offline', FewestDescriptors>> = {
    online: { count: Number.POSITIVE_INFINITY },
    offline: { count: Number.POSITIVE_INFINITY },
  }
  let isClosed = false

  const startProcess = (shape: ProcessShape): Member => {
    const fewest = hasNetwork(shape) ? fewestOf.online : fewestOf.offline
    const member = createMember(startGuest(provider.commandFor(shape)), shape, fewest)
    living.add(member)
    void member.guest.ended.then(() => {
      living.delete(member)
      ahead.delete(member)
      idle.remove(member)
    })
    return member
  }

  const stop = (member: Member): void => {
    idle.remove(member)
    ahead.delete(member)
    member.guest.kill()
  }

  /**
   * Starts one process in each turn of the event loop, because a start blocks it for 5 to 10 ms.
   * @param missing the most to start. Otherwise processes that end at once would be started for ever.
   */
  const startAhead = (missing = options.warm - ahead.size): void => {
    if (isClosed || missing < 1 || ahead.size >= options.warm) return
    try {
      ahead.add(startProcess(options.defaultShape))
      setImmediate(startAhead, missing - 1)
    } catch {
      // the next job starts its own process and reports the error
    }
  }

  const takeAhead = (): Member | undefined => {
    // later, so that it does not take time from the job
    setImmediate(startAhead)
    for (const member of ahead) {
      ahead.delete(member)
      if (member.guest.alive()) return member
    }
    return undefined
  }

  const sweep = setInterval(() => {
    for (const member of idle.list()) if (mustEnd(member, performance.now())) stop(member)
  }, SWEEP_MS)
  sweep.unref()
  if (options.warmAfter === undefined) startAhead()
  else void options.warmAfter.then(() => startAhead())

  const giveTo = (run: SandboxRun, member: Member): Member => {
    member.key = reuseKey(run)
    return member
  }

  const start = (run: SandboxRun): Member => {
    const { memoryMb, network, granted = [] } = run.limits
    return giveTo(run, startProcess({ memoryMb, network, granted }))
  }

  return {
    take: (run) => {
      const used = options.reuse && !run.fresh ? idle.take(reuseKey(run)) : undefined
      if (used?.guest.alive() === true) return used
      const waiting = shapeKey(run.limits) === defaultKey ? takeAhead() : undefined
      return waiting === undefined ? start(run) : giveTo(run, waiting)
    },
    start,
    giveBack: (member, run, outcome) => {
      member.jobs += 1
      const mayStay = options.reuse && !run.fresh && !isClosed && isReusable(member, run, outcome)
      if (!mayStay || member.key === null || isUsedUp(member)) {
        stop(member)
        return
      }
      member.idleSince = performance.now()
      for (const other of idle.add(member.key, member)) stop(other)
    },
    stop,
    close: async () => {
      isClosed = true
      clearInterval(sweep)
      const members = [...living]
      for (const member of members) stop(member)
      await Promise.all(members.map(({ guest }) => guest.ended))
    },
  }
}
