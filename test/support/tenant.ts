/** A separate workspace with an admin who is not a super admin, as one tenant among others. */
import { createUser, createWorkspace } from '#service/workspaces/create-workspace.ts'
import { sql } from '#store/sql.ts'
import type { TestApp } from './create-test-app.ts'

export type Tenant = Readonly<{
  ws: string
  /** The token of the admin, with every scope that an admin of a workspace holds. */
  token: string
}>

export const createTenant = async (app: TestApp, ws: string): Promise<Tenant> => {
  const email = `admin@${ws}.example`
  await createWorkspace(app.deps, { id: ws, name: ws })
  await createUser(app.deps, { email, password: null, isSuperAdmin: false })
  // inserted directly, because adding members has its own rules
  await app.deps.db.write([
    sql`INSERT INTO members (ws, email, role, created_at) VALUES (${ws}, ${email}, 'admin', 0)`,
  ])
  return { ws, token: await app.token(['*'], { email, ws }) }
}
