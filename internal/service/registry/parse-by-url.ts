/** The workflow call: reads the certificate behind a URL for a paying caller [documents 17.1]. */
import { registryPrice } from '#core/billing/price.ts'
import { callerGone } from '#core/error.ts'
import type { FetchDocument, FetchedDocument, FetchFailure } from '#outbound/fetch-document.ts'
import type { OnPage, ScanWork } from '#pdf/protocol.ts'
import type { PdfReader } from '#pdf/reader-pool.ts'
import type { PdfFailure } from '#pdf/reading.ts'
import type { RegistryParse } from '#registry/parse-registry.ts'
import type { PropertyType } from '#registry/schema/title.ts'
import {
  failureOf,
  mismatchOf,
  type WorkflowFailure,
  type WorkflowFailureCode,
} from '#registry/workflow/workflow-failure.ts'
import { toWorkflowResult, type WorkflowResult } from '#registry/workflow/workflow-result.ts'
import { charge, requireCredit } from '../billing/charge.ts'
import type { Deps } from '../deps.ts'
import { hashParts } from '../portions/hash-parts.ts'
import { readerOfPaidFiles, readRegistryPdf } from './parse-registry.ts'

export type ParseByUrlDeps = Pick<Deps, 'db' | 'newId' | 'now' | 'billing'> &
  Readonly<{ pdf: PdfReader; fetchDocument: FetchDocument }>

export type ParseByUrlRequest = Readonly<{
  ws: string
  apiKeyId: string
  route: string
  requestId: string
  documentType: PropertyType
  url: string
  accuracy: ScanWork['accuracy']
  /** Called while a scan is read, page by page. @default nothing */
  onPage?: OnPage
  /** Aborted when the caller disconnects: the reading ends, and nothing is charged. */
  signal: AbortSignal
}>

export type WorkflowEnd =
  | Readonly<{ id: string; status: 'SUCCEEDED'; result: WorkflowResult }>
  | (Readonly<{ id: string; status: 'FAILED' }> & WorkflowFailure)

const FETCH_FAILURES: Readonly<Record<FetchFailure, WorkflowFailureCode>> = {
  unreachable: 'unreachable',
  too_slow: 'too_slow_to_fetch',
  too_large: 'too_large',
  empty: 'empty',
  unsupported_type: 'unsupported_type',
}
const READ_FAILURES: Readonly<Record<PdfFailure, WorkflowFailureCode>> = {
  not_a_pdf: 'unsupported_type',
  encrypted: 'encrypted',
  broken: 'broken',
  too_slow: 'too_complex',
  too_big: 'too_complex',
  low_resolution: 'low_resolution',
  in_pieces: 'in_pieces',
}

type Outcome =
  | Readonly<{ kind: 'parsed'; result: WorkflowResult }>
  | Readonly<{ kind: 'failed'; failure: WorkflowFailure }>

const failed = (code: WorkflowFailureCode): Outcome => ({
  kind: 'failed',
  failure: failureOf(code),
})

const toOutcome = (parse: RegistryParse, wanted: PropertyType): Outcome => {
  if (parse.kind === 'refused') {
    return failed(parse.code === 'no_text_layer' ? 'nothing_recognised' : parse.code)
  }
  const result = toWorkflowResult(parse, wanted)
  if (result !== null) return { kind: 'parsed', result }
  return {
    kind: 'failed',
    failure: mismatchOf(wanted, parse.document.profile.property_type),
  }
}

type Fetched = Extract<FetchedDocument, { kind: 'file' }>

const readFile = async (
  deps: ParseByUrlDeps,
  { type, bytes }: Fetched,
  { ws, documentType, accuracy, signal, onPage }: ParseByUrlRequest,
): Promise<Outcome> => {
  const pdf = readerOfPaidFiles(deps)
  const options = {
    parsedAt: new Date(deps.now()).toISOString(),
    documentId: await hashParts([bytes]),
    accuracy,
  }
  const caller = { owner: ws, signal, ...(onPage !== undefined && { onPage }) }
  const answer =
    type === 'pdf'
      ? await readRegistryPdf(pdf, [bytes], options, caller)
      : await pdf.readScan([bytes], { ...options, type }, caller)
  if (answer.kind === 'failed') return failed(READ_FAILURES[answer.failure])
  return toOutcome(answer.parse, documentType)
}

/**
 * Reads a certificate and charges for it. A document that cannot be read is a result and costs nothing.
 * @throws {AppError} invalid `url_not_allowed`; forbidden: `suspended`, `insufficient_balance`; unavailable
 */
export const parseByUrl = async (
  deps: ParseByUrlDeps,
  request: ParseByUrlRequest,
): Promise<WorkflowEnd> => {
  const { ws, apiKeyId, route, requestId, signal } = request
  const priceWon = registryPrice(deps.billing, { isAccurate: request.accuracy === 'high' })
  await requireCredit(deps, { ws, priceWon })
  const fetched = await deps.fetchDocument(request.url, signal)
  const outcome =
    fetched.kind === 'failed'
      ? failed(FETCH_FAILURES[fetched.failure])
      : await readFile(deps, fetched, request)
  const id = deps.newId()
  if (outcome.kind === 'failed') return { id, status: 'FAILED', ...outcome.failure }
  if (signal.aborted) throw callerGone()
  await charge(deps, { ws, apiKeyId, route, requestId, priceWon })
  return { id, status: 'SUCCEEDED', result: outcome.result }
}
