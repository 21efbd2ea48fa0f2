/** Use cases of drafts: saved under the rules of an upload, deployed like every other app. */
import { type AppFiles, createFileCollector } from '#bundle/app-files.ts'
import type { Actor } from '#core/access/actor.ts'
import type { DeploymentChanges } from '#core/deploy/changes.ts'
import { AppError, type ErrorDetail, notFound, unprocessable } from '#core/error.ts'
import { JsonText } from '#core/json/text.ts'
import { requireAppKey } from '#core/key-patterns.ts'
import { limit } from '#core/limit.ts'
import {
  type Draft,
  deleteDraft as deleteStatement,
  findDraft,
  type NewDraft,
  requireNoDraft,
  type StoredDraft,
  toSavedDraft,
  upsertDraft,
} from '#store/apps/drafts.ts'
import { DatabaseError } from '#store/database.ts'
import { isMatch, type RowMatch } from '#store/row-match.ts'
import { readApp, warningsOf } from '../apps/read-app.ts'
import { audited } from '../audited.ts'
import type { AdmitLate } from '../deploy/admit-late.ts'
import { compareWithRunning } from '../deploy/compare-deployment.ts'
import { type Deployed, deployApp } from '../deploy/deploy-app.ts'
import { deployPolicyOf } from '../deploy/deploy-policy.ts'
import { findDeployWarnings } from '../deploy/deploy-warnings.ts'
import { loadSources } from '../deploy/keep-sources.ts'
import type { Deps } from '../deps.ts'
import { type PackageDeps, packagesOfApp } from '../packages/packages-of-app.ts'
import { addInTurns } from '../portions/add-in-turns.ts'
import { createPace } from '../portions/pace.ts'
import { stringifyText } from '../portions/stringify-text.ts'
import {
  type DividedTexts,
  divideTexts,
  loadTexts,
  type TextFiles,
  writeDraft,
} from './draft-texts.ts'
import { removeTrials } from './remove-trials.ts'

const DRAFT_MAX_FILES = limit('app.draft_files', 1_000, 'items', 'Files of a draft. More: 413.')
const DRAFT_MAX_BYTES = limit(
  'app.draft_bytes',
  10 * 1_024 * 1_024,
  'bytes',
  'Text of a draft. More: 413.',
)

export type DraftDeps = Pick<Deps, 'db' | 'newId' | 'limits' | 'storage'>

/** Like `DraftDeps`, for drafts whose packages may have to be fetched. */
export type DraftDeployDeps = DraftDeps & PackageDeps & Pick<Deps, 'manifests'>

/** The draft and the caller. */
export type DraftAct = Readonly<{ ws: string; app: string; actor: Actor }>

/** An act on the draft that the caller has read. */
export type MatchedAct = DraftAct & Readonly<{ match: RowMatch }>

export type DraftWithFiles = Omit<StoredDraft, 'filesJson'> & Readonly<{ files: TextFiles }>

/** Reads a draft. @throws {AppError} not_found */
export const requireDraft = async (
  { db }: Pick<Deps, 'db'>,
  ws: string,
  app: string,
): Promise<DraftWithFiles> => {
  let readAt: number | null = null
  for (;;) {
    const found = await findDraft(db, ws, app)
    if (found === null) throw notFound(`Draft of "${app}"`, { code: 'draft_not_found' })
    const { filesJson, ...draft } = found
    const files = await loadTexts({ db }, { ws, app }, filesJson)
    if (files !== null) return { ...draft, files }
    if (readAt === draft.updatedAt) throw new Error(`The draft of "${app}" lacks a part.`)
    readAt = draft.updatedAt
  }
}

const changedMeanwhile = (app: string): AppError =>
  new AppError(
    'precondition_failed',
    `The draft of "${app}" is not the one that If-Match names. Read it again, then decide.`,
  )

/** For a save without If-Match, each try of which lost its parts to another save. */
const overtaken = (app: string): AppError =>
  new AppError(
    'precondition_failed',
    `Other saves of the draft of "${app}" arrived at the same moment. Save it again.`,
  )

