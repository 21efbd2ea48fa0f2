/** The readers of PDFs and of scans, as this program starts them: itself, by hidden commands, where possible behind walls. */
import { availableParallelism } from 'node:os'
import { createPdfReader, type PdfReader, type PdfReaderOptions } from '#pdf/reader-pool.ts'
import type { ReaderCommand } from '#pdf/reader-process.ts'
import { ocrAssets } from '#platform/ocr-assets.ts'
import { ownProgram } from '#platform/own-program.ts'
import { ownConfine } from './own-confinement.ts'

const HEAP_MB = 512
/** Seconds of a core for each page: whoever reads print need not wait behind it. */
const SCAN = { timeoutMs: 180_000, patienceMs: 60_000, maxWaiting: 16, recycleAfter: 40 } as const

type Options = Omit<PdfReaderOptions, 'command'>

/**
 * No network, no files but the program's own, no other processes.
 * @param parts files that the program reads, which become its arguments
 */
const confined = (word: string, parts: readonly string[]): ReaderCommand => {
  const { reads, args, ...own } = ownProgram(word, HEAP_MB)
  const program = { ...own, args: [...args, ...parts] }
  return ownConfine()(program, { reads: [...reads, ...parts] }) ?? program
}

export const readerCommand = (): ReaderCommand => confined('__read-pdf', [])

const scanReaderCommand = (): ReaderCommand => {
  const { wasm, korean } = ocrAssets()
  return confined('__read-scan', [wasm, korean])
}

const openScanReader = (options: Options): PdfReader => {
  const atOnce = Math.max(1, Math.floor(availableParallelism() / 2))
  return createPdfReader({ ...SCAN, atOnce, ...options, command: scanReaderCommand() })
}

/** @param options of both */
export const openPdfReader = (options: Options = {}): PdfReader => {
  const printed = createPdfReader({ ...options, command: readerCommand() })
  // its parts are unpacked when the first scan comes
  let scanned: PdfReader | null = null
  return {
    ...printed,
    readScan: async (parts, wish, owner) => {
      scanned ??= openScanReader(options)
      return scanned.readScan(parts, wish, owner)
    },
    close: () => {
      printed.close()
      scanned?.close()
    },
  }
}
