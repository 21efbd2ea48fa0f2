/** As much of DER (X.690) as is needed to walk through a certificate: one element after the other, strictly. */

export type DerElement = Readonly<{
  tag: number
  content: Uint8Array
  /** Where the next element begins. */
  end: number
}>

export const SEQUENCE = 0x30
const LONG_FORM = 0x80
/** No length here takes more than four bytes. */
const MAX_LENGTH_BYTES = 4

/** @returns null if there is no complete element at `at`, or its length does not use the fewest bytes, as DER requires */
export const readDer = (bytes: Uint8Array, at = 0): DerElement | null => {
  const tag = bytes[at]
  const first = bytes[at + 1]
  if (tag === undefined || first === undefined) return null
  if (first < LONG_FORM) return cut(bytes, { tag, from: at + 2, length: first })
  const count = first - LONG_FORM
  const lengthBytes = bytes.subarray(at + 2, at + 2 + count)
  if (count === 0 || count > MAX_LENGTH_BYTES || lengthBytes.length < count) return null
  const length = lengthBytes.reduce((sum, byte) => sum * 256 + byte, 0)
  if (lengthBytes[0] === 0 || length < LONG_FORM) return null
  return cut(bytes, { tag, from: at + 2 + count, length })
}

const cut = (
  bytes: Uint8Array,
  { tag, from, length }: Readonly<{ tag: number; from: number; length: number }>,
): DerElement | null => {
  const end = from + length
  return end > bytes.length ? null : { tag, content: bytes.subarray(from, end), end }
}

/** Whether the bytes are one sequence from the first to the last, as every certificate is. */
export const isWholeSequence = (bytes: Uint8Array): boolean => {
  const element = readDer(bytes)
  return element !== null && element.tag === SEQUENCE && element.end === bytes.length
}

/** Returns all elements within one; null if something between them is not an element. */
export const listDer = (content: Uint8Array): readonly DerElement[] | null => {
  const elements: DerElement[] = []
  for (let at = 0; at < content.length; ) {
    const element = readDer(content, at)
    if (element === null) return null
    elements.push(element)
    at = element.end
  }
  return elements
}
