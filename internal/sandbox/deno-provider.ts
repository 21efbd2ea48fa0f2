/**
 * Level `runtime`: Deno with every permission off, save its own temporary folder and the network where the action may
 * use it. A guest has no environment of the host, no cache (DENO_DIR cannot be made, which also closes localStorage and
 * the Cache API), and where this process is root, no rights. The walls are Deno's own; `probe` tries them.
 */
import { tryWalls } from './canary.ts'
import { DENO_GUEST_SOURCE } from './guest.gen.ts'
import { writeGuest } from './guest-file.ts'
import type { CommandFor } from './guest-process.ts'
import { networkFlags, networkNotes, RESOLVER_ENVIRONMENT } from './network-rule.ts'
import { guestIdentity, identityNotes, wrapCommand } from './process-identity.ts'
import type { ProcessShape, Provider } from './process-shape.ts'
import type { ProbeResult } from './provider.ts'

export type DenoProviderOptions = Readonly<{
  denoPath: string
  /** A folder for the guest program; other users must be able to read it. */
  runtimeDir: string
}>

/** A folder below no folder: Deno starts as fast without its cache, and nothing of a job can be kept there. */
const NOWHERE = '/dev/null/svc'
/** Deno looks for settings at home: there it must find none, while a home that is no folder ends it. */
const NO_HOME = '/nonexistent'

const FLAGS = [
  '--quiet',
  '--no-prompt',
  '--no-remote',
  '--no-npm',
  '--no-config',
  '--no-lock',
  '--no-code-cache',
  // for node:os tmpdir()
  '--allow-env=TMPDIR',
] as const

export const createDenoProvider = ({ denoPath, runtimeDir }: DenoProviderOptions): Provider => {
  const guestPath = writeGuest(runtimeDir, DENO_GUEST_SOURCE)
  const user = guestIdentity(denoPath) === null ? null : guestIdentity(guestPath)

  const commandFor = ({ memoryMb, network }: ProcessShape): CommandFor => {
    const flags = [
      ...FLAGS,
      `--v8-flags=--max-old-space-size=${memoryMb}`,
      ...networkFlags(network),
    ]
    return (folder) => ({
      ...wrapCommand(denoPath, [
        'run',
        ...flags,
        `--allow-read=${folder}`,
        `--allow-write=${folder}`,
        guestPath,
      ]),
      env: {
        DENO_DIR: NOWHERE,
        HOME: NO_HOME,
        TMPDIR: folder,
        NO_COLOR: '1',
        DENO_NO_UPDATE_CHECK: '1',
        ...RESOLVER_ENVIRONMENT,
      },
      user,
    })
  }

  const probe = async (): Promise<ProbeResult> => {
    const result = await tryWalls(commandFor)
    return {
      ok: result.holds,
      level: result.holds ? 'runtime' : 'none',
      notes: [
        ...(result.holds ? [] : [`Deno at ${denoPath}: ${result.reason}`]),
        ...identityNotes(user),
        ...networkNotes(),
      ],
    }
  }

  return { name: 'deno', level: 'runtime', commandFor, probe }
}
