/** Deploys a whole folder with an app.yaml: first its plan, then the deployment [functions 15.11]. */
import { z } from 'zod'
import { type AppFiles, isVendored } from '#bundle/app-files.ts'
import { bundleEach } from '#bundle/bundle-entries.ts'
import { bundleEachFunction } from '#bundle/bundle-functions.ts'
import { overlay } from '#bundle/file-lookup.ts'
import { packArchive, packBefore } from '#bundle/pack-archive.ts'
import { type Client, createClient } from '#cli-client/client.ts'
import { loadConfig } from '#config/config.ts'
import { collectRefusals } from '#core/deploy/refusals.ts'
import { AppError } from '#core/error.ts'
import { packedFolder } from '#node/open-packages.ts'
import { readEntrypoints, readManifest } from '#service/apps/read-app.ts'
import { type LocalApp, readAppFolder, withDetails } from './app-folder.ts'
import { withFolderPackages } from './bundle-with-packages.ts'
import { type ReadFolder, readNamed, refuseFaulty, sourcesOf } from './function-folder.ts'
import { createPackedPackages, type PackedPackages, packagesKey } from './packed-packages.ts'
import { readSharedFiles } from './shared-files.ts'
import { asDeployFailure } from './upload-functions.ts'

const part = z.object({ kind: z.string(), key: z.string() })
const planAnswer = z.object({
  app: z.string(),
  commit: z.string(),
  added: z.array(part),
  changed: z.array(part),
  removed: z.array(part),
  warnings: z.array(z.object({ path: z.string(), message: z.string() })).default([]),
})
export type FolderPlan = Readonly<z.infer<typeof planAnswer>>

const deployedAnswer = z.looseObject({
  deployment_id: z.string(),
  app: z.string(),
  commit: z.string(),
})
export type DeployedFolder = Readonly<z.infer<typeof deployedAnswer>>

export type PlannedFolder = Readonly<{
  /** How the deployment would change the app on the server. */
  plan: FolderPlan
  /** Deploys the planned folder. @throws {AppError} the server refused, or was not reached */
  deploy: (message: string | null) => Promise<DeployedFolder>
}>

/** What a deployment does now. */
export type DeployStage =
  | Readonly<{ kind: 'pack' }>
  /** The server builds the archive, for its plan or for good. */
  | Readonly<{ kind: 'plan' | 'deploy'; archiveBytes: number }>

/**
 * Plans the deployment of a folder.
 * @param onStage called at the beginning of each stage
 * @throws {AppError} there is no manifest; a package has a fault; the server refused, or was not reached
 */
export const planFolder = async (
  folder: string,
  onStage: (stage: DeployStage) => void,
): Promise<PlannedFolder> => {
  const server = { client: createClient(), onStage }
  onStage({ kind: 'pack' })
  const local = readAppFolder(folder)
  const packed = openPacked()
  const key = packed === null ? null : packagesKey(local.files)
  const known = key === null ? null : ((await packed?.find(key)) ?? null)
  if (known !== null) {
    const archive = await packBefore(local.files, [...local.files.keys()], known)
    const plan = await planArchive(server, archive).catch(orNullIfRefused)
    if (plan !== null) return plan
  }
  const keep = async (part: Uint8Array): Promise<void> => {
    if (key !== null) await packed?.keep(key, part)
  }
  return planArchive(server, await packFolder(local, keep))
}

type Server = Readonly<{ client: Client; onStage: (stage: DeployStage) => void }>

const planArchive = async (
  { client, onStage }: Server,
  archive: Uint8Array<ArrayBuffer>,
): Promise<PlannedFolder> => {
  const archiveBytes = archive.length
  onStage({ kind: 'plan', archiveBytes })
  return {
    plan: await send(client, planAnswer, { path: '/deployments/plan', archive }),
    deploy: (message) => {
      onStage({ kind: 'deploy', archiveBytes })
      return send(client, deployedAnswer, { path: '/deployments', archive, message })
    },
  }
}

/** Null for a refusal: the remembered packages may be wrong, so the refusal counts only if it is repeated without them. */
const orNullIfRefused = (error: unknown): null => {
  if (error instanceof AppError && error.kind === 'unprocessable') return null
  throw error
}

const openPacked = (): PackedPackages | null => {
  const folder = packedFolder(loadConfig({ flags: {} }).config)
  return folder === null ? null : createPackedPackages(folder)
}

type Sent = Readonly<{
  path: string
  archive: Uint8Array<ArrayBuffer>
  message?: string | null
}>

const send = <Schema extends z.ZodType>(
  client: Client,
  schema: Schema,
  { path, archive, message = null }: Sent,
): Promise<z.output<Schema>> => {
  const body = new FormData()
  body.set('bundle', new Blob([archive]), 'bundle.tar.gz')
  if (message !== null) body.set('message', message)
  return client.call(schema, path, { method: 'POST', body }).catch(asDeployFailure)
}

/**
 * Packs the folder's own files, and the package files that its code uses. They come from node_modules, else from the registry
 * as the lock files name them, so the server fetches nothing. Faults of other files are left to the server, which finds all.
 * @param keep saves the part of the archive that comes from packages of the lock files
 * @throws {AppError} unprocessable: faults of a package; bad_gateway `registry_unreachable`
 */
const packFolder = (
  local: Omit<LocalApp, 'manifest' | 'warnings'>,
  keep: (part: Uint8Array) => Promise<void>,
): Promise<Uint8Array<ArrayBuffer>> => {
  const { folder } = local
  const read = readNamed(folder)
  const functions = sourcesOf(read)
  const pack = async (fetched: AppFiles): Promise<Uint8Array<ArrayBuffer>> => {
    const files = overlay(fetched, local.files)
    const paths = [...files.keys()]
    const own = paths.filter((path) => !isVendored(path))
    if (own.length === paths.length) return packArchive(files, own)
    const actions = await bundleEach(files, readEntrypoints(local.files))
    const shared = overlay(fetched, readSharedFiles(folder))
    const bundled = await bundleEachFunction(functions, shared)
    const isWhole = actions.faults.length + bundled.faults.length === 0
    const entries = [...actions.entries, ...bundled.functions.map(({ entry }) => entry)]
    const used = isWhole
      ? entries.flatMap(({ sources }) => sources)
      : [...actions.opened, ...bundled.opened]
    const part = await packArchive(files, [...new Set(used)].filter(isVendored).toSorted())
    if (isWhole) await keep(part)
    return packBefore(files, own, part)
  }
  return withFolderPackages(folder, functions, local.files, pack).catch((error: unknown) =>
    throwWithFaults(error, local, read),
  )
}

/** Throws an error of packages with the faults that do not depend on packages, because no request reaches the server. */
const throwWithFaults = async (
  error: unknown,
  { files }: Pick<LocalApp, 'files'>,
  read: ReadFolder,
): Promise<never> => {
  const refusals = collectRefusals()
  await refusals.keep('app.yaml', async () => readManifest(files))
  refusals.add('functions', refuseFaulty(read))
  await refusals.keep('packages', () => Promise.reject(error))
  try {
    refusals.throwAny()
  } catch (thrown) {
    throw withDetails(thrown)
  }
  throw error
}
