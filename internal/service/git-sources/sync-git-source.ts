/**
 * Fetches a git source and deploys all apps in it, or none if one has a fault. If several syncs of a source run at once, the one
 * that ends last does not bring an older commit back: it fetches again if another one has deployed a commit since it began.
 */
import { type AppFiles, createFileCollector } from '#bundle/app-files.ts'
import type { Actor } from '#core/access/actor.ts'
import { findAppFolders } from '#core/deploy/app-folders.ts'
import { overtaken } from '#core/deploy/overtaken.ts'
import { AppError, type ErrorDetail, unprocessable } from '#core/error.ts'
import { limit } from '#core/limit.ts'
import type { Snapshot } from '#git/fetch-branch.ts'
import type { TreeFile } from '#git/tree.ts'
import { findGitSource, type GitSource, hasSynced, updateGitSync } from '#store/apps/git-sources.ts'
import { type ReadApp, readApp } from '../apps/read-app.ts'
import type { AdmitLate } from '../deploy/admit-late.ts'
import { countTogether } from '../deploy/apps-together.ts'
import { type Deployed, deployTogether, type PlannedWrite } from '../deploy/deploy-app.ts'
import { deployPolicyOf } from '../deploy/deploy-policy.ts'
import { packagesOfApp } from '../packages/packages-of-app.ts'
import { addInTurns } from '../portions/add-in-turns.ts'
import { takeTurn } from '../portions/take-turn.ts'
import { retryOnConflict } from '../retry-on-conflict.ts'
import { requireGitSource } from './find-git-source.ts'
import { openRemote } from './git-credentials.ts'
import type { GitDeps } from './save-git-source.ts'

export type SyncRequest = Readonly<{
  ws: string
  id: string
  actor: Actor
  /** Absent for an automatic sync. */
  admitLate?: AdmitLate
  /** Stops waiting for the remote when it is aborted. */
  signal?: AbortSignal
  /** Whether the source's `auto_sync_s` caused it. */
  isAutomatic?: boolean
}>

/**
 * Syncs a source; a failure is stored in its `last_error`.
 * @throws {AppError} not_found; bad_gateway `git_unreachable`; unprocessable with the faults of all apps; conflict: an app
 * belongs to another source
 */
export const syncGitSource = (deps: GitDeps, request: SyncRequest): Promise<readonly Deployed[]> =>
  retryOnConflict(async () => {
    const source = await requireGitSource(deps, request.ws, request.id)
    try {
      return await fetchAndDeploy(deps, source, request)
    } catch (error) {
      if (error instanceof Overtaken) return null
      if (error instanceof AppError && !isOfCaller(error)) {
        const { message } = error
        await deps.db.write([updateGitSync({ source, commit: null, error: message })], RETRY)
      }
      throw error
    }
  }, overtaken)

const RETRY = { retry: true } as const

/** Whether the caller, and not the source, is the reason. */
const isOfCaller = ({ kind }: AppError): boolean =>
  kind === 'unauthenticated' || kind === 'forbidden'

/** Since this sync read its source, another one has deployed a commit, or the source was changed or deleted. */
class Overtaken extends Error {}

const fetchAndDeploy = async (
  deps: GitDeps,
  source: GitSource,
  { actor, admitLate, signal, isAutomatic = false }: SyncRequest,
): Promise<readonly Deployed[]> => {
  const snapshot = await deps.git.fetch(await openRemote(deps, source), source.branch, signal)
  try {
    const apps = await readApps(deps, { snapshot, source })
    const { commit } = snapshot
    const request = {
      ws: source.ws,
      source: 'git',
      commit,
      gitSourceId: source.id,
      message: null,
      actor,
      isAutomatic,
      ...(admitLate === undefined ? {} : { admitLate }),
    } as const
    return await deployTogether(
      deps,
      apps.map((app) => ({ app, request })),
      (planned) => record(deps, { source, commit }, planned),
      { isStill: hasSynced(source, commit) },
    )
  } finally {
    snapshot.dispose()
  }
}

