/**
 * The readers of documents, started like the nodes of tests. A reader ends with each file that it refuses. The next one
 * needs a second of computing before it reads if it starts from source, and a fifth of that from dist/svc.
 */
import type { Confine } from '#confine/confine.ts'
import { openConfine } from '#node/open-confine.ts'
import { type OwnProgram, openPdfReader, type ReaderOptions } from '#node/pdf-reader.ts'
import type { PdfReader } from '#pdf/reader-pool.ts'
import { ownProgram } from '#platform/own-program.ts'
import { FROM_SOURCE, PROGRAM } from './svc-process.ts'

const testProgram: OwnProgram = (word, memoryMb) => {
  const source = ownProgram(word, memoryMb)
  const [command = '', ...args] = PROGRAM
  return PROGRAM === FROM_SOURCE ? source : { ...source, command, args: [...args, word], reads: [] }
}

/** One for the process, because each instance probes the machine at its first use. */
export const TEST_CONFINE: Confine = openConfine()

export const openTestReader = (options: ReaderOptions = {}): PdfReader =>
  openPdfReader(options, TEST_CONFINE, testProgram)
