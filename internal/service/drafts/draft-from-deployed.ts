/**
 * Creates a draft of what runs now: the files of the current deployment, with functions as last deployed. Files that are
 * not text (installed packages, images) are referenced by their hash and deployed with the draft.
 */
import { isVendored } from '#bundle/app-files.ts'
import { type AppError, conflict, unprocessable } from '#core/error.ts'
import { type Draft, findDraft, insertDraft, toSavedDraft } from '#store/apps/drafts.ts'
import { requireApp } from '../apps/require-app.ts'
import { audited } from '../audited.ts'
import { keepSources, loadSources } from '../deploy/keep-sources.ts'
import {
  type FileHashes,
  findRunningFiles,
  type RunningFiles,
  textOf,
} from '../deploy/running-files.ts'
import { writeDraft } from './draft-texts.ts'
import { type DraftAct, type DraftDeps, toStoredFiles } from './manage-draft.ts'

const draftExists = (app: string): AppError =>
  conflict(`A draft of "${app}" exists already. Open it, or delete it first.`, {
    code: 'draft_exists',
  })

/** Creates the draft. @throws {AppError} not_found; conflict `draft_exists`; unprocessable: no sources; too_large */
export const draftFromDeployed = async (
  deps: DraftDeps,
  { ws, app, actor }: DraftAct,
): Promise<Draft> => {
  const current = await requireApp(deps, ws, app)
  if ((await findDraft(deps.db, ws, app)) !== null) throw draftExists(app)
  const running = await findRunningFiles(deps, current)
  if (running === null) {
    throw unprocessable(`The app "${app}" has no deployment to start from.`, {
      code: 'nothing_deployed',
    })
  }
  const { files, carried } = await toDraftFiles(deps, running)
  const { parts, ...stored } = await toStoredFiles(files)
  const draft = { ws, app, ...stored, parts: [...parts.keys()], carried, updatedBy: actor.identity }
  const row = await writeDraft(deps, {
    ws,
    app,
    parts,
    saved: insertDraft(draft),
    audit: audited(deps, { ws, actor }, 'draft.from_deployed', app),
  })
  // another user created one meanwhile
  if (row === undefined) throw draftExists(app)
  return toSavedDraft(row)
}

type DraftFiles = Readonly<{ files: readonly (readonly [string, string])[]; carried: FileHashes }>

const toDraftFiles = async (
  deps: DraftDeps,
  { hashes, own }: RunningFiles,
): Promise<DraftFiles> => {
  const carried = new Map([...hashes].filter(([path]) => isVendored(path)))
  const wanted = [...hashes].filter(([path]) => !carried.has(path))
  const contents = await loadSources(
    deps,
    wanted.map(([path, sha256]) => ({ path, sha256 })),
  )
  const files: (readonly [string, string])[] = []
  const bytesOnly = new Map<string, Uint8Array>()
  for (const [path, bytes] of [...contents, ...own]) {
    const text = textOf(bytes)
    if (text === null) bytesOnly.set(path, bytes)
    else files.push([path, text])
  }
  for (const { path, sha256 } of await keepSources(deps, bytesOnly)) carried.set(path, sha256)
  return { files, carried }
}
