/** Faults of a run over cells: of the network before one database, and of a workspace that is moved. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fleet } from '../e2e/fleet.ts'
import type { Mover } from './mover.ts'
import type { Chance } from './random.ts'

/** A fault that is under way; null: it found nothing that it may harm now. */
export type Dealt = Promise<void> | null

/** `hold` lets what was asked be done, and its answers come when it is over. */
const NETWORK_FAULTS = ['delay', 'hold', 'cut_answer', 'half_open', 'refuse'] as const
/** Between two faults of the network. */
const NETWORK_REST_MS = 4_000
/** Between two moves, so that the workspace does its work. */
const MOVE_REST_MS = 6_000

export type CellFault = 'bad network' | 'move workspace' | 'kill move'

export type CellFaultOptions = Readonly<{
  fleet: Fleet
  /** Null: no workspace is moved. */
  mover: Mover | null
  chance: Chance
  /** @returns what ends the fault; null: another one of a database is under way */
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
  /** One network at a time; databases behind others go on. */
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
      // connections of which one side knows nothing end
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
