/**
 * Bare repositories that clients push to, one per app, below the data directory of this server. The database has the
 * authoritative refs and packs; these are copies, which a server updates before git uses them.
 */

import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AppAddress } from '#core/app-address.ts'
import { AppError, unavailable } from '#core/error.ts'
import { limit } from '#core/limit.ts'
import { makeFolder } from '#disk/make-folder.ts'
import { openSnapshot, packedBytes, type Snapshot } from './fetch-branch.ts'
import { GIT_MEMORY, type GitOutcome, runGit } from './run-git.ts'

export type PushFolder = Readonly<{
  root: string
  /** Packed bytes of one push. */
  maxBytes: number
  /** The PATH of programs; git gets no other environment variable of this process. */
  path: string
}>

export const DEFAULT_BRANCH = 'refs/heads/main'

/** Milliseconds. As long as a push may take, because it includes indexing a large pack. */
const TIMEOUT_MS = 600_000
const MAX_OUTPUT_BYTES = 4 * 1_024 * 1_024
const MAX_STORED_BYTES = limit(
  'push.repository',
  1_024 * 1_024 * 1_024,
  'bytes',
  'Repository of an app that is pushed to, packed. More: 413 for the next push.',
)

/** It passes the refs to the server through descriptor 3, and shows the server's response. */
const PRE_RECEIVE = `#!/bin/sh
{ printf '%s\\n' "$GIT_OBJECT_DIRECTORY" && cat && printf 'end\\n'; } >&3 || exit 1
while IFS= read -r line <&3; do
  case $line in
    accept) exit 0 ;;
    refuse) exit 1 ;;
    *) printf '%s\\n' "\${line#=}" ;;
  esac
done
printf 'The server stopped before it accepted the push.\\n'
exit 1
`

const hooksOf = ({ root }: PushFolder): string => join(root, 'hooks')
const markOf = (repository: string): string => join(repository, 'svc-app')

export const repositoryOf = ({ root }: PushFolder, { ws, app }: AppAddress): string =>
  join(root, 'repositories', ws, `${app}.git`)

/** Writes the hook; nothing that a client sends can change it. */
export const writeHooks = (folder: PushFolder): void => {
  const hooks = hooksOf(folder)
  makeFolder(hooks, 0o700)
  const path = join(hooks, 'pre-receive')
  writeFileSync(path, PRE_RECEIVE, { mode: 0o700 })
  chmodSync(path, 0o700)
}

/** The whole environment of git for pushed repositories, which includes its only configuration. */
export const pushEnvironment = (folder: PushFolder): Readonly<Record<string, string>> => {
  const settings: readonly (readonly [string, string])[] = [
    ['core.hooksPath', hooksOf(folder)],
    ['core.fsmonitor', 'false'],
    ['core.bigFileThreshold', '8m'],
    ['gc.auto', '0'],
    ['maintenance.auto', 'false'],
    // each thread unpacks objects in memory
    ['pack.threads', '1'],
    ['http.receivepack', 'true'],
    ['receive.autogc', 'false'],
    ['receive.fsckObjects', 'true'],
    ['receive.maxInputSize', String(folder.maxBytes)],
    ['receive.denyDeleteCurrent', 'true'],
    ['transfer.unpackLimit', '1'],
  ]
  const entries = settings.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ])
  return {
    ...GIT_MEMORY,
    PATH: folder.path,
    HOME: folder.root,
    LC_ALL: 'C',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(entries),
  }
}

type PushGit = Readonly<{
  env?: Readonly<Record<string, string>>
  /** Text for stdin. */
  input?: string
}>

/** Runs git with the configuration of pushed repositories. @throws {AppError} unavailable */
export const runPushGit = (
  folder: PushFolder,
  args: readonly string[],
  { env = {}, input = '' }: PushGit = {},
): Promise<GitOutcome> =>
  runGit({
    args,
    env: { ...pushEnvironment(folder), ...env },
    folder: folder.root,
    network: false,
    timeoutMs: TIMEOUT_MS,
    maxOutputBytes: MAX_OUTPUT_BYTES,
    input,
  })

/** Identifies a copy's state: the id of the repository, and the last push in it; null if pushes may be missing. */
export type Mark = Readonly<{ id: string; pushId: string | null }>

