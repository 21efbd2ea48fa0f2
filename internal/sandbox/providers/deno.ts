/**
 * Level `runtime`: Deno with no permissions except its own temporary folder and, if the action may use
 * it, the network. A guest has nothing of the host's environment and no cache (DENO_DIR cannot be
 * created, which also disables localStorage and the Cache API). Where svc runs as root, the guest runs
 * as an unprivileged user. Only Deno confines the job, and `probe` tests it.
 *
 * A guest of an action with a list of hosts also has a unix socket to the
 * egress proxy, which opens private destinations that are granted.
 */
import { loopbackEntries, parseEgressGrants, privateEntries } from '#core/network/egress-grant.ts'
import { egressSocketIn } from '../egress/guest-egress.ts'
import type { EgressProxy } from '../egress/proxy.ts'
import { DENO_GUEST_SOURCE } from '../guest/compiled.gen.ts'
import type { CommandFor, GuestCommand } from '../host/process.ts'
import { guestIdentity, identityNotes } from '../linux/process-identity.ts'
import { writeGuest } from '../linux/runtime-file.ts'
import { wrapCommand } from '../linux/wrap-command.ts'
import type { ProbeResult } from '../sandbox.ts'
import { denoLaunch } from './deno-launch.ts'
import { networkFlags, networkNotes, RESOLVER_ENVIRONMENT } from './network-rule.ts'
import { probeConfinement } from './probe/probe.ts'
import type { ProcessShape, Provider } from './provider.ts'

export type DenoProviderOptions = Readonly<{
  denoPath: string
  /** A folder for the guest program; other users must be able to read it. */
  runtimeDir: string
  egress: EgressProxy
}>

/** Creates the provider that starts each guest as plain Deno. */
export const createDenoProvider = (options: DenoProviderOptions): Provider => {
  const { denoPath, runtimeDir, egress } = options
  const guestPath = writeGuest(runtimeDir, DENO_GUEST_SOURCE)
  const identity = guestIdentity(denoPath, guestPath)

  const commandFor = (shape: ProcessShape): CommandFor => {
    const hasList = shape.network !== null && shape.network.length > 0
    return (folder) => {
      const socket = hasList ? egressSocketIn(folder) : undefined
      const network = {
        flags: networkFlags(shape.network, socket),
        readable: [],
        env: RESOLVER_ENVIRONMENT,
      }
      const { words, env } = denoLaunch(shape, { denoPath, guestPath, folder, network })
      const [command, ...args] = words
      const proxied = socket === undefined ? {} : openProxy(shape, socket)
      return { ...wrapCommand({ command, args, identity }), env, ...proxied }
    }
  }

  /** The egress proxy serves raw connections, and requests to possibly private destinations. */
  const openProxy = (shape: ProcessShape, socket: string): Partial<GuestCommand> => {
    const { network, granted = [] } = shape
    return {
      egress: egress.open(socket, shape),
      egressPath: socket,
      loopback: loopbackEntries(network),
      shared: privateEntries(network, parseEgressGrants(granted)),
    }
  }

  const probe = async (): Promise<ProbeResult> => {
    const result = await probeConfinement(commandFor)
    return {
      ok: result.holds,
      level: result.holds ? 'runtime' : 'none',
      notes: [
        ...(result.holds ? [] : [`Deno at ${denoPath} (SVC_DENO_PATH): ${result.reason}`]),
        ...identityNotes(identity),
        ...networkNotes(),
      ],
    }
  }

  return { name: 'deno', level: 'runtime', traffic: egress.totals, commandFor, probe }
}
