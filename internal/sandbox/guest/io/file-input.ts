/**
 * The standard input as `node:fs` sees it: at its end. The real one carries the messages of the host, so a script that read it
 * would wait until its timeout or take a message, and one that closed it would end the process. Compiled into the guest only.
 */
import { likeNative } from './like-native.ts'

type Functions = Record<string, unknown>
type Native = (...args: readonly unknown[]) => unknown
/** The part of `node:fs` that this changes. */
export type FileModule = Readonly<{
  openSync: (path: string, flags: 'r') => number
  promises: object
}>

const STDIN = 0
const STDIN_PATH = /^\/(?:dev\/stdin|dev\/fd\/0|proc\/self\/fd\/0)$/
/** Reading it returns the end at once. */
const EMPTY = '/dev/null'

const READS = ['read', 'readSync', 'readv', 'readvSync'] as const
const CLOSES = ['close', 'closeSync'] as const
const BY_PATH = ['open', 'openSync', 'readFile', 'readFileSync'] as const

const isNative = (value: unknown): value is Native & object => typeof value === 'function'

/** Passes another file to the functions in place of the standard input. */
const redirect = (functions: Functions, names: readonly string[], file: () => unknown): void => {
  for (const name of names) {
    const native = functions[name]
    if (!isNative(native)) continue
    const redirected: Native = (given, ...rest) => {
      const isInput = given === STDIN || (typeof given === 'string' && STDIN_PATH.test(given))
      return Reflect.apply(native, undefined, [isInput ? file() : given, ...rest])
    }
    functions[name] = likeNative(redirected, native)
  }
}

/** Call it once, before code is loaded. */
export const endFileInput = (files: FileModule): void => {
  const open = files.openSync
  let descriptor: number | undefined
  const empty = (): number => {
    descriptor ??= open(EMPTY, 'r')
    return descriptor
  }
  redirect(files as FileModule & Functions, READS, empty)
  // closes a file of its own
  redirect(files as FileModule & Functions, CLOSES, () => open(EMPTY, 'r'))
  redirect(files as FileModule & Functions, BY_PATH, () => EMPTY)
  redirect(files.promises as Functions, ['open', 'readFile'], () => EMPTY)
}
