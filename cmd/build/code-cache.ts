/**
 * Makes V8's code cache of programs, in a process of the Node that will run them. V8 orders some of its tables by a hash with
 * a random seed; with a fixed seed, the same program gives the same bytes. V8 does not compare the seed when it accepts a
 * cache, provided that the flag is back at its default.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cacheNameOf } from '../../internal/platform/chunk-text.ts'
import type { PlatformParts } from './platform-parts.ts'

/** Limits the output of a program that reads the input. */
const MOST_OUTPUT_BYTES = 64 * 1_024 * 1_024

/** The maximum number of runs of a program for its cache; two in a row must agree. */
const MOST_RUNS = 6

/**
 * A heap in which nothing is collected while a program runs. V8 leaves a few bytes of its objects unset, so that a cache contains
 * what was in memory before them; on a busy machine, collections come at other times.
 */
const LARGE_HEAP = [
  '--min-semi-space-size=512',
  '--max-semi-space-size=512',
  '--initial-heap-size=3072',
  '--initial-old-space-size=2048',
]

const MAKER = join(import.meta.dirname, 'make-code-caches.ts')

export type CacheOptions = Readonly<{
  /** A V8 flag under which the programs run. @default none */
  flag?: string
  /**
   * The single program reads this from its standard input until the end. The cache then includes the functions that the
   * program used, which V8 otherwise compiles at their first call. @default the program is not run
   */
  input?: Uint8Array
  /**
   * Whether the programs are modules that require one another by name. The cache then includes the functions that they call
   * while they load. @default false: they are compiled and not loaded
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
    execFileSync(command, [...args, ...LARGE_HEAP, '--hash-seed=1', MAKER, mode, flag, ...paths], {
      stdio: 'pipe',
      maxBuffer: MOST_OUTPUT_BYTES,
      // environment variables that modules read while they load, and Node's own compile cache, would change the caches
      env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
      ...(input === undefined ? {} : { input }),
    })
    return Buffer.concat(paths.map((path) => readFileSync(cacheNameOf(path))))
  }
  let made = make()
  if (mode === 'compiled') return
  // the cache depends on the order of functions; it is accepted once two runs in a row agree
  for (let run = 1; run < MOST_RUNS; run += 1) {
    const before = made
    made = make()
    if (made.equals(before)) return
  }
  throw new Error(`No two of ${MOST_RUNS} runs made the same code cache.`)
}
