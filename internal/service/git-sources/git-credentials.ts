/** Credentials of a git source: encrypted at rest, decrypted only to fetch. */
import { notFound } from '#core/error.ts'
import { gitAuth } from '#core/git-auth.ts'
import type { GitRemote } from '#git/git.ts'
import type { GitAuth } from '#git/session.ts'
import type { GitSource } from '#store/apps/git-sources.ts'
import { findWorkspace } from '#store/workspaces/workspaces.ts'
import type { Deps } from '../deps.ts'
import { gitAuthContext } from '../secret-context.ts'

type CredentialDeps = Pick<Deps, 'db' | 'keyring'>

/** Returns the wrapped data key. @throws {AppError} not_found */
const requireKey = async ({ db }: CredentialDeps, ws: string): Promise<string> => {
  const workspace = await findWorkspace(db, ws)
  if (workspace === null) throw notFound(`Workspace "${ws}"`)
  return workspace.wrappedKey
}

/** Encrypts credentials for the database. @throws {AppError} not_found */
export const sealCredentials = async (
  deps: CredentialDeps,
  { ws, id, auth }: Readonly<{ ws: string; id: string; auth: GitAuth }>,
): Promise<string> =>
  deps.keyring.encrypt(await requireKey(deps, ws), ws, gitAuthContext(id), JSON.stringify(auth))

/** Decrypts the credentials of a source. @throws {AppError} not_found */
export const openRemote = async (deps: CredentialDeps, source: GitSource): Promise<GitRemote> => {
  const { ws, id, url, authCiphertext } = source
  if (authCiphertext === null) return { url, auth: null, owner: ws }
  const key = await requireKey(deps, ws)
  const text = deps.keyring.decrypt(key, ws, gitAuthContext(id), authCiphertext)
  return { url, auth: gitAuth.parse(JSON.parse(text)), owner: ws }
}
