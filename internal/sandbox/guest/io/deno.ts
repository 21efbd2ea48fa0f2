/** The guest's view of Deno. Compiled into the guest only; never imported by the host. */
import { RELAY } from '../../protocol/messages.ts'
import {
  type DenoEnv,
  emptyDenoEnv,
  emptyEnvironment,
  fixUser,
  importsProcess,
  setVariable,
} from './environment.ts'
import { prepareFiles } from './files.ts'
import type { GuestIo, Scope } from './guest-io.ts'
import { prepareHttp } from './http.ts'
import { serveOwnFiles } from './own-files.ts'
import { ownStderr } from './own-stderr.ts'
import { prepareProto } from './prototypes.ts'
import { type ErrorClass, explainRefusals } from './refusals.ts'
import { type DenoNetwork, openRelay } from './relay.ts'
import { openSharedRelay } from './shared-relay.ts'
import { prepareSockets, type RelayAddress } from './sockets.ts'
import { sendOut } from './tunnel.ts'

const { apply } = Reflect

type Stream = {
  readSync(buffer: Uint8Array): number | null
  read(buffer: Uint8Array): Promise<number | null>
}

interface AsyncVariable<T> {
  get(): T | undefined
  /** Returns the value to pass to setAsyncContext afterwards. */
  enter(value: T): unknown
}

/** Internals of Deno. The version of Deno is pinned, and a test fails if they change. */
export type DenoInternals = Readonly<{
  core: Readonly<{
    AsyncVariable: new <T>() => AsyncVariable<T>
    setAsyncContext(context: unknown): void
  }>
  inspectArgs(values: readonly unknown[]): string
}>

export type DenoGlobal = DenoNetwork & { uid: () => number; gid: () => number } & Readonly<{
    stdin: Stream
    stdout: Readonly<{ writeSync(bytes: Uint8Array): number }>
    exit(code: number): never
    ppid: number
    env: DenoEnv
    errors: Readonly<{ NotCapable: ErrorClass }>
    /** The key of the internals in `Deno`. */
    internal: symbol
  }>

interface RejectionEvent extends Event {
  readonly reason: unknown
}
interface UncaughtEvent extends Event {
  readonly error: unknown
}

/** Deno's global scope accepts listeners, but the types of Node, which check this file, do not declare that. */
declare const addEventListener: (type: string, listener: (event: Event) => void) => void

const hasReason = (event: Event): event is RejectionEvent => 'reason' in event
const hasError = (event: Event): event is UncaughtEvent => 'error' in event

/** Uses Deno's async variable directly. `node:async_hooks` is built on it, but takes 7 of the 13 ms that a process needs to start. */
const createDenoScope = <T>(core: DenoInternals['core']): Scope<T> => {
  const variable = new core.AsyncVariable<T>()
  return {
    get: () => variable.get(),
    run: (value, act) => {
      const before = variable.enter(value)
      try {
        return act()
      } finally {
        core.setAsyncContext(before)
      }
    },
  }
}

/** Ends the standard input for the script, which would otherwise read the messages of the host. */
const endInput = (stdin: Stream): void => {
  Object.assign(stdin, { read: async () => null, readSync: () => null })
  Object.defineProperty(stdin, 'readable', { get: () => new Blob([]).stream() })
}

/** Creates the runtime access of a guest on Deno. */
export const createDenoIo = (deno: DenoGlobal, internals: DenoInternals): GuestIo => {
  const { stdin, stdout } = deno
  // saved before user code can replace them
  const { read, readSync } = stdin
  const { writeSync } = stdout
  endInput(stdin)
  const inspect = internals.inspectArgs
  const listen = addEventListener
  let writeStderr = (_text: string): void => undefined
  const emptyProcess = emptyEnvironment(globalThis, (process) =>
    ownStderr(process, (text) => writeStderr(text)),
  )
  explainRefusals(deno.errors.NotCapable)
  fixUser(deno)
  emptyDenoEnv(deno)
  let relay: RelayAddress | null = null
  return {
    readSync: (buffer) => apply(readSync, stdin, [buffer]),
    read: (buffer) => apply(read, stdin, [buffer]),
    writeSync: (bytes) => apply(writeSync, stdout, [bytes]),
    exit: deno.exit,
    onUncaught: (report) => {
      listen('unhandledrejection', (event) => {
        event.preventDefault()
        if (hasReason(event)) report(event.reason)
      })
      listen('error', (event) => {
        event.preventDefault()
        if (hasError(event)) report(event.error)
      })
    },
    onStderr: (write) => {
      writeStderr = write
    },
    // a module at a blob: address cannot statically import files; one at a file: or data: address could, as main module
    placeModule: (code) => {
      if (importsProcess(code)) emptyProcess()
      return URL.createObjectURL(new Blob([code], { type: 'text/javascript' }))
    },
    importModule: async (address) => {
      const module: unknown = await import(address)
      return module
    },
    setTraceparent: (traceparent) => setVariable('TRACEPARENT', traceparent),
    format: (values) => inspect(values),
    parentId: () => deno.ppid,
    openRelay: (egress, { loopback, shared }) => {
      sendOut(loopback)
      if (shared === null) openRelay(deno, egress)
      else openSharedRelay(deno, egress, shared)
      relay = shared === null ? { host: RELAY.hostname, port: RELAY.port } : { path: egress }
    },
    prepareFor: async (code) => {
      prepareProto(code)
      await prepareFiles(code)
      await serveOwnFiles(code)
      if (relay === null) return
      await prepareSockets(code, relay)
      if (!('path' in relay)) await prepareHttp(code)
    },
    createScope: () => createDenoScope(internals.core),
  }
}
