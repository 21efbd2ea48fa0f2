/** Bare repositories that clients push to, one for each app, below the data directory of this server. */
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '#core/error.ts'
import { limit } from '#core/limit.ts'
import { openSnapshot, packedBytes, type Snapshot } from './fetch-branch.ts'
import { type GitOutcome, runGit } from './run-git.ts'

export type RepositoryName = Readonly<{ ws: string; app: string }>

export type PushFolder = Readonly<{
  root: string
  /** Packed bytes of one push. */
  maxBytes: number
  /** Where programs are; git gets nothing else of this process's environment. */
  path: string
}>

export const DEFAULT_BRANCH = 'refs/heads/main'

const READ_TIMEOUT_MS = 60_000
const MAX_REFS_BYTES = 4 * 1_024 * 1_024
const MAX_STORED_BYTES = limit(
  'push.repository',
  1_024 * 1_024 * 1_024,
  'bytes',
  'Repository of an app that is pushed to, packed. More: 413 for the next push.',
)

/** It passes the refs to the server through descriptor 3, and shows what the server answers. */
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

export const repositoryOf = ({ root }: PushFolder, { ws, app }: RepositoryName): string =>
  join(root, 'repositories', ws, `${app}.git`)

/** Writes the hook; nothing that a client sends can change it. */
export const writeHooks = (folder: PushFolder): void => {
  const hooks = hooksOf(folder)
  mkdirSync(hooks, { recursive: true, mode: 0o700 })
  const path = join(hooks, 'pre-receive')
  writeFileSync(path, PRE_RECEIVE, { mode: 0o700 })
  chmodSync(path, 0o700)
}

/** The whole environment of git for pushed repositories: no configuration but this. */
export const pushEnvironment = (folder: PushFolder): Readonly<Record<string, string>> => {
  const settings: readonly (readonly [string, string])[] = [
    ['core.hooksPath', hooksOf(folder)],
    ['core.fsmonitor', 'false'],
    ['core.bigFileThreshold', '8m'],
    ['gc.auto', '0'],
    ['maintenance.auto', 'false'],
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

const git = (
  folder: PushFolder,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<GitOutcome> =>
  runGit({
    args,
    env: { ...pushEnvironment(folder), ...env },
    folder: folder.root,
    network: false,
    timeoutMs: READ_TIMEOUT_MS,
    maxOutputBytes: MAX_REFS_BYTES,
  })

const readMark = (repository: string): string | null => {
  try {
    return readFileSync(markOf(repository), 'utf8')
  } catch {
    return null
  }
}

/** Whether the repository is of this app, and not of a deleted one of the same key. */
export const isOfApp = (repository: string, mark: string | null): boolean =>
  mark !== null && readMark(repository) === mark

/** Records whose repository it is. */
export const markRepository = (repository: string, mark: string): void =>
  writeFileSync(markOf(repository), mark, { mode: 0o600 })

/**
 * Creates the repository where there is none, and replaces one that a deleted app of the same key left.
 * @param mark of the app; null if there is no such app yet
 * @throws {AppError} unavailable, too_large
 */
export const prepareRepository = async (
  folder: PushFolder,
  name: RepositoryName,
  mark: string | null,
): Promise<void> => {
  const repository = repositoryOf(folder, name)
  const held = readMark(repository)
  if (held !== null && held !== mark) rmSync(repository, { recursive: true, force: true })
  if (existsSync(join(repository, 'HEAD'))) {
    if (packedBytes(repository) <= MAX_STORED_BYTES) return
    throw new AppError('too_large', 'The repository of this app has reached its largest size.', {
      code: 'repository_too_large',
    })
  }
  mkdirSync(repository, { recursive: true, mode: 0o700 })
  const flags = ['--bare', '--quiet', '--template=', '--initial-branch=main']
  const { code, stderr } = await git(folder, ['init', ...flags, '--', repository])
  if (code !== 0) throw new Error(`git init failed: ${stderr}`)
}

/** The object id of each ref. */
export const readRefs = async (
  folder: PushFolder,
  repository: string,
): Promise<ReadonlyMap<string, string>> => {
  const format = '--format=%(refname) %(objectname)'
  const { code, stdout } = await git(folder, ['--git-dir', repository, 'for-each-ref', format])
  if (code !== 0) throw new Error('The refs of a pushed repository could not be read.')
  const lines = new TextDecoder().decode(stdout).split('\n')
  return new Map(
    lines.flatMap((line) => {
      const [ref = '', oid = ''] = line.split(' ')
      return oid === '' ? [] : [[ref, oid]]
    }),
  )
}

/** Opens a commit that a push brings, before git has accepted it. @throws {AppError} unprocessable */
export const openPushed = (
  folder: PushFolder,
  repository: string,
  { objects, commit }: Readonly<{ objects: string; commit: string }>,
): Promise<Snapshot> => {
  const env = {
    ...pushEnvironment(folder),
    GIT_OBJECT_DIRECTORY: objects,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: join(repository, 'objects'),
  }
  const session = { folder: folder.root, env, dispose: () => undefined }
  return openSnapshot(session, repository, { environment: {} }, commit)
}
