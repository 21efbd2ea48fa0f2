/**
 * pdf.js shows what it can of a damaged page, and reports the rest only on the console. A
 * certificate with a missing part is worse than none, so this watches the console.
 */

/** pdf.js gave up in the middle of a page's content. */
const GAVE_UP = /ignoring (?:errors during|XObject)/

export type DamageWatch = Readonly<{
  isFound: () => boolean
  /** Whether packed data was damaged. pdf.js then unpacks it without its checksum, and shows whatever comes out. */
  isDoubtful: () => boolean
  stop: () => void
}>

/** Replaces the stream by which pdf.js unpacks data with one that reports damage. @returns a function that restores it */
const watchUnpacking = (onDamage: () => void): (() => void) => {
  const { DecompressionStream: Original } = globalThis
  const watched = async function* (readable: AsyncIterable<Uint8Array>) {
    try {
      yield* readable
    } catch (error) {
      // data that ends early is an error of the page, and data behind the end is harmless
      const code = error instanceof Error && 'code' in error ? error.code : null
      if (code === 'Z_DATA_ERROR') onDamage()
      throw error
    }
  }
  class Watched {
    readonly readable
    readonly writable
    constructor(format: ConstructorParameters<typeof DecompressionStream>[0]) {
      const { readable, writable } = new Original(format)
      this.readable = watched(readable)
      this.writable = writable
    }
  }
  Reflect.set(globalThis, 'DecompressionStream', Watched)
  return () => void Reflect.set(globalThis, 'DecompressionStream', Original)
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
