/**
 * Level `os`: Deno with its permissions, inside the operating system's walls. bubblewrap gives a guest namespaces of its
 * own, a root with the runtime and nothing else in it, a temporary folder in memory, no network but the host's proxy on
 * a unix socket (egress/proxy.ts), and a filter of system calls. Where one of the two walls has a hole, the other stands.
 *
 * bubblewrap is never started as root: it would give a job root's way into /proc/sys.
 */
import { join } from 'node:path'
import process from 'node:process'
import { AppError } from '#core/error.ts'
import type { EgressProxy } from '../egress/proxy.ts'
import { DENO_GUEST_SOURCE } from '../guest/compiled.gen.ts'
import type { CommandFor } from '../host/process.ts'
import { type Bind, bubblewrapFault, jailArguments, librariesOf } from '../linux/bubblewrap-args.ts'
import type { Cgroups } from '../linux/cgroups.ts'
import { kernelBytes } from '../linux/guest-limits.ts'
import { guestIdentity, identityNotes } from '../linux/process-identity.ts'
import { howToMend } from '../linux/remediation.ts'
import { writeGuest, writeRuntimeFile } from '../linux/runtime-file.ts'
import { seccompFilter } from '../linux/seccomp-filter.ts'
import { ARCHITECTURES } from '../linux/system-calls.ts'
import { FILE_DESCRIPTOR, wrapCommand } from '../linux/wrap-command.ts'
import { EGRESS_SOCKET } from '../protocol/messages.ts'
import type { ProbeResult } from '../sandbox.ts'
import {
  DENO_FLAGS,
  denoEnvironment,
  heapFlag,
  OPEN_DENO_FLAGS,
  proxyEnvironment,
  TLS_FLAGS,
} from './deno-flags.ts'
import { checkNetwork } from './network-rule.ts'
import { OS_CANARY_CODE } from './probe/os-probe.ts'
import { tryWalls } from './probe/probe.ts'
import type { ProcessShape, Provider } from './provider.ts'

export type BubblewrapProviderOptions = Readonly<{
  bwrapPath: string
  denoPath: string
  /** A folder for the guest program and the filter; other users must be able to read it. */
  runtimeDir: string
  egress: EgressProxy
  /** Null: the host has none for us. */
  cgroups: Cgroups | null
}>

const RUNTIME = '/svc/deno'
const GUEST = '/svc/guest.mjs'
const TEMPORARY = '/tmp'
/** Beyond what a job may keep, so that it is stopped by name and not by a full disk. */
const TEMPORARY_MB = 80

const unavailable = (message: string): AppError => new AppError('unavailable', message)

const architecture = () => {
  const found = ARCHITECTURES.find((name) => name === process.arch)
  if (found !== undefined) return found
  throw unavailable(`There is no filter of system calls for ${process.arch}.`)
}

const networkOf = (shape: ProcessShape, hasEgress: boolean) => {
  checkNetwork(shape.network)
  return hasEgress
    ? {
        // loopback is its own; the rest is judged where the bytes leave
        flags: [
          '--allow-net',
          ...TLS_FLAGS,
          `--allow-read=${TEMPORARY},${EGRESS_SOCKET}`,
          `--allow-write=${TEMPORARY},${EGRESS_SOCKET}`,
        ],
        env: proxyEnvironment(),
      }
    : { flags: [`--allow-read=${TEMPORARY}`, `--allow-write=${TEMPORARY}`], env: {} }
}

/** The same zone as without walls, where the runtime reads it from a file. */
const timeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** @throws {AppError} unavailable: this host cannot start it, and why */
export const createBubblewrapProvider = (options: BubblewrapProviderOptions): Provider => {
  const { bwrapPath, denoPath, runtimeDir, egress, cgroups } = options
  const fault = bubblewrapFault(bwrapPath)
  if (fault !== null) throw unavailable(`${fault} ${howToMend(fault)}`.trim())
  const guestPath = writeGuest(runtimeDir, DENO_GUEST_SOURCE)
  const filter = writeRuntimeFile(runtimeDir, 'filter-#.bpf', seccompFilter(architecture()))
  const identity = guestIdentity(denoPath) === null ? null : guestIdentity(guestPath)
  if (process.getuid?.() === 0 && identity === null) {
    throw unavailable(identityNotes(identity)[0] ?? 'Jobs would run as root.')
  }
  const binds: readonly Bind[] = [
    ...librariesOf(denoPath),
    { from: denoPath, to: RUNTIME },
    { from: guestPath, to: GUEST },
  ]

  const start = (shape: ProcessShape, isOpen: boolean): CommandFor => {
    const hasEgress = shape.network?.length !== 0
    const network = networkOf(shape, hasEgress)
    const flags = isOpen ? OPEN_DENO_FLAGS : [...DENO_FLAGS, ...network.flags]
    return (folder) => {
      const socket = join(folder, 'egress.sock')
      const door = hasEgress
        ? { egress: egress.open(socket, shape.network), egressPath: EGRESS_SOCKET }
        : {}
      const jail = {
        binds: hasEgress ? [...binds, { from: socket, to: EGRESS_SOCKET }] : binds,
        env: { ...denoEnvironment(TEMPORARY), ...network.env, TZ: timeZone() },
        temporaryMb: TEMPORARY_MB,
        filterDescriptor: FILE_DESCRIPTOR,
        command: [RUNTIME, 'run', ...flags, heapFlag(shape), GUEST],
      }
      const opened = cgroups?.open(kernelBytes(shape.memoryMb))
      const wrapped = wrapCommand({
        command: bwrapPath,
        args: jailArguments(jail),
        identity,
        file: filter,
        // killed between its own two processes it would leave the second one waiting for the first
        isTethered: true,
        groups: opened?.joins ?? [],
      })
      // bubblewrap's own environment is to be seen inside
      return {
        ...wrapped,
        env: {},
        isHidden: true,
        ...door,
        ...(opened === undefined ? {} : { group: opened.group }),
      }
    }
  }

  const probe = async (): Promise<ProbeResult> => {
    // the operating system alone: what Deno would refuse is tried too
    const result = await tryWalls((shape) => start(shape, true), OS_CANARY_CODE)
    return {
      ok: result.holds,
      level: result.holds ? 'os' : 'none',
      notes: result.holds
        ? []
        : [`bubblewrap at ${bwrapPath}: ${result.reason}`, howToMend(result.reason)],
    }
  }

  return {
    name: 'bubblewrap',
    level: 'os',
    traffic: egress.totals,
    commandFor: (shape) => start(shape, false),
    probe,
  }
}
