/** A workspace of its own with an admin who is no super admin, as one tenant beside others. */
import { createUser, createWorkspace } from '#service/create-workspace.ts'
import { sql } from '#store/sql.ts'
import type { TestApp } from './create-test-app.ts'

export type Tenant = Readonly<{
  ws: string
  /** Of the admin: every scope that an admin of a workspace holds. */
  token: string
}>

export const createTenant = async (app: TestApp, ws: string): Promise<Tenant> => {
  const email = `admin@${ws}.example`
  await createWorkspace(app.deps, { id: ws, name: ws })
  await createUser(app.deps, { email, password: null, isSuperAdmin: false })
  // by hand: how people become members has rules of its own
  await app.deps.db.write([
    sql`INSERT INTO members (ws, email, role, created_at) VALUES (${ws}, ${email}, 'admin', 0)`,
  ])
  return { ws, token: await app.token(['*'], { email, ws }) }
}
