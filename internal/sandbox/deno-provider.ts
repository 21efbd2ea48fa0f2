/** Level `runtime`: Deno with every permission off, save the network where the action may use it. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { runCanary } from './canary.ts'
import { GUEST_SOURCE } from './guest.gen.ts'
import type { GuestCommand } from './guest-process.ts'
import { deniedAddresses, hasRoutableIpv6 } from './network-deny-list.ts'
import type { ProcessShape, Provider } from './process-shape.ts'
import type { ProbeResult } from './provider.ts'

export type DenoProviderOptions = Readonly<{
  denoPath: string
  /** A folder for the guest program; written once. */
  runtimeDir: string
}>

const NOBODY = { uid: 65_534, gid: 65_534 } as const

const networkFlags = (network: readonly string[] | null): readonly string[] => {
  if (network?.length === 0) return []
  const allow = network === null ? '--allow-net' : `--allow-net=${network.join(',')}`
  return [allow, `--deny-net=${deniedAddresses().join(',')}`]
}

const writeGuest = (dir: string): string => {
  const path = join(dir, 'guest.mjs')
  mkdirSync(dir, { recursive: true, mode: 0o755 })
  if (!existsSync(path) || readFileSync(path, 'utf8') !== GUEST_SOURCE) {
    writeFileSync(path, GUEST_SOURCE, { mode: 0o644 })
  }
  return path
}

export const createDenoProvider = ({ denoPath, runtimeDir }: DenoProviderOptions): Provider => {
  const guestPath = writeGuest(runtimeDir)
  let user: GuestCommand['user'] = process.getuid?.() === 0 ? NOBODY : null

  const commandFor = ({ memoryMb, network }: ProcessShape): GuestCommand => ({
    command: denoPath,
    args: [
      'run',
      '--quiet',
      '--no-prompt',
      '--no-remote',
      '--no-npm',
      '--no-config',
      '--no-lock',
      '--no-code-cache',
      `--v8-flags=--max-old-space-size=${memoryMb}`,
      ...networkFlags(network),
      guestPath,
    ],
    env: { NO_COLOR: '1', DENO_NO_UPDATE_CHECK: '1' },
    user,
  })

  const probe = async (): Promise<ProbeResult> => {
    const notes: string[] = []
    let ok = await runCanary(commandFor)
    if (!ok && user !== null) {
      // an unprivileged user may not be able to reach the runtime's folder
      user = null
      ok = await runCanary(commandFor)
      if (ok) notes.push('Jobs run as root: the folder of the Deno runtime is closed to others.')
    }
    if (!ok) notes.push(`Deno did not start, or did not keep its walls: ${denoPath}`)
    if (hasRoutableIpv6()) {
      notes.push('At level runtime, private IPv6 networks beyond this machine stay reachable.')
    }
    return { ok, level: ok ? 'runtime' : 'none', notes }
  }

  return { name: 'deno', level: 'runtime', commandFor, probe }
}
