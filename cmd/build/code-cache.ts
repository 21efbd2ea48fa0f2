/**
 * Makes V8's code cache of programs, in a process of the Node that will run them. V8 orders some of its tables by a hash whose
 * seed is random; with a fixed seed the same program gives the same bytes. The seed is not part of what V8 compares, once the
 * flag is back at its default.
 */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PlatformParts } from './platform-parts.ts'

const MAKER = `
const { readFileSync, writeFileSync } = require('node:fs')
const { setFlagsFromString } = require('node:v8')
const { Script } = require('node:vm')
const compile = (text) => {
  setFlagsFromString('--hash-seed=1')
  const script = new Script(text)
  setFlagsFromString('--hash-seed=0')
  return script.createCachedData()
}
for (const path of process.argv.slice(2)) {
  writeFileSync(path + '.cache', compile(readFileSync(path, 'utf8')))
}
`

/** Writes the cache of each program next to it, as `<path>.cache`. */
export const writeCodeCaches = (
  { runNode: [command, ...args] }: Pick<PlatformParts, 'runNode'>,
  paths: readonly string[],
  work: string,
): void => {
  const maker = join(work, 'make-code-cache.cjs')
  writeFileSync(maker, MAKER)
  execFileSync(command, [...args, '--hash-seed=1', maker, ...paths], { stdio: 'pipe' })
}
