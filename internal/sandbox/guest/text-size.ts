/** The size of texts in UTF-8. */
const encoder = new TextEncoder()

/** Whether a text takes more than `maxBytes`. It is encoded only if that is in doubt: a character takes 1 to 3 bytes. */
export const isLargerThan = (text: string, maxBytes: number): boolean =>
  text.length > maxBytes || (text.length * 3 > maxBytes && encoder.encode(text).length > maxBytes)
