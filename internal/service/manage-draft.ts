/** Drafts of apps: saved under the rules of an upload, deployed by the one deploy path. */
import { type AppFiles, createFileCollector } from '#bundle/app-files.ts'
import type { Actor } from '#core/actor.ts'
import { AppError, type ErrorDetail, invalid, notFound } from '#core/error.ts'
import { APP_KEY } from '#core/manifest.ts'
import { insertAuditEntry, insertAuditEntryIfChanged } from '#store/audit-log.ts'
import {
  type Draft,
  type DraftWithFiles,
  deleteDraft as deleteStatement,
  findDraft,
  toSavedDraft,
  upsertDraft,
} from '#store/drafts.ts'
import { type Deployed, deployApp } from './deploy-app.ts'
import { deployPolicyOf } from './deploy-policy.ts'
import type { Deps } from './deps.ts'
import { readApp, readManifest } from './read-app.ts'

export const DRAFT_MAX_FILES = 1_000
export const DRAFT_MAX_BYTES = 10 * 1_024 * 1_024

type DraftDeps = Pick<Deps, 'db' | 'newId' | 'limits'>

/** Which draft, and who does something to it. */
export type DraftAct = Readonly<{ ws: string; app: string; actor: Actor }>

type TextFiles = DraftWithFiles['files']

/** @throws {AppError} not_found */
export const requireDraft = async (
  { db }: Pick<Deps, 'db'>,
  ws: string,
  app: string,
): Promise<DraftWithFiles> => {
  const draft = await findDraft(db, ws, app)
  if (draft === null) throw notFound(`Draft of "${app}"`, { code: 'draft_not_found' })
  return draft
}

const tooLarge = (message: string): AppError =>
  new AppError('too_large', message, { code: 'draft_too_large' })

/** @throws {AppError} unprocessable: a path that an app may not hold; too_large */
const toAppFiles = (files: TextFiles): AppFiles => {
  if (files.length > DRAFT_MAX_FILES) {
    throw tooLarge(`A draft has at most ${DRAFT_MAX_FILES} files.`)
  }
  const collector = createFileCollector()
  const encoder = new TextEncoder()
  for (const [path, text] of files) collector.add(path, encoder.encode(text))
  return collector.files
}

/**
 * Replaces the draft as a whole.
 * @throws {AppError} invalid: app key; unprocessable `bad_bundle`: a path; too_large
 */
export const saveDraft = async (
  deps: DraftDeps,
  { ws, app, actor }: DraftAct,
  files: TextFiles,
): Promise<Draft> => {
  if (!APP_KEY.test(app)) {
    throw invalid(
      'An app key has 1 to 63 characters a-z, 0-9 and -, and begins with a letter or digit.',
    )
  }
  const bytes = [...toAppFiles(files).values()].reduce((sum, file) => sum + file.length, 0)
  if (bytes > DRAFT_MAX_BYTES) throw tooLarge('A draft holds at most 10 MiB.')
  const entry = { id: deps.newId(), ws, actor, action: 'draft.saved', target: app }
  const [result] = await deps.db.write(
    [upsertDraft({ ws, app, files, bytes, updatedBy: actor.identity }), insertAuditEntry(entry)],
    { retry: true },
  )
  return toSavedDraft(result?.rows[0])
}

/** @throws {AppError} not_found */
export const deleteDraft = async (deps: DraftDeps, { ws, app, actor }: DraftAct): Promise<void> => {
  const entry = { id: deps.newId(), ws, actor, action: 'draft.deleted', target: app }
  const [result] = await deps.db.write([deleteStatement(ws, app), insertAuditEntryIfChanged(entry)])
  if (result?.changes !== 1) throw notFound(`Draft of "${app}"`, { code: 'draft_not_found' })
}

/** @throws {AppError} not_found; unprocessable: the manifest, or another app's */
const readDraftFiles = async (
  deps: Pick<Deps, 'db'>,
  ws: string,
  app: string,
): Promise<AppFiles> => {
  const draft = await requireDraft(deps, ws, app)
  const files = toAppFiles(draft.files)
  const { key } = readManifest(files)
  if (key === app) return files
  throw new AppError('unprocessable', `The draft of "${app}" has the key of another app.`, {
    code: 'bad_manifest',
    details: [{ path: 'key', message: `The manifest says "${key}". Write "${app}".` }],
  })
}

/**
 * What deploying the draft would refuse: manifest and code, with file, line and message of each fault.
 * @returns empty: it may be deployed
 * @throws {AppError} not_found
 */
export const checkDraft = async (
  deps: Pick<Deps, 'db' | 'limits'>,
  { ws, app }: Pick<DraftAct, 'ws' | 'app'>,
): Promise<readonly ErrorDetail[]> => {
  try {
    await readApp(await readDraftFiles(deps, ws, app), await deployPolicyOf(deps, ws))
    return []
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== 'unprocessable') throw error
    const { details = [], message } = error
    return details.length === 0 ? [{ path: 'app.yaml', message }] : details
  }
}

/**
 * The draft stays, so that work on it goes on.
 * @throws {AppError} not_found; unprocessable: manifest or code, with file, line and message of each fault
 */
export const deployDraft = async (
  deps: DraftDeps,
  { ws, app, actor }: DraftAct,
  message: string | null,
): Promise<Deployed> => {
  const files = await readDraftFiles(deps, ws, app)
  return deployApp(deps, {
    ws,
    files,
    source: 'draft',
    commit: null,
    gitSourceId: null,
    message,
    actor,
  })
}
