/**
 * Puts git behind walls: it sees programs, certificates, how names are resolved, and the folder of its session. Only what
 * speaks to a remote has a network, and that is the host's; where it may lead is judged before (git/network-guard.ts).
 */
import { existsSync, realpathSync } from 'node:fs'
import type { ConfineGit } from '#git/run-git.ts'
import { findProgram } from '#sandbox/linux/bubblewrap-args.ts'
import { ownConfine } from './own-confinement.ts'

/** For names, certificates and ssh, which asks who it is. A link is followed: what it leads to lies elsewhere. */
const SYSTEM_FILES = [
  '/etc/resolv.conf',
  '/etc/hosts',
  '/etc/nsswitch.conf',
  '/etc/passwd',
  '/etc/ssl',
  '/etc/pki',
  '/etc/ca-certificates',
  '/etc/crypto-policies',
] as const
const CERTIFICATES = ['SSL_CERT_FILE', 'SSL_CERT_DIR', 'GIT_SSL_CAINFO'] as const

const withTargets = (paths: readonly string[]): readonly string[] => [
  ...new Set(
    paths.filter((path) => existsSync(path)).flatMap((path) => [path, realpathSync(path)]),
  ),
]

/** @param environment what the operator set for git */
export const confineGit = (environment: Readonly<Record<string, string>>): ConfineGit => {
  const ofOperator = CERTIFICATES.flatMap((name) => environment[name] ?? [])
  return (program, { folder, network }) => {
    const git = findProgram('git')
    if (git === null) return null
    return ownConfine()(
      { ...program, command: git },
      {
        reads: network ? withTargets([...SYSTEM_FILES, ...ofOperator]) : [],
        writes: [folder],
        network,
        processes: true,
      },
    )
  }
}
