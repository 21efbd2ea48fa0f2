/**
 * Which addresses and branch names git may be given. Pure: whether a host may be reached, or a folder read, is asked
 * elsewhere (network-guard.ts, local-path.ts).
 */

import { isAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type AppError, invalid } from '#core/error.ts'
import { limit } from '#core/limit.ts'

const SCHEMES = ['https', 'http', 'ssh', 'git', 'file'] as const
export type GitScheme = (typeof SCHEMES)[number]

export type GitAddress = Readonly<{
  scheme: GitScheme
  /** What git is given: the parsed form, so that git and we cannot read one text in two ways. */
  text: string
  /** Null: a path of this machine. */
  host: string | null
  /** Null: the scheme's own. */
  port: number | null
}>

/** `git@host:path`, which is ssh. */
const SCP_FORM = /^[a-z\d_][\w.-]*@([a-z\d](?:[a-z\d.-]*[a-z\d])?):(?!\/\/|-)[\w./~+-]+$/i
const SSH_USER = /^[a-z\d_][\w.-]*$/i

export const refuseAddress = (message: string): AppError =>
  invalid(message, { code: 'url_not_allowed' })

/** @throws {AppError} invalid `url_not_allowed` */
export const parseAddress = (url: string): GitAddress => {
  if (isAbsolute(url) && !/[\p{Cc}\\]/u.test(url)) {
    return { scheme: 'file', text: url, host: null, port: null }
  }
  if (/[\p{Cc}\s\\]/u.test(url) || url.startsWith('-')) {
    throw refuseAddress(
      'The address of a git source holds no spaces or backslashes and begins with no dash.',
    )
  }
  const scp = SCP_FORM.exec(url)
  if (scp !== null) return { scheme: 'ssh', text: url, host: scp[1] ?? '', port: null }
  const parsed = URL.parse(url)
  const scheme = SCHEMES.find((known) => `${known}:` === parsed?.protocol)
  if (parsed === null || scheme === undefined) {
    throw refuseAddress(
      `A git source has an https, http, ssh or git address, not ${JSON.stringify(url.slice(0, 200))}.`,
    )
  }
  return scheme === 'file' ? parseFileUrl(parsed) : parseRemoteUrl(parsed, scheme)
}

const parseFileUrl = (url: URL): GitAddress => {
  try {
    const path = fileURLToPath(url)
    // what was escaped may not say what the address itself may not
    if (path !== url.pathname) return parseAddress(path)
    return { scheme: 'file', text: path, host: null, port: null }
  } catch (cause) {
    throw invalid('A file address names a path of this machine, such as file:///srv/git/app.', {
      code: 'url_not_allowed',
      cause,
    })
  }
}

const parseRemoteUrl = (url: URL, scheme: GitScheme): GitAddress => {
  const { username, password, hostname } = url
  const mayName = scheme === 'ssh' && SSH_USER.test(username)
  if (password !== '' || (username !== '' && !mayName)) {
    throw refuseAddress('Put credentials into `auth`, not into the address.')
  }
  if (/[?#]/.test(url.href)) {
    throw refuseAddress('The address of a git source has no ? and no # part.')
  }
  const host = hostname.replace(/^\[|\]$/g, '')
  if (host === '' || host.startsWith('-')) throw refuseAddress('The address names no host.')
  return { scheme, text: url.href, host, port: url.port === '' ? null : Number(url.port) }
}

/**
 * An address of git's own protocol with the judged address in place of the name: git has no other way to be told it.
 * http and ssh are told by configuration (session.ts), so that names of certificates and host keys stay.
 */
export const pinGitAddress = (address: GitAddress, pin: string): GitAddress => {
  if (address.scheme !== 'git' || address.host === pin) return address
  const { pathname, port } = new URL(address.text)
  const host = pin.includes(':') ? `[${pin}]` : pin
  return { ...address, text: `git://${host}${port === '' ? '' : `:${port}`}${pathname}` }
}

const MAX_BRANCH_LENGTH = limit('git.branch', 200, 'characters', 'Name of a branch.')
/** What `git check-ref-format` forbids inside a name, and the dash that git would read as an option. */
const BRANCH_FAULT = /[\p{Cc} ~^:?*[\\]|\.\.|@\{|\/\/|^[-/.]|[/.]$|^@$|\/\.|\.lock(?:\/|$)/u

export const isBranchName = (name: string): boolean =>
  name !== '' && name.length <= MAX_BRANCH_LENGTH && !BRANCH_FAULT.test(name)
