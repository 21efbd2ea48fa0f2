import { type Actor, CLI_ACTOR } from '#core/actor.ts'
import { isEmail, normalizeEmail } from '#core/email.ts'
import { conflict, invalid } from '#core/error.ts'
import { passwordFault } from '#core/password-rule.ts'
import { isWorkspaceId, WORKSPACE_ID_RULE } from '#core/workspace-id.ts'
import { hashPassword } from '#crypto/password.ts'
import { insertUser } from '#store/users.ts'
import { findWorkspace, insertWorkspace, type Workspace } from '#store/workspaces.ts'
import { audited } from './audited.ts'
import { WrongInstanceKeyError } from './bootstrap.ts'
import type { Deps } from './deps.ts'

export type WorkspaceRequest = Readonly<{
  id: string
  name: string
  /** @default the command line */
  actor?: Actor
}>

/** Creates a workspace. @throws {AppError} invalid, conflict @throws {WrongInstanceKeyError} the key was rotated */
export const createWorkspace = async (
  deps: Pick<Deps, 'db' | 'newId' | 'keyring'>,
  { actor = CLI_ACTOR, ...request }: WorkspaceRequest,
): Promise<Workspace> => {
  if (!isWorkspaceId(request.id)) throw invalid(WORKSPACE_ID_RULE)
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
  if (made === null) throw new WrongInstanceKeyError()
  if (inserted.changes !== 1) throw conflict(`Workspace "${request.id}" exists already.`)
  return made
}

export type UserRequest = Readonly<{
  email: string
  password: string | null
  isSuperAdmin: boolean
}>

/** Creates an account. @throws {AppError} invalid, conflict */
export const createUser = async (deps: Pick<Deps, 'db'>, request: UserRequest): Promise<void> => {
  const { password, isSuperAdmin } = request
  const email = normalizeEmail(request.email)
  if (!isEmail(email)) throw invalid(`"${email}" is not an e-mail address.`)
  const fault = password === null ? null : passwordFault(password, email)
  if (fault !== null) throw invalid(fault)
  const passwordHash = password === null ? null : await hashPassword(password)
  const { user } = await deps.db.write({ user: insertUser({ email, passwordHash, isSuperAdmin }) })
  if (user.changes !== 1) throw conflict(`User "${email}" exists already.`)
}
