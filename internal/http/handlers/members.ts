import type { Deps } from '#service/deps.ts'
import { createInvite } from '#service/people/invite.ts'
import { changeMember, removeMember } from '#service/people/manage-member.ts'
import { listMembers, type Member } from '#store/people/members.ts'
import { created, noContent, ok } from '../answer.ts'
import { memberEndpoints } from '../endpoints/members.ts'
import { handlers } from '../handlers.ts'
import { pageAfter, paginate } from '../schemas/page.ts'
import { toCreatedInvite } from '../views/invites.ts'

const toMember = (row: Member) => ({ ...row, disabled: row.disabledAt !== null })

export const memberRoutes = handlers(
  memberEndpoints,
  (deps: Pick<Deps, 'db' | 'newId' | 'randomBytes'>) => ({
    listMembers: async ({ ws, query }) => {
      const rows = await listMembers(deps.db, ws, pageAfter(query))
      return ok(paginate(rows.map(toMember), query.limit, ({ email }) => email))
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
