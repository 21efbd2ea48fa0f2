import { AppError, invalid } from '#core/error.ts'
import type { Deps } from '#service/deps.ts'
import { acceptInvite, type NewAccount } from '#service/people/accept-invite.ts'
import { createInvite, deleteInvite, requireOpenInvite } from '#service/people/invite.ts'
import { type Invite, listInvites } from '#store/people/invites.ts'
import { requireOwnPage } from '../admission/same-origin.ts'
import { cookieRequestOf, ownSessionCookies } from '../admission/session-cookie.ts'
import { findSessionPrincipal } from '../admission/session-principal.ts'
import { answer, created, noContent, ok, redirect } from '../answer.ts'
import { acceptance, inviteEndpoints } from '../endpoints/invites.ts'
import { handlers } from '../handlers.ts'
import { readFormBody } from '../pages/form-body.ts'
import { endedInvitePage, inviteLink, invitePage } from '../pages/invite-page.ts'
import { wantsPage } from '../pages/page-error.ts'
import { languageOf } from '../pages/page-language.ts'
import { signInPage } from '../pages/sign-in-page.ts'
import type { RequestFacts } from '../request.ts'
import { pageBefore, paginate } from '../schemas/page.ts'
import type { z } from '../schemas/z.ts'
import { CONSOLE_PATH } from '../surfaces/console-surface.ts'
import { toCreatedInvite } from '../views/invites.ts'
import { pageWays, type SignInWays } from './oidc.ts'

type AcceptanceFields = z.output<typeof acceptance>

type InviteDeps = Pick<Deps, 'db' | 'home' | 'newId' | 'randomBytes'> &
  Readonly<{ signIn: SignInWays }>

/** If the link has ended, people get a page that explains it, and programs the error. */
const orEndedPage = async <Answer>(
  input: Pick<RequestFacts, 'header'>,
  act: () => Promise<Answer>,
): Promise<Answer | Response> => {
  try {
    return await act()
  } catch (error) {
    const hasEnded =
      error instanceof AppError && (error.kind === 'gone' || error.kind === 'not_found')
    if (!(hasEnded && wantsPage(input))) throw error
    return endedInvitePage(error, languageOf(input))
  }
}

/** Requires both fields or neither: an account that exists needs none of them. @throws {AppError} invalid */
const newAccountOf = ({ name, password }: AcceptanceFields): NewAccount | null => {
  if (name === undefined && password === undefined) return null
  if (name !== undefined && password !== undefined) return { name, password }
  const path = name === undefined ? 'body.name' : 'body.password'
  throw invalid('A new account needs a name and a password.', {
    details: [{ path, message: 'is missing' }],
  })
}

const accept = async (
  deps: InviteDeps,
  input: RequestFacts,
  fields: AcceptanceFields,
): Promise<Readonly<{ invite: Invite; cookies: readonly string[] }>> => {
  const session = await findSessionPrincipal(deps, input)
  // a page of another site must not join another workspace for the person
  if (session !== null) requireOwnPage(input)
  const newAccount = newAccountOf(fields)
  const caller = { address: input.address, signal: input.signal }
  const made = await acceptInvite(deps, {
    text: fields.token,
    session,
    newAccount,
    passwordLogin: deps.signIn.passwordLogin,
    caller,
  })
  const { invite, session: started } = made
  if (started === null) return { invite, cookies: [] }
  const hasProvider = deps.signIn.oidc !== null
  const cookies = ownSessionCookies(started, hasProvider, cookieRequestOf(input))
  return { invite, cookies }
}

/** Redirects a browser to the console, signed in, or shows the page again. */
const joinByForm = async (
  deps: InviteDeps,
  input: RequestFacts,
  fields: AcceptanceFields,
): Promise<Response> => {
  try {
    const { invite, cookies } = await accept(deps, input, fields)
    return redirect(303, `${CONSOLE_PATH}/w/${invite.ws}`, cookies)
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
  const ways = pageWays(deps.signIn)
  return invitePage({ invite, signedInAs, language: languageOf(input), ways, ...shown })
}

export const inviteRoutes = handlers(inviteEndpoints, (deps: InviteDeps) => ({
  listInvites: async ({ ws, query }) => {
    const rows = await listInvites(deps.db, ws, pageBefore(query))
    return ok(paginate(rows, query.limit, ({ id }) => id))
  },
  createInvite: async ({ ws, body, actor, baseUrl }) => {
    const made = await createInvite(deps, { ws, ...body, actor })
    return created(toCreatedInvite(made, baseUrl()))
  },
  deleteInvite: async ({ ws, params: { id }, actor }) => {
    await deleteInvite(deps, { ws, id, actor })
    return noContent()
  },
  getInvitePage: (input) =>
    orEndedPage(input, () => {
      const { token, sign_in } = input.query
      if (sign_in === undefined) return showInvite(deps, input, { token })
      const language = languageOf(input)
      return signInPage({ next: inviteLink(token), language, ways: pageWays(deps.signIn) })
    }),
  acceptInvite: async (input) => {
    const { fields, isForm } = readFormBody(input, acceptance)
    if (isForm) return orEndedPage(input, () => joinByForm(deps, input, fields))
    const { invite: accepted, cookies } = await accept(deps, input, fields)
    const body = { workspace: accepted.ws, email: accepted.email }
    return answer(200, body, { 'set-cookie': cookies })
  },
}))
