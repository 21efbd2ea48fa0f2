/** Finds the Deno runtime for jobs, as npm installed it. The binary uses deno.binary.ts instead. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import process from 'node:process'

/** Detects musl; npm packages exist for both C libraries of Linux. */
const isMusl = (): boolean => !readFileSync('/proc/self/maps', 'utf8').includes('libc.so.6')

const packageName = (): string => {
  const libc = process.platform === 'linux' ? `-${isMusl() ? 'musl' : 'glibc'}` : ''
  return `@deno/${process.platform}-${process.arch}${libc}`
}

/**
 * @returns the path of its executable
 * @throws {Error} npm has not installed it for this machine
 */
export const findDeno = (): string => {
  const file = process.platform === 'win32' ? 'deno.exe' : 'deno'
  return createRequire(import.meta.url).resolve(`${packageName()}/${file}`)
}
