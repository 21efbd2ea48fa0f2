/** Runs git against a remote whose host was judged first; where it was redirected, once more against what lies behind. */
import type { GitAddress } from './address.ts'
import { unreachable } from './failure.ts'
import { type GitNetwork, guardHost, type Resolver, resolveHost } from './network-guard.ts'
import { followRedirects } from './redirect.ts'
import { type GitFence, type GitOutcome, type GitRun, runGit } from './run-git.ts'
import { type GitAuth, openSession, type Session } from './session.ts'

export type RemoteOptions = Readonly<{
  /** PATH, and what the operator set for proxies and certificates; git gets nothing else from outside. */
  environment: Readonly<Record<string, string>>
  /** @default any */
  network?: GitNetwork
  /** @default none */
  fence?: GitFence | undefined
  /** @default 60,000 */
  timeoutMs?: number
  /** @default the system's */
  resolve?: Resolver
}>

export type RemoteTarget = Readonly<{
  address: GitAddress
  auth: GitAuth | null
  /** Aborted: the run is given up. */
  signal?: AbortSignal | undefined
}>

/** The caller disposes of the session. */
export type RemoteRun = Readonly<{ session: Session; outcome: GitOutcome }>

type ToRun = (
  address: GitAddress,
  session: Session,
) => Pick<GitRun, 'args' | 'maxOutputBytes' | 'isTooLarge'>

export const TIMEOUT_MS = 60_000

/** Through a proxy, names are the proxy's to resolve. */
const hasProxy = ({ environment }: RemoteOptions): boolean =>
  Object.keys(environment).some((name) => /^(?:https?|all)_proxy$/i.test(name))

const runOnce = async (
  options: RemoteOptions,
  { address, auth, signal }: RemoteTarget,
  toRun: ToRun,
): Promise<RemoteRun> => {
  const { environment, network = 'any', resolve = resolveHost } = options
  const pin = hasProxy(options) ? null : await guardHost(address, network, resolve)
  const session = openSession({ address, auth, pin, environment })
  try {
    const timeoutMs = options.timeoutMs ?? TIMEOUT_MS
    const outcome = await runGit({
      ...toRun(address, session),
      env: session.env,
      folder: session.folder,
      network: true,
      // a path of this machine that the operator opened is none of a stranger's, and may be closed to all but us
      fence: address.scheme === 'file' ? undefined : options.fence,
      timeoutMs,
      signal,
    })
    return { session, outcome }
  } catch (error) {
    session.dispose()
    throw error
  }
}

/** @throws {AppError} invalid: a host that may not be reached; bad_gateway `git_unreachable`: its name is not known */
export const runAgainstRemote = async (
  options: RemoteOptions,
  target: RemoteTarget,
  toRun: ToRun,
): Promise<RemoteRun> => {
  const first = await runOnce(options, target, toRun)
  const isRedirected =
    first.outcome.code !== 0 && /returned error: 30[12378]/.test(first.outcome.stderr)
  if (!isRedirected) return first
  first.session.dispose()
  let address: GitAddress
  try {
    address = await followRedirects(target.address, target.auth)
  } catch (error) {
    if (error instanceof TypeError || error instanceof DOMException) {
      throw unreachable('it redirects to what does not answer', error)
    }
    throw error
  }
  return runOnce(options, { ...target, address }, toRun)
}
