/**
 * The readers of PDFs and of scans. svc starts its own program for them with hidden
 * commands, confined if the machine allows it.
 */
import { availableParallelism } from 'node:os'
import type { Confine } from '#confine/confine.ts'
import { createPdfReader, type PdfReader, type PdfReaderOptions } from '#pdf/reader-pool.ts'
import type { ReaderCommand } from '#pdf/reader-process.ts'
import { ocrAssets } from '#platform/ocr-assets.ts'
import { ownProgram, type ProgramCommand } from '#platform/own-program.ts'
import { openConfine } from './open-confine.ts'

const HEAP_MB = 512
/** The longest time that reading one scan may take, in milliseconds. */
const SCAN_MS = 180_000
/**
 * Scans take seconds of a core per page, so they have a separate pool and printed PDFs do not wait for them. A scan waits longer
 * than another may take, because one workspace with slow scans would otherwise keep out the others where one runs at a time.
 */
export const SCAN = {
  timeoutMs: SCAN_MS,
  patienceMs: SCAN_MS + 20_000,
  maxWaiting: 16,
  recycleAfter: 40,
} as const

export type ReaderOptions = Omit<PdfReaderOptions, 'command'>
/** Returns how to start a part of svc: `word` is its hidden command, `memoryMb` the limit of its heap in MiB. */
export type OwnProgram = (word: string, memoryMb: number) => ProgramCommand
type How = Readonly<{ confine: Confine; own: OwnProgram }>

/**
 * Confines a reader: no network, no files but the program's own, no other processes.
 * @param parts files that the program reads, which become its arguments
 */
const confinedReader = (
  { confine, own }: How,
  word: string,
  parts: readonly string[],
): ReaderCommand => {
  const { reads, args, ...rest } = own(word, HEAP_MB)
  const program = { ...rest, args: [...args, ...parts] }
  return confine(program, { reads: [...reads, ...parts] }) ?? program
}

/** Returns the confined command that reads one PDF. */
export const readerCommand = (confine: Confine, own: OwnProgram = ownProgram): ReaderCommand =>
  confinedReader({ confine, own }, '__read-pdf', [])

const scanReaderCommand = (how: How): ReaderCommand => {
  const { wasm, korean } = ocrAssets()
  return confinedReader(how, '__read-scan', [wasm, korean])
}

const openScanReader = (how: How, options: ReaderOptions): PdfReader => {
  const atOnce = Math.max(1, Math.floor(availableParallelism() / 2))
  return createPdfReader({ ...SCAN, atOnce, ...options, command: scanReaderCommand(how) })
}

/**
 * Opens the readers; their processes start at the first file.
 * @param options for the readers of PDFs and of scans
 * @param own @default this program
 */
export const openPdfReader = (
  options: ReaderOptions = {},
  confine: Confine = openConfine(),
  own: OwnProgram = ownProgram,
): PdfReader => {
  // created at the first file, because finding out whether this machine can confine starts a program
  let opened: PdfReader | null = null
  const printed = (): PdfReader => {
    opened ??= createPdfReader({ ...options, command: readerCommand(confine, own) })
    return opened
  }
  // the assets of OCR are unpacked at the first scan
  let scanned: PdfReader | null = null
  return {
    prepare: () => printed().prepare(),
    readContent: (...file) => printed().readContent(...file),
    readRegistry: (...file) => printed().readRegistry(...file),
    readScan: async (...file) => {
      scanned ??= openScanReader({ confine, own }, options)
      return scanned.readScan(...file)
    },
    close: () => {
      opened?.close()
      scanned?.close()
    },
  }
}
