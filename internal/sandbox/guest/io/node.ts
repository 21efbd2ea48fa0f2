/** The guest's view of Node: for trusted code only. Compiled into the guest; also what `svc __sandbox` runs. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { mkdtempSync, writeFileSync, writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process, { env } from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { format } from 'node:util'
import type { GuestIo, Scope } from './guest-io.ts'
import { takeStdin } from './node-stdin.ts'
import { untilReady } from './until-ready.ts'

const STDOUT = 1

/** Imports of built-in modules change when user code replaces their members. */
const writeNow = writeSync

const needsImport = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_REQUIRE_ASYNC_MODULE'

/** require() also works inside a single-file executable, where import() knows built-ins only. */
const load = async (address: string): Promise<unknown> => {
  const path = fileURLToPath(address)
  try {
    const module: unknown = createRequire(path)(path)
    return module
  } catch (error) {
    if (!needsImport(error)) throw error
    const module: unknown = await import(address)
    return module
  }
}

/** The host gives each process a folder of its own as TMPDIR and removes it with the process. */
const place = (code: string): string => {
  const path = join(mkdtempSync(join(tmpdir(), 'bundle-')), 'bundle.mjs')
  writeFileSync(path, code)
  return pathToFileURL(path).href
}

const createScope = <T>(): Scope<T> => {
  const storage = new AsyncLocalStorage<T>()
  return { get: () => storage.getStore(), run: (value, act) => storage.run(value, act) }
}

/** The runtime of a guest that runs on Node. */
export const createNodeIo = (): GuestIo => ({
  ...takeStdin(),
  // a script that uses process.stdout makes it non-blocking
  writeSync: (bytes) => untilReady(() => writeNow(STDOUT, bytes)),
  exit: (code) => process.exit(code),
  onUncaught: (report) => {
    process.on('unhandledRejection', report)
    process.on('uncaughtException', report)
  },
  setTraceparent: (traceparent) => {
    if (traceparent === null) Reflect.deleteProperty(env, 'TRACEPARENT')
    else Object.assign(env, { TRACEPARENT: traceparent })
  },
  placeModule: place,
  importModule: load,
  format: (values) => format(...values),
  parentId: () => process.ppid,
  openRelay: () => {
    throw new Error('Node has no relay: it is for code that is trusted.')
  },
  prepareFor: async () => undefined,
  createScope,
})
