/** Git sources: made and changed (contract, Apps). */
import type { Actor } from '#core/actor.ts'
import { invalid } from '#core/error.ts'
import type { Git } from '#git/git.ts'
import type { GitAuth } from '#git/session.ts'
import { insertAuditEntryIfChanged } from '#store/audit-log.ts'
import { type GitSource, upsertGitSource } from '#store/git-sources.ts'
import type { Deps } from './deps.ts'
import { requireGitSource } from './find-git-source.ts'
import { openRemote, sealCredentials } from './git-credentials.ts'

export type GitDeps = Pick<Deps, 'db' | 'newId' | 'keyring' | 'limits'> & Readonly<{ git: Git }>

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

/** Fields that are left out stay; `auth: null` removes the credentials. @throws {AppError} not_found, invalid */
export const updateGitSource = async (
  deps: GitDeps,
  { ws, id, change, actor }: GitSourceChange,
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
  const { createdBy } = known
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
  /** Credentials that stay as they lie. */
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
  const entry = { id: deps.newId(), ws, actor, action, target: id }
  await deps.db.write([upsertGitSource(source), insertAuditEntryIfChanged(entry)], { retry: true })
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
