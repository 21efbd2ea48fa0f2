/**
 * Level `os`: Deno with its permissions, confined by the operating system. bubblewrap gives a guest its own namespaces, a
 * root that holds only the runtime, a temporary folder in memory, no network except the egress proxy on a unix socket
 * (egress/proxy.ts), and a system call filter. If either Deno or bubblewrap has a hole, the other still confines the job.
 *
 * bubblewrap never starts as root: a job could then write to /proc/sys as root.
 */
import { readlinkSync } from 'node:fs'
import process, { env } from 'node:process'
import { AppError } from '#core/error.ts'
import { loopbackEntries } from '#core/network/egress-grant.ts'
import { egressSocketIn } from '../egress/guest-egress.ts'
import type { EgressProxy } from '../egress/proxy.ts'
import { DENO_GUEST_SOURCE } from '../guest/compiled.gen.ts'
import type { CommandFor } from '../host/process.ts'
import {
  type Bind,
  bubblewrapArgs,
  bubblewrapFault,
  librariesOf,
  type MachineFacts,
} from '../linux/bubblewrap-args.ts'
import type { Cgroups } from '../linux/cgroups.ts'
import type { GuestCgroup } from '../linux/guest-cgroup.ts'
import { kernelBytes } from '../linux/guest-limits.ts'
import { guestIdentity, identityNotes } from '../linux/process-identity.ts'
import { remediationFor } from '../linux/remediation.ts'
import { writeGuest, writeRuntimeFile } from '../linux/runtime-file.ts'
import { seccompFilter } from '../linux/seccomp-filter.ts'
import { ARCHITECTURES } from '../linux/system-calls.ts'
import { FILE_DESCRIPTOR, wrapCommand } from '../linux/wrap-command.ts'
import { EGRESS_SOCKET } from '../protocol/messages.ts'
import type { ProbeResult } from '../sandbox.ts'
import { denoLaunch, NO_NETWORK, relayedNetworkWithTls } from './deno-launch.ts'
import { checkEntries } from './network-rule.ts'
import { OS_PROBE_CODE } from './probe/os-probe.ts'
import { probeConfinement } from './probe/probe.ts'
import { hasNetwork, type ProcessShape, type Provider } from './provider.ts'

export type BubblewrapProviderOptions = Readonly<{
  bwrapPath: string
  denoPath: string
  /** A folder for the guest program and the filter; other users must be able to read it. */
  runtimeDir: string
  egress: EgressProxy
  /** Null if svc may not create control groups on this machine. */
  cgroups: Cgroups | null
  /** @default determined synchronously, which blocks this thread */
  facts?: MachineFacts
}>

const RUNTIME = '/svc/deno'
const GUEST = '/svc/guest.mjs'
const TEMPORARY = '/tmp'
/** More than a job may keep, so that the job ends with DiskLimit before its disk is full. */
const TEMPORARY_MB = 80

const unavailable = (message: string): AppError => new AppError('unavailable', message)

const architecture = () => {
  const found = ARCHITECTURES.find((name) => name === process.arch)
  if (found !== undefined) return found
  throw unavailable(`There is no filter of system calls for ${process.arch}.`)
}

const ZONE_FILE = /\/zoneinfo\/(?<zone>[A-Z]\w*(?:\/[\w+-]+)*)$/

/**
 * The runtime would read the time zone from a file that is not visible inside bubblewrap, so it
 * gets TZ instead. The link is read first, because the first use of Intl takes 30 ms.
 */
const timeZone = (): string => {
  try {
    // biome-ignore lint/style/noProcessEnv: a setting of the runtime, not of svc
    const zone = env.TZ ?? ZONE_FILE.exec(readlinkSync('/etc/localtime'))?.groups?.zone
    if (zone !== undefined && zone !== '') return zone
  } catch {
    // the file is missing or not a link
  }
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** @throws {AppError} unavailable: this host cannot start it; the message names the reason */
export const createBubblewrapProvider = (options: BubblewrapProviderOptions): Provider => {
  const { bwrapPath, denoPath, runtimeDir, egress, cgroups } = options
  const { fault, libraries } = options.facts ?? {
    fault: bubblewrapFault(bwrapPath),
    libraries: librariesOf(denoPath),
  }
  if (fault !== null) throw unavailable(`${fault} ${remediationFor(fault)}`.trim())
  const guestPath = writeGuest(runtimeDir, DENO_GUEST_SOURCE)
  const filter = writeRuntimeFile(runtimeDir, 'filter-#.bpf', seccompFilter(architecture()))
  const identity = guestIdentity(denoPath, guestPath)
  if (process.getuid?.() === 0 && identity === null) {
    throw unavailable(identityNotes(identity)[0] ?? 'Jobs would run as root.')
  }
  const binds: readonly Bind[] = [
    ...libraries,
    { from: denoPath, to: RUNTIME },
    { from: guestPath, to: GUEST },
  ]

  const zone = timeZone()

  const start = (shape: ProcessShape, isOpen: boolean): CommandFor => {
    checkEntries(shape.network)
    const isConnected = hasNetwork(shape)
    const { words, env: launchEnv } = denoLaunch(shape, {
      denoPath: RUNTIME,
      guestPath: GUEST,
      folder: TEMPORARY,
      // the namespace has no other interface, and the proxy checks addresses outside
      network: isConnected ? relayedNetworkWithTls(EGRESS_SOCKET) : NO_NETWORK,
      isOpen,
    })
    return (folder) => {
      const socket = egressSocketIn(folder)
      const cgroup = cgroups?.open(kernelBytes(shape.memoryMb))
      const connection = isConnected ? connect(socket, shape, cgroup?.group) : {}
      const wrapped = wrapCommand({
        command: bwrapPath,
        args: bubblewrapArgs({
          binds: isConnected ? [...binds, { from: socket, to: EGRESS_SOCKET }] : binds,
          env: { ...launchEnv, TZ: zone },
          temporaryMb: TEMPORARY_MB,
          filterDescriptor: FILE_DESCRIPTOR,
          command: words,
        }),
        identity,
        file: filter,
        // if bubblewrap's outer process alone were killed between its two processes, the inner one would wait for it
        diesWithParent: true,
        groups: cgroup?.joins ?? [],
      })
      return {
        ...wrapped,
        // the environment of bubblewrap itself would be visible inside
        env: {},
        isHidden: true,
        loopback: loopbackEntries(shape.network),
        ...connection,
        ...(cgroup === undefined ? {} : { group: cgroup.group }),
      }
    }
  }

  const connect = (socket: string, shape: ProcessShape, group: GuestCgroup | undefined) => {
    try {
      return { egress: egress.open(socket, shape), egressPath: EGRESS_SOCKET }
    } catch (error) {
      // nothing else knows the group of a guest that does not start
      group?.remove()
      throw error
    }
  }

  const probe = async (): Promise<ProbeResult> => {
    // Deno allows everything here, so that only the operating system can refuse
    const result = await probeConfinement((shape) => start(shape, true), OS_PROBE_CODE)
    return {
      ok: result.holds,
      level: result.holds ? 'os' : 'none',
      notes: result.holds
        ? []
        : [`bubblewrap at ${bwrapPath}: ${result.reason}`, remediationFor(result.reason)],
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
