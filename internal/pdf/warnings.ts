/**
 * pdf.js shows what it can of a damaged page, and reports the rest only on the console. A
 * certificate with a missing part is worse than none, so this watches the console.
 */

/** pdf.js gave up in the middle of a page's content. */
const GAVE_UP = /ignoring (?:errors during|XObject)/

export type DamageWatch = Readonly<{ isFound: () => boolean; stop: () => void }>

/** Replaces the console's warn function until the watch is stopped. Only one watch may run at a time. */
export const watchDamage = (): DamageWatch => {
  const { console: target } = globalThis
  const { warn } = target
  let found = false
  target.warn = (...words: readonly unknown[]) => {
    found ||= words.some((word) => typeof word === 'string' && GAVE_UP.test(word))
  }
  return {
    isFound: () => found,
    stop: () => {
      target.warn = warn
    },
  }
}