/** Records the commit in the write that deploys it. @throws {Overtaken} nothing was written */
const record = async (
  { db }: Pick<GitDeps, 'db'>,
  { source, commit }: Readonly<{ source: GitSource; commit: string }>,
  { statements, isExpected }: PlannedWrite,
): Promise<boolean> => {
  const sync = updateGitSync({ source, commit, error: null }, isExpected)
  const written = await db.write({ sync, statements }, RETRY)
  if (written.sync.changes === 1) return true
  const now = await findGitSource(db, source.ws, source.id)
  const isElsewhere = PLACE.some((field) => now?.[field] !== source[field])
  const { lastCommit = null } = now ?? {}
  if (isElsewhere || ![source.lastCommit, commit].includes(lastCommit)) throw new Overtaken()
  return true
}

const PLACE = ['url', 'branch', 'path'] as const

/** Reading and bundling an app takes about 0.1 s, and all apps of a source are in memory until the last one is read. */
const MAX_APPS = limit(
  'git.apps',
  200,
  'items',
  'Apps of one git source. More: 422 `too_many_apps` at its sync.',
)

/** @throws {AppError} unprocessable */
const findFolders = (listed: readonly TreeFile[], path: string): readonly string[] => {
  const folders = findAppFolders(
    listed.map((file) => file.path),
    MAX_APPS,
  )
  const place = path === '' ? 'the repository' : `the folder ${path}`
  if (folders.length === 0) {
    throw unprocessable(
      `There is no app.yaml or app.json in ${place} or its first-level folders.`,
      { code: 'no_manifest' },
    )
  }
  if (folders.length > MAX_APPS) {
    throw unprocessable(
      `There are more than ${MAX_APPS} apps in ${place}, the most that a git source may have. Move some to another folder or repository, and add a git source for it.`,
      { code: 'too_many_apps' },
    )
  }
  return folders
}

/** @throws {AppError} unprocessable */
const readApps = async (
  deps: GitDeps,
  { snapshot, source }: Readonly<{ snapshot: Snapshot; source: GitSource }>,
): Promise<readonly ReadApp[]> => {
  const { ws, path } = source
  const policy = await deployPolicyOf(deps, ws)
  const listed = await snapshot.list(path, takeTurn)
  const folders = findFolders(listed, path)
  const apps: ReadApp[] = []
  const faults: ErrorDetail[] = []
  const count = countTogether()
  for (const folder of folders) {
    const place = [path, folder].filter((part) => part !== '').join('/')
    const prefix = place === '' ? '' : `${place}/`
    try {
      const files = await readFiles(snapshot, listed, folder)
      const fetchPackages = () => packagesOfApp(deps, ws, files)
      const app = await readApp(deps, { ws, files, policy, fetchPackages })
      count(app)
      const twin = apps.find(({ manifest }) => manifest.key === app.manifest.key)
      if (twin === undefined) apps.push(app)
      else faults.push(sameKey(prefix, app))
    } catch (error) {
      faults.push(...toFaults(error, prefix))
    }
  }
  if (faults.length > 0) throw refuseAll(faults)
  return apps
}

/** Reads the files of one app. @throws {AppError} unprocessable */
export const readFiles = async (
  snapshot: Snapshot,
  listed: readonly TreeFile[],
  folder: string,
): Promise<AppFiles> => {
  const prefix = folder === '' ? '' : `${folder}/`
  const wanted = listed.filter(({ path }) => path.startsWith(prefix))
  const collector = createFileCollector()
  // checks sizes by the listing before anything is read
  collector.reserve(wanted)
  const contents = await snapshot.read(wanted, takeTurn)
  const none = new Uint8Array(0)
  const added = wanted.map(
    ({ path }, index) => [path.slice(prefix.length), contents[index] ?? none] as const,
  )
  await addInTurns(collector, added)
  return collector.files
}

const sameKey = (prefix: string, { manifest }: ReadApp): ErrorDetail => ({
  path: `${prefix}app.yaml key`,
  message: `The key "${manifest.key}" is used by another app of this repository.`,
})

/** Returns the faults of an app. @throws any other error */
const toFaults = (error: unknown, prefix: string): readonly ErrorDetail[] => {
  if (!(error instanceof AppError) || error.kind !== 'unprocessable') throw error
  if (error.code === 'too_much_together') throw error
  const details = error.details ?? [{ path: '', message: error.message }]
  return details.map(({ path, message }) => ({ path: `${prefix}${path}`, message }))
}

const refuseAll = (faults: readonly ErrorDetail[]): AppError => {
  const what = faults.length === 1 ? 'a fault' : `${faults.length} faults`
  return unprocessable(`The git source was not deployed because of ${what}.`, {
    code: 'bad_manifest',
    details: faults,
  })
}
