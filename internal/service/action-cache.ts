/**
 * What enqueue needs to know of an action, kept in memory. An entry may be stale: every insert names the deployment
 * that it was checked against and inserts nothing when that is no longer the current one; then the entry is read anew.
 */
import type { ActionDefinition } from '#core/action-definition.ts'
import { type InputCheck, inputCheck } from '#core/input-schema.ts'
import { findCurrentAction } from '#store/apps.ts'
import type { Database } from '#store/database.ts'

export type KnownAction = Readonly<{
  deploymentId: string
  definition: ActionDefinition
  checkInput: InputCheck | null
}>

export type ActionAddress = Readonly<{ ws: string; app: string; action: string }>

const MAX_ENTRIES = 2_000

export interface ActionCache {
  find(db: Database, at: ActionAddress): Promise<KnownAction | null>
  forget(at: ActionAddress): void
}

const toKey = (at: ActionAddress): string => `${at.ws}\n${at.app}\n${at.action}`

export const createActionCache = (): ActionCache => {
  const entries = new Map<string, KnownAction>()
  return {
    find: async (db, at) => {
      const key = toKey(at)
      const known = entries.get(key)
      if (known !== undefined) return known
      const current = await findCurrentAction(db, at.ws, at.app, at.action)
      if (current === null) return null
      const fresh: KnownAction = {
        deploymentId: current.deploymentId,
        definition: current.definition,
        checkInput: inputCheck(current.definition.inputSchema),
      }
      const oldest = entries.keys().next()
      if (entries.size >= MAX_ENTRIES && !oldest.done) entries.delete(oldest.value)
      entries.set(key, fresh)
      return fresh
    },
    forget: (at) => {
      entries.delete(toKey(at))
    },
  }
}
