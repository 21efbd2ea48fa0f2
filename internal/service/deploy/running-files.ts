/** The files that an app runs: those of its current deployment, with functions as last deployed. */
import { FUNCTIONS_FOLDER } from '#bundle/function-files.ts'
import { unprocessable } from '#core/error.ts'
import type { App } from '#store/apps/apps.ts'
import { findDeployment } from '#store/apps/deployments.ts'
import { type FunctionFiles, listFunctions } from '#store/apps/functions.ts'
import { listDeploymentFiles } from '#store/apps/source-files.ts'
import type { Deps } from '../deps.ts'
import { readFunctionFiles } from '../functions/function-files.ts'

/** SHA-256 by path. */
export type FileHashes = ReadonlyMap<string, string>

export type RunningFiles = Readonly<{
  hashes: FileHashes
  /** Contents by path that the database does not keep among the sources. */
  own: ReadonlyMap<string, Uint8Array>
}>

/** Returns null for an app without a deployment and functions. @throws {AppError} unprocessable `sources_not_kept` */
export const findRunningFiles = async (
  { db }: Pick<Deps, 'db'>,
  app: App,
): Promise<RunningFiles | null> => {
  const { ws, key, deploymentId } = app
  const functions = await listFunctions(db, ws, key)
  const files = deploymentId === null ? [] : await listDeploymentFiles(db, deploymentId)
  if (deploymentId !== null && files.length === 0) {
    throw unprocessable(
      'This app was deployed by an older svc, which kept no sources. Deploy it again from its folder or its git source.',
      { code: 'sources_not_kept' },
    )
  }
  if (deploymentId === null && functions.length === 0) return null
  const deployment = deploymentId === null ? null : await findDeployment(db, ws, deploymentId)
  const shared = files.filter(({ path }) => !path.startsWith(FUNCTIONS_FOLDER))
  const hashes = new Map(shared.map(({ path, sha256 }) => [path, sha256]))
  const own = new Map(deploymentId === null ? [manifestOf(app)] : [])
  for await (const some of readFunctionFiles({ db }, { ws, app: key }, functions)) {
    for (const each of some) {
      addShared(hashes, each, deployment?.createdAt ?? 0)
      for (const [path, content] of filesOf(each)) own.set(path, content)
    }
  }
  return { hashes, own }
}

/** Adds files that are kept among the sources; those of a later deploy of the function are newer than the deployment's. */
const addShared = (
  hashes: Map<string, string>,
  { sharedJson, deployedAt }: FunctionFiles,
  deploymentAt: number,
): void => {
  const shared: Readonly<Record<string, string>> = JSON.parse(sharedJson)
  for (const [path, hash] of Object.entries(shared)) {
    if (deployedAt > deploymentAt || !hashes.has(path)) hashes.set(path, hash)
  }
}

const filesOf = ({ name, filesJson }: FunctionFiles): (readonly [string, Uint8Array])[] => {
  const files: Readonly<Record<string, string>> = JSON.parse(filesJson)
  return Object.entries(files).map(([path, text]) => [
    `${FUNCTIONS_FOLDER}${name}/${path}`,
    new Uint8Array(Buffer.from(text, 'base64')),
  ])
}

/** Returns a manifest for an app with functions only, because a draft needs one. */
const manifestOf = ({ key, name }: App): readonly [string, Uint8Array] => [
  'app.yaml',
  new TextEncoder().encode(`key: ${key}\nname: ${JSON.stringify(name)}\nactions: []\n`),
]

/** Returns the text of a file, or null when it is not UTF-8. */
export const textOf = (bytes: Uint8Array): string | null => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}
