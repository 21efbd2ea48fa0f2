/** Runs git against a remote whose host was checked first; after a redirect, it runs once more against the new address. */
import { type GitAddress, pinGitAddress } from './address.ts'
import { type GitNetwork, guardHost, type Resolver } from './network-guard.ts'
import { hasExceptions, isProxied, withoutExceptions } from './proxy.ts'
import { followRedirects } from './redirect.ts'
import { type ConfineGit, type GitOutcome, type GitRun, runGit } from './run-git.ts'
import { type GitAuth, openSession, type Session } from './session.ts'

export type RemoteOptions = Readonly<{
  /** PATH, and the operator's proxy and certificate settings; git gets no other variable of this process. */
  environment: Readonly<Record<string, string>>
  /** @default any */
  network?: GitNetwork
  /** @default no confinement */
  confine?: ConfineGit | undefined
  /** Milliseconds. @default 60,000 */
  timeoutMs?: number
  resolve: Resolver
}>

export type RemoteTarget = Readonly<{
  address: GitAddress
  auth: GitAuth | null
  /** Stops the run when it is aborted. */
  signal?: AbortSignal | undefined
}>

/** The outcome of a run; the caller must dispose of the session. */
export type RemoteRun = Readonly<{ session: Session; outcome: GitOutcome }>

type ToRun = (
  address: GitAddress,
  session: Session,
) => Pick<GitRun, 'args' | 'maxOutputBytes' | 'isTooLarge'>

export const TIMEOUT_MS = 60_000

const guard = (
  { network = 'any', resolve }: RemoteOptions,
  address: GitAddress,
): Promise<string | null> => guardHost(address, network, resolve)

type Route = Readonly<{
  /** The checked address; null if the proxy resolves the name, or there is no name. */
  pin: string | null
  environment: RemoteOptions['environment']
}>

/** @throws {AppError} as `guardHost`, if git connects to the host directly */
const routeTo = async (options: RemoteOptions, address: GitAddress): Promise<Route> => {
  const { environment } = options
  if (!isProxied(address, environment)) {
    return { pin: await guard(options, address), environment }
  }
  if (!hasExceptions(environment)) return { pin: null, environment }
  try {
    return { pin: await guard(options, address), environment }
  } catch {
    // git must not connect to this host directly, so the proxy decides
    return { pin: null, environment: withoutExceptions(environment) }
  }
}

/** Runs git once. */
const runOnce = async (
  options: RemoteOptions,
  { address: named, auth, signal, pin, environment }: RemoteTarget & Route,
  toRun: ToRun,
): Promise<RemoteRun> => {
  const session = openSession({ address: named, auth, pin, environment })
  const address = pin === null ? named : pinGitAddress(named, pin)
  try {
    const timeoutMs = options.timeoutMs ?? TIMEOUT_MS
    const outcome = await runGit({
      ...toRun(address, session),
      env: session.env,
      folder: session.folder,
      network: true,
      // the operator allows local paths, and they may be readable by this user only, so they run unconfined
      confine: address.scheme === 'file' ? undefined : options.confine,
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
 * Resolves and checks the host once; the first run, every redirect and the second run connect to that address.
 * @throws {AppError} invalid: the host is not allowed; bad_gateway `git_unreachable`: its name does not resolve
 */
export const runAgainstRemote = async (
  options: RemoteOptions,
  target: RemoteTarget,
  toRun: ToRun,
): Promise<RemoteRun> => {
  const route = await routeTo(options, target.address)
  const first = await runOnce(options, { ...target, ...route }, toRun)
  const isRedirected =
    first.outcome.code !== 0 && /returned error: 30[12378]/.test(first.outcome.stderr)
  if (!isRedirected) return first
  first.session.dispose()
  // svc follows redirects without the proxy, so the address must be checked here
  const dialed = route.pin ?? (await guard(options, target.address))
  if (dialed === null) return first
  const address = await followRedirects({ ...target, pin: dialed })
  // a redirect from http to https may lead past the proxy of http
  const pin = isProxied(address, options.environment) ? route.pin : dialed
  return runOnce(options, { ...target, ...route, address, pin }, toRun)
}
