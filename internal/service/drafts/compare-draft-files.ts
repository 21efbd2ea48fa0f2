/** Compares the files of a draft with those that run now, for the plan before a deployment; writes nothing. */
import { createHash } from 'node:crypto'
import { isVendored } from '#bundle/app-files.ts'
import type { AppAddress } from '#core/app-address.ts'
import { compareFiles, type FileChange } from '#core/deploy/file-changes.ts'
import { limit } from '#core/limit.ts'
import { findApp } from '#store/apps/apps.ts'
import { loadSources } from '../deploy/keep-sources.ts'
import {
  type FileHashes,
  findRunningFiles,
  type RunningFiles,
  textOf,
} from '../deploy/running-files.ts'
import type { Deps } from '../deps.ts'
import { createPace } from '../portions/pace.ts'
import { type DraftWithFiles, requireDraft } from './manage-draft.ts'

const MAX_TEXTS = limit(
  'app.draft_diff_files',
  300,
  'items',
  'Changed files of a draft whose text the comparison with what runs answers.',
)
const MAX_TEXT_BYTES = limit(
  'app.draft_diff_file_bytes',
  256 * 1_024,
  'bytes',
  'A changed file of a draft whose text the comparison with what runs answers.',
)
const MAX_ALL_BYTES = limit(
  'app.draft_diff_bytes',
  4 * 1_024 * 1_024,
  'bytes',
  'All text that the comparison of a draft with what runs answers.',
)

type CompareDeps = Pick<Deps, 'db'>

export type DraftFileChange = FileChange &
  Readonly<{
    /** Null for a new file, one that is not text, and one beyond the limits. */
    before: string | null
    /** Null for a removed file, one that is not text, and one beyond the limits. */
    after: string | null
  }>

const hashOf = (content: Uint8Array | string): string =>
  createHash('sha256').update(content).digest('hex')

/** Leaves out installed packages, which are not the work of the draft's author. */
const ownHashes = (hashes: Iterable<readonly [string, string]>): FileHashes =>
  new Map([...hashes].filter(([path]) => !isVendored(path)))

const hashAll = async (
  files: Iterable<readonly [string, Uint8Array | string]>,
): Promise<readonly (readonly [string, string])[]> => {
  const pace = createPace()
  const hashes: (readonly [string, string])[] = []
  for (const [path, content] of files) {
    hashes.push([path, hashOf(content)])
    await pace(content.length)
  }
  return hashes
}

const hashesOfDraft = async ({ files, carried }: DraftWithFiles): Promise<FileHashes> =>
  ownHashes([...carried, ...(await hashAll(files))])

const hashesOfRunning = async ({ hashes, own }: RunningFiles): Promise<FileHashes> =>
  ownHashes([...hashes, ...(await hashAll(own))])

const NOTHING: RunningFiles = { hashes: new Map(), own: new Map() }

/** Returns the files that differ, by path. @throws {AppError} not_found; unprocessable `sources_not_kept` */
export const compareDraftFiles = async (
  deps: CompareDeps,
  { ws, app }: AppAddress,
): Promise<readonly DraftFileChange[]> => {
  const draft = await requireDraft(deps, ws, app)
  const current = await findApp(deps.db, ws, app)
  const running = (current === null ? null : await findRunningFiles(deps, current)) ?? NOTHING
  const changes = compareFiles(await hashesOfRunning(running), await hashesOfDraft(draft))
  const shown = changes.slice(0, MAX_TEXTS).map(({ path }) => path)
  const before = await textsOfRunning(deps, running, shown)
  const after = new Map(draft.files)
  let rest = MAX_ALL_BYTES
  return changes.map((change, at) => {
    const texts = [before.get(change.path) ?? null, after.get(change.path) ?? null] as const
    const sizes = texts.map((text) => Buffer.byteLength(text ?? ''))
    const all = sizes.reduce((sum, size) => sum + size, 0)
    const isShown = at < MAX_TEXTS && all <= rest && sizes.every((size) => size <= MAX_TEXT_BYTES)
    if (!isShown) return { ...change, before: null, after: null }
    rest -= all
    return { ...change, before: texts[0], after: texts[1] }
  })
}

const textsOfRunning = async (
  deps: CompareDeps,
  { hashes, own }: RunningFiles,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string | null>> => {
  const wanted = paths.flatMap((path) => {
    const sha256 = own.has(path) ? undefined : hashes.get(path)
    return sha256 === undefined ? [] : [{ path, sha256 }]
  })
  const contents = new Map([...(await loadSources(deps, wanted)), ...own])
  return new Map([...contents].map(([path, bytes]) => [path, textOf(bytes)]))
}
