/**
 * An operator's own walls: gVisor, nsjail, a container. Their program is started for each guest with the runtime's
 * command behind it, speaks to svc by its stdin and stdout, and gets the network as guests of bubblewrap do, by a socket
 * in the guest's folder. Whether they keep anybody in is tried, never taken on trust (docs/security.md).
 */
import { join } from 'node:path'
import type { EgressProxy } from '../egress/proxy.ts'
import { DENO_GUEST_SOURCE } from '../guest/compiled.gen.ts'
import type { CommandFor } from '../host/process.ts'
import { writeGuest } from '../linux/runtime-file.ts'
import { wrapCommand } from '../linux/wrap-command.ts'
import type { ProbeResult } from '../sandbox.ts'
import {
  DENO_FLAGS,
  denoEnvironment,
  heapFlag,
  OPEN_DENO_FLAGS,
  proxyEnvironment,
} from './deno-flags.ts'
import { checkNetwork } from './network-rule.ts'
import { REACH_CANARY_CODE } from './probe/os-probe.ts'
import { tryWalls } from './probe/probe.ts'
import type { ProcessShape, Provider } from './provider.ts'

export type CommandProviderOptions = Readonly<{
  /** The program and its arguments; `{deno}`, `{guest}`, `{folder}` and `{memoryMb}` are filled in. */
  words: readonly string[]
  denoPath: string
  /** A folder for the guest program. */
  runtimeDir: string
  egress: EgressProxy
}>

const SOCKET = 'egress.sock'
const SEARCH_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

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
    checkNetwork(shape.network)
    const hasEgress = shape.network?.length !== 0
    return (folder) => {
      const socket = join(folder, SOCKET)
      const walls = [
        ...DENO_FLAGS,
        `--allow-read=${folder}`,
        `--allow-write=${folder}`,
        ...(hasEgress ? ['--allow-net'] : []),
      ]
      const environment = { ...denoEnvironment(folder), ...(hasEgress ? proxyEnvironment() : {}) }
      const inside = [
        '/usr/bin/env',
        '-i',
        ...Object.entries(environment).map(([name, value]) => `${name}=${value}`),
        ...[denoPath, 'run', ...(isOpen ? OPEN_DENO_FLAGS : walls), heapFlag(shape), guestPath],
      ]
      const [command = '/usr/bin/env', ...args] = [...fill(folder, shape.memoryMb), ...inside]
      return {
        // whoever builds walls needs rights to do so: the program gives them up by itself
        ...wrapCommand({ command, args, identity: null }),
        env: { PATH: SEARCH_PATH },
        isApart: true,
        ...(hasEgress ? { egress: egress.open(socket, shape.network), egressPath: socket } : {}),
      }
    }
  }

  const probe = async (): Promise<ProbeResult> => {
    // Deno's rule of addresses is not in force here: what their walls leave open is open
    const result = await tryWalls((shape) => start(shape, true), REACH_CANARY_CODE)
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
