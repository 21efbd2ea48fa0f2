/** Characters without a shape that change the order in which the text around them is shown. */
const HIDDEN = /\p{Bidi_Control}/gu

/** Writes them as JSON does, `\u202e`, so that people see what a text contains. */
export const escapeHidden = (text: string): string =>
  text.replace(HIDDEN, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** A string as JSON. */
export const jsonText = (text: string): string => escapeHidden(JSON.stringify(text))
