/**
 * GET, POST /api/w/{ws}/invites
 * DELETE    /api/w/{ws}/invites/{id}
 * GET       /invite
 * POST      /api/auth/accept-invite
 */
import { AppError, forbidden, invalid } from '#core/error.ts'
import { acceptInvite, type NewAccount } from '#service/accept-invite.ts'
import type { Deps } from '#service/deps.ts'
import { createInvite, deleteInvite, requireOpenInvite } from '#service/invite.ts'
import { type Invite, listInvites } from '#store/invites.ts'
import { CONSOLE_PATH } from '../console-surface.ts'
import { formOrJson, readFormBody } from '../form-body.ts'
import { endedInvitePage, inviteLink, invitePage } from '../invite-page.ts'
import { wantsPage } from '../page-error.ts'
import { languageOf } from '../page-language.ts'
import {
  problem,
  publicRoute,
  type Reply,
  type RequestFacts,
  type Route,
  reply,
  route,
} from '../route.ts'
import { isSameOrigin, originsOf } from '../same-origin.ts'
import { createdInvite, toCreatedInvite } from '../schemas/invites.ts'
import { decodeCursor, pageOf, pageQuery, toPage } from '../schemas/page.ts'
import { toTimestamp, toTimestampOrNull } from '../schemas/time.ts'
import { z } from '../schemas/z.ts'
import { cookieRequestOf, sessionCookie } from '../session-cookie.ts'
import { findSessionPrincipal } from '../session-principal.ts'
import { signInPage } from '../sign-in-page.ts'

const role = z.enum(['member', 'admin'])
const timestamp = z.iso.datetime()

const invite = z
  .object({
    id: z.uuid(),
    email: z.string(),
    role,
    created_by: z.string(),
    created_at: timestamp,
    expires_at: timestamp,
    accepted_at: timestamp.nullable(),
  })
  .openapi('Invite')

const toWireInvite = (row: Invite) => ({
  id: row.id,
  email: row.email,
  role: row.role,
  created_by: row.createdBy,
  created_at: toTimestamp(row.createdAt),
  expires_at: toTimestamp(row.expiresAt),
  accepted_at: toTimestampOrNull(row.acceptedAt),
})

const acceptance = z.strictObject({
  token: z.string().min(1).max(200),
  name: z.string().trim().min(1).max(200).optional(),
  password: z.string().min(1).max(1_000).optional(),
})
type AcceptanceFields = z.infer<typeof acceptance>

const endedInvites = {
  404: problem('No such invite'),
  410: problem('Used or expired'),
}
const tag = 'People'

type InviteDeps = Pick<Deps, 'db' | 'newId' | 'randomBytes'>

/** People whose link has ended get a page that says so, programs the error. */
const orEndedPage = async (
  input: Pick<RequestFacts, 'header'>,
  act: () => Promise<Reply>,
): Promise<Reply> => {
  try {
    return await act()
  } catch (error) {
    const hasEnded =
      error instanceof AppError && (error.kind === 'gone' || error.kind === 'not_found')
    if (!(hasEnded && wantsPage(input))) throw error
    return endedInvitePage(error, languageOf(input))
  }
}

/** Both or neither: an account that exists needs none of them. @throws {AppError} invalid */
const newAccountOf = ({ name, password }: AcceptanceFields): NewAccount | null => {
  if (name === undefined && password === undefined) return null
  if (name !== undefined && password !== undefined) return { name, password }
  const path = name === undefined ? 'body.name' : 'body.password'
  throw invalid('A new account needs a name and a password.', {
    details: [{ path, message: 'is missing' }],
  })
}

/** Joining somebody else's workspace must be the person's own act, not that of a page that they look at. */
const requireOwnPage = ({ header, baseUrl }: RequestFacts): void => {
  const facts = {
    fetchSite: header('sec-fetch-site'),
    origin: header('origin'),
    ownOrigins: [baseUrl(), ...originsOf(header('host'))],
  }
  if (isSameOrigin(facts)) return
  throw forbidden('With a session cookie this must come from a page of svc itself.', {
    code: 'cross_site',
  })
}

const accept = async (
  deps: InviteDeps,
  input: RequestFacts,
  fields: AcceptanceFields,
): Promise<Readonly<{ invite: Invite; headers: Readonly<Record<string, string>> }>> => {
  const session = await findSessionPrincipal(deps, input)
  if (session !== null) requireOwnPage(input)
  const newAccount = newAccountOf(fields)
  const caller = { address: input.address, signal: input.signal }
  const made = await acceptInvite(deps, { text: fields.token, session, newAccount, caller })
  if (made.session === null) return { invite: made.invite, headers: {} }
  const { text, maxAgeS } = made.session
  const cookie = sessionCookie(text, maxAgeS, cookieRequestOf(input))
  return { invite: made.invite, headers: { 'set-cookie': cookie } }
}

