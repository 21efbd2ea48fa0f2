/** Moves a workspace between two cells while everything else continues, and sometimes kills the command midway. */
import { setTimeout as sleep } from 'node:timers/promises'
import { findPlaceEntry, type PlaceEntry } from '#store/workspaces/cells.ts'
import type { Fleet } from '../e2e/fleet.ts'
import type { Chance } from './random.ts'
import { MOVED, MOVED_BETWEEN } from './tenant.ts'

/** Seconds. Scripts run for up to 12 s. */
const DRAIN_S = 60
const FINISH_MS = 60_000
const AGAIN_MS = 500

export type Mover = Readonly<{
  /** @param killed whether the command is killed midway and then repeated */
  move: (killed: boolean) => Promise<void>
  /** Completes a move that was interrupted. @returns why it did not end; empty if it did */
  finish: () => Promise<string>
  /** Number of completed moves. */
  arrived: () => number
  /** The output of the last command. */
  said: () => string
}>

const isDone = (entry: PlaceEntry | null): boolean =>
  entry !== null && entry.movingTo === null && entry.leftIn === null

export const createMover = (fleet: Fleet, chance: Chance, program: readonly string[]): Mover => {
  let arrived = 0
  let said = ''
  const findEntry = () => fleet.read((home) => findPlaceEntry(home, MOVED))
  /** Continues a move in progress, or selects the target of a new one. */
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
      // the home database may be unavailable at the moment
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
        // a move to where the workspace is removes what was left behind
        await run(entry?.movingTo ?? entry?.cell ?? MOVED_BETWEEN[0], null)
        await sleep(AGAIN_MS)
      }
    },
    arrived: () => arrived,
    said: () => said,
  }
}
