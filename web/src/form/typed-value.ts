/** The text of a field whose value is not a text: a number, or any JSON. Pure. */
import type { Json } from '#sdk/mod.ts'

export type TypedKind = 'number' | 'json'

export type Typed = Readonly<{
  /** Undefined for an empty text. A text that is not valid is the value itself, so that the server refuses what is shown. */
  value: Json | undefined
  isValid: boolean
}>

const invalid = (text: string): Typed => ({ value: text, isValid: false })

/** @throws {SyntaxError} the text is not JSON, or a number in it is too large and would be sent as null */
export const parseFinite = (text: string): Json =>
  JSON.parse(text, (_, value: Json) => {
    if (typeof value === 'number' && !Number.isFinite(value)) {
      throw new SyntaxError('A number is too large.')
    }
    return value
  })

const READERS: Readonly<Record<TypedKind, (text: string) => Typed>> = {
  number: (text) => {
    const value = Number(text)
    return Number.isFinite(value) ? { value, isValid: true } : invalid(text)
  },
  json: (text) => {
    try {
      return { value: parseFinite(text), isValid: true }
    } catch {
      return invalid(text)
    }
  },
}

export const readTyped = (kind: TypedKind, text: string): Typed =>
  text.trim() === '' ? { value: undefined, isValid: true } : READERS[kind](text)

/** The text of a value. A text in a field for JSON has quotes; in a field for a number it was typed there. */
export const typedText = (kind: TypedKind, value: Json | undefined): string => {
  if (value === undefined) return ''
  return kind === 'number' && typeof value === 'string' ? value : JSON.stringify(value)
}