/** A browser goes on to the console, signed in, or sees the page again. */
const joinByForm = async (
  deps: InviteDeps,
  input: RequestFacts,
  fields: AcceptanceFields,
): Promise<Reply> => {
  try {
    const { invite, headers } = await accept(deps, input, fields)
    return { status: 303, headers: { ...headers, location: `${CONSOLE_PATH}/w/${invite.ws}` } }
  } catch (fault) {
    if (!(fault instanceof AppError)) throw fault
    const { token, name = '' } = fields
    return showInvite(deps, input, { token, name, fault })
  }
}

type Shown = Readonly<{ token: string; name?: string; fault?: AppError }>

const showInvite = async (
  deps: InviteDeps,
  input: RequestFacts,
  shown: Shown,
): Promise<Response> => {
  const invite = await requireOpenInvite(deps, shown.token)
  const session = await findSessionPrincipal(deps, input)
  const signedInAs = session?.identity ?? null
  return invitePage({ invite, signedInAs, language: languageOf(input), ...shown })
}

export const inviteRoutes = (deps: InviteDeps): readonly Route[] => [
  route({
    method: 'get',
    path: '/api/w/{ws}/invites',
    operationId: 'listInvites',
    scope: 'members:read',
    tag,
    summary: 'Invites, newest first; their links never',
    query: pageQuery,
    responses: { 200: { description: 'A page', schema: pageOf(invite) } },
    handler: async ({ ws, query: { limit, cursor } }) => {
      const page = { beforeId: decodeCursor(cursor), limit: limit + 1 }
      const rows = await listInvites(deps.db, ws, page)
      return reply(200, toPage(rows, limit, { toItem: toWireInvite, keyOf: ({ id }) => id }))
    },
  }),
  route({
    method: 'post',
    path: '/api/w/{ws}/invites',
    operationId: 'createInvite',
    scope: 'members:write',
    tag,
    summary: 'Invite somebody; the link is shown once, holds seven days and works once',
    body: z.strictObject({ email: z.string().min(3).max(320), role }),
    responses: {
      201: {
        description: 'Made',
        schema: createdInvite,
      },
      409: problem('A member already'),
    },
    handler: async ({ ws, body, actor, baseUrl }) => {
      const made = await createInvite(deps, { ws, ...body, actor })
      return reply(201, toCreatedInvite(made, baseUrl()))
    },
  }),
  route({
    method: 'delete',
    path: '/api/w/{ws}/invites/{id}',
    operationId: 'deleteInvite',
    scope: 'members:write',
    tag,
    summary: 'Take an invite back',
    params: z.object({ ws: z.string(), id: z.string() }),
    responses: { 204: { description: 'Taken back' }, 404: problem('No such invite') },
    handler: async ({ ws, params: { id }, actor }) => {
      await deleteInvite(deps, { ws, id, actor })
      return reply(204)
    },
  }),
  publicRoute({
    method: 'get',
    path: '/invite',
    operationId: 'getInvitePage',
    tag,
    summary: 'The page behind an invite link',
    query: z.object({
      token: z.string().max(200),
      sign_in: z.enum(['1']).optional().describe('shows the sign-in form, which leads back here'),
    }),
    responses: { 200: { description: 'A form', contentType: 'text/html' }, ...endedInvites },
    handler: (input) =>
      orEndedPage(input, () => {
        const { token, sign_in } = input.query
        if (sign_in === undefined) return showInvite(deps, input, { token })
        return signInPage(inviteLink(token), languageOf(input))
      }),
  }),
  publicRoute({
    method: 'post',
    path: '/api/auth/accept-invite',
    operationId: 'acceptInvite',
    tag,
    summary:
      'Accept an invite, signed in as its address: `{token}`; without an account `{token, name, password}`, which makes one and sets the session cookie',
    bodyKind: 'raw',
    rawBody: formOrJson(acceptance),
    responses: {
      200: {
        description: 'Joined; a form is led on to the console',
        schema: z.object({ workspace: z.string(), email: z.string() }),
      },
      400: problem('The password is too short, or a field is missing'),
      401: problem('`sign_in_first`: the address has an account, or name and password are missing'),
      403: problem('`wrong_account`: signed in as another address'),
      409: problem('A member already'),
      ...endedInvites,
    },
    handler: async (input) => {
      const { fields, isForm } = readFormBody(input, acceptance)
      if (isForm) return orEndedPage(input, () => joinByForm(deps, input, fields))
      const { invite: accepted, headers } = await accept(deps, input, fields)
      return { status: 200, headers, body: { workspace: accepted.ws, email: accepted.email } }
    },
  }),
]
