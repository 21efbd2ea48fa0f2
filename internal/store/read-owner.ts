/**
 * Whose work it is, so that workspaces share the time for reads of a file (backends/read-turns.ts) and the turns of work in parts
 * (service/portions/take-turn.ts).
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { createTally } from '#core/fairness/tally.ts'

const owners = new AsyncLocalStorage<string>()
/** Module state like the owners, because the reads of all files of the process block its event loop. */
const waiting = createTally()

/** Runs `act`. Its reads and parts take turns with those of other owners. @param owner a workspace, or another name that shares one turn */
export const readAs = <T>(owner: string, act: () => T): T => owners.run(owner, act)

/** Returns the owner of the current work; empty for work of the node itself. */
export const currentReader = (): string => owners.getStore() ?? ''

/** Counts reads of an owner that begin or end to wait for their turn. */
export const countWaitingReads = (owner: string, by: 1 | -1): void => waiting.add(owner, by)

/** Returns how many reads of the owner wait for their turn. */
export const waitingReadsOf = (owner: string): number => waiting.of(owner)
