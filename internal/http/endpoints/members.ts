import { ROLES } from '#core/access/scope.ts'
import { empty, json, problem } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import { createdInvite } from '../schemas/invites.ts'
import { pageOf, pageQuery } from '../schemas/page.ts'
import { z } from '../schemas/z.ts'
import { time } from '../wire.ts'

const role = z.enum(ROLES)

const member = z
  .object({
    email: z.string(),
    name: z.string().nullable(),
    role,
    disabled: z.boolean(),
    created_at: time,
  })
  .openapi('Member')

const unknown = { 404: problem('No such member') }

const lastAdmin = { 409: problem('The workspace would be left without an admin') }

const tag = 'People'

export const memberEndpoints = {
  listMembers: endpoint({
    method: 'get',
    path: '/members',
    in: 'workspace',
    admits: ['members:read'],
    tag,
    summary: 'Members, by e-mail address',
    query: pageQuery,
    answers: { 200: json('A page', pageOf(member)) },
  }),
  addMember: endpoint({
    method: 'post',
    path: '/members',
    in: 'workspace',
    admits: ['members:write'],
    tag,
    summary:
      'Invite an address; the person is a member after accepting the invite, signed in as that address',
    body: z.strictObject({ email: z.string().min(3).max(320), role }),
    answers: {
      201: json(
        'Invited; the same for addresses with and without an account',
        z.object({ invite: createdInvite }),
      ),
      409: problem('A member already'),
    },
  }),
  updateMember: endpoint({
    method: 'patch',
    path: '/members/{email}',
    in: 'workspace',
    params: { email: z.string().max(320) },
    admits: ['members:write'],
    tag,
    summary:
      'Change the role, or disable: that ends every session and token of the member here at once',
    body: z.strictObject({ role: role.optional(), disabled: z.boolean().optional() }),
    answers: { 200: json('Changed', member), ...unknown, ...lastAdmin },
  }),
  deleteMember: endpoint({
    method: 'delete',
    path: '/members/{email}',
    in: 'workspace',
    params: { email: z.string().max(320) },
    admits: ['members:write'],
    tag,
    summary: 'Remove a member; the account stays',
    answers: { 204: empty('Removed'), ...unknown, ...lastAdmin },
  }),
}
