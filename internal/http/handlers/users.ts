import type { Deps } from '#service/deps.ts'
import { changePassword } from '#service/people/change-password.ts'
import { disableUser } from '#service/people/disable-user.ts'
import { removeUser } from '#service/people/remove-user.ts'
import { listUsers, type User } from '#store/people/users.ts'
import { noContent, ok } from '../answer.ts'
import { userEndpoints } from '../endpoints/users.ts'
import { handlers } from '../handlers.ts'
import { pageAfter, paginate } from '../schemas/page.ts'

const toUser = (row: User) => ({
  email: row.email,
  superAdmin: row.isSuperAdmin,
  disabled: row.disabledAt !== null,
  invitedBy: row.inviteWs,
})

export const userRoutes = handlers(
  userEndpoints,
  (deps: Pick<Deps, 'db' | 'furtherCells' | 'newId'>) => ({
    changePassword: async ({ body, principal, actor, signal }) => {
      const { current, new: next } = body
      await changePassword(deps, { principal, actor, current, next, signal })
      return noContent()
    },
    adminListUsers: async ({ query }) => {
      const rows = await listUsers(deps.db, pageAfter(query))
      return ok(paginate(rows.map(toUser), query.limit, ({ email }) => email))
    },
    adminUpdateUser: async ({ params: { email }, body, actor }) =>
      ok(toUser(await disableUser(deps, { email, isDisabled: body.disabled, actor }))),
    adminDeleteUser: async ({ params: { email }, actor }) => {
      await removeUser(deps, { email, actor })
      return noContent()
    },
  }),
)
