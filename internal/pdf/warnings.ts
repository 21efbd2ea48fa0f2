/**
 * pdf.js shows what it can of a damaged page, and reports the rest only on the console. A
 * certificate with a missing part is worse than none, so this watches the console.
 */
import { inflateSync } from 'node:zlib'

/** pdf.js gave up in the middle of a page's content. */
const GAVE_UP = /ignoring (?:errors during|XObject)/

export type DamageWatch = Readonly<{
  isFound: () => boolean
  /** Whether packed data was damaged. pdf.js then unpacks it without its checksum, and shows whatever comes out. */
  isDoubtful: () => boolean
  stop: () => void
}>

/** Larger data is left to pdf.js, which unpacks only as much as it needs at a time. */
const MOST_UNPACKED_BYTES = 33_554_432

/**
 * Replaces the stream by which pdf.js unpacks the content of a page with a function of zlib that reports damage. It needs no
 * thread, unlike that stream. If it throws, pdf.js unpacks on its own. @returns a function that restores the stream
 */
const watchUnpacking = (onDamage: () => void): (() => void) => {
  const original = Reflect.getOwnPropertyDescriptor(globalThis, 'DecompressionStream')
  const unpack = (packed: Uint8Array): Uint8Array => {
    try {
      return inflateSync(packed, { maxOutputLength: MOST_UNPACKED_BYTES })
    } catch (error) {
      // data that ends early is an error of the page, and data behind the end is harmless
      const code = error instanceof Error && 'code' in error ? error.code : null
      if (code === 'Z_DATA_ERROR') onDamage()
      throw error
    }
  }
  class Unpacking {
    #packed = new Uint8Array(0)
    readonly readable = this.#unpacked()
    readonly writable = {
      getWriter: () => ({
        write: async (packed: Uint8Array<ArrayBuffer>) => {
          this.#packed = packed
        },
        close: async () => {},
      }),
    }
    constructor(format: string) {
      if (format !== 'deflate') throw new TypeError(`pdf.js unpacks ${format}.`)
    }
    *#unpacked() {
      yield unpack(this.#packed)
    }
  }
  Reflect.set(globalThis, 'DecompressionStream', Unpacking)
  return () => {
    Reflect.deleteProperty(globalThis, 'DecompressionStream')
    if (original !== undefined) Reflect.defineProperty(globalThis, 'DecompressionStream', original)
  }
}

/** Replaces the console's warn function and the stream that unpacks data until the watch is stopped. Only one watch may run at a time. */
export const watchDamage = (): DamageWatch => {
  const { console: target } = globalThis
  const { warn } = target
  let found = false
  let doubtful = false
  const stopUnpacking = watchUnpacking(() => {
    doubtful = true
  })
  target.warn = (...words: readonly unknown[]) => {
    found ||= words.some((word) => typeof word === 'string' && GAVE_UP.test(word))
  }
  return {
    isFound: () => found,
    isDoubtful: () => doubtful,
    stop: () => {
      stopUnpacking()
      target.warn = warn
    },
  }
}
