/** Faults of a run over cells: of the network to one database, and of a workspace that is moved. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fleet } from '../e2e/fleet.ts'
import type { Mover } from './mover.ts'
import type { Chance } from './random.ts'

/** A fault in progress, or null if there was nothing that it could harm now. */
export type Dealt = Promise<void> | null

/** `hold` lets requests through, but delays their responses until it is over. */
const NETWORK_FAULTS = ['delay', 'hold', 'cut_answer', 'half_open', 'refuse'] as const
/** Milliseconds between two faults of the network. */
const NETWORK_REST_MS = 4_000
/** Milliseconds between two moves, so that the workspace can work. */
const MOVE_REST_MS = 6_000

export type CellFault = 'bad network' | 'move workspace' | 'kill move'

export type CellFaultOptions = Readonly<{
  fleet: Fleet
  /** Null if no workspace is moved. */
  mover: Mover | null
  chance: Chance
  /** @returns a function that ends the fault, or null if another fault of a database is in progress */
  takeDatabase: (what: string) => (() => void) | null
  done: (fault: CellFault, text: string) => void
}>

export const createCellFaults = ({
  fleet,
  mover,
  chance,
  takeDatabase,
  done,
}: CellFaultOptions): Readonly<Record<CellFault, () => Dealt>> => {
  let networkRestsUntil = 0
  let movesRestUntil = 0
  /** Harms one network at a time. Databases behind others go on. */
  const harmNetwork = (): Dealt => {
    const { network, name } = chance.pick(fleet.databases)
    const how = chance.pick(NETWORK_FAULTS)
    const ms = chance.between(300, 2_500)
    if (network === null || performance.now() < networkRestsUntil) return null
    const end = takeDatabase(`network ${how}`)
    if (end === null) return null
    const harm = async (): Promise<void> => {
      done('bad network', `network of ${name} ${how} for ${ms} ms`)
      network.set(how)
      await sleep(ms)
      network.set('none')
      // end connections that only one side knows to be broken
      if (how === 'half_open') network.cut()
      end()
      networkRestsUntil = performance.now() + NETWORK_REST_MS
    }
    return harm()
  }
  const move = (fault: 'move workspace' | 'kill move'): Dealt => {
    if (mover === null || performance.now() < movesRestUntil) return null
    movesRestUntil = Number.POSITIVE_INFINITY
    done(fault, fault)
    return mover.move(fault === 'kill move').finally(() => {
      movesRestUntil = performance.now() + MOVE_REST_MS
    })
  }
  return {
    'bad network': harmNetwork,
    'move workspace': () => move('move workspace'),
    'kill move': () => move('kill move'),
  }
}
