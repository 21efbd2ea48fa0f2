/**
 * The operator's own confinement, such as gVisor, nsjail or a container. Each guest starts by the operator's program, with
 * the command of the runtime as its arguments. It communicates with svc over stdin and stdout, and reaches the network as
 * guests of bubblewrap do, through a socket in its folder. A probe shows whether it confines (docs/security.md).
 */
import { loopbackEntries } from '#core/network/egress-grant.ts'
import { egressSocketIn } from '../egress/guest-egress.ts'
import type { EgressProxy } from '../egress/proxy.ts'
import { DENO_GUEST_SOURCE } from '../guest/compiled.gen.ts'
import type { CommandFor } from '../host/process.ts'
import { writeGuest } from '../linux/runtime-file.ts'
import { wrapCommand } from '../linux/wrap-command.ts'
import type { ProbeResult } from '../sandbox.ts'
import { denoLaunch, NO_NETWORK, RELAYED_NETWORK } from './deno-launch.ts'
import { checkEntries } from './network-rule.ts'
import { REACH_PROBE_CODE } from './probe/os-probe.ts'
import { probeConfinement } from './probe/probe.ts'
import { hasNetwork, type ProcessShape, type Provider } from './provider.ts'

export type CommandProviderOptions = Readonly<{
  /** The program and its arguments. `{deno}`, `{guest}`, `{folder}` and `{memoryMb}` are filled in. */
  words: readonly string[]
  denoPath: string
  /** A folder for the guest program. */
  runtimeDir: string
  egress: EgressProxy
}>

const SEARCH_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** Creates the provider that starts each guest by the operator's command. */
export const createCommandProvider = (options: CommandProviderOptions): Provider => {
  const { words, denoPath, runtimeDir, egress } = options
  const guestPath = writeGuest(runtimeDir, DENO_GUEST_SOURCE)

  const fill = (folder: string, memoryMb: number): readonly string[] => {
    const values: Readonly<Record<string, string>> = {
      deno: denoPath,
      guest: guestPath,
      folder,
      memoryMb: String(memoryMb),
    }
    return words.map((word) =>
      word.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole),
    )
  }

  const start = (shape: ProcessShape, isOpen: boolean): CommandFor => {
    checkEntries(shape.network)
    const isConnected = hasNetwork(shape)
    const network = isConnected ? RELAYED_NETWORK : NO_NETWORK
    return (folder) => {
      const socket = egressSocketIn(folder)
      const deno = denoLaunch(shape, { denoPath, guestPath, folder, network, isOpen })
      const [command = '/usr/bin/env', ...args] = [
        ...fill(folder, shape.memoryMb),
        ...['/usr/bin/env', '-i'],
        ...Object.entries(deno.env).map(([name, value]) => `${name}=${value}`),
        ...deno.words,
      ]
      return {
        // the operator's program needs rights to confine, and drops them itself
        ...wrapCommand({ command, args, identity: null }),
        env: { PATH: SEARCH_PATH },
        isApart: true,
        loopback: loopbackEntries(shape.network),
        ...(isConnected ? { egress: egress.open(socket, shape), egressPath: socket } : {}),
      }
    }
  }

  const probe = async (): Promise<ProbeResult> => {
    // Deno allows everything here, so that only the operator's program can refuse
    const result = await probeConfinement((shape) => start(shape, true), REACH_PROBE_CODE)
    return {
      ok: result.holds,
      level: result.holds ? 'os' : 'none',
      notes: result.holds ? [] : [`${words[0]}: ${result.reason}`],
    }
  }

  return {
    name: 'command',
    level: 'os',
    traffic: egress.totals,
    commandFor: (shape) => start(shape, false),
    probe,
  }
}
