/** What must be settled when a process starts; everything else comes to it by frames. */

import type { IsolationLevel } from '#core/isolation-level.ts'
import type { EgressTotals } from '../egress/traffic.ts'
import type { CommandFor } from '../host/process.ts'
import type { ProbeResult } from '../sandbox.ts'

export type ProcessShape = Readonly<{
  memoryMb: number
  /** Null: any public address. Empty: none. */
  network: readonly string[] | null
}>

export const shapeKey = ({ memoryMb, network }: ProcessShape): string =>
  `${memoryMb}|${network === null ? '*' : network.toSorted().join(',')}`

/** A way to start guest processes. */
export interface Provider {
  readonly name: string
  readonly level: IsolationLevel
  /** What its guests have sent and received, where that goes through a proxy of ours. */
  readonly traffic?: Readonly<EgressTotals>
  /** @throws {Error} `network` holds what is no host */
  commandFor(shape: ProcessShape): CommandFor
  /** Starts one and tries its walls. */
  probe(): Promise<ProbeResult>
}
