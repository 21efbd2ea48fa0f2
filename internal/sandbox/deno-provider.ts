/**
 * Level `runtime`: Deno with every permission off, save its own temporary folder and the network where the action may
 * use it. A guest has no environment of the host, no cache (DENO_DIR cannot be made, which also closes localStorage and
 * the Cache API), and where this process is root, no rights. The walls are Deno's own; `probe` tries them.
 */
import { tryWalls } from './canary.ts'
import { DENO_FLAGS, denoEnvironment, heapFlag } from './deno-flags.ts'
import { DENO_GUEST_SOURCE } from './guest.gen.ts'
import { writeGuest } from './guest-file.ts'
import type { CommandFor } from './guest-process.ts'
import { networkFlags, networkNotes, RESOLVER_ENVIRONMENT } from './network-rule.ts'
import { guestIdentity, identityNotes } from './process-identity.ts'
import type { ProcessShape, Provider } from './process-shape.ts'
import { wrapCommand } from './process-wrap.ts'
import type { ProbeResult } from './provider.ts'

export type DenoProviderOptions = Readonly<{
  denoPath: string
  /** A folder for the guest program; other users must be able to read it. */
  runtimeDir: string
}>

export const createDenoProvider = ({ denoPath, runtimeDir }: DenoProviderOptions): Provider => {
  const guestPath = writeGuest(runtimeDir, DENO_GUEST_SOURCE)
  const user = guestIdentity(denoPath) === null ? null : guestIdentity(guestPath)

  const commandFor = (shape: ProcessShape): CommandFor => {
    const flags = [...DENO_FLAGS, heapFlag(shape), ...networkFlags(shape.network)]
    return (folder) => ({
      ...wrapCommand({
        command: denoPath,
        args: ['run', ...flags, `--allow-read=${folder}`, `--allow-write=${folder}`, guestPath],
        identity: user,
      }),
      env: { ...denoEnvironment(folder), ...RESOLVER_ENVIRONMENT },
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
