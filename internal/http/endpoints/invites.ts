import { ROLES } from '#core/access/scope.ts'
import { empty, json, jsonOrPage, media, problem } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import { formOrJson } from '../pages/form-body.ts'
import { createdInvite } from '../schemas/invites.ts'
import { pageOf, pageQuery } from '../schemas/page.ts'
import { MAX_SMALL_BODY_BYTES } from '../schemas/small-body.ts'
import { z } from '../schemas/z.ts'
import { time } from '../wire.ts'

const role = z.enum(ROLES)

const invite = z
  .object({
    id: z.uuid(),
    email: z.string(),
    role,
    created_by: z.string(),
    created_at: time,
    expires_at: time,
    accepted_at: time.nullable(),
  })
  .openapi('Invite')

export const acceptance = z.strictObject({
  token: z.string().min(1).max(200),
  name: z.string().trim().min(1).max(200).optional(),
  password: z.string().min(1).max(1_000).optional(),
})

const endedInvites = {
  404: problem('No such invite'),
  410: problem('Used or expired'),
}

const tag = 'People'

export const inviteEndpoints = {
  listInvites: endpoint({
    method: 'get',
    path: '/invites',
    in: 'workspace',
    admits: ['members:read'],
    tag,
    summary: 'Invites, newest first; their links never',
    query: pageQuery,
    answers: { 200: json('A page', pageOf(invite)) },
  }),
  createInvite: endpoint({
    method: 'post',
    path: '/invites',
    in: 'workspace',
    admits: ['members:write'],
    tag,
    summary: 'Invite a person; the link is shown once, is valid for seven days and works once',
    body: z.strictObject({ email: z.string().min(3).max(320), role }),
    answers: { 201: json('Created', createdInvite), 409: problem('A member already') },
  }),
  deleteInvite: endpoint({
    method: 'delete',
    path: '/invites/{id}',
    in: 'workspace',
    admits: ['members:write'],
    tag,
    summary: 'Take an invite back',
    answers: { 204: empty('Taken back'), 404: problem('No such invite') },
  }),
  getInvitePage: endpoint({
    method: 'get',
    path: '/invite',
    admits: ['public'],
    tag,
    summary: 'The page behind an invite link',
    query: z.object({
      token: z.string().max(200),
      sign_in: z.enum(['1']).optional().describe('shows the sign-in form, which leads back here'),
    }),
    answers: { 200: media('text/html', 'A form'), ...endedInvites },
  }),
  acceptInvite: endpoint({
    method: 'post',
    path: '/api/auth/accept-invite',
    admits: ['public'],
    tag,
    summary:
      'Accept an invite, signed in as its address: `{token}`; without an account `{token, name, password}`, which makes one and sets the session cookie',
    bodyKind: 'raw',
    bodyLimit: MAX_SMALL_BODY_BYTES,
    rawBody: formOrJson(acceptance),
    answers: {
      200: jsonOrPage(
        'Joined; a form is led on to the console',
        z.object({ workspace: z.string(), email: z.string() }),
      ),
      400: problem('The password is too short, or a field is missing'),
      401: problem('`sign_in_first`: the address has an account, or name and password are missing'),
      403: problem(
        '`wrong_account`: signed in as another address; `password_login_off`: sign in by the provider',
      ),
      409: problem('A member already'),
      ...endedInvites,
    },
  }),
}
