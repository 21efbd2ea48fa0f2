/** Git sources: made, changed, probed, synced (contract, Apps). */
import { z } from 'zod'
import type { AppFiles } from '#bundle/app-files.ts'
import { readFolder } from '#bundle/folder.ts'
import type { Actor } from '#core/actor.ts'
import { AppError, type ErrorDetail, invalid, notFound } from '#core/error.ts'
import {
  checkUrl,
  fetchBranch,
  type GitAuth,
  type GitLimits,
  type GitRemote,
  type Probe,
  probeRemote,
} from '#git/git.ts'
import { releaseApps } from '#store/apps.ts'
import { insertAuditEntryIfChanged } from '#store/audit-log.ts'
import {
  deleteGitSource as deleteStatement,
  findGitSource,
  type GitSource,
  updateGitSync,
  upsertGitSource,
} from '#store/git-sources.ts'
import { findWorkspace } from '#store/workspaces.ts'
import { type Deployed, deployApp, MANIFEST_NAMES } from './deploy-app.ts'
import type { Deps } from './deps.ts'
import { gitAuthContext } from './secret-context.ts'

export type GitDeps = Pick<Deps, 'db' | 'newId' | 'keyring'> & Readonly<{ git: GitLimits }>

export type GitSourceRequest = Readonly<{
  name: string
  url: string
  branch: string | null
  path: string
  auth: GitAuth | null
  autoSyncS: number | null
}>

export const gitAuth = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('token'),
    token: z.string().min(1).max(4_096),
    username: z.string().max(255).optional(),
  }),
  z.strictObject({ type: z.literal('ssh_key'), private_key: z.string().min(1).max(32_768) }),
])

const checkPath = (path: string): string => {
  const clean = path.replace(/^\.?\/+|\/+$/g, '')
  if (
    clean.split('/').some((part) => part === '..' || part === '.git') ||
    /[\\\p{Cc}]/u.test(clean)
  ) {
    throw invalid('`path` names a folder inside the repository.')
  }
  return clean
}

/** What a remote says before it is made a source. @throws {AppError} invalid: an address that may not be used */
export const probeGitSource = (deps: Pick<GitDeps, 'git'>, remote: GitRemote): Promise<Probe> =>
  probeRemote(remote, deps.git)

/** @throws {AppError} invalid */
export const createGitSource = async (
  deps: GitDeps,
  { ws, actor, request }: Readonly<{ ws: string; actor: Actor; request: GitSourceRequest }>,
): Promise<GitSource> => {
  const id = deps.newId()
  await saveGitSource(deps, {
    ws,
    id,
    createdBy: actor.identity,
    actor,
    action: 'git_source.created',
    request,
    keptAuth: null,
  })
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
  const request: GitSourceRequest = {
    name: known.name,
    url: known.url,
    branch: known.branch,
    path: known.path,
    autoSyncS: known.autoSyncS,
    auth: null,
    ...change,
  }
  // new credentials never go to an address that was not named with them, nor old ones to a new address
  const keepsAuth = change.auth === undefined && change.url === undefined
  const keptAuth = keepsAuth ? known.authCiphertext : null
  const { createdBy } = known
  const action = 'git_source.updated'
  await saveGitSource(deps, { ws, id, createdBy, actor, action, request, keptAuth })
  return requireGitSource(deps, ws, id)
}

type Save = Readonly<{
  ws: string
  id: string
  createdBy: string
  actor: Actor
  action: string
  request: GitSourceRequest
  keptAuth: string | null
}>

const saveGitSource = async (
  deps: GitDeps,
  { ws, id, createdBy, actor, action, request, keptAuth }: Save,
): Promise<void> => {
  checkUrl(request.url, deps.git)
  const workspace = await findWorkspace(deps.db, ws)
  if (workspace === null) throw notFound(`Workspace "${ws}"`)
  const authCiphertext =
    request.auth === null
      ? keptAuth
      : deps.keyring.encrypt(
          workspace.wrappedKey,
          ws,
          gitAuthContext(id),
          JSON.stringify(request.auth),
        )
  const { name, url, branch, autoSyncS } = request
  const path = checkPath(request.path)
  await deps.db.write(
    [
      upsertGitSource({
        id,
        ws,
        name,
        url,
        branch,
        path,
        authCiphertext,
        autoSyncS,
        createdBy,
      }),
      insertAuditEntryIfChanged({ id: deps.newId(), ws, actor, action, target: id }),
    ],
    { retry: true },
  )
}

