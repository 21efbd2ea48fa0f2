/**
 * pdf.js shows what it can of a damaged page, and reports the rest only on the console. A certificate of which a part
 * is missing is worse than none, so that is listened to.
 */

/** pdf.js gave up in the middle of a page's content. */
const GAVE_UP = /ignoring (?:errors during|XObject)/

export type DamageWatch = Readonly<{ isFound: () => boolean; stop: () => void }>

/** Takes the place of the console's warnings until it is stopped; one at a time. */
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
