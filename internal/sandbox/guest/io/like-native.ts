/** Gives a function that replaces another one its properties, such as those that `util.promisify` reads. */
export const likeNative = (replaced: object, native: unknown): unknown =>
  Object.defineProperties(replaced, Object.getOwnPropertyDescriptors(native))
