/** Credentials of a git source: encrypted at rest, decrypted only to fetch. */
import { gitAuth } from '#core/git-auth.ts'
import type { GitRemote } from '#git/git.ts'
import type { GitAuth } from '#git/session.ts'
import type { GitSource } from '#store/apps/git-sources.ts'
import type { Deps } from '../deps.ts'
import { gitAuthContext } from '../secrets/secret-context.ts'
import { requireWorkspace } from '../workspaces/require-workspace.ts'

type CredentialDeps = Pick<Deps, 'db' | 'keyring'>

/** Encrypts credentials for the database. @throws {AppError} not_found */
export const sealCredentials = async (
  deps: CredentialDeps,
  { ws, id, auth }: Readonly<{ ws: string; id: string; auth: GitAuth }>,
): Promise<string> => {
  const { wrappedKey } = await requireWorkspace(deps, ws)
  return deps.keyring.encrypt(wrappedKey, ws, gitAuthContext(id), JSON.stringify(auth))
}

/** Decrypts the credentials of a source. @throws {AppError} not_found */
export const openRemote = async (deps: CredentialDeps, source: GitSource): Promise<GitRemote> => {
  const { ws, id, url, authCiphertext } = source
  if (authCiphertext === null) return { url, auth: null, owner: ws }
  const { wrappedKey } = await requireWorkspace(deps, ws)
  const text = deps.keyring.decrypt(wrappedKey, ws, gitAuthContext(id), authCiphertext)
  return { url, auth: gitAuth.parse(JSON.parse(text)), owner: ws }
}
