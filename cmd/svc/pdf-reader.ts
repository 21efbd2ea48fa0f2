/** The reader of PDFs, as this program starts it: itself, by a hidden command. */
import { createPdfReader, type PdfReader, type PdfReaderOptions } from '#pdf/reader-pool.ts'
import { ownProgram } from '#platform/own-program.ts'

const HEAP_MB = 512

export const openPdfReader = (options: Omit<PdfReaderOptions, 'command'> = {}): PdfReader =>
  createPdfReader({ ...options, command: ownProgram('__read-pdf', HEAP_MB) })
