/**
 * Credentials with which commands call a server: `SVC_URL` and `SVC_TOKEN`, else those that `svc login` has
 * saved in `~/.svc/credentials.json` [functions 15.2].
 */
import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { remoteEnvironment } from '#config/remote-environment.ts'
import { AppError, invalid } from '#core/error.ts'
import { parseJsonOrNull } from '#core/json/value.ts'
import { makeFolder } from '#disk/make-folder.ts'

export const DEFAULT_ENDPOINT = 'http://localhost:3000'

const credentials = z.object({ endpoint: z.url(), token: z.string().min(1) })
export type Credentials = z.infer<typeof credentials>

const credentialsPath = (): string => join(homedir(), '.svc', 'credentials.json')

const notLoggedIn = (): AppError =>
  new AppError(
    'unauthenticated',
    'Not logged in. Run `svc login`, or set SVC_TOKEN (and SVC_URL for another server).',
  )

const otherServer = (saved: string, endpoint: string): AppError =>
  new AppError(
    'unauthenticated',
    `Not logged in to ${endpoint}. The saved login is for ${saved}, and its token is sent to no other server. Set SVC_TOKEN too, or run \`svc login ${endpoint}\`.`,
  )

/** @throws {AppError} invalid: the text is not the address of a server */
const checked = (url: string): string => {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url
  throw invalid(
    `SVC_URL must be the address of a server, such as ${DEFAULT_ENDPOINT}, not "${url}".`,
  )
}

const withoutSlash = (address: string): string => address.replace(/\/+$/, '')

const readSaved = (): Credentials | null => {
  let text: string
  try {
    text = readFileSync(credentialsPath(), 'utf8')
  } catch {
    return null
  }
  const parsed = credentials.safeParse(parseJsonOrNull(text))
  if (parsed.success) return parsed.data
  throw new AppError(
    'unauthenticated',
    `${credentialsPath()} cannot be read. Run \`svc login\` again.`,
  )
}

const urlOf = (): string | undefined => {
  const { url } = remoteEnvironment()
  return url === undefined ? undefined : checked(url)
}

/** The server that commands call. @throws {AppError} unauthenticated: the saved credentials cannot be read */
export const findEndpoint = (): string =>
  withoutSlash(urlOf() ?? readSaved()?.endpoint ?? DEFAULT_ENDPOINT)

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/

/** The origin of an endpoint. The names of this machine count as one. */
const serverOf = (endpoint: string): string => {
  const { protocol, hostname, port } = new URL(endpoint)
  return `${protocol}//${LOOPBACK.test(hostname) ? 'localhost' : hostname}:${port}`
}

/** Whether a person has logged in, or set a token. */
export const hasCredentials = (): boolean => {
  try {
    loadCredentials()
    return true
  } catch {
    // whatever is wrong with them, `svc login` repairs it
    return false
  }
}

/** @throws {AppError} unauthenticated: there are none for the server that SVC_URL names */
export const loadCredentials = (): Credentials => {
  const { token } = remoteEnvironment()
  const url = urlOf()
  const saved = token === undefined || url === undefined ? readSaved() : null
  const endpoint = withoutSlash(url ?? saved?.endpoint ?? DEFAULT_ENDPOINT)
  if (token !== undefined) return { endpoint, token }
  if (saved === null) throw notLoggedIn()
  if (serverOf(saved.endpoint) !== serverOf(endpoint)) {
    throw otherServer(saved.endpoint, endpoint)
  }
  return { endpoint, token: saved.token }
}

/** Writes the file atomically, readable by this user only. @returns its path */
export const saveCredentials = (made: Credentials): string => {
  const path = credentialsPath()
  makeFolder(dirname(path), 0o700)
  const text = `${JSON.stringify({ ...made, endpoint: withoutSlash(made.endpoint) }, null, 2)}\n`
  writeFileSync(`${path}.new`, text, { mode: 0o600 })
  chmodSync(`${path}.new`, 0o600)
  renameSync(`${path}.new`, path)
  return path
}

/** Removes the saved credentials and returns them; null if there are none. */
export const forgetCredentials = (): Credentials | null => {
  const saved = readSaved()
  rmSync(credentialsPath(), { force: true })
  return saved
}
