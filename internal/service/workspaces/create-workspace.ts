import { type Actor, CLI_ACTOR } from '#core/access/actor.ts'
import { requireEmail } from '#core/access/email.ts'
import { passwordFault } from '#core/access/password-rule.ts'
import { HOME_CELL } from '#core/cells.ts'
import { type AppError, conflict, invalid } from '#core/error.ts'
import { isWorkspaceId, WORKSPACE_ID_RULE } from '#core/workspace-id.ts'
import { hashPassword } from '#crypto/password.ts'
import type { Database } from '#store/database.ts'
import { insertUser } from '#store/people/users.ts'
import { findPlace, insertPlace } from '#store/workspaces/cells.ts'
import { findWorkspace, insertWorkspace, type Workspace } from '#store/workspaces/workspaces.ts'
import { audited } from '../audited.ts'
import { WrongInstanceKeyError } from '../bootstrap.ts'
import { requireCell } from '../cells/find-database.ts'
import type { Deps } from '../deps.ts'

export type WorkspaceRequest = Readonly<{
  id: string
  name: string
  /** @default the command line */
  actor?: Actor
  /** @default the home */
  cell?: string
}>

type CreateDeps = Pick<Deps, 'db' | 'home' | 'furtherCells' | 'newId' | 'keyring'>

/**
 * Creates a workspace in a cell. The directory gets the id first, so that it is not used twice. If a call was interrupted
 * between the two databases, the same call completes it.
 * @throws {AppError} invalid, conflict, unavailable @throws {WrongInstanceKeyError} the key was rotated
 */
export const createWorkspace = async (
  deps: CreateDeps,
  { cell = HOME_CELL, ...request }: WorkspaceRequest,
): Promise<Workspace> => {
  if (!isWorkspaceId(request.id)) throw invalid(WORKSPACE_ID_RULE)
  if (cell === HOME_CELL) return createInDatabase(deps, request)
  if (!deps.furtherCells().some(({ name }) => name === cell)) throw unknownCell(deps, cell)
  const db = requireCell(deps, cell)
  await deps.home.write([insertPlace(request.id, cell)], { retry: true })
  const place = await findPlace(deps.home, request.id)
  if (place.cell !== cell || place.movingTo !== null) throw alreadyThere(request.id)
  return createInDatabase({ ...deps, db }, request)
}

const unknownCell = ({ furtherCells }: Pick<Deps, 'furtherCells'>, cell: string): AppError => {
  const names = [HOME_CELL, ...furtherCells().map(({ name }) => name)]
  return invalid(`There is no cell "${cell}". There are: ${names.join(', ')} (SVC_CELLS).`, {
    code: 'unknown_cell',
  })
}

const alreadyThere = (id: string): AppError => conflict(`Workspace "${id}" exists already.`)

const createInDatabase = async (
  deps: Pick<Deps, 'db' | 'newId' | 'keyring'>,
  { actor = CLI_ACTOR, ...request }: Omit<WorkspaceRequest, 'cell'>,
): Promise<Workspace> => {
  const statement = insertWorkspace({
    ...request,
    wrappedKey: deps.keyring.newWrappedKey(request.id),
    keyCheck: deps.keyring.checkValue(),
  })
  const { inserted } = await deps.db.write({
    inserted: statement,
    audit: audited(deps, { ws: request.id, actor }, 'workspace.created', request.id),
  })
  const made = await findWorkspace(deps.db, request.id)
  if (made === null) {
    throw (await isTakenByCell(deps.db, request.id))
      ? alreadyThere(request.id)
      : new WrongInstanceKeyError()
  }
  if (inserted.changes !== 1) throw alreadyThere(request.id)
  return made
}

const isTakenByCell = async (db: Database, id: string): Promise<boolean> =>
  (await findPlace(db, id)).cell !== HOME_CELL

export type UserRequest = Readonly<{
  email: string
  password: string | null
  isSuperAdmin: boolean
}>

/** Creates an account; for operators. @throws {AppError} invalid, conflict */
export const createUser = async (
  deps: Pick<Deps, 'db' | 'newId'>,
  request: UserRequest,
): Promise<void> => {
  const { password, isSuperAdmin } = request
  const email = requireEmail(request.email)
  const fault = password === null ? null : passwordFault(password, email)
  if (fault !== null) throw invalid(fault)
  const passwordHash = password === null ? null : await hashPassword(password)
  const { user } = await deps.db.write({
    user: insertUser({ email, passwordHash, isSuperAdmin }),
    audit: audited(deps, { ws: null, actor: CLI_ACTOR }, 'user.created', email),
  })
  if (user.changes !== 1) throw conflict(`User "${email}" exists already.`)
}
