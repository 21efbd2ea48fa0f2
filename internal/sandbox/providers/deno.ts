/**
 * Level `runtime`: Deno with no permissions except its own temporary folder and, where the action may use it, the network.
 * A guest has no environment of the host and no cache (DENO_DIR cannot be made, which also disables localStorage and the
 * Cache API). Where svc runs as root, the guest runs as a user without rights. Only Deno confines the job; `probe` tries it.
 */
import { DENO_GUEST_SOURCE } from '../guest/compiled.gen.ts'
import type { CommandFor } from '../host/process.ts'
import { guestIdentity, identityNotes } from '../linux/process-identity.ts'
import { writeGuest } from '../linux/runtime-file.ts'
import { wrapCommand } from '../linux/wrap-command.ts'
import type { ProbeResult } from '../sandbox.ts'
import { denoLaunch } from './deno-launch.ts'
import {
  networkFlags,
  networkNotes,
  privateEntryFault,
  RESOLVER_ENVIRONMENT,
} from './network-rule.ts'
import { probeConfinement } from './probe/probe.ts'
import type { ProcessShape, Provider } from './provider.ts'

export type DenoProviderOptions = Readonly<{
  denoPath: string
  /** A folder for the guest program; other users must be able to read it. */
  runtimeDir: string
}>

/** Starts each guest as plain Deno. */
export const createDenoProvider = ({ denoPath, runtimeDir }: DenoProviderOptions): Provider => {
  const guestPath = writeGuest(runtimeDir, DENO_GUEST_SOURCE)
  const identity = guestIdentity(denoPath) === null ? null : guestIdentity(guestPath)

  const commandFor = (shape: ProcessShape): CommandFor => {
    const network = { flags: networkFlags(shape.network), env: RESOLVER_ENVIRONMENT }
    return (folder) => {
      const { words, env } = denoLaunch(shape, { denoPath, guestPath, folder, network })
      const [command, ...args] = words
      return { ...wrapCommand({ command, args, identity }), env }
    }
  }

  const probe = async (): Promise<ProbeResult> => {
    const result = await probeConfinement(commandFor)
    return {
      ok: result.holds,
      level: result.holds ? 'runtime' : 'none',
      notes: [
        ...(result.holds ? [] : [`Deno at ${denoPath}: ${result.reason}`]),
        ...identityNotes(identity),
        ...networkNotes(),
      ],
    }
  }

  const networkFault = ({ network }: ProcessShape): string | null => privateEntryFault(network)
  return { name: 'deno', level: 'runtime', networkFault, commandFor, probe }
}
