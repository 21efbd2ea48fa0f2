/**
 * GET, POST /api/w/{ws}/invites
 * DELETE    /api/w/{ws}/invites/{id}
 * GET       /invite
 * POST      /api/auth/accept-invite
 */
import { AppError } from '#core/error.ts'
import type { Deps } from '#service/deps.ts'
import { acceptInvite, createInvite, deleteInvite, requireOpenInvite } from '#service/invite.ts'
import { type Invite, listInvites } from '#store/invites.ts'
import { CONSOLE_PATH } from '../console-surface.ts'
import { readFormBody } from '../form-body.ts'
import { endedInvitePage, invitePage } from '../invite-page.ts'
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
import { decodeCursor, pageOf, pageQuery, toPage } from '../schemas/page.ts'
import { toTimestamp, toTimestampOrNull } from '../schemas/time.ts'
import { z } from '../schemas/z.ts'
import { cookieRequestOf, sessionCookie } from '../session-cookie.ts'

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
  name: z.string().trim().min(1).max(200),
  password: z.string().min(1).max(1_000),
})

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

const accept = async (
  deps: InviteDeps,
  input: RequestFacts,
  fields: z.infer<typeof acceptance>,
): Promise<Readonly<{ invite: Invite; cookie: string }>> => {
  const { token: text, name, password } = fields
  const made = await acceptInvite(deps, { text, name, password, address: input.address })
  const { text: cookieText, maxAgeS } = made.session
  return { invite: made.invite, cookie: sessionCookie(cookieText, maxAgeS, cookieRequestOf(input)) }
}

/** A browser goes on to the console, signed in, or sees the form again. */
const joinByForm = async (
  deps: InviteDeps,
  input: RequestFacts,
  fields: z.infer<typeof acceptance>,
): Promise<Reply> => {
  try {
    const { invite, cookie } = await accept(deps, input, fields)
    const location = `${CONSOLE_PATH}/w/${invite.ws}`
    return { status: 303, headers: { 'set-cookie': cookie, location } }
  } catch (fault) {
    if (!(fault instanceof AppError)) throw fault
    const { token, name } = fields
    const invite = await requireOpenInvite(deps, token)
    return invitePage({ invite, token, language: languageOf(input), name, fault })
  }
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
        schema: z.object({ id: z.uuid(), url: z.url(), expires_at: timestamp }),
      },
    },
    handler: async ({ ws, body, actor, baseUrl }) => {
      const made = await createInvite(deps, { ws, ...body, actor })
      const url = `${baseUrl()}/invite?token=${made.text}`
      return reply(201, { id: made.invite.id, url, expires_at: toTimestamp(made.invite.expiresAt) })
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
    query: z.object({ token: z.string().max(200) }),
    responses: { 200: { description: 'A form', contentType: 'text/html' }, ...endedInvites },
    handler: (input) =>
      orEndedPage(input, async () => {
        const { token } = input.query
        const invite = await requireOpenInvite(deps, token)
        return invitePage({ invite, token, language: languageOf(input) })
      }),
  }),
  publicRoute({
    method: 'post',
    path: '/api/auth/accept-invite',
    operationId: 'acceptInvite',
    tag,
    summary:
      'Accept an invite: `{token, name, password}` as JSON or a form; sets the session cookie',
    bodyKind: 'raw',
    responses: {
      200: {
        description: 'Joined; a form is led on to the console',
        schema: z.object({ workspace: z.string(), email: z.string() }),
      },
      400: problem('The password is too short, or a field is missing'),
      401: problem('The address has an account with another password'),
      ...endedInvites,
    },
    handler: async (input) => {
      const { fields, isForm } = readFormBody(input, acceptance)
      if (isForm) return orEndedPage(input, () => joinByForm(deps, input, fields))
      const { invite: accepted, cookie } = await accept(deps, input, fields)
      const body = { workspace: accepted.ws, email: accepted.email }
      return { status: 200, headers: { 'set-cookie': cookie }, body }
    },
  }),
]
