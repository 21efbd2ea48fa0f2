/** The guest's access to Node, for trusted code only. Compiled into the guest; `svc __sandbox` runs it too. */
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
import { serveOwnFiles } from './own-files.ts'
import { ownStderr } from './own-stderr.ts'
import { untilReady } from './until-ready.ts'

const STDOUT = 1

/** Saved, because imports of built-in modules change when user code replaces their members. */
const writeNow = writeSync

const needsImport = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_REQUIRE_ASYNC_MODULE'

/** Uses require(), which also works in a single-file executable, where import() finds only built-in modules. */
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

/** The host gives each process its own folder as TMPDIR and removes it with the process. */
const place = (code: string): string => {
  const path = join(mkdtempSync(join(tmpdir(), 'bundle-')), 'bundle.mjs')
  writeFileSync(path, code)
  return pathToFileURL(path).href
}

const createScope = <T>(): Scope<T> => {
  const storage = new AsyncLocalStorage<T>()
  return { get: () => storage.getStore(), run: (value, act) => storage.run(value, act) }
}

/** Creates the runtime access of a guest on Node. */
export const createNodeIo = (): GuestIo => ({
  ...takeStdin(),
  // stdout becomes non-blocking when a script uses process.stdout
  writeSync: (bytes) => untilReady(() => writeNow(STDOUT, bytes)),
  exit: (code) => process.exit(code),
  onUncaught: (report) => {
    process.on('unhandledRejection', report)
    process.on('uncaughtException', report)
  },
  onStderr: (write) => ownStderr(process, write),
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
  prepareFor: serveOwnFiles,
  createScope,
})
