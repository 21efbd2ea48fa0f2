/** A way to start guest processes, and the settings that are fixed when one starts. Everything else arrives in messages. */
import type { IsolationLevel } from '#core/placement/isolation-level.ts'
import type { EgressTotals } from '../egress/traffic.ts'
import type { CommandFor } from '../host/process.ts'
import type { ProbeResult } from '../sandbox.ts'

export type ProcessShape = Readonly<{
  memoryMb: number
  /** Null allows any public address, and an empty list allows none. */
  network: readonly string[] | null
  /** Private destinations that are open if `network` lists them too. @default none */
  granted?: readonly string[]
}>

/** Guests of one shape may replace each other in the pool. */
export const shapeKey = ({ memoryMb, network, granted = [] }: ProcessShape): string =>
  network === null
    ? `${memoryMb}|*`
    : `${memoryMb}|${network.toSorted().join(',')}|${granted.toSorted().join(',')}`

/** Whether a guest of this shape may reach any address. */
export const hasNetwork = ({ network }: ProcessShape): boolean => network?.length !== 0

export interface Provider {
  readonly name: string
  readonly level: IsolationLevel
  /** What its guests have sent and received through the egress proxy, if they use it. */
  readonly traffic?: Readonly<EgressTotals>
  /** @throws {Error} `network` holds an entry that is not a host */
  commandFor(shape: ProcessShape): CommandFor
  /** Starts one guest and lets it attempt to escape. */
  probe(): Promise<ProbeResult>
}
