import type { Deps } from '#service/deps.ts'
import { createInvite } from '#service/people/invite.ts'
import { changeMember, removeMember } from '#service/people/manage-member.ts'
import { listMembers, type Member } from '#store/people/members.ts'
import { created, noContent, ok } from '../answer.ts'
import { memberEndpoints } from '../endpoints/members.ts'
import { handlers } from '../handlers.ts'
import { decodeCursor, paginate } from '../schemas/page.ts'
import { toCreatedInvite } from '../views/invites.ts'

const toMember = (row: Member) => ({ ...row, disabled: row.disabledAt !== null })

export const memberRoutes = handlers(
  memberEndpoints,
  (deps: Pick<Deps, 'db' | 'newId' | 'randomBytes'>) => ({
    listMembers: async ({ ws, query: { limit, cursor } }) => {
      const page = { afterEmail: decodeCursor(cursor), limit: limit + 1 }
      const rows = await listMembers(deps.db, ws, page)
      return ok(paginate(rows.map(toMember), limit, ({ email }) => email))
    },
    addMember: async ({ ws, body, actor, baseUrl }) => {
      const made = await createInvite(deps, { ws, ...body, actor })
      return created({ invite: toCreatedInvite(made, baseUrl()) })
    },
    updateMember: async ({ ws, params: { email }, body, actor }) =>
      ok(toMember(await changeMember(deps, { ws, email, actor, ...body }))),
    deleteMember: async ({ ws, params: { email }, actor }) => {
      await removeMember(deps, { ws, email, actor })
      return noContent()
    },
  }),
)
