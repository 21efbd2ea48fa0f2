/**
 * Level `runtime`: Deno with every permission off, save its own temporary folder and the network where the action may
 * use it. A guest has no environment of the host, no cache (DENO_DIR cannot be made, which also closes localStorage and
 * the Cache API), and where this process is root, no rights. The walls are Deno's own; `probe` tries them.
 */

import { DENO_GUEST_SOURCE } from '../guest/compiled.gen.ts'
import type { CommandFor } from '../host/process.ts'
import { guestIdentity, identityNotes } from '../linux/process-identity.ts'
import { writeGuest } from '../linux/runtime-file.ts'
import { wrapCommand } from '../linux/wrap-command.ts'
import type { ProbeResult } from '../sandbox.ts'
import { DENO_FLAGS, denoEnvironment, heapFlag } from './deno-flags.ts'
import { networkFlags, networkNotes, RESOLVER_ENVIRONMENT } from './network-rule.ts'
import { tryWalls } from './probe/probe.ts'
import type { ProcessShape, Provider } from './provider.ts'

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
