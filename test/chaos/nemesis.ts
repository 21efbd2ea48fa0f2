/** What goes wrong in a chaos run, in an order that the seed repeats: deaths, pauses, and a database that goes away. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sqld } from '../support/sqld.ts'
import type { Crew, Sailor } from './crew.ts'
import type { Chance } from './random.ts'

export type NemesisCount = Record<'kills' | 'pauses' | 'database kills' | 'database pauses', number>

export type NemesisOptions = Readonly<{
  crew: Crew
  sqld: Sqld | null
  chance: Chance
  forMs: number
  onDeed: (text: string) => void
}>

const MIN_REST_MS = 150
const MAX_REST_MS = 900

/** @returns what it did, once all that it took down is up again */
export const runNemesis = async (options: NemesisOptions): Promise<NemesisCount> => {
  const { crew, sqld, chance, forMs, onDeed } = options
  const count: NemesisCount = { kills: 0, pauses: 0, 'database kills': 0, 'database pauses': 0 }
  const underWay: Promise<void>[] = []
  let isDatabaseBusy = false

  const kill = async (sailor: Sailor, downMs: number): Promise<void> => {
    count.kills += 1
    await crew.kill(sailor)
    await sleep(downMs)
    await crew.start(sailor)
  }
  /** Longer than the leases of these runs, sometimes. */
  const pause = async (sailor: Sailor, forSomeMs: number): Promise<void> => {
    count.pauses += 1
    crew.pause(sailor)
    await sleep(forSomeMs)
    if (sailor.isPaused) crew.resume(sailor)
  }
  const harmDatabase = async (server: Sqld, how: 'kill' | 'pause', ms: number): Promise<void> => {
    isDatabaseBusy = true
    count[how === 'kill' ? 'database kills' : 'database pauses'] += 1
    if (how === 'kill') {
      await server.kill()
      await sleep(ms)
      await server.restart()
    } else {
      await server.pause()
      await sleep(ms)
      server.resume()
    }
    isDatabaseBusy = false
  }
  const next = (): Promise<void> | null => {
    const well = crew.sailors.filter(({ node, isPaused }) => node !== null && !isPaused)
    const deed = chance.below(10)
    const ms = chance.between(100, 4_000)
    if (deed < 2 && sqld !== null && !isDatabaseBusy) {
      const how = chance.pick(['kill', 'pause'] as const)
      onDeed(`${how} sqld for ${Math.min(ms, 2_500)} ms`)
      return harmDatabase(sqld, how, Math.min(ms, 2_500))
    }
    if (well.length < 3) return null
    const sailor = chance.pick(well)
    if (deed < 6) {
      onDeed(`kill ${sailor.name}`)
      return kill(sailor, Math.min(ms, 1_500))
    }
    onDeed(`pause ${sailor.name} for ${ms} ms`)
    return pause(sailor, ms)
  }

  const end = performance.now() + forMs
  while (performance.now() < end) {
    const deed = next()
    if (deed !== null) underWay.push(deed)
    await sleep(chance.between(MIN_REST_MS, MAX_REST_MS))
  }
  await Promise.all(underWay)
  return count
}
