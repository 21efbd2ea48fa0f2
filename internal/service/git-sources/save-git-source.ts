/** Creates and changes git sources. */
import type { Actor } from '#core/access/actor.ts'
import { type AppError, conflict, invalid } from '#core/error.ts'
import type { Git } from '#git/git.ts'
import type { GitAuth } from '#git/session.ts'
import {
  type GitSource,
  gitSourceContent,
  insertGitSource,
  updateGitSource as updateStatement,
} from '#store/apps/git-sources.ts'
import type { ContentMatch } from '#store/row-match.ts'
import { audited, auditedOnce, isMade } from '../audited.ts'
import { changeAsRead } from '../change-as-read.ts'
import type { Deps } from '../deps.ts'
import { retryOnConflict } from '../retry-on-conflict.ts'
import { requireGitSource } from './find-git-source.ts'
import { openRemote, sealCredentials } from './git-credentials.ts'

export type GitDeps = Pick<
  Deps,
  'db' | 'newId' | 'keyring' | 'limits' | 'manifests' | 'fetchPackages' | 'storage'
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
  const source = { ...(await toRow(deps, { ws, id }, request)), createdBy: actor.identity }
  await deps.db.write(
    [insertGitSource(source), audited(deps, { ws, actor }, 'git_source.created', id)],
    { retry: true },
  )
  return requireGitSource(deps, ws, id)
}

export type GitSourceChange = Readonly<{
  ws: string
  id: string
  change: Partial<GitSourceRequest>
  actor: Actor
  /** What the caller has read of the source. @default anything may be there */
  match?: ContentMatch
}>

/**
 * Changes a git source. Absent fields stay; `auth: null` removes the credentials.
 * @throws {AppError} not_found, invalid, precondition_failed; conflict: other requests kept changing it
 */
export const updateGitSource = (
  deps: GitDeps,
  { ws, id, change, actor, match = null }: GitSourceChange,
): Promise<GitSource> =>
  retryOnConflict(async () => {
    const current = await requireGitSource(deps, ws, id)
    // credentials are never sent to an address that was set without them
    const isElsewhere = change.url !== undefined && change.url !== current.url
    const keepsAuth = change.auth === undefined && !isElsewhere
    const auth = keepsAuth ? (await openRemote(deps, current)).auth : null
    const row = await toRow(deps, { ws, id }, { ...current, auth, ...change })
    const changed = keepsAuth ? { ...row, authCiphertext: current.authCiphertext } : row
    const written = await changeAsRead(
      deps,
      { content: gitSourceContent(ws, id), match },
      (guard) =>
        deps.db.write(
          {
            guard,
            updated: updateStatement(changed, current),
            ...auditedOnce(deps, { ws, actor }, 'git_source.updated', id),
          },
          { retry: match === null },
        ),
    )
    return isMade(written) ? requireGitSource(deps, ws, id) : null
  }, overtaken)

const overtaken = (): AppError => conflict('Other users keep changing the git source. Try again.')

/** Checks a source and encrypts its credentials. @throws {AppError} invalid */
const toRow = async (
  deps: GitDeps,
  { ws, id }: Readonly<{ ws: string; id: string }>,
  { name, url, branch, autoSyncS, auth, ...request }: GitSourceRequest,
) => {
  deps.git.check({ url, auth }, branch)
  const path = cleanPath(request.path)
  const authCiphertext = auth === null ? null : await sealCredentials(deps, { ws, id, auth })
  return { id, ws, name, url, branch, path, authCiphertext, autoSyncS }
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
