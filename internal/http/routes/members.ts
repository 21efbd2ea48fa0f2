/**
 * GET, POST     /api/w/{ws}/members
 * PATCH, DELETE /api/w/{ws}/members/{email}
 */
import type { Deps } from '#service/deps.ts'
import { createInvite } from '#service/invite.ts'
import { changeMember, removeMember } from '#service/manage-member.ts'
import { listMembers, type Member } from '#store/members.ts'
import { problem, type Route, reply, route } from '../route.ts'
import { createdInvite, toCreatedInvite } from '../schemas/invites.ts'
import { decodeCursor, pageOf, pageQuery, toPage } from '../schemas/page.ts'
import { toTimestamp } from '../schemas/time.ts'
import { z } from '../schemas/z.ts'

const role = z.enum(['member', 'admin'])

const member = z
  .object({
    email: z.string(),
    name: z.string().nullable(),
    role,
    disabled: z.boolean(),
    created_at: z.iso.datetime(),
  })
  .openapi('Member')

const toWireMember = (row: Member) => ({
  email: row.email,
  name: row.name,
  role: row.role,
  disabled: row.disabledAt !== null,
  created_at: toTimestamp(row.createdAt),
})

const params = z.object({ ws: z.string(), email: z.string().max(320) })
const unknown = { 404: problem('No such member') }
const lastAdmin = { 409: problem('The workspace would be left without an admin') }
const tag = 'People'

export const memberRoutes = (
  deps: Pick<Deps, 'db' | 'newId' | 'randomBytes'>,
): readonly Route[] => [
  route({
    method: 'get',
    path: '/api/w/{ws}/members',
    operationId: 'listMembers',
    scope: 'members:read',
    tag,
    summary: 'Members, by e-mail address',
    query: pageQuery,
    responses: { 200: { description: 'A page', schema: pageOf(member) } },
    handler: async ({ ws, query: { limit, cursor } }) => {
      const page = { afterEmail: decodeCursor(cursor), limit: limit + 1 }
      const rows = await listMembers(deps.db, ws, page)
      return reply(200, toPage(rows, limit, { toItem: toWireMember, keyOf: ({ email }) => email }))
    },
  }),
  route({
    method: 'post',
    path: '/api/w/{ws}/members',
    operationId: 'addMember',
    scope: 'members:write',
    tag,
    summary:
      'Invite an address; the person is a member after accepting the invite, signed in as that address',
    body: z.strictObject({ email: z.string().min(3).max(320), role }),
    responses: {
      201: {
        description: 'Invited; the same for addresses with and without an account',
        schema: z.object({ invite: createdInvite }),
      },
      409: problem('A member already'),
    },
    handler: async ({ ws, body, actor, baseUrl }) => {
      const made = await createInvite(deps, { ws, ...body, actor })
      return reply(201, { invite: toCreatedInvite(made, baseUrl()) })
    },
  }),
  route({
    method: 'patch',
    path: '/api/w/{ws}/members/{email}',
    operationId: 'updateMember',
    scope: 'members:write',
    tag,
    summary:
      'Change the role, or disable: that ends every session and token of the member here at once',
    params,
    body: z.strictObject({ role: role.optional(), disabled: z.boolean().optional() }),
    responses: { 200: { description: 'Changed', schema: member }, ...unknown, ...lastAdmin },
    handler: async ({ ws, params: { email }, body, actor }) =>
      reply(200, toWireMember(await changeMember(deps, { ws, email, actor, ...body }))),
  }),
  route({
    method: 'delete',
    path: '/api/w/{ws}/members/{email}',
    operationId: 'deleteMember',
    scope: 'members:write',
    tag,
    summary: 'Remove a member; the account stays',
    params,
    responses: { 204: { description: 'Removed' }, ...unknown, ...lastAdmin },
    handler: async ({ ws, params: { email }, actor }) => {
      await removeMember(deps, { ws, email, actor })
      return reply(204)
    },
  }),
]
