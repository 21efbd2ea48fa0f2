/** How Deno starts as a guest, whatever else confines it: its permissions, environment and heap. */
import { RELAY } from '../protocol/messages.ts'
import type { ProcessShape } from './provider.ts'

/** A folder that cannot exist. Deno starts as fast without its cache, and a job can store nothing there. */
const NOWHERE = '/dev/null/svc'
/** What a script reads in place of the standard input (guest/io/file-input.ts). */
const EMPTY_FILE = '/dev/null'
/** Deno reads settings from its home folder, and must find none. If the home were a file, Deno would exit. */
const NO_HOME = '/nonexistent'

/** Deno's names for all facts about the machine that it can report. */
const SYSTEM_FACTS = [
  'hostname',
  'osRelease',
  'osUptime',
  'loadavg',
  'networkInterfaces',
  'systemMemoryInfo',
  'uid',
  'gid',
  'username',
  'cpus',
  'homedir',
  'statfs',
  'getPriority',
  'setPriority',
  'userInfo',
] as const

const BASE_FLAGS = [
  '--quiet',
  '--no-prompt',
  '--no-remote',
  '--no-npm',
  '--no-config',
  '--no-lock',
  '--no-code-cache',
] as const

/** node:os reads it in tmpdir(). */
const TEMPORARY_FOLDER = 'TMPDIR'
/** The probe runs without Deno's permissions, so that it tests only the confinement around Deno. */
const OPEN_FLAGS = [...BASE_FLAGS, '--allow-all'] as const

/**
 * node:https and node:tls request the system permission "ca", which cannot be allowed by that name. So everything is allowed
 * except the known facts. This opens Deno's inspector to the job, so it is only for guests that something else confines too.
 */
const TLS_FLAGS: readonly string[] = ['--allow-sys', `--deny-sys=${SYSTEM_FACTS.join(',')}`]

/** How a guest reaches the network. */
export type DenoNetwork = Readonly<{
  flags: readonly string[]
  /** Names of environment variables that the guest may read. */
  readable: readonly string[]
  env: Readonly<Record<string, string>>
  /** A unix socket that the guest may open. */
  socket?: string
}>

export const NO_NETWORK: DenoNetwork = { flags: [], readable: [], env: {} }

const RELAY_URL = `http://${RELAY.hostname}:${RELAY.port}`

/**
 * The network of a guest that reaches it only through the egress proxy, by a relay
 * on its own loopback. The proxy decides which addresses are allowed.
 */
export const RELAYED_NETWORK: DenoNetwork = {
  flags: ['--allow-net'],
  readable: [],
  env: {
    HTTP_PROXY: RELAY_URL,
    HTTPS_PROXY: RELAY_URL,
    // node:http reads the two above only if this is set
    NODE_USE_ENV_PROXY: '1',
  },
}

/**
 * The relayed network of a guest that the operating system confines, where node:tls works too.
 * @param socket where the guest finds the socket of the proxy
 */
export const relayedNetworkWithTls = (socket: string): DenoNetwork => ({
  flags: [...RELAYED_NETWORK.flags, ...TLS_FLAGS],
  readable: ['NODE_USE_SYSTEM_CA'],
  env: RELAYED_NETWORK.env,
  socket,
})

/** All paths are as the guest sees them. */
export type DenoPlace = Readonly<{
  denoPath: string
  guestPath: string
  /** The only folder that the guest may read and write. */
  folder: string
  network: DenoNetwork
  /** Whether Deno itself allows everything. @default false */
  isOpen?: boolean
}>

/** @returns the words of the command, and its complete environment */
export const denoLaunch = (
  { memoryMb }: ProcessShape,
  { denoPath, guestPath, folder, network, isOpen = false }: DenoPlace,
): Readonly<{ words: readonly [string, ...string[]]; env: Readonly<Record<string, string>> }> => {
  const paths = network.socket === undefined ? folder : `${folder},${network.socket}`
  const permissions = isOpen
    ? OPEN_FLAGS
    : [
        ...BASE_FLAGS,
        // Deno accepts this flag only once
        `--allow-env=${[TEMPORARY_FOLDER, ...network.readable].join(',')}`,
        ...network.flags,
        `--allow-read=${paths},${EMPTY_FILE}`,
        `--allow-write=${paths}`,
      ]
  const heap = `--v8-flags=--max-old-space-size=${memoryMb}`
  return {
    words: [denoPath, 'run', ...permissions, heap, guestPath],
    env: {
      DENO_DIR: NOWHERE,
      HOME: NO_HOME,
      TMPDIR: folder,
      NO_COLOR: '1',
      DENO_NO_UPDATE_CHECK: '1',
      // WebGPU would load the graphics drivers of the host, which are native code, and give them the job's shaders
      DENO_WEBGPU_BACKEND: 'none',
      ...network.env,
    },
  }
}
