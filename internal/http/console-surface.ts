/**
 * The console's files: everything below /ui/, and the way there from /. Built files carry a hash in their names and are
 * kept by browsers for ever. The page itself is requested each time and answers every address that names no file, since
 * the console routes in the browser. The files need no credential, because they contain no data.
 */
import { Buffer } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import { brotliDecompressSync } from 'node:zlib'
import { html } from 'hono/html'
import { z } from 'zod'
import { toPageResponse } from './pages/page.ts'

export const CONSOLE_PATH = '/ui'

/** The manifest.json that cmd/build writes next to the files. */
const consoleManifest = z.object({
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
export type ConsoleManifest = z.infer<typeof consoleManifest>

/** By the name that the manifest gives, followed by `.br` or `.gz`. Null: not built. */
export type ReadConsoleFile = (name: string) => Uint8Array<ArrayBuffer> | null

export type ConsoleRequest = Readonly<{
  path: string
  acceptEncoding: string | undefined
  ifNoneMatch: string | undefined
}>

export type ConsoleSurface = (request: ConsoleRequest) => Promise<Response> | Response

/** In the page wherever the nonce of its answer belongs. */
export const NONCE_MARK = '__SVC_NONCE__'
const NONCE_BYTES = 18
const YEAR_S = 31_536_000

/** Styles that a script adds, such as the code editor's, show the nonce; scripts come from files alone. */
const policyOf = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

const notBuilt = (): Promise<Response> =>
  toPageResponse({
    title: 'The console is not built',
    status: 503,
    content: html`<p>This server runs from source. Build the console, then load this page again:</p>
<p><code>make console</code></p>
<p>The API does without: <code>/api/docs</code>.</p>`,
  })

const decoder = new TextDecoder()

const page = (read: ReadConsoleFile): Promise<Response> | Response => {
  const source = read('index.html.br')
  if (source === null) return notBuilt()
  const nonce = randomBytes(NONCE_BYTES).toString('base64')
  const text = decoder.decode(brotliDecompressSync(source)).replaceAll(NONCE_MARK, nonce)
  return new Response(text, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policyOf(nonce),
      'cache-control': 'no-cache',
    },
  })
}

/** What the caller takes, the smallest first. */
const encodingFor = (acceptEncoding: string | undefined): 'br' | 'gzip' | null => {
  const taken = (acceptEncoding ?? '')
    .split(',')
    .filter((each) => !/;\s*q=0(\.0*)?\s*$/.test(each))
    .map((each) => each.split(';')[0]?.trim().toLowerCase())
  if (taken.includes('br')) return 'br'
  return taken.includes('gzip') ? 'gzip' : null
}

type FileFacts = ConsoleManifest['files'][string]

const file = (
  read: ReadConsoleFile,
  { name, facts, request }: Readonly<{ name: string; facts: FileFacts; request: ConsoleRequest }>,
): Response | null => {
  const headers = {
    'content-type': facts.type,
    'cache-control': facts.isHashed ? `public, max-age=${YEAR_S}, immutable` : 'no-cache',
    etag: facts.etag,
    vary: 'accept-encoding',
  }
  if (request.ifNoneMatch?.includes(facts.etag)) return new Response(null, { status: 304, headers })
  const encoding = encodingFor(request.acceptEncoding)
  const body = read(`${name}.${encoding === 'gzip' ? 'gz' : 'br'}`)
  if (body === null) return null
  if (encoding === null) return new Response(brotliDecompressSync(body), { headers })
  return new Response(body, { headers: { ...headers, 'content-encoding': encoding } })
}

const missing = (): Response =>
  new Response(
    'There is no such file. Load the page again: the console was replaced by a newer one.',
    {
      status: 404,
      headers: { 'content-type': 'text/plain; charset=utf-8' },
    },
  )

/** Parsed once, and again when the console was rebuilt. @returns null: not built */
const manifestOf = (read: ReadConsoleFile): (() => ConsoleManifest | null) => {
  let last: Readonly<{ source: Uint8Array; manifest: ConsoleManifest }> | null = null
  return () => {
    const source = read('manifest.json')
    if (source === null) return null
    if (last === null || Buffer.compare(source, last.source) !== 0) {
      last = { source, manifest: consoleManifest.parse(JSON.parse(decoder.decode(source))) }
    }
    return last.manifest
  }
}

/** @param read is called for each request, so that a rebuilt console is served without a restart */
export const createConsoleSurface = (read: ReadConsoleFile): ConsoleSurface => {
  const readManifest = manifestOf(read)
  return (request) => {
    if (!request.path.startsWith(`${CONSOLE_PATH}/`)) {
      return new Response(null, { status: 302, headers: { location: `${CONSOLE_PATH}/` } })
    }
    const name = request.path.slice(CONSOLE_PATH.length + 1)
    const manifest = readManifest()
    if (manifest === null) return notBuilt()
    const { files } = manifest
    const facts = Object.hasOwn(files, name) && name !== 'index.html' ? files[name] : undefined
    if (facts !== undefined) return file(read, { name, facts, request }) ?? missing()
    return name.startsWith('assets/') ? missing() : page(read)
  }
}
