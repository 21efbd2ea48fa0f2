/**
 * Writes that arrive late: a node is stopped in the middle of its writes until others have taken over its work. On a file
 * the writer's lock is held meanwhile, over sqld the bytes that the node sends.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { FaultLog } from './fault-log.ts'
import { guestsOf } from './guests.ts'
import type { ChaosNode, Nodes } from './nodes.ts'
import type { Chance } from './random.ts'
import type { Sighting, Witness } from './witness.ts'

/** A script that is about to throw: its worker will write a retry of its job. */
export type Failing = Readonly<{ sighting: Sighting; failsAt: number }>

export type LateWritesOptions = Readonly<{
  nodes: Nodes
  witness: Pick<Witness, 'open'>
  faults: FaultLog
  chance: Chance
  leaseMs: number
  /** Takes the writer's lock of a file. @returns what gives it back */
  lockFile: () => Promise<() => void>
  onFault: (text: string) => void
}>

/** From the end of a lease until another worker runs the job: rescue looks every second. */
const RESCUED_AFTER_MS = 1_800
/** So much time is needed to take the lock; for longer than the most it should not be held. */
const FAILS_SOON_MS = { least: 30, most: 900 }
/** The worker hears of the end of its script and hands over the write. */
const WRITES_AFTER_MS = 200
/** On a busy machine the job runs again so much later. A node gives up a write that has waited for the lock for 10 s. */
const RUNS_LATE_MS = 4_000
/** On a busy machine a script throws so much later than it said. */
const FAILS_LATE_MS = 1_500
const SEEK_MS = 6_000
const SEEK_EVERY_MS = 20
/** The successor has begun: its claim is written, and its script goes on for a while. */
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
  /** Until the worker waits for the lock with the retry. */
  const untilWriting = async ({ sighting, failsAt }: Failing): Promise<void> => {
    while (witness.open.has(sighting) && Date.now() < failsAt + FAILS_LATE_MS) {
      await sleep(SEEK_EVERY_MS)
    }
    await sleep(WRITES_AFTER_MS)
  }
  const isTakenOver = ({ job, attempt }: Sighting): boolean =>
    [...witness.open].some((seen) => seen.job === job && seen.attempt > attempt)
  /** Until the job of the attempt runs again, or all that the node held has long been taken over. @returns whether it does */
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
  /** @param failing null: whatever the node writes at the moment arrives late */
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
