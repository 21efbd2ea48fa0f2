/**
 * Serves the files of the console and of the guides, in an encoding that the browser accepts. Browsers keep files with a hash
 * in their names for ever, and revalidate others each time.
 */
import { Buffer } from 'node:buffer'
import { z } from 'zod'
import { createDecompress } from './decompressed-files.ts'

/** The manifest.json that cmd/build writes next to the files. */
const servedManifest = z.object({
  files: z.record(
    z.string(),
    z.object({
      type: z.string(),
      etag: z.string(),
      /** Its name changes with its content. */
      isHashed: z.boolean(),
    }),
  ),
})
export type ServedManifest = z.infer<typeof servedManifest>
export type FileFacts = ServedManifest['files'][string]

/** Reads a file by its name in the manifest, with `.br` or `.gz` appended. Null if it is not built. */
export type ReadServedFile = (name: string) => Uint8Array<ArrayBuffer> | null

export type ServedRequest = Readonly<{
  path: string
  acceptEncoding: string | undefined
  ifNoneMatch: string | undefined
}>

export type FileSurface = Readonly<{
  /** Its name in metrics. */
  route: string
  paths: readonly string[]
  answer: (request: ServedRequest) => Promise<Response> | Response
}>

const YEAR_S = 31_536_000
const decoder = new TextDecoder()

/** Parsed once, and again after the files were rebuilt. @returns null if nothing is built */
export const manifestOf = (read: ReadServedFile): (() => ServedManifest | null) => {
  let last: Readonly<{ source: Uint8Array; manifest: ServedManifest }> | null = null
  return () => {
    const source = read('manifest.json')
    if (source === null) return null
    if (last === null || Buffer.compare(source, last.source) !== 0) {
      last = { source, manifest: servedManifest.parse(JSON.parse(decoder.decode(source))) }
    }
    return last.manifest
  }
}

export const findFacts = ({ files }: ServedManifest, name: string): FileFacts | null =>
  Object.hasOwn(files, name) ? (files[name] ?? null) : null

/** The encoding that the caller accepts and that makes the smallest body. */
export const encodingFor = (acceptEncoding: string | undefined): 'br' | 'gzip' | null => {
  const taken = (acceptEncoding ?? '')
    .split(',')
    .filter((each) => !/;\s*q=0(\.0*)?\s*$/.test(each))
    .map((each) => each.split(';')[0]?.trim().toLowerCase())
  if (taken.includes('br')) return 'br'
  return taken.includes('gzip') ? 'gzip' : null
}

/** It is module state because the memory belongs to the process. */
const decompress = createDecompress()

type Wanted = Readonly<{
  name: string
  facts: FileFacts
  request: ServedRequest
  /** @default 200 */
  status?: number
  /** @default none */
  headers?: Readonly<Record<string, string>>
}>

/** @returns null if the file no longer exists because the files are being rebuilt */
export const answerFile = (
  read: ReadServedFile,
  { name, facts, request, status = 200, headers: more = {} }: Wanted,
): Response | null => {
  const headers = {
    'content-type': facts.type,
    'cache-control': facts.isHashed ? `public, max-age=${YEAR_S}, immutable` : 'no-cache',
    etag: facts.etag,
    vary: 'accept-encoding',
    ...more,
  }
  if (status === 200 && request.ifNoneMatch?.includes(facts.etag)) {
    return new Response(null, { status: 304, headers })
  }
  const encoding = encodingFor(request.acceptEncoding)
  const body = read(`${name}.${encoding === 'gzip' ? 'gz' : 'br'}`)
  if (body === null) return null
  if (encoding === null) return new Response(decompress(facts.etag, body), { status, headers })
  return new Response(body, { status, headers: { ...headers, 'content-encoding': encoding } })
}
