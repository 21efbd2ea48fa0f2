/** Deploys a folder with an app.yaml as a whole: its plan, then the deployment [functions 15.11]. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { isVendored } from '#bundle/app-files.ts'
import { bundleFunctions } from '#bundle/bundle-functions.ts'
import { overlay } from '#bundle/file-lookup.ts'
import { packArchive } from '#bundle/pack-archive.ts'
import { type Client, createClient } from '#cli-client/client.ts'
import { MANIFEST_NAMES } from '#core/app-folders.ts'
import { bundleActions, readLocalApp } from './app-folder.ts'
import { listFaults } from './bundle-folder.ts'
import { withFolderPackages } from './bundle-with-packages.ts'
import { readValid } from './function-folder.ts'
import { readSharedFiles } from './shared-files.ts'
import { asDeployFailure } from './upload-functions.ts'

const part = z.object({ kind: z.string(), key: z.string() })
const planAnswer = z.object({
  app: z.string(),
  commit: z.string(),
  added: z.array(part),
  changed: z.array(part),
  removed: z.array(part),
})
export type FolderPlan = Readonly<z.infer<typeof planAnswer>>

const deployedAnswer = z.looseObject({
  deployment_id: z.string(),
  app: z.string(),
  commit: z.string(),
})
export type DeployedFolder = Readonly<z.infer<typeof deployedAnswer>>

export type PlannedFolder = Readonly<{
  /** What a deployment would change of what the server runs. */
  plan: FolderPlan
  /** Deploys what was planned. @throws {AppError} the server refused, or was not reached */
  deploy: (message: string | null) => Promise<DeployedFolder>
}>

export const hasManifest = (folder = '.'): boolean =>
  MANIFEST_NAMES.some((name) => existsSync(join(folder, name)))

/** @throws {AppError} the folder has faults; the server refused, or was not reached */
export const planFolder = async (folder = '.'): Promise<PlannedFolder> => {
  const archive = await packFolder(folder)
  const client = createClient()
  return {
    plan: await send(client, planAnswer, '/deployments/plan', archive, null),
    deploy: (message) => send(client, deployedAnswer, '/deployments', archive, message),
  }
}

const send = <Schema extends z.ZodType>(
  client: Client,
  schema: Schema,
  path: string,
  archive: Uint8Array<ArrayBuffer>,
  message: string | null,
): Promise<z.output<Schema>> => {
  const body = new FormData()
  body.set('bundle', new Blob([archive]), 'bundle.tar.gz')
  if (message !== null) body.set('message', message)
  return client.call(schema, path, { method: 'POST', body }).catch(asDeployFailure)
}

/**
 * The folder's own files, and the files of packages that its code opens: from node_modules, else as its lock files name
 * them, so that the server fetches nothing.
 * @throws {AppError} unprocessable: faults of the code or a package; bad_gateway `registry_unreachable`
 */
const packFolder = (folder: string): Promise<Uint8Array<ArrayBuffer>> => {
  const local = readLocalApp(folder)
  const functions = readValid(folder)
  return withFolderPackages(folder, functions, local.files, async (fetched) => {
    const files = overlay(fetched, local.files)
    const paths = [...files.keys()]
    const own = paths.filter((path) => !isVendored(path))
    if (own.length === paths.length) return packArchive(files, own)
    const actions = await bundleActions({ ...local, files }, local.manifest.actions)
    const shared = overlay(fetched, readSharedFiles(folder))
    const bundled = await listFaults(bundleFunctions(functions, shared))
    const opened = new Set(
      [...[...actions.values()], ...bundled].flatMap(({ entry }) => entry.sources),
    )
    return packArchive(files, [...own, ...[...opened].filter(isVendored).toSorted()])
  })
}
