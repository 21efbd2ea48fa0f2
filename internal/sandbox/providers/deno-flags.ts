/** How Deno is started for jobs, whatever stands around it. */

import { RELAY_PORT } from '../protocol/messages.ts'
import type { ProcessShape } from './provider.ts'

/** A folder below no folder: Deno starts as fast without its cache, and nothing of a job can be kept there. */
const NOWHERE = '/dev/null/svc'
/** Deno looks for settings at home: there it must find none, while a home that is no folder ends it. */
const NO_HOME = '/nonexistent'

/** All that Deno knows to tell of this machine, by its own names. */
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

export const DENO_FLAGS = [
  '--quiet',
  '--no-prompt',
  '--no-remote',
  '--no-npm',
  '--no-config',
  '--no-lock',
  '--no-code-cache',
  // for node:os tmpdir()
  '--allow-env=TMPDIR',
] as const

/**
 * node:https and node:tls ask for system access "ca", which cannot be allowed by that name: everything is, but for what is
 * known to be there. That opens Deno's inspector to the job, so it is for where other walls stand.
 */
export const TLS_FLAGS: readonly string[] = [
  '--allow-env=NODE_USE_SYSTEM_CA',
  '--allow-sys',
  `--deny-sys=${SYSTEM_FACTS.join(',')}`,
]

/** Without its walls, for the trial of what stands when they have fallen. */
export const OPEN_DENO_FLAGS: readonly string[] = [
  ...DENO_FLAGS.filter((flag) => !flag.startsWith('--allow-')),
  '--allow-all',
]

export const heapFlag = ({ memoryMb }: ProcessShape): string =>
  `--v8-flags=--max-old-space-size=${memoryMb}`

/** @param folder where it may write */
export const denoEnvironment = (folder: string): Readonly<Record<string, string>> => ({
  DENO_DIR: NOWHERE,
  HOME: NO_HOME,
  TMPDIR: folder,
  NO_COLOR: '1',
  DENO_NO_UPDATE_CHECK: '1',
})

/** Of a guest whose way to the network is its own relay. */
export const proxyEnvironment = (): Readonly<Record<string, string>> => ({
  HTTP_PROXY: `http://127.0.0.1:${RELAY_PORT}`,
  HTTPS_PROXY: `http://127.0.0.1:${RELAY_PORT}`,
  // for node:http
  NODE_USE_ENV_PROXY: '1',
})
