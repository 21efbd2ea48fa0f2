/**
 * Sends requests to the cell of their workspace [access 23.3]. The workspace's cell answers routes below a workspace. A
 * route that an API key or a link opens is answered by the cell of the key's or link's workspace, except for the
 * certificate relay. The home cell answers all others.
 */
import type { Principal } from '#core/access/principal.ts'
import { parseLink } from '#core/flow/approval/link.ts'
import { isJsonObject, parseJsonOrNull } from '#core/json/value.ts'
import { readUrlForm } from '#core/url-form.ts'
import type { Database } from '#store/database.ts'
import { scopeOf } from './endpoint.ts'
import type { RawInput } from './request.ts'
import type { Route } from './route.ts'
import type { FunctionSurface } from './surfaces/function-surface.ts'
import type { GitSurface } from './surfaces/git-surface.ts'

/** Answers the requests of the workspaces of one further cell. */
export type CellSurface = Readonly<{
  db: Database
  /** By operation id. */
  routes: ReadonlyMap<string, Route>
  functions: FunctionSurface | null
  gitPush: GitSurface | null
}>

export interface CellRouter {
  /**
   * @returns null if it is in the home cell @throws {AppError} unavailable: the workspace is
   * being moved, or its cell does not answer
   */
  ofWorkspace(ws: string): Promise<CellSurface | null>
  /** @returns null if the home cell has the credential, or no cell has it @throws {AppError} unavailable */
  ofCredential(text: string): Promise<CellSurface | null>
}

/** The same route, bound to the handlers of the cell. */
export const routeIn = (cell: CellSurface | null, route: Route): Route => {
  if (cell === null) return route
  const bound = cell.routes.get(route.operationId)
  if (bound === undefined) throw new Error(`A cell has no route ${route.operationId}.`)
  return bound
}

/** Routes of the instance that change one workspace. */
const NAMED_WORKSPACE = '/api/admin/workspaces/{id}'

/** The relay finds sessions by short codes, which are unique within one database: all its sessions are in the home cell. */
const RELAY = '/v2/certificates/'

type Sent = Pick<RawInput, 'params' | 'query' | 'bodyBytes'>

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null

/** The route whose body, a form or JSON, contains the text of an invite. */
const ACCEPT_INVITE = '/api/auth/accept-invite'

const tokenOfBody = ({ bodyBytes }: Sent): string | null => {
  const text = new TextDecoder().decode(bodyBytes)
  const json = parseJsonOrNull(text)
  return textOf(isJsonObject(json) ? json.token : readUrlForm(text).get('token'))
}

/** The text of a link or shared token that opens a public route. */
const linkTextOf = ({ path }: Route, sent: Sent): string | null =>
  path === ACCEPT_INVITE
    ? tokenOfBody(sent)
    : (textOf(sent.params.token) ?? textOf(sent.query.t) ?? textOf(sent.query.token))

/** Finds the cell that answers a route outside workspaces, after the caller is admitted and the body is read. */
export const findAnsweringCell = async (
  cells: CellRouter,
  route: Route,
  { principal, ...sent }: Sent & Readonly<{ principal: Principal | null }>,
): Promise<CellSurface | null> => {
  const scope = scopeOf(route)
  if (scope === 'api_key') {
    const cell = await cells.ofWorkspace(principal?.ws ?? '')
    return route.path.startsWith(RELAY) ? null : cell
  }
  if (route.path.startsWith(NAMED_WORKSPACE)) return cells.ofWorkspace(sent.params.id ?? '')
  const text = scope === 'public' ? linkTextOf(route, sent) : null
  if (text === null) return null
  const link = parseLink(text)
  return link === null ? cells.ofCredential(text) : cells.ofWorkspace(link.claims.ws)
}
