/**
 * Checks which addresses and branch names may be passed to git. Pure: network-guard.ts checks hosts, and local-path.ts
 * checks folders.
 */

import { isAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type AppError, invalid } from '#core/error.ts'
import { limit } from '#core/limit.ts'

const SCHEMES = ['https', 'http', 'ssh', 'git', 'file'] as const
export type GitScheme = (typeof SCHEMES)[number]

export type GitAddress = Readonly<{
  scheme: GitScheme
  /** The address passed to git, in parsed form, so that git and svc cannot read one text in two ways. */
  text: string
  /** Null for a path of this machine. */
  host: string | null
  /** Null for the scheme's default port. */
  port: number | null
}>

/** The scp-like form `git@host:path`, which means ssh. */
const SCP_FORM = /^[a-z\d_][\w.-]*@([a-z\d](?:[a-z\d.-]*[a-z\d])?):(?!\/\/|-)[\w./~+-]+$/i
/** The URL parser keeps other characters in the hosts of ssh and git addresses, and a shell reads the options of ssh. */
const HOST = /^[\w.:][\w.:-]*$/
const SSH_USER = /^[a-z\d_][\w.-]*$/i

/** Creates the error for a refused address, `url_not_allowed`. */
export const refuseAddress = (message: string): AppError =>
  invalid(message, { code: 'url_not_allowed' })

/** Parses the address of a git source. @throws {AppError} invalid `url_not_allowed` */
export const parseAddress = (url: string): GitAddress => {
  if (isAbsolute(url) && !/[\p{Cc}\\]/u.test(url)) {
    return { scheme: 'file', text: url, host: null, port: null }
  }
  if (/[\p{Cc}\s\\]/u.test(url) || url.startsWith('-')) {
    throw refuseAddress(
      'The address of a git source must not contain spaces or backslashes, nor begin with a dash.',
    )
  }
  const scp = SCP_FORM.exec(url)
  if (scp !== null) return { scheme: 'ssh', text: url, host: scp[1] ?? '', port: null }
  const parsed = URL.parse(url)
  const scheme = SCHEMES.find((known) => `${known}:` === parsed?.protocol)
  if (parsed === null || scheme === undefined) {
    // without the text, which may contain a password
    throw refuseAddress('A git source needs an https, http, ssh or git address.')
  }
  return scheme === 'file' ? parseFileUrl(parsed) : parseRemoteUrl(parsed, scheme)
}

const parseFileUrl = (url: URL): GitAddress => {
  try {
    const path = fileURLToPath(url)
    // percent-encoding must not allow what the plain address may not contain
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
    throw refuseAddress('The address of a git source must not have a ? or # part.')
  }
  const host = hostname.replace(/^\[|\]$/g, '')
  if (!HOST.test(host)) throw refuseAddress('The address does not name a host.')
  return { scheme, text: url.href, host, port: url.port === '' ? null : Number(url.port) }
}

/**
 * Replaces the host of a `git://` address with the checked IP address, because git offers no other way to set it. For http
 * and ssh the configuration sets it (session.ts), so that the names for certificates and host keys stay valid.
 */
export const pinGitAddress = (address: GitAddress, pin: string): GitAddress => {
  if (address.scheme !== 'git' || address.host === pin) return address
  const { pathname, port } = new URL(address.text)
  const host = pin.includes(':') ? `[${pin}]` : pin
  return { ...address, text: `git://${host}${port === '' ? '' : `:${port}`}${pathname}` }
}

const MAX_BRANCH_LENGTH = limit('git.branch', 200, 'characters', 'Name of a branch.')
/** Matches what `git check-ref-format` forbids, and a leading dash, which git would read as an option. */
const BRANCH_FAULT = /[\p{Cc} ~^:?*[\\]|\.\.|@\{|\/\/|^[-/.]|[/.]$|^@$|\/\.|\.lock(?:\/|$)/u

/** Returns whether a branch name may be passed to git. */
export const isBranchName = (name: string): boolean =>
  name !== '' && name.length <= MAX_BRANCH_LENGTH && !BRANCH_FAULT.test(name)
