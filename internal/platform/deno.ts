/** Where the Deno runtime for jobs is: as npm installed it. The binary takes deno.binary.ts in this file's place. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import process from 'node:process'

/** What npm, too, tells the two kinds of Linux apart by. */
const isMusl = (): boolean => !readFileSync('/proc/self/maps', 'utf8').includes('libc.so.6')

const packageName = (): string => {
  const libc = process.platform === 'linux' ? `-${isMusl() ? 'musl' : 'glibc'}` : ''
  return `@deno/${process.platform}-${process.arch}${libc}`
}

/**
 * @returns the path of its executable
 * @throws {Error} npm installed none for this machine
 */
export const findDeno = (): string => {
  const file = process.platform === 'win32' ? 'deno.exe' : 'deno'
  return createRequire(import.meta.url).resolve(`${packageName()}/${file}`)
}
