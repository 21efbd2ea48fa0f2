/**
 * Level `runtime`: Deno with no permissions except its own temporary folder and, where the action may use it, the network.
 * A guest has no environment of the host and no cache (DENO_DIR cannot be made, which also disables localStorage and the
 * Cache API). Where svc runs as root, the guest runs as a user without rights. Only Deno confines the job; `probe` tries it.
 *
 * A guest of an action with a list of hosts also has a unix socket to svc's proxy, which opens what is private and granted.
 */
import { join } from 'node:path'
import { loopbackEntries, parseEgressGrants, privateEntries } from '#core/network/egress-grant.ts'
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

const SOCKET = 'egress.sock'

/** Starts each guest as plain Deno. */
export const createDenoProvider = (options: DenoProviderOptions): Provider => {
  const { denoPath, runtimeDir, egress } = options
  const guestPath = writeGuest(runtimeDir, DENO_GUEST_SOURCE)
  const identity = guestIdentity(denoPath) === null ? null : guestIdentity(guestPath)

  const commandFor = (shape: ProcessShape): CommandFor => {
    const hasList = shape.network !== null && shape.network.length > 0
    return (folder) => {
      const socket = hasList ? join(folder, SOCKET) : undefined
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

  /** For raw connections, and for requests to what may be private. */
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
        ...(result.holds ? [] : [`Deno at ${denoPath}: ${result.reason}`]),
        ...identityNotes(identity),
        ...networkNotes(),
      ],
    }
  }

  return { name: 'deno', level: 'runtime', traffic: egress.totals, commandFor, probe }
}