/** Returns null for a copy whose state is unknown. */
export const readMark = (repository: string): Mark | null => {
  try {
    const [id = '', pushId = null] = readFileSync(markOf(repository), 'utf8').split(' ')
    return { id, pushId }
  } catch {
    return null
  }
}

/** Records the state of a copy. */
export const writeMark = (repository: string, { id, pushId }: Mark): void =>
  writeFileSync(markOf(repository), pushId === null ? id : `${id} ${pushId}`, { mode: 0o600 })

/**
 * Creates the repository if there is none, and replaces one with another id, which belongs to a deleted app of the same key.
 * @throws {AppError} unavailable
 */
export const prepareRepository = async (
  folder: PushFolder,
  name: AppAddress,
  id: string | null,
): Promise<void> => {
  const repository = repositoryOf(folder, name)
  const mark = readMark(repository)
  if (mark !== null && mark.id !== id) removeCopy(repository)
  await initRepository(folder, repository)
}

/**
 * Prepares the repository that a client sees before the first push of an app.
 * @throws {AppError} unavailable
 */
export const prepareEmptyRepository = async (folder: PushFolder): Promise<string> => {
  const repository = join(folder.root, 'empty.git')
  await initRepository(folder, repository)
  return repository
}

/** Deletes the copy of a repository. */
export const removeCopy = (repository: string): void =>
  rmSync(repository, { recursive: true, force: true })

/** Deletes the locks of a git that was killed, which would refuse every later change. No git may change the copy meanwhile. */
export const removeLocks = (repository: string): void => {
  const refs = join(repository, 'refs')
  const names = existsSync(refs) ? readdirSync(refs, { recursive: true, encoding: 'utf8' }) : []
  const paths = ['HEAD', 'packed-refs'].map((name) => join(repository, `${name}.lock`))
  paths.push(...names.filter((name) => name.endsWith('.lock')).map((name) => join(refs, name)))
  for (const path of paths) rmSync(path, { force: true })
}

const COPY = /^(.+)\.git$/

/** The apps of a workspace of whose repositories this server has copies. */
export const listCopies = ({ root }: PushFolder, ws: string): readonly string[] => {
  const place = join(root, 'repositories', ws)
  const names = existsSync(place) ? readdirSync(place) : []
  return names.flatMap((name) => COPY.exec(name)?.[1] ?? [])
}

/** @throws {AppError} unavailable: the disk is full */
const initRepository = async (folder: PushFolder, repository: string): Promise<void> => {
  if (existsSync(join(repository, 'HEAD'))) return
  makeFolder(repository, 0o700)
  const flags = ['--bare', '--quiet', '--template=', '--initial-branch=main']
  const { code, stderr } = await runPushGit(folder, ['init', ...flags, '--', repository])
  if (code === 0) return
  if (stderr.includes('No space left on device')) {
    throw unavailable('The disk of this server is full. Free some space, and push again.')
  }
  throw new Error(`git init failed: ${stderr}`)
}

/** @throws {AppError} too_large: the repository takes no more pushes */
export const requireRoom = (repository: string): void => {
  if (packedBytes(repository) <= MAX_STORED_BYTES) return
  throw new AppError('too_large', 'The repository of this app has reached its maximum size.', {
    code: 'repository_too_large',
  })
}

/** The environment that lets git see the objects of a push before it has accepted them. @param objects their folder */
export const quarantineOf = (
  repository: string,
  objects: string,
): Readonly<Record<string, string>> => ({
  GIT_OBJECT_DIRECTORY: objects,
  GIT_ALTERNATE_OBJECT_DIRECTORIES: join(repository, 'objects'),
})

/** Opens a commit of a push before git has accepted it. @throws {AppError} unprocessable */
export const openPushed = (
  folder: PushFolder,
  repository: string,
  { objects, commit }: Readonly<{ objects: string; commit: string }>,
): Promise<Snapshot> => {
  const env = { ...pushEnvironment(folder), ...quarantineOf(repository, objects) }
  const session = { folder: folder.root, env, dispose: () => undefined }
  return openSnapshot(session, repository, {}, commit)
}
