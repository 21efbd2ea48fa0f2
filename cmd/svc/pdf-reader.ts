/** The readers of PDFs and of scans, as this program starts them: itself, by hidden commands. */
import { availableParallelism } from 'node:os'
import { createPdfReader, type PdfReader, type PdfReaderOptions } from '#pdf/reader-pool.ts'
import { ocrAssets } from '#platform/ocr-assets.ts'
import { ownProgram } from '#platform/own-program.ts'

const HEAP_MB = 512
/** Seconds of a core for each page: whoever reads print need not wait behind it. */
const SCAN = { timeoutMs: 180_000, patienceMs: 60_000, maxWaiting: 16, recycleAfter: 40 } as const

type Options = Omit<PdfReaderOptions, 'command'>

const openScanReader = (options: Options): PdfReader => {
  const { command, args, env } = ownProgram('__read-scan', HEAP_MB)
  const { wasm, korean } = ocrAssets()
  const atOnce = Math.max(1, Math.floor(availableParallelism() / 2))
  return createPdfReader({
    ...SCAN,
    atOnce,
    ...options,
    command: { command, args: [...args, wasm, korean], env },
  })
}

/** @param options of both */
export const openPdfReader = (options: Options = {}): PdfReader => {
  const printed = createPdfReader({ ...options, command: ownProgram('__read-pdf', HEAP_MB) })
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
