/**
 * Runs programs from the binary's assets (only there). V8 uses a program's code cache, which the build has made, instead of
 * compiling. It checks version and flags, and compiles the text if they differ.
 */
import { Buffer, isAscii } from 'node:buffer'
import { dirname } from 'node:path'
import process from 'node:process'
import { Script } from 'node:vm'
import { cacheNameOf } from './chunk-text.ts'
import { readPacked } from './packed-files.binary.ts'

type Module = { exports: unknown }
export type Require = (name: string) => unknown

/** The binary has no packages, and must not load those next to the folder in which it happens to be. */
export const requireBuiltin: Require = (name) => {
  const found: unknown = process.getBuiltinModule(name)
  if (found !== undefined) return found
  throw new Error(`The binary does not have the module ${name}.`)
}

const readFile = (name: string): Uint8Array<ArrayBuffer> => {
  const content = readPacked(name)
  if (content === null) throw new Error(`The binary does not have the file ${name}.`)
  return content
}

/** @throws {Error} the binary does not have it */
export const runChunk = (name: string, require: Require, module: Module): void => {
  const { buffer, byteOffset, length } = readFile(name)
  const text = Buffer.from(buffer, byteOffset, length)
  // nearly all chunks are ASCII, which needs no decoding; the bundler leaves other characters only in regular expressions
  const script = new Script(text.toString(isAscii(text) ? 'latin1' : 'utf8'), {
    filename: name,
    cachedData: readFile(cacheNameOf(name)),
  })
  const run: unknown = script.runInThisContext()
  if (typeof run !== 'function') throw new Error(`The program ${name} is damaged.`)
  const { execPath } = process
  // the OCR engine reads the folder of its program but does not use it
  run(require, module, module.exports, execPath, dirname(execPath))
}
