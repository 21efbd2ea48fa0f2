/** Reads a registry certificate for a caller who pays for it [documents 1.1]. */
import { registryPrice } from '#core/billing/price.ts'
import { type AppError, callerGone, invalid, unprocessable } from '#core/error.ts'
import type { ScanWork } from '#pdf/protocol.ts'
import type { FileCaller, PdfReader } from '#pdf/reader-pool.ts'
import type { FileParts, PdfFailure } from '#pdf/reading.ts'
import type { RegistryParse } from '#registry/parse-registry.ts'
import { PARSER_VERSION, type ParserResponse } from '#registry/schema/document.ts'
import { charge, requireCredit, requireWritable } from '../billing/charge.ts'
import type { Deps } from '../deps.ts'
import { hashParts } from '../portions/hash-parts.ts'

export type ParseDeps = Pick<Deps, 'db' | 'newId' | 'now' | 'billing'> &
  Readonly<{ pdf: PdfReader }>

const FAILURES: Readonly<Record<PdfFailure, (message: string) => AppError>> = {
  not_a_pdf: (message) => invalid(message, { code: 'not_a_pdf' }),
  encrypted: (message) => unprocessable(message, { code: 'encrypted_pdf' }),
  broken: (message) => unprocessable(message, { code: 'broken_pdf' }),
  too_slow: (message) => unprocessable(message, { code: 'too_complex' }),
  too_big: (message) => unprocessable(message, { code: 'too_complex' }),
  low_resolution: (message) => unprocessable(message, { code: 'low_resolution' }),
  in_pieces: (message) => unprocessable(message, { code: 'in_pieces' }),
}

type Refused = Extract<RegistryParse, { kind: 'refused' }>

/** Builds the error for another kind of document, or for one of the right kind from which nothing can be read. */
const refusalOf = ({ code, message }: Refused): AppError =>
  code === 'unsupported_document' ? invalid(message, { code }) : unprocessable(message, { code })

type ReadOptions = Pick<ScanWork, 'parsedAt' | 'accuracy'> & Readonly<{ documentId: string }>

/** A reader that reads a scan, which takes seconds, only if its charge can be written. */
export const readerOfPaidFiles = ({ pdf, db }: Pick<ParseDeps, 'pdf' | 'db'>): PdfReader => ({
  ...pdf,
  readScan: async (...scan) => {
    await requireWritable({ db })
    return pdf.readScan(...scan)
  },
})

/** Reads a PDF by its text, or by OCR if it has none. @throws {AppError} unavailable */
export const readRegistryPdf = async (
  pdf: PdfReader,
  parts: FileParts,
  { accuracy, ...meta }: ReadOptions,
  caller?: FileCaller,
): ReturnType<PdfReader['readRegistry']> => {
  const answer = await pdf.readRegistry(parts, meta, caller)
  const isScan =
    answer.kind === 'registry' &&
    answer.parse.kind === 'refused' &&
    answer.parse.code === 'no_text_layer'
  return isScan ? pdf.readScan(parts, { ...meta, type: 'pdf', accuracy }, caller) : answer
}

/** @throws {AppError} invalid, unprocessable, unavailable */
export const readCertificate = async (
  { pdf, now }: Pick<ParseDeps, 'pdf' | 'now'>,
  parts: FileParts,
  caller?: FileCaller,
): Promise<ParserResponse> => {
  const startedAt = now()
  const parsedAt = new Date(startedAt).toISOString()
  const options = { parsedAt, documentId: await hashParts(parts), accuracy: 'standard' } as const
  const answer = await readRegistryPdf(pdf, parts, options, caller)
  if (answer.kind === 'failed') throw FAILURES[answer.failure](answer.message)
  if (answer.parse.kind === 'refused') throw refusalOf(answer.parse)
  const { document, confidence } = answer.parse
  const metrics = { ...document.diagnostics.metrics, processing_ms: now() - startedAt }
  const data = { ...document, diagnostics: { ...document.diagnostics, metrics } }
  return {
    document_type: 'registry',
    parser_version: PARSER_VERSION,
    parsed_at: parsedAt,
    data,
    confidence,
  }
}

/**
 * Checks the balance before the file is received, and starts a reader meanwhile.
 * @throws {AppError} forbidden: `suspended`, `insufficient_balance`
 */
export const admitFile = async (deps: ParseDeps, ws: string): Promise<void> => {
  await requireCredit(deps, { ws, priceWon: registryPrice(deps.billing) })
  deps.pdf.prepare()
}

export type ParseRequest = Readonly<{
  ws: string
  apiKeyId: string
  route: string
  requestId: string
  parts: FileParts
  /** Aborted when the caller disconnects: the reading ends, and nothing is charged. */
  signal: AbortSignal
}>

/**
 * Parses a certificate and charges for it; a failure costs nothing.
 * @throws {AppError} invalid, unprocessable, unavailable; forbidden: the balance was used up meanwhile
 */
export const parseRegistryFile = async (
  deps: ParseDeps,
  { parts, signal, ...call }: ParseRequest,
): Promise<ParserResponse> => {
  const reading = { pdf: readerOfPaidFiles(deps), now: deps.now }
  const response = await readCertificate(reading, parts, { owner: call.ws, signal })
  if (signal.aborted) throw callerGone()
  await charge(deps, { ...call, priceWon: registryPrice(deps.billing) })
  return response
}
