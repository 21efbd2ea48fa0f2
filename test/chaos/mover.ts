/** Moves a workspace between two cells while all else goes on, and kills the command in the middle. */
import { setTimeout as sleep } from 'node:timers/promises'
import { findPlaceEntry, type PlaceEntry } from '#store/workspace-cells.ts'
import type { Fleet } from '../e2e/fleet.ts'
import type { Chance } from './random.ts'
import { MOVED, MOVED_BETWEEN } from './tenant.ts'

/** Scripts run for up to 12 s. */
const DRAIN_S = 60
const FINISH_MS = 60_000
const AGAIN_MS = 500

export type Mover = Readonly<{
  /** @param killed whether the command is killed on its way, and given again */
  move: (killed: boolean) => Promise<void>
  /** Brings a move that was cut off to its end. @returns why it did not end; empty: it has */
  finish: () => Promise<string>
  /** Moves that came to their end. */
  arrived: () => number
  /** What the last command printed. */
  said: () => string
}>

const isDone = (entry: PlaceEntry | null): boolean =>
  entry !== null && entry.movingTo === null && entry.leftIn === null

export const createMover = (fleet: Fleet, chance: Chance, program: readonly string[]): Mover => {
  let arrived = 0
  let said = ''
  const findEntry = () => fleet.read((home) => findPlaceEntry(home, MOVED))
  /** A move that is under way goes on; where none is, one begins. */
  const pickTarget = async (): Promise<string> => {
    const entry = await findEntry()
    const [one, other] = MOVED_BETWEEN
    return entry?.movingTo ?? (entry?.cell === one ? other : one)
  }
  const run = async (to: string, killAfterMs: number | null): Promise<boolean> => {
    const args = ['move', MOVED, to, '--drain-s', String(DRAIN_S)]
    const command = fleet.launch('workspace', { args, program })
    const timer =
      killAfterMs === null ? null : setTimeout(() => command.child.kill('SIGKILL'), killAfterMs)
    const code = await command.ended
    if (timer !== null) clearTimeout(timer)
    said = command.said().slice(-500)
    if (code === 0) arrived += 1
    return code === 0
  }
  return {
    move: async (killed) => {
      // the home may be away at the moment
      const to = await pickTarget().catch(() => null)
      if (to === null) return
      if (killed) await run(to, chance.between(500, 9_000))
      await run(to, null)
    },
    finish: async () => {
      const deadline = performance.now() + FINISH_MS
      for (;;) {
        const entry = await findEntry()
        if (isDone(entry)) return ''
        if (performance.now() > deadline) return `${JSON.stringify(entry)}; ${said}`
        // what is left behind is removed by a move to where the workspace is
        await run(entry?.movingTo ?? entry?.cell ?? MOVED_BETWEEN[0], null)
        await sleep(AGAIN_MS)
      }
    },
    arrived: () => arrived,
    said: () => said,
  }
}
