/**
 * Creates a draft of what runs now: the files of the current deployment, with functions as last deployed. Files that are
 * not text (installed packages, images) are referenced by their hash and deployed with the draft.
 */
import { isVendored } from '#bundle/app-files.ts'
import { FUNCTIONS_FOLDER } from '#bundle/function-files.ts'
import { AppError, conflict, notFound } from '#core/error.ts'
import { type App, findApp } from '#store/apps.ts'
import { findDeployment } from '#store/deployments.ts'
import { type Draft, findDraft, insertDraft, toSavedDraft } from '#store/drafts.ts'
import { type FunctionWithFiles, listFunctions } from '#store/functions.ts'
import { listDeploymentFiles } from '#store/source-files.ts'
import { audited } from './audited.ts'
import { keepSources, loadSources } from './keep-sources.ts'
import { checkDraftSize, type DraftAct, type DraftDeps } from './manage-draft.ts'

/** Hashes by path. */
type Hashes = ReadonlyMap<string, string>

type Running = Readonly<{ hashes: Hashes; own: ReadonlyMap<string, Uint8Array> }>

const draftExists = (app: string): AppError =>
  conflict(`A draft of "${app}" exists already. Open it, or delete it first.`, {
    code: 'draft_exists',
  })

const refuse = (code: string, message: string): AppError =>
  new AppError('unprocessable', message, { code })

/** Creates the draft. @throws {AppError} not_found; conflict `draft_exists`; unprocessable: no sources; too_large */
export const draftFromDeployed = async (
  deps: DraftDeps,
  { ws, app, actor }: DraftAct,
): Promise<Draft> => {
  const current = await findApp(deps.db, ws, app)
  if (current === null) throw notFound(`App "${app}"`, { code: 'app_not_found' })
  if ((await findDraft(deps.db, ws, app)) !== null) throw draftExists(app)
  const { files, carried } = await toDraftFiles(deps, await findRunning(deps, current))
  const bytes = checkDraftSize(files)
  const draft = { ws, app, files, bytes, carried, updatedBy: actor.identity }
  const { inserted } = await deps.db.write({
    inserted: insertDraft(draft),
    audit: audited(deps, { ws, actor }, 'draft.from_deployed', app),
  })
  const [row] = inserted.rows
  // another user created one meanwhile
  if (row === undefined) throw draftExists(app)
  return toSavedDraft(row)
}

const findRunning = async (deps: DraftDeps, app: App): Promise<Running> => {
  const { ws, key, deploymentId } = app
  const functions = await listFunctions(deps.db, ws, key)
  const files = deploymentId === null ? [] : await listDeploymentFiles(deps.db, deploymentId)
  if (deploymentId !== null && files.length === 0) {
    throw refuse(
      'sources_not_kept',
      'This app was deployed by an older svc, which kept no sources. Deploy it again from its folder or its git source.',
    )
  }
  if (deploymentId === null && functions.length === 0) {
    throw refuse('nothing_deployed', `The app "${key}" has no deployment to start from.`)
  }
  const deployment = deploymentId === null ? null : await findDeployment(deps.db, ws, deploymentId)
  const shared = files.filter(({ path }) => !path.startsWith(FUNCTIONS_FOLDER))
  const hashes = new Map(shared.map(({ path, sha256 }) => [path, sha256]))
  for (const each of functions) addShared(hashes, each, deployment?.createdAt ?? 0)
  const own = functions.flatMap(filesOf)
  return { hashes, own: new Map(deploymentId === null ? [manifestOf(app), ...own] : own) }
}

/** Adds files shared with a function; those of a later deploy of the function are newer than the deployment's. */
const addShared = (
  hashes: Map<string, string>,
  { sharedJson, deployedAt }: FunctionWithFiles,
  deploymentAt: number,
): void => {
  const shared: Readonly<Record<string, string>> = JSON.parse(sharedJson)
  for (const [path, hash] of Object.entries(shared)) {
    if (deployedAt > deploymentAt || !hashes.has(path)) hashes.set(path, hash)
  }
}

const filesOf = ({ name, filesJson }: FunctionWithFiles): (readonly [string, Uint8Array])[] => {
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

const decode = (bytes: Uint8Array): string | null => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

type DraftFiles = Readonly<{ files: readonly (readonly [string, string])[]; carried: Hashes }>

const toDraftFiles = async (deps: DraftDeps, { hashes, own }: Running): Promise<DraftFiles> => {
  const carried = new Map([...hashes].filter(([path]) => isVendored(path)))
  const wanted = [...hashes].filter(([path]) => !carried.has(path))
  const contents = await loadSources(
    deps,
    wanted.map(([path, sha256]) => ({ path, sha256 })),
  )
  const files: (readonly [string, string])[] = []
  const bytesOnly = new Map<string, Uint8Array>()
  for (const [path, bytes] of [...contents, ...own]) {
    const text = decode(bytes)
    if (text === null) bytesOnly.set(path, bytes)
    else files.push([path, text])
  }
  for (const { path, sha256 } of await keepSources(deps, bytesOnly)) carried.set(path, sha256)
  return { files, carried }
}
