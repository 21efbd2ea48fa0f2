/** Deploys some or all functions of an app in one write [functions 13]. */
import {
  type AppFiles,
  createFileCollector,
  isVendored,
  MAX_FILES,
  MAX_VENDORED_FILES,
} from '#bundle/app-files.ts'
import { type BundledFunction, bundleFunctions } from '#bundle/bundle-functions.ts'
import { overlay } from '#bundle/file-lookup.ts'
import {
  FUNCTIONS_FOLDER,
  type FunctionSource,
  functionTexts,
  readFunctions,
} from '#bundle/function-files.ts'
import { runStepsInTurns } from '#bundle/steps.ts'
import type { Actor } from '#core/access/actor.ts'
import type { DeployPolicy } from '#core/deploy/policy.ts'
import { collectRefusals } from '#core/deploy/refusals.ts'
import { AppError, type ErrorDetail, unprocessable } from '#core/error.ts'
import { notGranted, ungrantedEntries } from '#core/network/egress-grant.ts'
import { appNotFound } from '#core/target-not-found.ts'
import { type App, hasDeployment } from '#store/apps/apps.ts'
import { deleteOtherFunctions, listFunctionHashes, upsertFunction } from '#store/apps/functions.ts'
import { keepFunctionVersions } from '#store/apps/redeployments.ts'
import { listDeploymentFiles } from '#store/apps/source-files.ts'
import type { Statement } from '#store/database.ts'
import { requireApp } from '../apps/require-app.ts'
import { audited } from '../audited.ts'
import type { AdmitLate } from '../deploy/admit-late.ts'
import { deployPolicyOf } from '../deploy/deploy-policy.ts'
import { keepBundles } from '../deploy/keep-bundles.ts'
import { keepSources, loadSources } from '../deploy/keep-sources.ts'
import type { Deps } from '../deps.ts'
import { type PackageDeps, packagesOfApp } from '../packages/packages-of-app.ts'
import { withPackages } from '../packages/unpack-packages.ts'
import { addInTurns } from '../portions/add-in-turns.ts'
import { filesApart, toFilesJson } from './function-files.ts'

type DeployDeps = Pick<Deps, 'newId' | 'manifests' | 'storage'> & PackageDeps

export type FunctionsRequest = Readonly<{
  ws: string
  app: string
  actor: Actor
  admitLate: AdmitLate
  files: readonly UploadedFile[]
  /** Whether to deploy functions that have not changed, too. */
  force: boolean
}>

/** `path` is `functions/<name>/<path>`, as the client sent it. */
export type UploadedFile = Readonly<{ path: string; bytes: Uint8Array }>

/** The most files of an app, with those of its packages. */
export const MAX_UPLOADED = MAX_FILES + MAX_VENDORED_FILES

/** Collects the files. @throws {AppError} unprocessable: a path or amount is not allowed */
const collect = async (uploaded: readonly UploadedFile[]): Promise<AppFiles> => {
  const collector = createFileCollector()
  const files = uploaded.map(({ path, bytes }) => [path.replace(/^(?:\.\/)+/, ''), bytes] as const)
  await addInTurns(collector, files)
  return collector.files
}

export type DeployedFunctions = Readonly<{
  deployed: readonly Readonly<{ name: string; hash: string }>[]
  /** Names of unchanged functions. */
  skipped: readonly string[]
}>

const refuse = (code: string, details: readonly ErrorDetail[]): AppError => {
  const [first] = details
  const message =
    details.length === 1 && first !== undefined
      ? `${first.path}: ${first.message}`
      : 'The functions have faults.'
  return unprocessable(message, { code, details })
}

const networkFaults = (
  { name, definition: { network } }: FunctionSource,
  granted: DeployPolicy['granted'],
): readonly ErrorDetail[] =>
  ungrantedEntries(network ?? [], granted).map((entry) => ({
    path: `${FUNCTIONS_FOLDER}${name}/function.yaml network`,
    message: `${notGranted(entry)}.`,
  }))

export type ReadAppFunctions = Readonly<{
  /** All whose code can be bundled. */
  functions: readonly FunctionSource[]
  /** Each fault in `details`; null if there is none. */
  refusal: AppError | null
}>

/** Reads the functions of an app. @throws {AppError} unavailable */
export const readAppFunctions = async (
  { manifests }: Pick<Deps, 'manifests'>,
  { ws, files, policy }: Readonly<{ ws: string; files: AppFiles; policy: DeployPolicy }>,
): Promise<ReadAppFunctions> => {
  const parsed = await manifests.readFunctions(ws, functionTexts(files))
  const { functions, faults: ownFaults } = await runStepsInTurns(readFunctions(files, parsed))
  const faults = [...ownFaults, ...functions.flatMap((each) => networkFaults(each, policy.granted))]
  return { functions, refusal: faults.length === 0 ? null : refuse('bad_function', faults) }
}

type Deployment = Readonly<{ ws: string; app: string; deployedBy: string }>

/** Returns `{path: hash}`. */
const toSharedJson = (paths: readonly string[], hashes: ReadonlyMap<string, string>): string =>
  JSON.stringify(Object.fromEntries(paths.map((path) => [path, hashes.get(path) ?? ''])))

/**
 * Returns statements that make functions current. Their bundles and the files that the rows do not contain are stored before, in
 * separate writes.
 * @param guard a condition
 */
