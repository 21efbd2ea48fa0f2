/** Fetches a git source and deploys all apps in it, or none if one has a fault. */
import { type AppFiles, createFileCollector } from '#bundle/app-files.ts'
import type { Actor } from '#core/actor.ts'
import { findAppFolders } from '#core/app-folders.ts'
import { AppError, type ErrorDetail } from '#core/error.ts'
import type { Snapshot } from '#git/fetch-branch.ts'
import type { TreeFile } from '#git/tree.ts'
import { type GitSource, updateGitSync } from '#store/git-sources.ts'
import { type Deployed, deployApps } from '../deploy/deploy-app.ts'
import { deployPolicyOf } from '../deploy/deploy-policy.ts'
import { packagesOfApp } from '../packages/packages-of-app.ts'
import { type ReadApp, readApp } from '../read-app.ts'
import { requireGitSource } from './find-git-source.ts'
import { openRemote } from './git-credentials.ts'
import type { GitDeps } from './save-git-source.ts'

export type SyncRequest = Readonly<{
  ws: string
  id: string
  actor: Actor
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
export const syncGitSource = async (
  deps: GitDeps,
  { ws, id, actor, signal, isAutomatic = false }: SyncRequest,
): Promise<readonly Deployed[]> => {
  const source = await requireGitSource(deps, ws, id)
  const record = async (commit: string | null, error: string | null): Promise<void> => {
    await deps.db.write([updateGitSync({ ws, id, commit, error })], { retry: true })
  }
  try {
    const { commit, deployed } = await fetchAndDeploy(deps, source, { actor, signal, isAutomatic })
    await record(commit, null)
    return deployed
  } catch (error) {
    if (error instanceof AppError) await record(null, error.message)
    throw error
  }
}

const fetchAndDeploy = async (
  deps: GitDeps,
  source: GitSource,
  {
    actor,
    signal,
    isAutomatic,
  }: Readonly<{ actor: Actor; signal: AbortSignal | undefined; isAutomatic: boolean }>,
): Promise<Readonly<{ commit: string; deployed: readonly Deployed[] }>> => {
  const snapshot = await deps.git.fetch(await openRemote(deps, source), source.branch, signal)
  try {
    const apps = await readApps(deps, { snapshot, source })
    const { commit } = snapshot
    const deployed = await deployApps(deps, apps, {
      ws: source.ws,
      source: 'git',
      commit,
      gitSourceId: source.id,
      message: null,
      actor,
      isAutomatic,
    })
    return { commit, deployed }
  } finally {
    snapshot.dispose()
  }
}

/** @throws {AppError} unprocessable */
const readApps = async (
  deps: GitDeps,
  { snapshot, source }: Readonly<{ snapshot: Snapshot; source: GitSource }>,
): Promise<readonly ReadApp[]> => {
  const { ws, path } = source
  const policy = await deployPolicyOf(deps, ws)
  const listed = await snapshot.list(path)
  const folders = findAppFolders(listed.map((file) => file.path))
  if (folders.length === 0) {
    const place = path === '' ? 'the repository' : `the folder ${path}`
    throw new AppError(
      'unprocessable',
      `There is no app.yaml or app.json in ${place} or its first-level folders.`,
      { code: 'no_manifest' },
    )
  }
  const apps: ReadApp[] = []
  const faults: ErrorDetail[] = []
  for (const folder of folders) {
    const place = [path, folder].filter((part) => part !== '').join('/')
    const prefix = place === '' ? '' : `${place}/`
    try {
      const files = await readFiles(snapshot, listed, folder)
      const packages = await packagesOfApp(deps, ws, files)
      const app = await readApp(deps, { ws, files, policy, packages })
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
  const { add, reserve, files } = createFileCollector()
  // checks sizes by the listing before anything is read
  reserve(wanted)
  const contents = await snapshot.read(wanted)
  for (const [index, { path }] of wanted.entries()) {
    add(path.slice(prefix.length), contents[index] ?? new Uint8Array(0))
  }
  return files
}

const sameKey = (prefix: string, { manifest }: ReadApp): ErrorDetail => ({
  path: `${prefix}app.yaml key`,
  message: `The key "${manifest.key}" is used by another app of this repository.`,
})

/** Returns the faults of an app. @throws any other error */
const toFaults = (error: unknown, prefix: string): readonly ErrorDetail[] => {
  if (!(error instanceof AppError) || error.kind !== 'unprocessable') throw error
  const details = error.details ?? [{ path: '', message: error.message }]
  return details.map(({ path, message }) => ({ path: `${prefix}${path}`, message }))
}

const refuseAll = (faults: readonly ErrorDetail[]): AppError => {
  const what = faults.length === 1 ? 'a fault' : `${faults.length} faults`
  return new AppError('unprocessable', `The git source was not deployed because of ${what}.`, {
    code: 'bad_manifest',
    details: faults,
  })
}
