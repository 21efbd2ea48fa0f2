/**
 * Makes V8's code cache of programs, in a process of the Node that will run them. V8 orders some of its tables by a hash whose
 * seed is random; with a fixed seed the same program gives the same bytes. The seed is not part of what V8 compares, once the
 * flag is back at its default.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cacheNameOf } from '../../internal/platform/chunk-text.ts'
import type { PlatformParts } from './platform-parts.ts'

/** Bounds what a program answers to its input. */
const MOST_OUTPUT_BYTES = 64 * 1_024 * 1_024

/** Runs of a program for its cache, of which two in a row must agree. */
const MOST_RUNS = 6

const MAKER = join(import.meta.dirname, 'make-code-caches.ts')

export type CacheOptions = Readonly<{
  /** A flag of V8 under which the programs run. @default none */
  flag?: string
  /**
   * The program, one alone, reads it from its standard input until the end. The cache then has the functions that the
   * program used, which V8 otherwise compiles when it first calls them. @default the program is not run
   */
  input?: Uint8Array
  /**
   * The programs are modules, which require one another by name. The cache then has the functions that they call while they are
   * loaded. @default they are compiled and not loaded
   */
  areModules?: boolean
}>

/** Writes the cache of each program next to it, as `<path>.cache`. */
export const writeCodeCaches = (
  { runNode: [command, ...args] }: Pick<PlatformParts, 'runNode'>,
  paths: readonly string[],
  { flag = '', input, areModules = false }: CacheOptions = {},
): void => {
  const mode = input !== undefined ? 'run' : areModules ? 'loaded' : 'compiled'
  const make = (): Buffer => {
    execFileSync(command, [...args, '--hash-seed=1', MAKER, mode, flag, ...paths], {
      stdio: 'pipe',
      maxBuffer: MOST_OUTPUT_BYTES,
      // what modules read when they are loaded, and a cache of Node's own, would change the caches
      env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
      ...(input === undefined ? {} : { input }),
    })
    return Buffer.concat(paths.map((path) => readFileSync(cacheNameOf(path))))
  }
  let made = make()
  if (mode === 'compiled') return
  // the order of functions is in the cache; it counts when a second run makes the same
  for (let run = 1; run < MOST_RUNS; run += 1) {
    const before = made
    made = make()
    if (made.equals(before)) return
  }
  throw new Error(`No two of ${MOST_RUNS} runs made the same code cache.`)
}
