/** Everything that the guest needs from its runtime, implemented by deno.ts and node.ts. */
import type { HelloMessage } from '../../protocol/messages.ts'

export interface GuestIo {
  /** Blocks until there is input. Returns the number of bytes, or 0 or null at the end. */
  readSync(buffer: Uint8Array): number | null
  read(buffer: Uint8Array): Promise<number | null>
  /** Writes at least some of the bytes, blocking, and returns how many. Calls nothing that user code can replace. */
  writeSync(bytes: Uint8Array): number
  exit(code: number): never
  /** Calls back on uncaught errors. The process continues. */
  onUncaught(report: (error: unknown) => void): void
  /** Calls back with each text that the script writes to `process.stderr`, instead of writing it. */
  onStderr(write: (text: string) => void): void
  /** Makes the text of a module importable. Returns its address, which stack traces contain. */
  placeModule(code: string): string
  importModule(address: string): Promise<unknown>
  /** Sets the environment variable TRACEPARENT of the script, or removes it. */
  setTraceparent(traceparent: string | null): void
  /** Formats values as the runtime's own console does. */
  format(values: readonly unknown[]): string
  parentId(): number
  /** Opens the network connection through the socket at `egress`. */
  openRelay(egress: string, to: Pick<HelloMessage, 'loopback' | 'shared'>): void
  /** Prepares for the import of a module, so that the network modules it uses go through the relay. */
  prepareFor(code: string): Promise<void>
  /** Creates a value that follows a job through its promises and timers. */
  createScope<T>(): Scope<T>
}

export interface Scope<T> {
  get(): T | undefined
  run<R>(value: T, act: () => R): R
}
