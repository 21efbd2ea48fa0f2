/** The content of a file in a form that is equal for equal certificates. */
import { readPdf } from '#pdf/read-pdf.ts'
import { PDF_BOUNDS } from '#pdf/reading.ts'
import { parseRegistry } from '#registry/parse-registry.ts'

/** Fields that a pass through another program may change slightly. */
const MOVED = new Set(['bbox', 'box', 'raw_text', 'text_length', 'document_id'])

/** Returns all fields except places, without blanks. For a refused file, returns the code. */
export const readContent = async (file: Uint8Array): Promise<string> => {
  const source = await readPdf(new Uint8Array(file), PDF_BOUNDS)
  const parsed = parseRegistry(source, { parsedAt: '', documentId: null })
  if (parsed.kind === 'refused') return parsed.code
  return JSON.stringify(parsed.document, (key, value: unknown) => {
    if (MOVED.has(key)) return undefined
    return typeof value === 'string' ? value.replace(/\s/g, '') : value
  })
}
