/**
 * `Object.prototype.__proto__`, which Deno removes. Code for Node may set a prototype by it, and without it would only set a property
 * (mammoth). Bundles that do not name it go without.
 */

const NAMES_PROTO = /\.__proto__\b/

const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function'

/** Call it before the code is loaded. */
export const prepareProto = (code: string): void => {
  if (!NAMES_PROTO.test(code)) return
  Object.defineProperty(Object.prototype, '__proto__', {
    get(this: unknown) {
      return Object.getPrototypeOf(this)
    },
    set(this: unknown, value: unknown) {
      if (isObject(this) && (isObject(value) || value === null)) Object.setPrototypeOf(this, value)
    },
    configurable: true,
  })
}
