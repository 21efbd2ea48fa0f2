/**
 * POST          /api/auth/password
 * GET           /api/admin/users
 * PATCH, DELETE /api/admin/users/{email}
 */
import { changePassword } from '#service/change-password.ts'
import type { Deps } from '#service/deps.ts'
import { disableUser } from '#service/disable-user.ts'
import { removeUser } from '#service/remove-user.ts'
import { listUsers, type User } from '#store/users.ts'
import { problem, type Route, reply, route } from '../route.ts'
import { decodeCursor, pageOf, pageQuery, toPage } from '../schemas/page.ts'
import { z } from '../schemas/z.ts'

const user = z
  .object({
    email: z.string(),
    super_admin: z.boolean(),
    disabled: z.boolean(),
    invited_by: z
      .string()
      .nullable()
      .describe('the workspace whose invite made the account; null: an operator made it'),
  })
  .openapi('User')

const toWireUser = (row: User) => ({
  email: row.email,
  super_admin: row.isSuperAdmin,
  disabled: row.disabledAt !== null,
  invited_by: row.inviteWs,
})

const password = z.string().min(1).max(1_000)

export const userRoutes = (deps: Pick<Deps, 'db' | 'newId'>): readonly Route[] => [
  route({
    method: 'post',
    path: '/api/auth/password',
    operationId: 'changePassword',
    scope: 'any',
    tag: 'Access',
    summary: 'Change the own password, as a signed-in person; other sessions end',
    body: z.strictObject({ current: password, new: password }),
    responses: {
      204: { description: 'Changed' },
      400: problem('The new one is too short'),
      401: problem('The current one is wrong'),
      429: problem('Too many wrong tries, or too many password checks at once'),
    },
    handler: async ({ body, principal, actor, signal }) => {
      const { current, new: next } = body
      await changePassword(deps, { principal, actor, current, next, signal })
      return reply(204)
    },
  }),
  route({
    method: 'get',
    path: '/api/admin/users',
    operationId: 'adminListUsers',
    scope: 'instance',
    tag: 'Instance',
    summary: 'All accounts, by e-mail address',
    query: pageQuery,
    responses: { 200: { description: 'A page', schema: pageOf(user) } },
    handler: async ({ query: { limit, cursor } }) => {
      const page = { afterEmail: decodeCursor(cursor), limit: limit + 1 }
      const rows = await listUsers(deps.db, page)
      return reply(200, toPage(rows, limit, { toItem: toWireUser, keyOf: ({ email }) => email }))
    },
  }),
  route({
    method: 'patch',
    path: '/api/admin/users/{email}',
    operationId: 'adminUpdateUser',
    scope: 'instance',
    tag: 'Instance',
    summary: 'Disable an account everywhere, or enable it again',
    params: z.object({ email: z.string().max(320) }),
    body: z.strictObject({ disabled: z.boolean() }),
    responses: {
      200: { description: 'Changed', schema: user },
      404: problem('No such account'),
      409: problem('The own account'),
    },
    handler: async ({ params: { email }, body, actor }) =>
      reply(200, toWireUser(await disableUser(deps, { email, isDisabled: body.disabled, actor }))),
  }),
  route({
    method: 'delete',
    path: '/api/admin/users/{email}',
    operationId: 'adminDeleteUser',
    scope: 'instance',
    tag: 'Instance',
    summary:
      'Remove an account with its sessions, tokens and memberships; the address is free again',
    params: z.object({ email: z.string().max(320) }),
    responses: {
      204: { description: 'Removed' },
      404: problem('No such account'),
      409: problem('The own account, or the last super admin'),
    },
    handler: async ({ params: { email }, actor }) => {
      await removeUser(deps, { email, actor })
      return reply(204)
    },
  }),
]
