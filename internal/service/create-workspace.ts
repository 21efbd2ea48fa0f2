import { isEmail, normalizeEmail } from '#core/email.ts'
import { conflict, invalid, notFound } from '#core/error.ts'
import type { Role } from '#core/scope.ts'
import { isWorkspaceId, WORKSPACE_ID_RULE } from '#core/workspace-id.ts'
import { hashPassword } from '#crypto/password.ts'
import { findUser, insertMember, insertUser } from '#store/users.ts'
import { findWorkspace, insertWorkspace, type Workspace } from '#store/workspaces.ts'
import { WrongInstanceKeyError } from './bootstrap.ts'
import type { Deps } from './deps.ts'

const MIN_PASSWORD_LENGTH = 10

/** @throws {AppError} invalid, conflict @throws {WrongInstanceKeyError} it was changed under this node */
export const createWorkspace = async (
  deps: Pick<Deps, 'db' | 'keyring'>,
  request: Readonly<{ id: string; name: string }>,
): Promise<Workspace> => {
  if (!isWorkspaceId(request.id)) throw invalid(WORKSPACE_ID_RULE)
  const statement = insertWorkspace({
    ...request,
    wrappedKey: deps.keyring.newWrappedKey(request.id),
    keyCheck: deps.keyring.checkValue(),
  })
  const [result] = await deps.db.write([statement])
  const made = await findWorkspace(deps.db, request.id)
  if (made === null) throw new WrongInstanceKeyError()
  if (result?.changes !== 1) throw conflict(`Workspace "${request.id}" exists already.`)
  return made
}

export type UserRequest = Readonly<{
  email: string
  password: string | null
  isSuperAdmin: boolean
}>

/** @throws {AppError} invalid, conflict */
export const createUser = async (deps: Pick<Deps, 'db'>, request: UserRequest): Promise<void> => {
  const { password, isSuperAdmin } = request
  const email = normalizeEmail(request.email)
  if (!isEmail(email)) throw invalid(`"${email}" is no e-mail address.`)
  if (password !== null && password.length < MIN_PASSWORD_LENGTH) {
    throw invalid(`A password has at least ${MIN_PASSWORD_LENGTH} characters.`)
  }
  const passwordHash = password === null ? null : await hashPassword(password)
  const [result] = await deps.db.write([insertUser({ email, passwordHash, isSuperAdmin })])
  if (result?.changes !== 1) throw conflict(`User "${email}" exists already.`)
}

export type MemberRequest = Readonly<{ ws: string; email: string; role: Role }>

/** @throws {AppError} not_found, conflict */
export const addMember = async (deps: Pick<Deps, 'db'>, request: MemberRequest): Promise<void> => {
  if ((await findWorkspace(deps.db, request.ws)) === null)
    throw notFound(`Workspace "${request.ws}"`)
  const email = normalizeEmail(request.email)
  if ((await findUser(deps.db, email)) === null) throw notFound(`User "${email}"`)
  const [result] = await deps.db.write([insertMember({ ...request, email })])
  if (result?.changes !== 1) throw conflict(`"${email}" is a member of "${request.ws}" already.`)
}
