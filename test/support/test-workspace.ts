/** A workspace in a separate database, with people in it, for tests next to the use cases of service. */

import { afterAll } from 'vitest'
import { type Actor, sessionActor } from '#core/access/actor.ts'
import type { Role } from '#core/access/scope.ts'
import { addMember } from '#service/people/manage-member.ts'
import { createUser, createWorkspace } from '#service/workspaces/create-workspace.ts'
import { sql } from '#store/sql.ts'
import { openQueue, QUEUE_ADMIN, type Queue, WS } from './open-queue.ts'
import { openTemporaryDatabase } from './temporary-database.ts'

/** Admin and member of the workspace. */
export const ADMIN = 'admin@example.com'
export const MEMBER = 'member@example.com'

export const actorFor = (identity: string): Actor => sessionActor(identity, null)

export type TestWorkspace = Queue &
  Readonly<{
    /** Adds an account with a role in a workspace, without a password. @returns its address */
    addPerson: (email: string, role?: Role, ws?: string) => Promise<string>
    addWorkspace: (id: string) => Promise<string>
    /** Audit entries of a workspace as `<action> <target>`, oldest first. */
    audit: (ws?: string) => Promise<readonly string[]>
    close: () => Promise<void>
  }>

export const openTestWorkspace = async (): Promise<TestWorkspace> => {
  const { db, close } = await openTemporaryDatabase(QUEUE_ADMIN)
  const queue = await openQueue(db)
  const { deps } = queue
  return {
    ...queue,
    close,
    addPerson: async (email, role = 'member', ws = WS) => {
      await createUser(deps, { email, password: null, isSuperAdmin: false }).catch(() => undefined)
      await addMember(deps, { ws, email, role })
      return email
    },
    addWorkspace: async (id) => {
      await createWorkspace(deps, { id, name: id })
      return id
    },
    audit: async (ws = WS) => {
      const rows = await db.all(
        sql`SELECT action, target FROM audit_log WHERE ws = ${ws} ORDER BY id`,
      )
      return rows.map(({ action, target }) => `${action} ${target}`)
    },
  }
}

/** Opens a workspace for all tests of a file, after which it is closed. */
export const workspaceForFile = async (): Promise<TestWorkspace> => {
  const place = await openTestWorkspace()
  afterAll(place.close)
  return place
}
