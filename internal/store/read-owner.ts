/** Whose work reads, so that workspaces share the time for reads of a file (backends/read-turns.ts). */
import { AsyncLocalStorage } from 'node:async_hooks'

const owners = new AsyncLocalStorage<string>()

/** Runs `act`. Its reads take turns with those of other owners. @param owner a workspace, or another name that shares one turn */
export const readAs = <T>(owner: string, act: () => T): T => owners.run(owner, act)

/** Returns the owner of the current work; empty for work of the node itself. */
export const currentReader = (): string => owners.getStore() ?? ''
