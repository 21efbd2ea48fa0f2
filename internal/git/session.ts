/**
 * The environment of one git operation: a temporary folder, settings that disable git's unsafe features, and the credentials.
 * Credentials reach git in files that only this user can read, never in arguments.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { GitAddress } from './address.ts'
import { GIT_MEMORY } from './run-git.ts'
import { makeSessionFolder } from './session-folder.ts'

export type GitAuth =
  | Readonly<{ type: 'token'; token: string; username?: string | undefined }>
  | Readonly<{ type: 'ssh_key'; private_key: string; known_hosts?: string | undefined }>

export type Session = Readonly<{
  folder: string
  env: Readonly<Record<string, string>>
  dispose: () => void
}>

export type SessionOptions = Readonly<{
  address: GitAddress
  auth: GitAuth | null
  /** The checked address of the host; null if git resolves the name itself. */
  pin: string | null
  /** PATH, and the operator's proxy and certificate settings. */
  environment: Readonly<Record<string, string>>
}>

const CONNECT_TIMEOUT_S = 15

/** The complete configuration: git reads neither the system's nor the user's. */
const BASE_CONFIG = `
[core]
  hooksPath = /dev/null
  fsmonitor = false
  symlinks = false
  # larger files are never held in memory
  bigFileThreshold = 8m
[credential]
  helper =
[submodule]
  recurse = false
[gc]
  auto = 0
[pack]
  # each thread unpacks objects in memory
  threads = 1
[http]
  # svc follows redirects itself and checks each
  followRedirects = false
  lowSpeedLimit = 1000
  lowSpeedTime = 20
`

const quote = (value: string): string =>
  `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

/** Returns the Authorization header of a token; the user name defaults to `x-access-token`. */
export const basicAuthorization = (auth: Extract<GitAuth, { type: 'token' }>): string =>
  `Basic ${Buffer.from(`${auth.username ?? 'x-access-token'}:${auth.token}`).toString('base64')}`

const httpConfig = ({ address, auth, pin }: SessionOptions): string => {
  if (address.scheme !== 'https' && address.scheme !== 'http') return ''
  const port = address.port ?? (address.scheme === 'https' ? 443 : 80)
  const shown = pin?.includes(':') ? `[${pin}]` : pin
  const lines = [
    ...(pin === null || pin === address.host
      ? []
      : [`curloptResolve = ${quote(`${address.host}:${port}:${shown}`)}`]),
    ...(auth?.type === 'token'
      ? [`extraHeader = ${quote(`Authorization: ${basicAuthorization(auth)}`)}`]
      : []),
  ]
  return lines.length === 0 ? '' : `[http]\n  ${lines.join('\n  ')}\n`
}

/** Builds the ssh command without the user's own configuration, agent and keys. */
const sshCommand = (folder: string, { auth, address, pin }: SessionOptions): string => {
  const options = [
    'BatchMode=yes',
    'IdentitiesOnly=yes',
    'IdentityAgent=none',
    'PasswordAuthentication=no',
    'KbdInteractiveAuthentication=no',
    'ForwardAgent=no',
    `ConnectTimeout=${CONNECT_TIMEOUT_S}`,
    `UserKnownHostsFile='${join(folder, 'known_hosts')}'`,
    'GlobalKnownHostsFile=/dev/null',
    `IdentityFile='${auth?.type === 'ssh_key' ? join(folder, 'key') : 'none'}'`,
  ]
  const known = auth?.type === 'ssh_key' ? auth.known_hosts : undefined
  options.push(`StrictHostKeyChecking=${known === undefined ? 'accept-new' : 'yes'}`)
  if (pin !== null && pin !== address.host) {
    options.push(`HostName=${pin}`, `HostKeyAlias=${address.host}`)
  }
  return ['ssh', '-F', '/dev/null', ...options.flatMap((option) => ['-o', option])].join(' ')
}

/** Returns the key as ssh reads it: it refuses line ends of Windows, and spaces around a line. */
const toKeyFile = (key: string): string => {
  const lines = key.trim().split('\n')
  return lines.map((line) => `${line.trim()}\n`).join('')
}

const writeFiles = (folder: string, options: SessionOptions): void => {
  const { address, auth } = options
  const secret = { mode: 0o600 } as const
  const owner = address.scheme === 'file' ? ANY_OWNER : ''
  writeFileSync(join(folder, 'config'), BASE_CONFIG + httpConfig(options) + owner, secret)
  if (auth?.type === 'ssh_key') {
    writeFileSync(join(folder, 'key'), toKeyFile(auth.private_key), secret)
    writeFileSync(join(folder, 'known_hosts'), auth.known_hosts ?? '', secret)
  }
  mkdirSync(join(folder, 'home'))
}

/** Opens a session. The caller must dispose of it, because its folder contains the credentials. */
export const openSession = (options: SessionOptions): Session => {
  const { address, environment } = options
  const folder = makeSessionFolder()
  const dispose = (): void => rmSync(folder, { recursive: true, force: true })
  try {
    writeFiles(folder, options)
  } catch (error) {
    // a full disk has room for the folder, but not for its files
    dispose()
    throw error
  }
  return {
    folder,
    env: {
      ...environment,
      ...GIT_MEMORY,
      HOME: join(folder, 'home'),
      LC_ALL: 'C',
      GIT_ALLOW_PROTOCOL: address.scheme,
      GIT_CONFIG_GLOBAL: join(folder, 'config'),
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_ATTR_NOSYSTEM: '1',
      GIT_LFS_SKIP_SMUDGE: '1',
      GIT_TERMINAL_PROMPT: '0',
      GIT_SSH_COMMAND: sshCommand(folder, options),
      GIT_SSH_VARIANT: 'ssh',
      // a pinned git:// address has lost the host name, which virtual hosting needs
      ...(address.scheme === 'git' && address.host !== null
        ? { GIT_OVERRIDE_VIRTUAL_HOST: new URL(address.text).host || address.host }
        : {}),
    },
    dispose,
  }
}

/** Lets git read a repository of another owner, because the operator allowed its folder. */
const ANY_OWNER = '[safe]\n  directory = *\n'
