/**
 * Makes V8's code cache of programs, in a process of the Node that will run them. V8 orders some of its tables by a hash whose
 * seed is random; with a fixed seed the same program gives the same bytes. The seed is not part of what V8 compares, once the
 * flag is back at its default.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cacheNameOf } from '../../internal/platform/chunk-text.ts'
import type { PlatformParts } from './platform-parts.ts'

/** Bounds what a program answers to its input. */
const MOST_OUTPUT_BYTES = 64 * 1_024 * 1_024

/** Runs of a program for its cache, of which two in a row must agree. */
const MOST_RUNS = 6

const MAKER = `
const { readFileSync, writeFileSync } = require('node:fs')
const { setFlagsFromString } = require('node:v8')
const { Script } = require('node:vm')
const [mode, flag, ...paths] = process.argv.slice(2)
const compile = (path) => {
  setFlagsFromString('--hash-seed=1')
  return new Script(readFileSync(path, 'utf8'))
}
const write = (path, script) => {
  setFlagsFromString('--hash-seed=0')
  if (flag !== '') setFlagsFromString(flag)
  writeFileSync(path + '.cache', script.createCachedData())
}
if (mode === 'compiled') {
  for (const path of paths) write(path, compile(path))
} else {
  // functions that were not used for some time would be missing
  setFlagsFromString('--no-flush-bytecode')
  // a program that yields after some milliseconds would call its functions in another order on a busy machine
  const now = Date.now()
  Date.now = () => now
  const script = compile(paths[0])
  process.on('exit', () => {
    setFlagsFromString('--flush-bytecode')
    write(paths[0], script)
  })
  script.runInThisContext()(require, { exports: {} }, {}, process.execPath, '/')
}
`

export type CacheOptions = Readonly<{
  /** A flag of V8 under which the programs run. @default none */
  flag?: string
  /**
   * The program, one alone, reads it from its standard input until the end. The cache then has the functions that the
   * program used, which V8 otherwise compiles when it first calls them. @default the program is compiled and not run
   */
  input?: Uint8Array
}>

/** Writes the cache of each program next to it, as `<path>.cache`. */
export const writeCodeCaches = (
  { runNode: [command, ...args] }: Pick<PlatformParts, 'runNode'>,
  paths: readonly string[],
  work: string,
  { flag = '', input }: CacheOptions = {},
): void => {
  const maker = join(work, 'make-code-cache.cjs')
  writeFileSync(maker, MAKER)
  const make = (mode: 'compiled' | 'run'): void => {
    execFileSync(command, [...args, '--hash-seed=1', maker, mode, flag, ...paths], {
      stdio: 'pipe',
      maxBuffer: MOST_OUTPUT_BYTES,
      ...(input === undefined ? {} : { input }),
    })
  }
  if (input === undefined) {
    make('compiled')
    return
  }
  // the order of functions is in the cache; it counts when a second run makes the same
  let before = Buffer.alloc(0)
  for (let run = 0; run < MOST_RUNS; run += 1) {
    make('run')
    const made = Buffer.concat(paths.map((path) => readFileSync(cacheNameOf(path))))
    if (made.equals(before)) return
    before = made
  }
  throw new Error(`No two of ${MOST_RUNS} runs made the same code cache.`)
}
