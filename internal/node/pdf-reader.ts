/** The readers of PDFs and of scans. svc starts itself for them by hidden commands, confined where the machine allows it. */
import { availableParallelism } from 'node:os'
import type { Confine } from '#confine/confine.ts'
import { createPdfReader, type PdfReader, type PdfReaderOptions } from '#pdf/reader-pool.ts'
import type { ReaderCommand } from '#pdf/reader-process.ts'
import { ocrAssets } from '#platform/ocr-assets.ts'
import { ownProgram } from '#platform/own-program.ts'
import { openConfine } from './open-confine.ts'

const HEAP_MB = 512
/** A scan takes seconds of a core for each page, so scans have a pool of their own and printed PDFs do not wait. */
const SCAN = { timeoutMs: 180_000, patienceMs: 60_000, maxWaiting: 16, recycleAfter: 40 } as const

type Options = Omit<PdfReaderOptions, 'command'>

/**
 * No network, no files but the program's own, no other processes.
 * @param parts files that the program reads, which become its arguments
 */
const confinedReader = (
  confine: Confine,
  word: string,
  parts: readonly string[],
): ReaderCommand => {
  const { reads, args, ...own } = ownProgram(word, HEAP_MB)
  const program = { ...own, args: [...args, ...parts] }
  return confine(program, { reads: [...reads, ...parts] }) ?? program
}

/** Returns the confined command that reads one PDF. */
export const readerCommand = (confine: Confine): ReaderCommand =>
  confinedReader(confine, '__read-pdf', [])

const scanReaderCommand = (confine: Confine): ReaderCommand => {
  const { wasm, korean } = ocrAssets()
  return confinedReader(confine, '__read-scan', [wasm, korean])
}

const openScanReader = (confine: Confine, options: Options): PdfReader => {
  const atOnce = Math.max(1, Math.floor(availableParallelism() / 2))
  return createPdfReader({ ...SCAN, atOnce, ...options, command: scanReaderCommand(confine) })
}

/** @param options for the readers of PDFs and of scans */
export const openPdfReader = (
  options: Options = {},
  confine: Confine = openConfine(),
): PdfReader => {
  const printed = createPdfReader({ ...options, command: readerCommand(confine) })
  // the assets of OCR are unpacked at the first scan
  let scanned: PdfReader | null = null
  return {
    ...printed,
    readScan: async (parts, scan, owner, onPage) => {
      scanned ??= openScanReader(confine, options)
      return scanned.readScan(parts, scan, owner, onPage)
    },
    close: () => {
      printed.close()
      scanned?.close()
    },
  }
}
