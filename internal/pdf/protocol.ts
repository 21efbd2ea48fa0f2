/** The messages between host and reader. Both sides are svc, so the checks of their shapes are shallow. */
import { z } from 'zod'
import type { SourceContent } from '#registry/page-content.ts'
import type { RegistryParse } from '#registry/parse-registry.ts'
import { PDF_FAILURES } from './reading.ts'

const boundsSchema = z.object({
  maxPages: z.int(),
  maxPieces: z.int(),
  maxImagePixels: z.int(),
})

/** A request, which the `byteCount` bytes of the file follow. */
export const requestSchema = z.object({
  byteCount: z.int().min(0),
  bounds: boundsSchema,
  /** `registry` includes parsing, so that the cost of parsing an untrusted text is limited together with the cost of its file. */
  work: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('content') }),
    z.object({
      kind: z.literal('scan'),
      type: z.enum(['pdf', 'jpeg', 'png']),
      accuracy: z.enum(['standard', 'high']),
      parsedAt: z.string(),
      documentId: z.string().nullable(),
    }),
    z.object({
      kind: z.literal('registry'),
      parsedAt: z.string(),
      documentId: z.string().nullable(),
    }),
  ]),
})
export type ReaderRequest = z.infer<typeof requestSchema>
export type ReaderWork = ReaderRequest['work']
/** How a file is read that has no text of its own. */
export type ScanWork = Extract<ReaderWork, { kind: 'scan' }>

const answerSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('content'), source: z.custom<SourceContent>() }),
  z.object({ kind: z.literal('registry'), parse: z.custom<RegistryParse>() }),
  z.object({ kind: z.literal('failed'), failure: z.enum(PDF_FAILURES), message: z.string() }),
])
export type ReaderAnswer = z.infer<typeof answerSchema>

const progressSchema = z.object({ kind: z.literal('progress'), page: z.int(), pages: z.int() })
const stepSchema = z.object({ kind: z.literal('step'), allowedMs: z.number().nullable() })
/**
 * Begins a step that may block the reader without end, such as decoding an image, and states how long it may take. The host ends
 * the reader if neither the next step nor the response comes by then. Null ends the step.
 */
export type OnStep = (allowedMs: number | null) => void
/** How many pages of a scan have been read, from 0. */
export type ScanProgress = Readonly<{ page: number; pages: number }>
export type OnPage = (progress: ScanProgress) => void

/** A message of a reader: any number of messages of progress and steps, then one response. */
export const messageSchema = z.union([progressSchema, stepSchema, answerSchema])
export type ReaderMessage = z.infer<typeof messageSchema>
