/** Deploys functions of an app, some or all, in one write (document 3; contract, Functions). */
import { type AppFiles, createFileCollector } from '#bundle/app-files.ts'
import { bundleFunctions } from '#bundle/bundle-functions.ts'
import { type FunctionSource, readFunctions } from '#bundle/function-files.ts'
import type { Actor } from '#core/actor.ts'
import { AppError, type ErrorDetail, notFound } from '#core/error.ts'
import { findApp } from '#store/apps.ts'
import { insertAuditEntryIfChanged } from '#store/audit-log.ts'
import { insertBundle } from '#store/bundles.ts'
import type { Statement } from '#store/database.ts'
import { deleteOtherFunctions, listFunctionHashes, upsertFunction } from '#store/functions.ts'
import { keepFunctionVersions } from '#store/redeployments.ts'
import type { Deps } from '../deps.ts'

type DeployDeps = Pick<Deps, 'db' | 'newId'>

export type FunctionsRequest = Readonly<{
  ws: string
  app: string
  actor: Actor
  files: readonly UploadedFile[]
  /** Also what has not changed. */
  force: boolean
}>

/** Its path as it was named: `functions/<name>/<path>`. */
export type UploadedFile = Readonly<{ path: string; bytes: Uint8Array }>

/** @throws {AppError} unprocessable: a path or an amount that no app may have */
const collect = (uploaded: readonly UploadedFile[]): AppFiles => {
  const { add, files } = createFileCollector()
  for (const { path, bytes } of uploaded) add(path.replace(/^(?:\.\/)+/, ''), bytes)
  return files
}

export type DeployedFunctions = Readonly<{
  deployed: readonly Readonly<{ name: string; hash: string }>[]
  /** Unchanged. */
  skipped: readonly string[]
}>

const refuse = (code: string, details: readonly ErrorDetail[]): AppError => {
  const [first] = details
  const message =
    details.length === 1 && first !== undefined
      ? `${first.path}: ${first.message}`
      : 'The functions have faults.'
  return new AppError('unprocessable', message, { code, details })
}

/** @throws {AppError} unprocessable: each fault in `details` */
export const readAppFunctions = (files: AppFiles): readonly FunctionSource[] => {
  const { functions, faults } = readFunctions(files)
  if (faults.length > 0) throw refuse('bad_function', faults)
  return functions
}

const toFilesJson = ({ files }: FunctionSource): string =>
  JSON.stringify(
    Object.fromEntries(
      [...files].map(([path, bytes]) => [path, Buffer.from(bytes).toString('base64')]),
    ),
  )

/** Statements that make these functions current. @throws {AppError} unprocessable: code that cannot be bundled */
export const functionStatements = async (
  functions: readonly FunctionSource[],
  { ws, app, deployedBy }: Readonly<{ ws: string; app: string; deployedBy: string }>,
): Promise<readonly Statement[]> => {
  const bundled = await bundleFunctions(functions)
  return bundled.flatMap(({ source, entry }) => [
    insertBundle(entry.hash, entry),
    upsertFunction({
      ws,
      app,
      name: source.name,
      hash: source.hash,
      bundleHash: entry.hash,
      definition: source.definition,
      entrypoint: `functions/${source.name}/${source.entrypoint}`,
      filesJson: toFilesJson(source),
      deployedBy,
    }),
  ])
}

/** Of a whole app: functions that it does not hold any more go. */
export const allFunctionStatements = async (
  functions: readonly FunctionSource[],
  at: Readonly<{ ws: string; app: string; deployedBy: string }>,
): Promise<readonly Statement[]> => [
  ...(await functionStatements(functions, at)),
  deleteOtherFunctions(
    at.ws,
    at.app,
    functions.map(({ name }) => name),
  ),
  keepFunctionVersions(at.ws, at.app),
]

/**
 * Those that came; the app's others stay.
 * @throws {AppError} not_found; unprocessable
 */
export const deployFunctions = async (
  deps: DeployDeps,
  { ws, app, actor, files, force }: FunctionsRequest,
): Promise<DeployedFunctions> => {
  if ((await findApp(deps.db, ws, app)) === null) {
    throw notFound(`App "${app}"`, { code: 'app_not_found' })
  }
  const functions = readAppFunctions(collect(files))
  if (functions.length === 0) {
    throw refuse('no_functions', [
      { path: 'functions', message: 'There is no functions/<name>/index.ts in what was sent.' },
    ])
  }
  const known = await listFunctionHashes(deps.db, ws, app)
  const changed = functions.filter(({ name, hash }) => force || known.get(name) !== hash)
  if (changed.length > 0) {
    const statements = await functionStatements(changed, { ws, app, deployedBy: actor.identity })
    const names = changed.map(({ name }) => name).join(' ')
    const target = `${app} ${names}`.slice(0, 500)
    const entry = { id: deps.newId(), ws, actor, action: 'functions.deployed', target }
    await deps.db.write([...statements, insertAuditEntryIfChanged(entry)], { retry: true })
  }
  return {
    deployed: changed.map(({ name, hash }) => ({ name, hash })),
    skipped: functions.filter((each) => !changed.includes(each)).map(({ name }) => name),
  }
}
