/** The one way to deploy an app's files, for git, uploads and drafts: check, bundle, then one atomic write. */
import { type AppFiles, contentHash } from '#bundle/app-files.ts'
import { readArchive } from '#bundle/archive.ts'
import { bundleEntries } from '#bundle/bundle-entries.ts'
import type { Actor } from '#core/actor.ts'
import { AppError, conflict } from '#core/error.ts'
import { type Manifest, parseManifest } from '#core/manifest.ts'
import { findApp, upsertDeployedApp } from '#store/apps.ts'
import { insertAuditEntryIfChanged } from '#store/audit-log.ts'
import { insertBundle } from '#store/bundles.ts'
import { insertDeployment, insertDeploymentAction } from '#store/deployments.ts'
import type { Deps } from './deps.ts'

export const MANIFEST_NAMES = ['app.yaml', 'app.json'] as const

export type DeployRequest = Readonly<{
  ws: string
  files: AppFiles
  source: 'git' | 'upload' | 'draft'
  /** Null: the hash of the files. */
  commit: string | null
  gitSourceId: string | null
  message: string | null
  actor: Actor
}>

export type Deployed = Readonly<{
  deployment_id: string
  app: string
  commit: string
  actions: readonly string[]
  flows: readonly string[]
  functions: readonly string[]
}>

type DeployDeps = Pick<Deps, 'db' | 'newId'>

/** @throws {AppError} unprocessable: manifest or code, with every fault in `details` */
export const readManifest = (files: AppFiles): Manifest => {
  const name = MANIFEST_NAMES.find((known) => files.has(known))
  if (name === undefined) {
    throw new AppError(
      'unprocessable',
      'There is no app.yaml or app.json at the root of the app.',
      {
        code: 'no_manifest',
      },
    )
  }
  const parsed = parseManifest(new TextDecoder().decode(files.get(name)), name)
  if (parsed.ok) return parsed.manifest
  throw new AppError(
    'unprocessable',
    `${name} has ${parsed.faults.length === 1 ? 'a fault' : `${parsed.faults.length} faults`}.`,
    {
      code: 'bad_manifest',
      details: parsed.faults,
    },
  )
}

/**
 * Deploys; the commit that is current already makes no second deployment.
 * @throws {AppError} unprocessable, conflict: another git source holds the app
 */
export const deployApp = async (deps: DeployDeps, request: DeployRequest): Promise<Deployed> => {
  const manifest = readManifest(request.files)
  const commit = request.commit ?? contentHash(request.files)
  const current = await findApp(deps.db, request.ws, manifest.key)
  const other = current?.gitSourceId ?? null
  if (request.gitSourceId !== null && other !== null && other !== request.gitSourceId) {
    throw conflict(
      `The app "${manifest.key}" comes from another git source. Delete it, or change the key.`,
      {
        code: 'app_exists',
      },
    )
  }
  if (current?.deploymentId && current.commit === commit) {
    return toDeployed(current.deploymentId, commit, manifest)
  }
  return await write(deps, { ...request, commit }, manifest)
}

/** Deploys an uploaded tar.gz; its commit is the hash of its files. @throws {AppError} as deployApp, and bad_bundle */
export const deployArchive = async (
  deps: DeployDeps,
  upload: Readonly<{ ws: string; archive: Uint8Array; message: string | null; actor: Actor }>,
): Promise<Deployed> =>
  deployApp(deps, {
    ws: upload.ws,
    files: await readArchive(upload.archive),
    source: 'upload',
    commit: null,
    gitSourceId: null,
    message: upload.message,
    actor: upload.actor,
  })

const write = async (
  deps: DeployDeps,
  request: DeployRequest & Readonly<{ commit: string }>,
  manifest: Manifest,
): Promise<Deployed> => {
  const { ws, commit, gitSourceId, actor } = request
  const entries = await bundleEntries(
    request.files,
    manifest.actions.map(({ entrypoint }) => entrypoint),
  )
  const hashes = new Map(entries.map(({ entrypoint, hash }) => [entrypoint, hash]))
  const id = deps.newId()
  await deps.db.write(
    [
      ...entries.map((entry) => insertBundle(entry.hash, entry)),
      insertDeployment({
        id,
        ws,
        app: manifest.key,
        commit,
        source: request.source,
        gitSourceId,
        message: request.message,
        manifestJson: JSON.stringify(manifest),
        createdBy: actor.identity,
      }),
      insertAuditEntryIfChanged({
        id: deps.newId(),
        ws,
        actor,
        action: 'app.deployed',
        target: `${manifest.key} ${commit}`,
      }),
      ...manifest.actions.map((action) =>
        insertDeploymentAction(id, action, hashes.get(action.entrypoint) ?? ''),
      ),
      upsertDeployedApp({
        ws,
        key: manifest.key,
        name: manifest.name,
        deploymentId: id,
        gitSourceId,
      }),
    ],
    { retry: true },
  )
  return toDeployed(id, commit, manifest)
}

const toDeployed = (id: string, commit: string, manifest: Manifest): Deployed => ({
  deployment_id: id,
  app: manifest.key,
  commit,
  actions: manifest.actions.map(({ key }) => key),
  flows: manifest.flows.map(({ key }) => key),
  functions: [],
})
