/** Detects a file's type from its first bytes, because the sender's name and content type cannot be trusted. */
export type FileKind = 'pdf' | 'jpeg' | 'png'

const PNG_MARK = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] as const
const JPEG_MARK = [0xff, 0xd8, 0xff] as const
const PDF_MARK = '%PDF-'
/** Bytes at the start within which PDF readers accept the mark. */
const PDF_MARK_WITHIN = 1_024

const startsWith = (bytes: Uint8Array, mark: readonly number[]): boolean =>
  mark.every((byte, at) => bytes[at] === byte)

/** Returns the type, or null if it is not supported. */
export const sniffKind = (bytes: Uint8Array): FileKind | null => {
  if (startsWith(bytes, JPEG_MARK)) return 'jpeg'
  if (startsWith(bytes, PNG_MARK)) return 'png'
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, PDF_MARK_WITHIN))
  return head.includes(PDF_MARK) ? 'pdf' : null
}
