/**
 * Late writes: a node is stopped in the middle of its writes until others have taken over its work. On a file, the writer's
 * lock is held meanwhile; with sqld, the bytes that the node sends.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { FaultLog } from './fault-log.ts'
import { guestsOf } from './guests.ts'
import type { ChaosNode, Nodes } from './nodes.ts'
import type { Chance } from './random.ts'
import type { Sighting, Witness } from './witness.ts'

/** A script that is about to throw. Its worker will then write a retry of its job. */
export type Failing = Readonly<{ sighting: Sighting; failsAt: number }>

export type LateWritesOptions = Readonly<{
  nodes: Nodes
  witness: Pick<Witness, 'open'>
  faults: FaultLog
  chance: Chance
  leaseMs: number
  /** Takes the writer's lock of a file. @returns a function that releases it */
  lockFile: () => Promise<() => void>
  onFault: (text: string) => void
}>

/** Milliseconds from the end of a lease until another worker runs the job. Rescue runs every second. */
const RESCUED_AFTER_MS = 1_800
/** Milliseconds until the failure: enough to take the lock, but not so long that it is held for too long. */
const FAILS_SOON_MS = { least: 30, most: 900 }
/** The worker notices the end of its script and starts the write. Milliseconds. */
const WRITES_AFTER_MS = 200
/** Additional delay until the job runs again on a busy machine. A node gives up a write after waiting 10 s for the lock. */
const RUNS_LATE_MS = 4_000
/** On a busy machine a script may throw this much later than announced. */
const FAILS_LATE_MS = 1_500
const SEEK_MS = 6_000
const SEEK_EVERY_MS = 20
/** Time after the successor has begun: its claim is written, and its script runs for a while. */
const MEETING_MS = 150

const runs = ({ node }: ChaosNode, { pid }: Sighting): boolean =>
  guestsOf(node?.process.child.pid).includes(pid)

export const createLateWrites = (options: LateWritesOptions) => {
  const { nodes, witness, faults, chance, leaseMs, lockFile, onFault } = options
  let count = 0

  const findFailing = (node: ChaosNode): Failing | null => {
    for (const sighting of witness.open) {
      if (sighting.failsInMs === null) continue
      const failsAt = sighting.beganAt + sighting.failsInMs
      const leftMs = failsAt - Date.now()
      const isSoon = leftMs >= FAILS_SOON_MS.least && leftMs <= FAILS_SOON_MS.most
      if (isSoon && runs(node, sighting)) return { sighting, failsAt }
    }
    return null
  }
  /** Waits for a script on the node that is about to throw. */
  const seekFailing = async (node: ChaosNode): Promise<Failing | null> => {
    const until = performance.now() + SEEK_MS
    while (performance.now() < until && node.node !== null) {
      const failing = findFailing(node)
      if (failing !== null) return failing
      await sleep(SEEK_EVERY_MS)
    }
    return null
  }
  /** Waits until the worker waits for the lock with the retry. */
  const untilWriting = async ({ sighting, failsAt }: Failing): Promise<void> => {
    while (witness.open.has(sighting) && Date.now() < failsAt + FAILS_LATE_MS) {
      await sleep(SEEK_EVERY_MS)
    }
    await sleep(WRITES_AFTER_MS)
  }
  const isTakenOver = ({ job, attempt }: Sighting): boolean =>
    [...witness.open].some((seen) => seen.job === job && seen.attempt > attempt)
  /**
   * Waits until the job of the attempt runs again, or until all work of the
   * node must have been taken over. @returns whether it does
   */
  const untilTakenOver = async (failing: Failing | null): Promise<boolean> => {
    const moreMs = failing === null ? chance.below(1_500) : RUNS_LATE_MS
    const until = performance.now() + leaseMs + RESCUED_AFTER_MS + moreMs
    while (performance.now() < until) {
      if (failing !== null && isTakenOver(failing.sighting)) {
        await sleep(MEETING_MS)
        return true
      }
      await sleep(SEEK_EVERY_MS)
    }
    return false
  }
  /** @param failing null if whatever the node writes at the moment is delayed */
  const writeLate = async (node: ChaosNode, failing: Failing | null): Promise<void> => {
    const what = failing === null ? 'writes' : `the retry of ${failing.sighting.job}`
    onFault(`${what} from ${node.name} late`)
    let hasMet = false
    const end = faults.begin(node.name, 'late writes')
    if (node.gate !== null) {
      node.gate.hold()
      hasMet = await untilTakenOver(failing)
      node.gate.release()
    } else {
      const unlock = await lockFile()
      await (failing === null ? sleep(chance.between(500, 1_200)) : untilWriting(failing))
      nodes.pause(node)
      unlock()
      hasMet = await untilTakenOver(failing)
      nodes.resume(node)
    }
    if (hasMet) count += 1
    end()
  }
  return {
    seekFailing,
    writeLate,
    /** How many retries arrived late while their job ran again. */
    meetings: () => count,
  }
}
