import { empty, json, problem } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import { pageOf, pageQuery } from '../schemas/page.ts'
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

const password = z.string().min(1).max(1_000)

export const userEndpoints = {
  changePassword: endpoint({
    method: 'post',
    path: '/api/auth/password',
    admits: ['any'],
    tag: 'Access',
    summary: 'Change the own password, as a signed-in person; other sessions end',
    body: z.strictObject({ current: password, new: password }),
    answers: {
      204: empty('Changed'),
      400: problem('The new one is too short'),
      401: problem('The current one is wrong'),
      429: problem('Too many wrong tries, or too many password checks at once'),
    },
  }),
  adminListUsers: endpoint({
    method: 'get',
    path: '/api/admin/users',
    admits: ['instance'],
    tag: 'Instance',
    summary: 'All accounts, by e-mail address',
    query: pageQuery,
    answers: { 200: json('A page', pageOf(user)) },
  }),
  adminUpdateUser: endpoint({
    method: 'patch',
    path: '/api/admin/users/{email}',
    admits: ['instance'],
    tag: 'Instance',
    summary: 'Disable an account everywhere, or enable it again',
    body: z.strictObject({ disabled: z.boolean() }),
    params: { email: z.string().max(320) },
    answers: {
      200: json('Changed', user),
      404: problem('No such account'),
      409: problem('The own account, or the last super admin'),
    },
  }),
  adminDeleteUser: endpoint({
    method: 'delete',
    path: '/api/admin/users/{email}',
    admits: ['instance'],
    tag: 'Instance',
    summary:
      'Remove an account with its sessions, tokens and memberships; the address is free again',
    params: { email: z.string().max(320) },
    answers: {
      204: empty('Removed'),
      404: problem('No such account'),
      409: problem('The own account, or the last super admin'),
    },
  }),
}
