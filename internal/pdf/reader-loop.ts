/** Runs inside the process that reads PDFs. It handles one file after the other from standard input until the input ends. */
import type { Writable } from 'node:stream'
import type { SourceContent } from '#registry/page-content.ts'
import { parseRegistry } from '#registry/parse-registry.ts'
import { createByteReader, toFrame } from './byte-reader.ts'
import {
  type OnPage,
  type OnStep,
  type ReaderAnswer,
  type ReaderMessage,
  type ReaderRequest,
  type ReaderWork,
  requestSchema,
} from './protocol.ts'
import { readPdf } from './read-pdf.ts'
import { type PdfBounds, PdfError } from './reading.ts'

const MAX_REQUEST_BYTES = 16_384

/**
 * Globals to remove. No part of this process needs the network. Without DecompressionStream, pdf.js
 * decompresses on its own, a fifth faster than through the threads behind that stream; warnings.ts sets another.
 */
const UNWANTED = ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest', 'DecompressionStream']

export type ScanListeners = Readonly<{ onPage: OnPage; onStep: OnStep }>

/** Reads images of pages by OCR. */
export type ReadScan = (
  bytes: Uint8Array,
  options: Extract<ReaderWork, { kind: 'scan' }>,
  bounds: PdfBounds,
  listeners: ScanListeners,
) => Promise<SourceContent>

const NO_LETTERS: ReadScan = async () => {
  throw new Error('This reader knows no letters.')
}

const answer = async (
  { bounds, work }: ReaderRequest,
  bytes: Uint8Array,
  readScan: ReadScan,
  listeners: ScanListeners,
): Promise<ReaderAnswer> => {
  try {
    const source =
      work.kind === 'scan'
        ? await readScan(bytes, work, bounds, listeners)
        : await readPdf(bytes, bounds)
    return work.kind === 'content'
      ? { kind: 'content', source }
      : { kind: 'registry', parse: parseRegistry(source, work) }
  } catch (error) {
    if (!(error instanceof PdfError)) throw error
    return { kind: 'failed', failure: error.failure, message: error.message }
  }
}

const write = (output: Writable, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    output.write(toFrame(text), (error) => (error ? reject(error) : resolve()))
  })

/** @throws {Error} a bug of svc: the process ends, which its host notices */
export const runReader = async (
  input: AsyncIterable<Uint8Array>,
  output: Writable,
  readScan: ReadScan = NO_LETTERS,
): Promise<void> => {
  for (const name of UNWANTED) Reflect.deleteProperty(globalThis, name)
  const reader = createByteReader(input)
  for (;;) {
    const text = await reader.readText(MAX_REQUEST_BYTES)
    if (text === null) return
    const request = requestSchema.parse(JSON.parse(text))
    const bytes = await reader.read(request.byteCount)
    if (bytes === null) return
    const send = (message: ReaderMessage) => write(output, JSON.stringify(message))
    const onPage: OnPage = (progress) => void send({ kind: 'progress', ...progress })
    const onStep: OnStep = (allowedMs) => void send({ kind: 'step', allowedMs })
    await send(await answer(request, bytes, readScan, { onPage, onStep }))
  }
}
