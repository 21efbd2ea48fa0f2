/** Creates and changes git sources. */
import type { Actor } from '#core/actor.ts'
import { invalid } from '#core/error.ts'
import type { Git } from '#git/git.ts'
import type { GitAuth } from '#git/session.ts'
import { type GitSource, upsertGitSource } from '#store/git-sources.ts'
import { audited } from './audited.ts'
import type { Deps } from './deps.ts'
import { requireGitSource } from './find-git-source.ts'
import { openRemote, sealCredentials } from './git-credentials.ts'

export type GitDeps = Pick<
  Deps,
  'db' | 'newId' | 'keyring' | 'limits' | 'manifests' | 'fetchPackages'
> &
  Readonly<{ git: Git }>

export type GitSourceRequest = Readonly<{
  name: string
  url: string
  branch: string | null
  /** Folder inside the repository; empty for its root. */
  path: string
  auth: GitAuth | null
  autoSyncS: number | null
}>

/** Creates a git source. @throws {AppError} invalid */
export const createGitSource = async (
  deps: GitDeps,
  { ws, actor, request }: Readonly<{ ws: string; actor: Actor; request: GitSourceRequest }>,
): Promise<GitSource> => {
  const id = deps.newId()
  const createdBy = actor.identity
  const action = 'git_source.created'
  await save(deps, { ws, id, createdBy, actor, action, request, kept: null })
  return requireGitSource(deps, ws, id)
}

export type GitSourceChange = Readonly<{
  ws: string
  id: string
  change: Partial<GitSourceRequest>
  actor: Actor
}>

/** Changes a git source. Absent fields stay; `auth: null` removes the credentials. @throws {AppError} not_found, invalid */
export const updateGitSource = async (
  deps: GitDeps,
  { ws, id, change, actor }: GitSourceChange,
): Promise<GitSource> => {
  const current = await requireGitSource(deps, ws, id)
  // credentials are never sent to an address that was set without them
  const isElsewhere = change.url !== undefined && change.url !== current.url
  const keepsAuth = change.auth === undefined && !isElsewhere
  const request: GitSourceRequest = {
    name: current.name,
    url: current.url,
    branch: current.branch,
    path: current.path,
    autoSyncS: current.autoSyncS,
    auth: keepsAuth ? (await openRemote(deps, current)).auth : null,
    ...change,
  }
  const kept = keepsAuth ? current.authCiphertext : null
  const { createdBy } = current
  const action = 'git_source.updated'
  await save(deps, { ws, id, createdBy, actor, action, request, kept })
  return requireGitSource(deps, ws, id)
}

type Save = Readonly<{
  ws: string
  id: string
  createdBy: string
  actor: Actor
  action: string
  request: GitSourceRequest
  /** Encrypted credentials that do not change. */
  kept: string | null
}>

const save = async (deps: GitDeps, wanted: Save): Promise<void> => {
  const { ws, id, createdBy, actor, action, request, kept } = wanted
  const { name, url, branch, autoSyncS, auth } = request
  deps.git.check({ url, auth }, branch)
  const path = cleanPath(request.path)
  const authCiphertext =
    auth === null || kept !== null ? kept : await sealCredentials(deps, { ws, id, auth })
  const source = { id, ws, name, url, branch, path, authCiphertext, autoSyncS, createdBy }
  await deps.db.write([upsertGitSource(source), audited(deps, { ws, actor }, action, id)], {
    retry: true,
  })
}

/** @throws {AppError} invalid */
const cleanPath = (path: string): string => {
  const clean = path.replace(/^\.?\/+|\/+$/g, '').replace(/^\.$/, '')
  const isPlain = clean.split('/').every((part) => !['', '.', '..', '.git'].includes(part))
  if ((clean !== '' && !isPlain) || /[\\\p{Cc}]/u.test(clean)) {
    throw invalid('`path` must be a folder inside the repository, such as apps/invoices.')
  }
  return clean
}
