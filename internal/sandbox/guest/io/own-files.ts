/**
 * Files that a bundle contains, because its code reads them by its own place (bundle/own-files.ts). `node:fs` returns them to calls
 * that read a whole file. Compiled into the guest only.
 */
import { APP_ROOT, fileAddress } from '#core/app-file.ts'
import { likeNative } from './like-native.ts'

type Answer = (bytes: Uint8Array, ...rest: readonly unknown[]) => unknown

const BRINGS_FILES = /\bsvc\.files\b/

const addressOf = (path: unknown): string | null => {
  if (path instanceof URL) return path.href
  return typeof path === 'string' && path.startsWith(APP_ROOT) ? fileAddress(path) : null
}

const find = (path: unknown): Uint8Array | undefined => {
  const address = addressOf(path)
  const files: unknown = Reflect.get(globalThis, Symbol.for('svc.files'))
  const bytes: unknown = address !== null && files instanceof Map ? files.get(address) : undefined
  return bytes instanceof Uint8Array ? bytes : undefined
}

const encodingOf = (options: unknown): unknown =>
  typeof options === 'object' && options !== null ? Reflect.get(options, 'encoding') : options

let isServed = false

/** Call it before the code is loaded. @param load returns the module that the code gets as `node:fs` */
export const serveOwnFiles = async (code: string): Promise<void> => {
  if (isServed || !BRINGS_FILES.test(code)) return
  isServed = true
  const { default: files } = await import('node:fs')
  const { Buffer } = await import('node:buffer')
  const contentOf = (bytes: Uint8Array, options: unknown): unknown => {
    const encoding = String(encodingOf(options))
    const copy = Buffer.from(bytes)
    return Buffer.isEncoding(encoding) ? copy.toString(encoding) : copy
  }
  const replace = (owner: object, name: string, answer: Answer): void => {
    const native: unknown = Reflect.get(owner, name)
    if (typeof native !== 'function') return
    const replaced = (path: unknown, ...rest: readonly unknown[]): unknown => {
      const bytes = find(path)
      return bytes === undefined
        ? Reflect.apply(native, owner, [path, ...rest])
        : answer(bytes, ...rest)
    }
    Reflect.set(owner, name, likeNative(replaced, native))
  }
  replace(files, 'readFileSync', contentOf)
  replace(files, 'existsSync', () => true)
  replace(files, 'readFile', (bytes, ...rest) => {
    const done = rest.at(-1)
    if (typeof done === 'function') queueMicrotask(() => done(null, contentOf(bytes, rest[0])))
  })
  replace(files.promises, 'readFile', async (bytes, options) => contentOf(bytes, options))
}
