/**
 * Caches what enqueue needs of actions. An entry may be stale: every insert names the deployment that was checked and
 * inserts nothing when another is current; then the caller forgets the entry and reads it again.
 */
import QuickLRU from 'quick-lru'
import type { ActionDefinition } from '#core/action/definition.ts'
import { type QuickCheck, quickCheck } from '#core/action/input-schema.ts'
import { findCurrentAction } from '#store/apps/apps.ts'
import { findDeploymentAction } from '#store/apps/deployments.ts'
import type { Database } from '#store/database.ts'

/** An action as a deployment defines it. */
export type DeployedAction = Readonly<{
  deploymentId: string
  definition: ActionDefinition
  checkInput: QuickCheck | null
}>

export type ActionAddress = Readonly<{ ws: string; app: string; action: string }>

/** Reads the action as it is deployed now, or null. */
export const readAction = async (
  db: Database,
  at: ActionAddress,
): Promise<DeployedAction | null> => {
  const current = await findCurrentAction(db, at.ws, at.app, at.action)
  if (current === null) return null
  const { deploymentId, definition } = current
  return { deploymentId, definition, checkInput: quickCheck(definition.inputSchema) }
}

/** Reads the action as a deployment, perhaps an older one, pinned it, or null. */
export const readPinnedAction = async (
  db: Database,
  deploymentId: string,
  action: string,
): Promise<DeployedAction | null> => {
  const pinned = await findDeploymentAction(db, deploymentId, action)
  if (pinned === null) return null
  const { definition } = pinned
  return { deploymentId, definition, checkInput: quickCheck(definition.inputSchema) }
}

const MAX_ENTRIES = 2_000

export interface ActionCache {
  find(db: Database, at: ActionAddress): Promise<DeployedAction | null>
  forget(at: ActionAddress): void
}

const toKey = (at: ActionAddress): string => `${at.ws}\n${at.app}\n${at.action}`

/** Creates a cache of the actions that were used last. */
export const createActionCache = (): ActionCache => {
  const entries = new QuickLRU<string, DeployedAction>({ maxSize: MAX_ENTRIES })
  return {
    find: async (db, at) => {
      const key = toKey(at)
      const cached = entries.get(key)
      if (cached !== undefined) return cached
      const fresh = await readAction(db, at)
      if (fresh === null) return null
      entries.set(key, fresh)
      return fresh
    },
    forget: (at) => {
      entries.delete(toKey(at))
    },
  }
}
