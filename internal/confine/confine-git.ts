/**
 * Confines git: it sees programs, certificates, the files for name resolution, and the folder of its session. Only a command
 * that connects to a remote has a network, which is the host's; git/network-guard.ts checks the address before.
 */
import { existsSync, realpathSync } from 'node:fs'
import { findProgram } from '#sandbox/linux/bubblewrap-args.ts'
import type { Confine, ConfinedProgram, Program } from './confine.ts'

/** Files for names, certificates and ssh, which reads its user's name. Links are resolved, because their targets are elsewhere. */
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

/**
 * @param environment the operator's variables for git
 * @returns a function that confines one command of git; null if this machine cannot confine
 */
export const createConfineGit = (
  confine: Confine,
  environment: Readonly<Record<string, string>>,
): ((
  program: Program,
  needs: Readonly<{ folder: string; network: boolean }>,
) => ConfinedProgram | null) => {
  const certificates = CERTIFICATES.flatMap((name) => environment[name] ?? [])
  return (program, { folder, network }) => {
    const git = findProgram('git')
    if (git === null) return null
    return confine(
      { ...program, command: git },
      {
        reads: network ? withTargets([...SYSTEM_FILES, ...certificates]) : [],
        writes: [folder],
        network,
        processes: true,
      },
    )
  }
}