/** Reads the draft that the caller has read. @throws {AppError} not_found; precondition_failed: it is another one by now */
const requireMatch = async (
  deps: Pick<Deps, 'db'>,
  { ws, app, match = null }: Pick<DraftAct, 'ws' | 'app'> & Partial<MatchedAct>,
): Promise<DraftWithFiles> => {
  const draft = await requireDraft(deps, ws, app)
  if (!isMatch(draft, match)) throw changedMeanwhile(app)
  return draft
}

const tooLarge = (message: string): AppError =>
  new AppError('too_large', message, { code: 'draft_too_large' })

/** @throws {AppError} unprocessable: a path is not allowed; too_large */
const toAppFiles = async (files: TextFiles, carried: AppFiles = new Map()): Promise<AppFiles> => {
  const collector = createFileCollector()
  const encoder = new TextEncoder()
  const pace = createPace()
  for (const [path, text] of files) {
    collector.add(path, encoder.encode(text))
    await pace(text.length)
  }
  const others = [...carried].filter(([path]) => !collector.files.has(path))
  await addInTurns(collector, others)
  return collector.files
}

/** Checks a draft against the limits. @returns bytes of all files @throws {AppError} too_large; unprocessable: a path */
export const checkDraftSize = async (files: TextFiles): Promise<number> => {
  if (files.length > DRAFT_MAX_FILES) {
    throw tooLarge(`A draft has at most ${DRAFT_MAX_FILES} files.`)
  }
  const encoded = await toAppFiles(files)
  const bytes = [...encoded.values()].reduce((sum, file) => sum + file.length, 0)
  if (bytes > DRAFT_MAX_BYTES) throw tooLarge('A draft has at most 10 MiB.')
  return bytes
}

/** Writes the files of a draft as they are stored, with turns for other work. @throws {AppError} as `checkDraftSize` */
export const toStoredFiles = async (
  files: TextFiles,
): Promise<DividedTexts & Pick<NewDraft, 'fileCount' | 'bytes'>> => {
  const bytes = await checkDraftSize(files)
  return { ...(await divideTexts(files)), fileCount: files.length, bytes }
}

/** Writes the files of a draft as one object of texts by path, with turns for other work. */
export const filesByPath = async (files: TextFiles): Promise<JsonText> => {
  const pace = createPace()
  const written: string[] = []
  for (const [path, text] of files) {
    written.push(`${JSON.stringify(path)}:${await stringifyText(text, pace)}`)
  }
  return new JsonText(`{${written.join()}}`)
}

/**
 * Replaces the draft as a whole.
 * @throws {AppError} invalid: app key; unprocessable `bad_bundle`: a path; too_large; precondition_failed
 */
export const saveDraft = async (
  deps: DraftDeps,
  { ws, app, actor, match }: MatchedAct,
  files: TextFiles,
): Promise<Draft> => {
  requireAppKey(app)
  const { parts, ...stored } = await toStoredFiles(files)
  const draft = { ws, app, ...stored, parts: [...parts.keys()], updatedBy: actor.identity }
  const write = {
    ws,
    app,
    parts,
    saved: upsertDraft(draft, match),
    audit: audited(deps, { ws, actor }, 'draft.saved', app),
  }
  // repeated, it would find its own version
  const row = await writeDraft(deps, write, { retry: match === null })
  if (row === undefined) throw match === null ? overtaken(app) : changedMeanwhile(app)
  return toSavedDraft(row)
}

