/** Runs git against a remote whose host was judged first; after a redirect, once more against the address behind it. */
import { type GitAddress, pinGitAddress } from './address.ts'
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

const guard = (
  { network = 'any', resolve = resolveHost }: RemoteOptions,
  address: GitAddress,
): Promise<string | null> => guardHost(address, network, resolve)

/** Null pin: git resolves the name itself, or there is none to resolve. */
const runOnce = async (
  options: RemoteOptions,
  { address: named, auth, signal, pin }: RemoteTarget & Readonly<{ pin: string | null }>,
  toRun: ToRun,
): Promise<RemoteRun> => {
  const { environment } = options
  const session = openSession({ address: named, auth, pin, environment })
  const address = pin === null ? named : pinGitAddress(named, pin)
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

/**
 * The host is resolved once and judged: the first run, every redirect and the second run dial that one address.
 * @throws {AppError} invalid: a host that may not be reached; bad_gateway `git_unreachable`: its name is not known
 */
export const runAgainstRemote = async (
  options: RemoteOptions,
  target: RemoteTarget,
  toRun: ToRun,
): Promise<RemoteRun> => {
  const isProxied = hasProxy(options)
  const pin = isProxied ? null : await guard(options, target.address)
  const first = await runOnce(options, { ...target, pin }, toRun)
  const isRedirected =
    first.outcome.code !== 0 && /returned error: 30[12378]/.test(first.outcome.stderr)
  if (!isRedirected) return first
  first.session.dispose()
  // svc follows redirects itself, not through the proxy: what it dials is judged in any case
  const dialed = pin ?? (await guard(options, target.address))
  if (dialed === null) return first
  const address = await followRedirects({ ...target, pin: dialed })
  return runOnce(options, { ...target, address, pin }, toRun)
}
