/** The reader of PDFs, as this program starts it: itself, by a hidden command, where possible behind walls. */
import { createPdfReader, type PdfReader, type PdfReaderOptions } from '#pdf/reader-pool.ts'
import type { ReaderCommand } from '#pdf/reader-process.ts'
import { ownProgram } from '#platform/own-program.ts'
import { ownFence } from './fence.ts'

const HEAP_MB = 512

/** No network, no files but the program's own, no other processes. */
export const readerCommand = (): ReaderCommand => {
  const program = ownProgram('__read-pdf', HEAP_MB)
  return ownFence()(program, { reads: program.reads }) ?? program
}

export const openPdfReader = (options: Omit<PdfReaderOptions, 'command'> = {}): PdfReader =>
  createPdfReader({ ...options, command: readerCommand() })