/** Deletes a draft and its trials. @throws {AppError} not_found; precondition_failed */
export const deleteDraft = async (
  deps: DraftDeps,
  { ws, app, actor, match }: MatchedAct,
): Promise<void> => {
  const batch = {
    deleted: deleteStatement(ws, app, match),
    audit: audited(deps, { ws, actor }, 'draft.deleted', app),
    isGone: requireNoDraft(ws, app),
    trials: await removeTrials(deps, { ws, app }),
  }
  const { deleted } = await deps.db.write(batch).catch((error: unknown) => {
    const isKept = error instanceof DatabaseError && error.kind === 'constraint'
    throw isKept ? changedMeanwhile(app) : error
  })
  if (deleted.changes === 1) {
    // a trial that was deployed between the list and the write; without a draft there are no later ones
    const late = await removeTrials(deps, { ws, app })
    if (late.length > 0) await deps.db.write(late, { retry: true })
    return
  }
  await requireMatch(deps, { ws, app, match })
  throw changedMeanwhile(app)
}

/**
 * Reads what a draft deploys: its files and those that it carries.
 * @param given used instead of the saved files
 * @throws {AppError} not_found; unprocessable
 */
export const readDraftFiles = async (
  deps: Pick<Deps, 'db'>,
  { ws, app, match = null }: Pick<DraftAct, 'ws' | 'app'> & Partial<MatchedAct>,
  given?: TextFiles,
): Promise<AppFiles> => {
  const draft = await requireMatch(deps, { ws, app, match })
  const carried = [...draft.carried].map(([path, sha256]) => ({ path, sha256 }))
  return toAppFiles(given ?? draft.files, await loadSources(deps, carried))
}

/** A draft deploys its own app alone. */
export const refuseOtherKey =
  (app: string) =>
  (key: string): AppError | null =>
    key === app
      ? null
      : unprocessable(`The draft of "${app}" has another key.`, {
          code: 'bad_manifest',
          details: [{ path: 'key', message: `The manifest has "${key}". Write "${app}".` }],
        })

export type CheckedDraft = Readonly<{
  /** Faults of manifest and code, with file, line and message; empty if it may be deployed. */
  faults: readonly ErrorDetail[]
  /** Differences from what runs now; null while there are faults. */
  changes: DeploymentChanges | null
  /** What would be deployed but fail; absent if there are none. */
  warnings?: readonly ErrorDetail[]
}>

/**
 * Finds what a deploy of the draft would refuse, and what it would change; writes nothing.
 * @throws {AppError} not_found
 */
export const checkDraft = async (
  deps: Pick<Deps, 'manifests'> & PackageDeps,
  { ws, app, mayDeploy }: Pick<DraftAct, 'ws' | 'app'> & Readonly<{ mayDeploy: boolean }>,
): Promise<CheckedDraft> => {
  try {
    const files = await readDraftFiles(deps, { ws, app })
    const policy = await deployPolicyOf(deps, ws)
    const next = await readApp(deps, {
      ws,
      files,
      policy,
      fetchPackages: () => packagesOfApp(deps, ws, files, mayDeploy),
      refuseKey: refuseOtherKey(app),
    })
    const changes = await compareWithRunning(deps, { ws, app }, next)
    // which variables exist is not for callers who may not deploy
    const warnings = mayDeploy ? await findDeployWarnings(deps, ws, next) : warningsOf(next)
    return { faults: [], changes, ...(warnings.length === 0 ? {} : { warnings }) }
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== 'unprocessable') throw error
    const { details = [], message } = error
    const faults = details.length === 0 ? [{ path: 'app.yaml', message }] : details
    return { faults, changes: null }
  }
}

/**
 * Deploys a draft; the draft stays for further work.
 * @throws {AppError} not_found; precondition_failed; unprocessable: manifest or code, with file, line and message of each fault
 */
export const deployDraft = async (
  deps: DraftDeployDeps,
  { ws, app, actor, match, admitLate }: MatchedAct & Readonly<{ admitLate: AdmitLate }>,
  message: string | null,
): Promise<Deployed> => {
  const files = await readDraftFiles(deps, { ws, app, match })
  return deployApp(deps, {
    ws,
    files,
    refuseKey: refuseOtherKey(app),
    source: 'draft',
    commit: null,
    gitSourceId: null,
    message,
    actor,
    admitLate,
  })
}