/** @throws {AppError} not_found */
export const requireGitSource = async (
  deps: Pick<Deps, 'db'>,
  ws: string,
  id: string,
): Promise<GitSource> => {
  const source = await findGitSource(deps.db, ws, id)
  if (source === null) throw notFound('Git source')
  return source
}

/** @returns false: there was none. Its apps stay, without a source. */
export const deleteGitSource = async (
  { db, newId }: Pick<Deps, 'db' | 'newId'>,
  { ws, id, actor }: Readonly<{ ws: string; id: string; actor: Actor }>,
): Promise<boolean> => {
  const entry = { id: newId(), ws, actor, action: 'git_source.deleted', target: id }
  const [, removed] = await db.write([
    releaseApps(ws, id),
    deleteStatement(ws, id),
    insertAuditEntryIfChanged(entry),
  ])
  return removed?.changes === 1
}

const openRemote = async (deps: GitDeps, source: GitSource): Promise<GitRemote> => {
  const { ws, id, url, authCiphertext } = source
  if (authCiphertext === null) return { url, auth: null }
  const workspace = await findWorkspace(deps.db, ws)
  if (workspace === null) throw notFound(`Workspace "${ws}"`)
  const text = deps.keyring.decrypt(workspace.wrappedKey, ws, gitAuthContext(id), authCiphertext)
  return { url, auth: gitAuth.parse(JSON.parse(text)) }
}

/**
 * Fetches the branch and deploys each app that it holds: one at `path`, or one in each first-level folder.
 * @throws {AppError} not_found, bad_gateway `git_unreachable`, unprocessable with the faults of all apps
 */
export const syncGitSource = async (
  deps: GitDeps,
  { ws, id, actor }: Readonly<{ ws: string; id: string; actor: Actor }>,
): Promise<readonly Deployed[]> => {
  const source = await requireGitSource(deps, ws, id)
  try {
    const { commit, deployed } = await fetchAndDeploy(deps, source, actor)
    await deps.db.write([updateGitSync({ ws, id, commit, error: null })], { retry: true })
    return deployed
  } catch (error) {
    if (error instanceof AppError) {
      await deps.db.write([updateGitSync({ ws, id, commit: null, error: error.message })], {
        retry: true,
      })
    }
    throw error
  }
}

const fetchAndDeploy = async (deps: GitDeps, source: GitSource, actor: Actor) => {
  const checkout = await fetchBranch(await openRemote(deps, source), source.branch, deps.git)
  try {
    const apps = findApps(below(readFolder(checkout.folder), source.path))
    if (apps.length === 0) {
      throw new AppError(
        'unprocessable',
        `No app.yaml or app.json in ${source.path || 'the repository'} or its first-level folders.`,
        {
          code: 'no_manifest',
        },
      )
    }
    const { commit } = checkout
    const deployed: Deployed[] = []
    const faults: ErrorDetail[] = []
    for (const { folder, files } of apps) {
      try {
        deployed.push(
          await deployApp(deps, {
            ws: source.ws,
            files,
            source: 'git',
            commit,
            gitSourceId: source.id,
            message: null,
            actor,
          }),
        )
      } catch (error) {
        if (!(error instanceof AppError) || error.kind === 'unavailable') throw error
        const details = error.details ?? [{ path: MANIFEST_NAMES[0], message: error.message }]
        faults.push(...details.map(({ path, message }) => ({ path: `${folder}${path}`, message })))
      }
    }
    if (faults.length > 0) {
      throw new AppError(
        'unprocessable',
        `${faults.length === 1 ? 'A fault keeps' : `${faults.length} faults keep`} the git source from being deployed.`,
        {
          code: 'bad_manifest',
          details: faults,
        },
      )
    }
    return { commit, deployed }
  } finally {
    checkout.dispose()
  }
}

const below = (files: AppFiles, folder: string): AppFiles => {
  if (folder === '') return files
  const prefix = `${folder}/`
  return new Map(
    [...files]
      .filter(([path]) => path.startsWith(prefix))
      .map(([path, bytes]) => [path.slice(prefix.length), bytes]),
  )
}

type FoundApp = Readonly<{ folder: string; files: AppFiles }>

const findApps = (files: AppFiles): readonly FoundApp[] => {
  if (MANIFEST_NAMES.some((name) => files.has(name))) return [{ folder: '', files }]
  const folders = new Set(
    [...files.keys()].flatMap((path) => {
      const [folder = '', name] = path.split('/')
      return MANIFEST_NAMES.some((known) => known === name) && path === `${folder}/${name}`
        ? [folder]
        : []
    }),
  )
  return [...folders]
    .sort()
    .map((folder) => ({ folder: `${folder}/`, files: below(files, folder) }))
}
