/**
 * Git, hardened against the repositories and addresses of strangers (design, Deploy and fetch inputs): no shell, `--`
 * before every address, no hooks, no links, no submodules, no system configuration, bounded time and size.
 *
 * It fails by AppError: bad_gateway `git_unreachable` when the remote does not answer, invalid when the address may not
 * be used.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { isAbsolute, join, relative } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { AppError, invalid } from '#core/error.ts'

export type GitLimits = Readonly<{
  /** Folders under which a source may be a local path. */
  localRoots: readonly string[]
}>

export type GitAuth =
  | Readonly<{ type: 'token'; token: string; username?: string | undefined }>
  | Readonly<{ type: 'ssh_key'; private_key: string }>

export type GitRemote = Readonly<{ url: string; auth: GitAuth | null }>

export type Probe = Readonly<{
  reachable: boolean
  branches: readonly string[]
  default_branch: string | null
  error?: string
}>

const TIMEOUT_MS = 60_000
const MAX_OUTPUT = 4 * 1_024 * 1_024
const SCHEMES = ['https:', 'http:', 'ssh:', 'git:'] as const
const SCP_FORM = /^[\w.-]+@[\w.-]+:(?!\/\/)[\w./~-]+$/
const BRANCH = /^(?![-/.])(?!.*(?:\.\.|@\{|\/\/|\.lock$))[\w./-]{1,200}$/

const refuse = (message: string): AppError => invalid(message, { code: 'url_not_allowed' })

/**
 * The address as git is given it.
 * @throws {AppError} invalid
 */
export const checkUrl = (url: string, { localRoots }: GitLimits): string => {
  if (/[\p{Cc}\s]/u.test(url) || url.startsWith('-'))
    throw refuse('The address of a git source holds no spaces and begins with no dash.')
  if (SCP_FORM.test(url)) return url
  if (url.startsWith('file:') || isAbsolute(url)) return checkLocalPath(url, localRoots)
  const parsed = URL.parse(url)
  if (parsed === null || !SCHEMES.some((scheme) => scheme === parsed.protocol)) {
    throw refuse(
      `A git source has an https, http, ssh or git address, not ${JSON.stringify(url.slice(0, 200))}.`,
    )
  }
  if (parsed.password !== '' || (parsed.username !== '' && parsed.protocol !== 'ssh:')) {
    throw refuse('Put credentials into `auth`, not into the address.')
  }
  return url
}

/** Links are resolved first, so that none leads out of the roots. */
const checkLocalPath = (url: string, roots: readonly string[]): string => {
  if (roots.length === 0) {
    throw refuse('Local paths are closed. The operator may open folders with SVC_GIT_LOCAL_ROOTS.')
  }
  try {
    const path = realpathSync(url.startsWith('file:') ? fileURLToPath(url) : url)
    const isInside = roots.some((root) => {
      const below = relative(realpathSync(root), path)
      return below === '' || (!below.startsWith('..') && !isAbsolute(below))
    })
    if (isInside) return path
  } catch {
    // told below: an outsider learns nothing of which paths exist
  }
  throw refuse('This path is not in a folder that SVC_GIT_LOCAL_ROOTS opens, or does not exist.')
}

type Secret = Readonly<{ env: Readonly<Record<string, string>>; dispose: () => void }>

/** Credentials reach git by its environment or a file that only this user reads, never by an argument. */
const prepareAuth = (auth: GitAuth | null): Secret => {
  if (auth === null) return { env: {}, dispose: () => undefined }
  if (auth.type === 'token') {
    const pair = Buffer.from(`${auth.username ?? 'x-access-token'}:${auth.token}`).toString(
      'base64',
    )
    return {
      env: {
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: 'http.extraHeader',
        GIT_CONFIG_VALUE_0: `Authorization: Basic ${pair}`,
      },
      dispose: () => undefined,
    }
  }
  const folder = mkdtempSync(join(tmpdir(), 'svc-git-key-'))
  const path = join(folder, 'key')
  writeFileSync(path, `${auth.private_key.trimEnd()}\n`, { mode: 0o600 })
  return {
    env: {
      GIT_SSH_COMMAND: `ssh -i '${path}' -o IdentitiesOnly=yes -o BatchMode=yes -o StrictHostKeyChecking=accept-new -o UserKnownHostsFile='${join(folder, 'known_hosts')}'`,
    },
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  }
}

const HARDENING = [
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'core.symlinks=false',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'protocol.allow=never',
  '-c',
  'protocol.https.allow=always',
  '-c',
  'protocol.http.allow=always',
  '-c',
  'protocol.ssh.allow=always',
  '-c',
  'protocol.git.allow=always',
  '-c',
  'protocol.file.allow=always',
  '-c',
  'safe.directory=*',
  '-c',
  'submodule.recurse=false',
  '-c',
  'filter.lfs.smudge=',
  '-c',
  'filter.lfs.required=false',
  '-c',
  'gc.auto=0',
  '-c',
  'http.followRedirects=initial',
  '-c',
  'http.lowSpeedLimit=1000',
  '-c',
  'http.lowSpeedTime=20',
] as const

type Outcome = Readonly<{ code: number | null; stdout: string; stderr: string }>

const runGit = (args: readonly string[], env: Readonly<Record<string, string>>): Promise<Outcome> =>
  new Promise((resolve, reject) => {
    const child = spawn('git', [...HARDENING, ...args], {
      env: {
        PATH: process.env.PATH ?? '/usr/bin:/bin',
        HOME: '/nonexistent',
        LC_ALL: 'C',
        GIT_TERMINAL_PROMPT: '0',
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_CONFIG_GLOBAL: '/dev/null',
        GIT_LFS_SKIP_SMUDGE: '1',
        GIT_ALLOW_PROTOCOL: 'https:http:ssh:git:file',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: TIMEOUT_MS,
      killSignal: 'SIGKILL',
    })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
      if (stdout.length > MAX_OUTPUT) child.kill('SIGKILL')
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-8_192)
    })
    child.once('error', (cause) =>
      reject(
        new AppError('unavailable', 'git could not be started. Install git on this machine.', {
          cause,
        }),
      ),
    )
    child.once('close', (code) => resolve({ code, stdout, stderr }))
  })

