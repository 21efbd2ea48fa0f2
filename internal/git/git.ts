/**
 * Runs git safely against untrusted addresses and repositories.
 *
 * It guarantees: `--` before every address; only the address's own protocol; no hooks, no terminal, no configuration but
 * its own; nothing is ever checked out, so links, filters, submodules and LFS have no effect; time, size and the number
 * of concurrent processes are bounded; nothing stays on the disk.
 * It does not interpret the files.
 * On failure it throws AppError: bad_gateway `git_unreachable` if the remote does not answer, invalid if the address, its
 * credentials or the branch are not allowed, unprocessable if the remote does not have what was requested.
 */
import { AppError, invalid } from '#core/error.ts'
import { createGates, holdPlace } from '#core/fairness/gate.ts'
import { createSharedGate } from '#core/fairness/shared-gate.ts'
import { type GitAddress, isBranchName, parseAddress } from './address.ts'
import { explainFailure, unreachable } from './failure.ts'
import { type FetchOptions, fetchBranch, type Snapshot } from './fetch-branch.ts'
import { parseRefs } from './list-refs.ts'
import { resolveLocalPath } from './local-path.ts'
import { runAgainstRemote } from './run-against-remote.ts'
import type { GitOutcome } from './run-git.ts'
import type { GitAuth } from './session.ts'
import type { TakeTurn } from './tree.ts'

export type GitOptions = FetchOptions &
  Readonly<{
    /** Folders under which a source may be a local path. */
    localRoots: readonly string[]
  }>

export type GitRemote = Readonly<{
  url: string
  auth: GitAuth | null
  /** The workspace that waits for the remote. @default '' */
  owner?: string
}>

export type Probe = Readonly<{
  reachable: boolean
  branches: readonly string[]
  defaultBranch: string | null
  error?: string
}>

export interface Git {
  /** Checks without network access. @throws {AppError} invalid: address, credentials or branch are not allowed */
  check(remote: GitRemote, branch: string | null): void
  /**
   * Lists the remote's branches in its order, which is by name for servers of git. An unreachable remote is a result, not an error.
   * @throws {AppError} invalid
   */
  probe(remote: GitRemote, takeTurn: TakeTurn): Promise<Probe>
  /**
   * Fetches the newest commit of one branch. The snapshot keeps its place until it is disposed of.
   * @param branch null for the remote's default
   * @param signal stops git, also when it reads the snapshot
   * @throws {AppError} invalid, bad_gateway `git_unreachable`, unprocessable `branch_not_found`, `empty_repository`,
   * `repository_too_large`
   */
  fetch(remote: GitRemote, branch: string | null, signal?: AbortSignal): Promise<Snapshot>
}

/** Operations with a remote. */
const MAX_AT_ONCE = 4
/**
 * Probes and snapshots of one workspace. It leaves room for others when its remotes do not answer. A snapshot counts as long as it is
 * open, because it keeps up to 256 MiB on the disk, and git can list a small commit for a minute.
 */
const MAX_OF_OWNER = 3
const MAX_ANSWER_BYTES = 4 * 1_024 * 1_024

/**
 * Creates the git client of this process, which asks at most 4 remotes at a time, 3 of them for one workspace. Workspaces take
 * turns, because a remote may not answer for a minute.
 */
export const createGit = (options: GitOptions): Git => {
  const gate = createSharedGate(MAX_AT_ONCE, MAX_OF_OWNER)
  const gateOf = createGates(MAX_OF_OWNER)
  return {
    check: (remote, branch) => {
      checkBranch(branch)
      checkSavedRemote(remote, options)
    },
    probe: ({ owner = '', ...remote }, takeTurn) =>
      gateOf(owner)(() => gate(owner, () => probe(options, remote, takeTurn))),
    fetch: async (remote, branch, signal) => {
      checkBranch(branch)
      const target = { address: checkRemote(remote, options), auth: remote.auth, signal }
      const { owner = '' } = remote
      const leave = await holdPlace(gateOf(owner))
      try {
        const snapshot = await gate(owner, () => fetchBranch(options, target, branch))
        const dispose = (): void => {
          snapshot.dispose()
          leave()
        }
        return { ...snapshot, dispose }
      } catch (error) {
        leave()
        throw error
      }
    },
  }
}

const checkBranch = (branch: string | null): void => {
  if (branch === null || isBranchName(branch)) return
  throw invalid(`${JSON.stringify(branch)} is not a branch name.`, { code: 'bad_branch' })
}

const checkSavedRemote = (remote: GitRemote, options: GitOptions): void => {
  try {
    checkRemote(remote, options)
  } catch (error) {
    // as over the network, a repository that is missing now may be there at the sync
    if (!(error instanceof AppError) || error.kind !== 'bad_gateway') throw error
  }
}

const checkRemote = ({ url, auth }: GitRemote, { localRoots }: GitOptions): GitAddress => {
  const address = parseAddress(url)
  if (address.scheme === 'file') {
    return { ...address, text: resolveLocalPath(address.text, localRoots) }
  }
  const isHttp = address.scheme === 'https' || address.scheme === 'http'
  if (auth?.type === 'token' && !isHttp) {
    throw invalid('A token works with https and http addresses only; use an ssh_key here.')
  }
  if (auth?.type === 'ssh_key' && address.scheme !== 'ssh') {
    throw invalid('An ssh_key works with ssh addresses only; use a token here.')
  }
  return address
}

const probe = async (
  options: GitOptions,
  remote: GitRemote,
  takeTurn: TakeTurn,
): Promise<Probe> => {
  try {
    const address = checkRemote(remote, options)
    const { session, outcome } = await runAgainstRemote(
      options,
      { address, auth: remote.auth },
      ({ text }) => ({
        args: ['ls-remote', '--symref', '--', text, 'HEAD', 'refs/heads/*'],
        maxOutputBytes: MAX_ANSWER_BYTES,
      }),
    )
    session.dispose()
    return await toProbe(outcome, takeTurn)
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== 'bad_gateway') throw error
    return { reachable: false, branches: [], defaultBranch: null, error: error.message }
  }
}

const toProbe = async (outcome: GitOutcome, takeTurn: TakeTurn): Promise<Probe> => {
  if (outcome.code !== 0) throw unreachable(explainFailure(outcome))
  return { reachable: true, ...(await parseRefs(outcome.stdout, takeTurn)) }
}
