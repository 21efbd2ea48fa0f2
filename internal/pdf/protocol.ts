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

const answerSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('content'), source: z.custom<SourceContent>() }),
  z.object({ kind: z.literal('registry'), parse: z.custom<RegistryParse>() }),
  z.object({ kind: z.literal('failed'), failure: z.enum(PDF_FAILURES), message: z.string() }),
])
export type ReaderAnswer = z.infer<typeof answerSchema>

const progressSchema = z.object({ kind: z.literal('progress'), page: z.int(), pages: z.int() })
/** How many pages of a scan have been read, from 0. */
export type ScanProgress = Readonly<{ page: number; pages: number }>
export type OnPage = (progress: ScanProgress) => void

/** A message of a reader: any number of progress messages, then one response. */
export const messageSchema = z.union([progressSchema, answerSchema])
export type ReaderMessage = z.infer<typeof messageSchema>
