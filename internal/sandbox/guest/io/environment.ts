/**
 * Gives code on Deno an empty environment and a fixed user. Deno's permission to read the environment
 * would include writing it, and writes reach Deno itself (proxies, resolver). Without an environment,
 * `process.env.DEBUG` of any package would throw. Compiled into the guest only.
 */
import { importsOf } from './imports.ts'
import { hideInput } from './no-input.ts'

type Process = Readonly<{ getBuiltinModule(name: 'node:stream'): typeof import('node:stream') }>

/** The user and group id that jobs see, the same on every machine. */
const UNPRIVILEGED_ID = 65_534

/** Bytes, as `node:os` states them (bundle/system-modules.ts). */
const MEMORY = 2_147_483_648

const FIXED_FACTS = {
  getuid: () => UNPRIVILEGED_ID,
  geteuid: () => UNPRIVILEGED_ID,
  getgid: () => UNPRIVILEGED_ID,
  getegid: () => UNPRIVILEGED_ID,
  getgroups: () => [UNPRIVILEGED_ID],
  umask: () => 0o022,
  availableMemory: () => MEMORY,
  constrainedMemory: () => MEMORY,
} as const

const isProcess = (value: unknown): value is Process =>
  typeof value === 'object' && value !== null && 'getBuiltinModule' in value

/** Fixes facts of the machine that packages read while they load, for which Deno would require a permission. */
const fixFacts = (shared: object): void => {
  for (const [name, value] of Object.entries(FIXED_FACTS)) {
    Object.defineProperty(shared, name, { value, writable: true, configurable: true })
  }
}

/** `fs.access` of Deno compares the owner of a file with the user, for which Deno would require a permission. */
export const fixUser = (deno: { uid: () => number; gid: () => number }): void => {
  deno.uid = FIXED_FACTS.getuid
  deno.gid = FIXED_FACTS.getgid
}

/** The content of `process.env`. */
const environment: Record<string, string> = {}

/** Sets or removes a variable of the environment that scripts see. */
export const setVariable = (name: string, value: string | null): void => {
  if (value === null) Reflect.deleteProperty(environment, name)
  else environment[name] = value
}

export type DenoEnv = Readonly<{
  get: (name: string) => string | undefined
  has: (name: string) => boolean
  toObject: () => Record<string, string>
}>

/** Returns the fallback for a variable that Deno does not let a job read, as if it were not set. */
const readable = <T>(read: () => T, fallback: T): T => {
  try {
    return read()
  } catch {
    return fallback
  }
}

/** `node:child_process` of Deno asks for it before it starts a program. Later failures of it do not state their cause. */
export const ASKED_BY_PROGRAMS = 'NODE_V8_COVERAGE'

/**
 * Packages that detect Deno read their variables from `Deno.env` instead of `process.env`, also while they load. The few that
 * Deno lets a job read stay readable, because `os.tmpdir` reads one.
 */
export const emptyDenoEnv = (deno: { env: DenoEnv }): void => {
  const native = deno.env
  const get = (name: string): string | undefined => {
    if (Object.hasOwn(environment, name)) return environment[name]
    if (name === ASKED_BY_PROGRAMS) return native.get(name)
    return readable(() => native.get(name), undefined)
  }
  deno.env = {
    ...native,
    get,
    has: (name) => get(name) !== undefined,
    toObject: () => ({ ...readable(native.toObject, {}), ...environment }),
  }
}

/**
 * Loads Deno's `node:process` only when it is first used, because loading it takes longer than loading the whole guest.
 * @param onLoad is called once with the loaded process
 */
export const emptyEnvironment = (
  scope: object,
  onLoad: (process: object) => void,
): (() => void) => {
  const found = Object.getOwnPropertyDescriptor(scope, 'process')
  let isEmpty = false
  const emptied = (): unknown => {
    const shared: unknown = found?.get?.call(scope)
    if (!isEmpty && isProcess(shared)) {
      isEmpty = true
      Object.defineProperty(shared, 'env', {
        value: environment,
        writable: true,
        enumerable: true,
        configurable: true,
      })
      fixFacts(shared)
      hideInput(shared, () => shared.getBuiltinModule('node:stream').Readable)
      onLoad(shared)
    }
    return shared
  }
  if (found?.get !== undefined) Object.defineProperty(scope, 'process', { ...found, get: emptied })
  return emptied
}

/** Whether the text of a module imports `process` instead of using the global. */
export const importsProcess = importsOf('process')
