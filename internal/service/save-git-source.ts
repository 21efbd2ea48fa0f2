/** Git sources: made and changed (contract, Apps). */
import { invalid } from '#core/error.ts'
import type { Git } from '#git/git.ts'
import type { GitAuth } from '#git/session.ts'
import { type GitSource, upsertGitSource } from '#store/git-sources.ts'
import type { Deps } from './deps.ts'
import { requireGitSource } from './find-git-source.ts'
import { openRemote, sealCredentials } from './git-credentials.ts'

export type GitDeps = Pick<Deps, 'db' | 'newId' | 'keyring'> & Readonly<{ git: Git }>

export type GitSourceRequest = Readonly<{
  name: string
  url: string
  branch: string | null
  /** Folder inside the repository; empty for its root. */
  path: string
  auth: GitAuth | null
  autoSyncS: number | null
}>

/** @throws {AppError} invalid */
export const createGitSource = async (
  deps: GitDeps,
  { ws, by, request }: Readonly<{ ws: string; by: string; request: GitSourceRequest }>,
): Promise<GitSource> => {
  const id = deps.newId()
  await save(deps, { ws, id, by, request, kept: null })
  return requireGitSource(deps, ws, id)
}

/** Fields that are left out stay; `auth: null` removes the credentials. @throws {AppError} not_found, invalid */
export const updateGitSource = async (
  deps: GitDeps,
  { ws, id, change }: Readonly<{ ws: string; id: string; change: Partial<GitSourceRequest> }>,
): Promise<GitSource> => {
  const known = await requireGitSource(deps, ws, id)
  // credentials never go to an address that was not named together with them
  const isElsewhere = change.url !== undefined && change.url !== known.url
  const keepsAuth = change.auth === undefined && !isElsewhere
  const request: GitSourceRequest = {
    name: known.name,
    url: known.url,
    branch: known.branch,
    path: known.path,
    autoSyncS: known.autoSyncS,
    auth: keepsAuth ? (await openRemote(deps, known)).auth : null,
    ...change,
  }
  const kept = keepsAuth ? known.authCiphertext : null
  await save(deps, { ws, id, by: known.createdBy, request, kept })
  return requireGitSource(deps, ws, id)
}

type Save = Readonly<{
  ws: string
  id: string
  by: string
  request: GitSourceRequest
  /** Credentials that stay as they lie. */
  kept: string | null
}>

const save = async (deps: GitDeps, { ws, id, by, request, kept }: Save): Promise<void> => {
  const { name, url, branch, autoSyncS, auth } = request
  deps.git.check({ url, auth }, branch)
  const path = cleanPath(request.path)
  const authCiphertext =
    auth === null || kept !== null ? kept : await sealCredentials(deps, { ws, id, auth })
  const source = { id, ws, name, url, branch, path, authCiphertext, autoSyncS, createdBy: by }
  await deps.db.write([upsertGitSource(source)], { retry: true })
}

/** @throws {AppError} invalid */
const cleanPath = (path: string): string => {
  const clean = path.replace(/^\.?\/+|\/+$/g, '').replace(/^\.$/, '')
  const isPlain = clean.split('/').every((part) => !['', '.', '..', '.git'].includes(part))
  if ((clean !== '' && !isPlain) || /[\\\p{Cc}]/u.test(clean)) {
    throw invalid('`path` names a folder inside the repository, such as apps/invoices.')
  }
  return clean
}
