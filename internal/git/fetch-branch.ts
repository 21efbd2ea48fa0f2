/** Fetches one commit into a bare repository and reads files from it; nothing is ever checked out. */

import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { MIB } from '#core/byte-units.ts'
import { type AppError, unprocessable } from '#core/error.ts'
import { limit } from '#core/limit.ts'
import { explainFailure, unreachable } from './failure.ts'
import {
  type RemoteOptions,
  type RemoteTarget,
  runAgainstRemote,
  TIMEOUT_MS,
} from './run-against-remote.ts'
import { type GitOutcome, runGit } from './run-git.ts'
import type { Session } from './session.ts'
import { parseBatch, parseTree, type TakeTurn, type TreeFile } from './tree.ts'

/** One fetched commit; the caller must dispose of it. */
export type Snapshot = Readonly<{
  commit: string
  /** Lists plain files below a folder, with paths relative to it; empty when the folder does not exist. */
  list: (folder: string, takeTurn: TakeTurn) => Promise<readonly TreeFile[]>
  /** Reads contents, in the order of `files`. */
  read: (files: readonly TreeFile[], takeTurn: TakeTurn) => Promise<readonly Uint8Array[]>
  dispose: () => void
}>

export type FetchOptions = RemoteOptions &
  Readonly<{
    /** Packed bytes that a fetch may transfer. @default 256 MiB */
    maxRepositoryBytes?: number
  }>

const MAX_REPOSITORY_BYTES = limit(
  'git.repository',
  256 * 1_024 * 1_024,
  'bytes',
  'Repository of a git source, as fetched.',
)
/** Bytes of the list of a commit's files, and of what a fetch prints. */
const MAX_LISTING_BYTES = 16 * MIB
/** Bytes: the maximum content of an app plus headers between the files. */
const MAX_CONTENT_BYTES = 24 * MIB

/** Size of a repository's packs. */
export const packedBytes = (repository: string): number => {
  const folder = join(repository, 'objects', 'pack')
  try {
    return readdirSync(folder).reduce(
      (sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
      0,
    )
  } catch {
    // git has not created it yet
    return 0
  }
}

/**
 * Fetches the newest commit of a branch.
 * @param branch null for the remote's default
 * @throws {AppError} bad_gateway, unprocessable
 */
export const fetchBranch = async (
  options: FetchOptions,
  target: RemoteTarget,
  branch: string | null,
): Promise<Snapshot> => {
  const flags = ['--bare', '--quiet', '--depth=1', '--single-branch', '--no-tags', '--no-local']
  const chosen = branch === null ? [] : [`--branch=${branch}`]
  const maxBytes = options.maxRepositoryBytes ?? MAX_REPOSITORY_BYTES
  const { session, outcome } = await runAgainstRemote(options, target, ({ text }, { folder }) => {
    const repository = join(folder, 'repository')
    return {
      args: ['clone', ...flags, '--template=', ...chosen, '--', text, repository],
      maxOutputBytes: MAX_LISTING_BYTES,
      isTooLarge: () => packedBytes(repository) > maxBytes,
    }
  })
  try {
    if (outcome.stopped === 'size') throw packTooLarge(maxBytes)
    if (outcome.code !== 0) throw toFetchError(outcome, branch)
    const repository = join(session.folder, 'repository')
    if (packedBytes(repository) > maxBytes) throw packTooLarge(maxBytes)
    return await openSnapshot(session, repository, { ...options, signal: target.signal })
  } catch (error) {
    session.dispose()
    throw error
  }
}

const packTooLarge = (maxBytes: number): AppError =>
  unprocessable(
    `The newest commit of the repository takes more than ${toMib(maxBytes)} MiB. Remove large files, or keep them elsewhere.`,
    { code: 'repository_too_large' },
  )

const toMib = (bytes: number): number => Math.ceil(bytes / MIB)

const toFetchError = (outcome: GitOutcome, branch: string | null): AppError => {
  if (/Remote branch .* not found/.test(outcome.stderr)) {
    return unprocessable(`The git source has no branch "${branch}".`, {
      code: 'branch_not_found',
    })
  }
  return unreachable(explainFailure(outcome))
}

/** @param tooLong for a run that printed too much */
const requireUnstopped = (outcome: GitOutcome, tooLong: AppError): void => {
  if (outcome.stopped === 'output') throw tooLong
  if (outcome.stopped !== null) throw unreachable(explainFailure(outcome))
}

/** Opens one commit of a repository on this machine. @throws {AppError} unprocessable `empty_repository` */
export const openSnapshot = async (
  session: Session,
  repository: string,
  {
    timeoutMs = TIMEOUT_MS,
    confine,
    signal,
  }: Pick<FetchOptions, 'timeoutMs' | 'confine'> & Pick<RemoteTarget, 'signal'>,
  revision = 'HEAD',
): Promise<Snapshot> => {
  const run = (args: readonly string[], maxOutputBytes: number, input = ''): Promise<GitOutcome> =>
    runGit({
      args: ['--git-dir', repository, ...args],
      env: session.env,
      folder: session.folder,
      network: false,
      confine,
      timeoutMs,
      signal,
      maxOutputBytes,
      input,
    })
  const head = await run(['rev-parse', '--verify', '--quiet', `${revision}^{commit}`], 1_024)
  const commit = new TextDecoder().decode(head.stdout).trim()
  if (head.code !== 0 || commit === '') {
    throw unprocessable(
      'The git source has no commit on its default branch. Push one, or name a branch.',
      {
        code: 'empty_repository',
      },
    )
  }
  return {
    commit,
    list: async (folder, takeTurn) => {
      const listed = await run(
        ['ls-tree', '-r', '-z', '-l', `${commit}:${folder}`],
        MAX_LISTING_BYTES,
      )
      requireUnstopped(
        listed,
        unprocessable(
          `The list of the repository's files takes more than ${toMib(MAX_LISTING_BYTES)} MiB. Keep apps in a smaller folder or repository.`,
          { code: 'repository_too_large' },
        ),
      )
      return listed.code === 0 ? await parseTree(listed.stdout, takeTurn) : []
    },
    read: async (files, takeTurn) => {
      const oids = files.map(({ oid }) => `${oid}\n`).join('')
      const answered = await run(['cat-file', '--batch'], MAX_CONTENT_BYTES, oids)
      requireUnstopped(
        answered,
        unprocessable(
          `The files of an app take more than ${toMib(MAX_CONTENT_BYTES)} MiB. Remove large files, or keep them elsewhere.`,
          { code: 'repository_too_large' },
        ),
      )
      return await parseBatch(answered.stdout, files.length, takeTurn)
    },
    dispose: session.dispose,
  }
}