const functionStatements = async (
  deps: Pick<Deps, 'db'>,
  functions: readonly BundledFunction[],
  { ws, app, deployedBy }: Deployment,
  guard?: Statement,
): Promise<readonly Statement[]> => {
  const apart = filesApart(functions.map(({ source }) => source))
  const shared = functions.flatMap((each) => [...each.shared])
  const kept = await keepSources(deps, new Map([...shared, ...apart]))
  const hashes = new Map(kept.map(({ path, sha256 }) => [path, sha256]))
  await keepBundles(
    deps,
    functions.map(({ entry }) => entry),
  )
  const statements: Statement[] = []
  for (const { source, entry, shared: outside } of functions) {
    const own = [...source.files.keys()].map((path) => `${FUNCTIONS_FOLDER}${source.name}/${path}`)
    const isApart = apart.size > 0
    const made = {
      ws,
      app,
      name: source.name,
      hash: source.hash,
      bundleHash: entry.hash,
      definition: source.definition,
      entrypoint: `functions/${source.name}/${source.entrypoint}`,
      filesJson: isApart ? '{}' : (await toFilesJson(source.files)).text,
      sharedJson: toSharedJson([...outside.keys(), ...(isApart ? own : [])], hashes),
      deployedBy,
    }
    statements.push(upsertFunction(made, guard))
  }
  return statements
}

/**
 * Like `functionStatements`, but for a whole app: also deletes functions that it no longer contains. The statements must follow
 * those that make the deployment current, and do nothing if that failed.
 */
export const allFunctionStatements = async (
  deps: Pick<Deps, 'db'>,
  functions: readonly BundledFunction[],
  { deploymentId, ...at }: Deployment & Readonly<{ deploymentId: string }>,
): Promise<readonly Statement[]> => {
  const { ws, app } = at
  const names = functions.map(({ source }) => source.name)
  const isCurrent = hasDeployment({ ws, key: app }, deploymentId)
  return [
    ...(await functionStatements(deps, functions, at, isCurrent)),
    deleteOtherFunctions({ ws, app }, names, isCurrent),
    ...keepFunctionVersions(ws, app),
  ]
}

const sharedFiles = (files: AppFiles): Map<string, Uint8Array> => {
  const shared = new Map<string, Uint8Array>()
  for (const [path, bytes] of files) {
    if (!path.startsWith(FUNCTIONS_FOLDER) || isVendored(path)) shared.set(path, bytes)
  }
  return shared
}

/**
 * Bundles functions with their shared files. A client may send only functions: if they cannot be bundled, shared files that
 * the request lacks come from the last deployment.
 */
const bundleWithApp = async (
  deps: PackageDeps,
  functions: readonly FunctionSource[],
  { ws, sent, current }: Readonly<{ ws: string; sent: AppFiles; current: App }>,
): Promise<readonly BundledFunction[]> => {
  const shared = sharedFiles(sent)
  try {
    const bundle = (fetched: AppFiles) => bundleFunctions(functions, overlay(fetched, shared), ws)
    return await withPackages(await packagesOfApp(deps, ws, sent), bundle, ws)
  } catch (error) {
    const isFaulty = error instanceof AppError && error.code === 'unbundlable'
    if (!isFaulty || current.deploymentId === null) throw error
    const files = await listDeploymentFiles(deps.db, current.deploymentId)
    const missing = files.filter(
      ({ path }) => !path.startsWith(FUNCTIONS_FOLDER) && !shared.has(path),
    )
    if (missing.length === 0) throw error
    const kept = await loadSources(deps, missing)
    return bundleFunctions(functions, new Map([...kept, ...shared]), ws)
  }
}

/** Bundles functions that were read. @throws {AppError} unprocessable: the faults of both */
const checkedTogether = async (
  { refusal }: ReadAppFunctions,
  bundle: () => Promise<readonly BundledFunction[]>,
): Promise<readonly BundledFunction[]> => {
  const refusals = collectRefusals()
  refusals.add(FUNCTIONS_FOLDER, refusal)
  const functions = await refusals.keep('packages', bundle)
  refusals.throwAny()
  return functions ?? []
}

/**
 * Deploys the functions of a request; other functions of the app stay.
 * @throws {AppError} not_found; unprocessable; rate_limited `storage_full`
 */
export const deployFunctions = async (
  deps: DeployDeps,
  { ws, app, actor, admitLate, files, force }: FunctionsRequest,
): Promise<DeployedFunctions> => {
  const current = await requireApp(deps, ws, app)
  const sent = await collect(files)
  const policy = await deployPolicyOf(deps, ws)
  const read = await readAppFunctions(deps, { ws, files: sent, policy })
  if (read.functions.length === 0 && read.refusal === null) {
    throw refuse('no_functions', [
      { path: 'functions', message: 'The upload contains no functions/<name>/index.ts.' },
    ])
  }
  const functions = await checkedTogether(read, () =>
    bundleWithApp(deps, read.functions, { ws, sent, current }),
  )
  const known = await listFunctionHashes(deps.db, ws, app)
  const changed = functions.filter(({ source }) => force || known.get(source.name) !== source.hash)
  if (changed.length > 0) {
    await deps.storage.pass(ws)
    const at = { ws, app, deployedBy: actor.identity }
    const statements = await functionStatements(deps, changed, at)
    const names = changed.map(({ source }) => source.name).join(' ')
    const target = `${app} ${names}`.slice(0, 500)
    await admitLate()
    const { written } = await deps.db.write(
      { written: statements, audit: audited(deps, { ws, actor }, 'functions.deployed', target) },
      { retry: true },
    )
    // the app was deleted meanwhile
    if (written.at(-1)?.changes !== 1) throw appNotFound(app)
  }
  return {
    deployed: changed.map(({ source: { name, hash } }) => ({ name, hash })),
    skipped: functions.filter((each) => !changed.includes(each)).map(({ source }) => source.name),
  }
}
