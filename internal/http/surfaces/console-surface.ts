/**
 * Serves the console's files below /ui/, and redirects there from /. Built files carry a hash in their names, so browsers
 * keep them for ever. The page itself is requested each time; it answers every address that names no file, because the
 * console routes in the browser. The files need no credential, because they contain no data.
 */
import { randomBytes } from 'node:crypto'
import { brotliDecompressSync } from 'node:zlib'
import { html } from 'hono/html'
import { toPageResponse } from '../pages/page.ts'
import {
  answerFile,
  type FileSurface,
  findFacts,
  manifestOf,
  type ReadServedFile,
} from './served-files.ts'

export const CONSOLE_PATH = '/ui'
export const CONSOLE_HOME = `${CONSOLE_PATH}/`

/** Placeholder in the page for the nonce of each response. */
export const NONCE_MARK = '__SVC_NONCE__'
const NONCE_BYTES = 18

/** Styles that a script adds, such as the code editor's, carry the nonce; scripts come from files only. */
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

const page = (read: ReadServedFile): Promise<Response> | Response => {
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

const missing = (): Response =>
  new Response(
    'There is no such file. Load the page again: the console was replaced by a newer one.',
    {
      status: 404,
      headers: { 'content-type': 'text/plain; charset=utf-8' },
    },
  )

/** @param read is called for each request, so that a rebuilt console is served without a restart */
export const createConsoleSurface = (read: ReadServedFile): FileSurface => {
  const readManifest = manifestOf(read)
  return {
    route: CONSOLE_PATH,
    paths: ['/', CONSOLE_PATH, `${CONSOLE_PATH}/*`],
    answer: (request) => {
      if (!request.path.startsWith(CONSOLE_HOME)) {
        return new Response(null, { status: 302, headers: { location: CONSOLE_HOME } })
      }
      const name = request.path.slice(CONSOLE_HOME.length)
      const manifest = readManifest()
      if (manifest === null) return notBuilt()
      const facts = name === 'index.html' ? null : findFacts(manifest, name)
      if (facts !== null) return answerFile(read, { name, facts, request }) ?? missing()
      return name.startsWith('assets/') ? missing() : page(read)
    },
  }
}
