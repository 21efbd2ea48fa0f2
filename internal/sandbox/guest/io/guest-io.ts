/** All that the guest needs of its runtime, implemented by deno.ts and node.ts. */
import type { HelloMessage } from '../../protocol/messages.ts'

export interface GuestIo {
  /** Blocks until there is input; 0 or null at its end. */
  readSync(buffer: Uint8Array): number | null
  read(buffer: Uint8Array): Promise<number | null>
  /** Writes some of it, blocking; answers how much. Calls nothing that user code can replace. */
  writeSync(bytes: Uint8Array): number
  exit(code: number): never
  /** Calls back on uncaught errors. The process continues. */
  onUncaught(report: (error: unknown) => void): void
  /** Makes a module's text importable; answers its address, by which stack traces name it. */
  placeModule(code: string): string
  importModule(address: string): Promise<unknown>
  /** Sets the environment variable TRACEPARENT of the script, or removes it. */
  setTraceparent(traceparent: string | null): void
  /** As the runtime's own console would print it. */
  format(values: readonly unknown[]): string
  parentId(): number
  /** Opens the way to the network by the socket at `egress`. */
  openRelay(egress: string, to: Pick<HelloMessage, 'loopback' | 'shared'>): void
  /** Before a module's text is imported: makes what it will ask for go through the relay. */
  prepareFor(code: string): Promise<void>
  /** A value that follows a job through its promises and timers. */
  createScope<T>(): Scope<T>
}

export interface Scope<T> {
  get(): T | undefined
  run<R>(value: T, act: () => R): R
}