/** The last line that says what went wrong, without the address: it may hold what is not ours to repeat. */
const explain = ({ stderr }: Outcome): string => {
  const lines = stderr
    .split('\n')
    .filter((line) => /^(?:fatal|error|remote|ssh|Permission|Host)/i.test(line))
  return (lines.at(-1) ?? 'git gave no reason')
    .replace(/'[^']*:\/\/[^']*'/g, 'the address')
    .slice(0, 300)
}

const withAuth = async <T>(
  { auth }: GitRemote,
  act: (env: Readonly<Record<string, string>>) => Promise<T>,
): Promise<T> => {
  const secret = prepareAuth(auth)
  try {
    return await act(secret.env)
  } finally {
    secret.dispose()
  }
}

/** Asks the remote for its branches. @throws {AppError} invalid: the address may not be used */
export const probeRemote = async (remote: GitRemote, limits: GitLimits): Promise<Probe> => {
  const url = checkUrl(remote.url, limits)
  const outcome = await withAuth(remote, (env) =>
    runGit(['ls-remote', '--symref', '--', url, 'HEAD', 'refs/heads/*'], env),
  )
  if (outcome.code !== 0) {
    return { reachable: false, branches: [], default_branch: null, error: explain(outcome) }
  }
  const branches = [...outcome.stdout.matchAll(/\trefs\/heads\/(.+)$/gm)].map(
    ([, name]) => name ?? '',
  )
  const head = /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(outcome.stdout)?.[1] ?? null
  return { reachable: true, branches: branches.sort(), default_branch: head }
}

export type Checkout = Readonly<{ folder: string; commit: string; dispose: () => void }>

/**
 * Fetches one branch, newest commit only, into a new folder that the caller disposes of.
 * @throws {AppError} invalid, bad_gateway `git_unreachable`
 */
export const fetchBranch = async (
  remote: GitRemote,
  branch: string | null,
  limits: GitLimits,
): Promise<Checkout> => {
  const url = checkUrl(remote.url, limits)
  if (branch !== null && !BRANCH.test(branch)) throw invalid(`"${branch}" is no name of a branch.`)
  const folder = mkdtempSync(join(tmpdir(), 'svc-git-'))
  const dispose = (): void => rmSync(folder, { recursive: true, force: true })
  try {
    const chosen = branch === null ? [] : ['--branch', branch]
    const flags = [
      '--quiet',
      '--depth',
      '1',
      '--single-branch',
      '--no-tags',
      '--no-local',
      '--template=',
    ]
    const outcome = await withAuth(remote, (env) =>
      runGit(['clone', ...flags, ...chosen, '--', url, join(folder, 'checkout')], env),
    )
    if (outcome.code !== 0) {
      throw new AppError(
        'bad_gateway',
        `The git source could not be fetched: ${explain(outcome)}.`,
        {
          code: 'git_unreachable',
        },
      )
    }
    const head = await runGit(['-C', join(folder, 'checkout'), 'rev-parse', 'HEAD'], {})
    return { folder: join(folder, 'checkout'), commit: head.stdout.trim(), dispose }
  } catch (error) {
    dispose()
    throw error
  }
}
