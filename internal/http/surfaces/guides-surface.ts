/**
 * Serves the guides below /docs/: pages that cmd/build made from the Markdown in docs/. They need no credential, because they
 * contain no data, and they load nothing from other sites.
 */
import { html } from 'hono/html'
import { toPageResponse } from '../pages/page.ts'
import {
  answerFile,
  type FileSurface,
  findFacts,
  manifestOf,
  type ReadServedFile,
  type ServedManifest,
  type ServedRequest,
} from './served-files.ts'

const GUIDES_PATH = '/docs'

/** Like the console's policy, but no page needs a nonce or sends a form. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const MISSING_PAGE = 'missing.html'

const notBuilt = (): Promise<Response> =>
  toPageResponse({
    title: 'The guides are not built',
    status: 503,
    content: html`<p>This server runs from source. Build the guides, then load this page again:</p>
<p><code>make guides</code></p>`,
  })

/** `/docs/flows` is the file `flows.html`; other paths keep their names. */
const fileOf = (path: string): string => {
  const name = path.slice(GUIDES_PATH.length + 1)
  if (name === '') return 'index.html'
  return /\.\w+$/.test(name) ? name : `${name}.html`
}

/** The slashes at the end. It tries only the first of a row of slashes, because any caller may send thousands elsewhere. */
const LAST_SLASHES = /(?<!\/)\/+$/

/** The target of a redirect to a page's canonical address; null if the address is canonical already. */
const redirectOf = (path: string): string | null => {
  if (path === GUIDES_PATH) return `${GUIDES_PATH}/`
  return path.endsWith('/') && path !== `${GUIDES_PATH}/` ? path.replace(LAST_SLASHES, '') : null
}

const headersOf = (name: string): Readonly<Record<string, string>> =>
  name.endsWith('.html') ? { 'content-security-policy': POLICY } : {}

type Wanted = Readonly<{ manifest: ServedManifest; request: ServedRequest }>

const page = (read: ReadServedFile, { manifest, request }: Wanted): Response | null => {
  const name = fileOf(request.path)
  const facts = name === MISSING_PAGE ? null : findFacts(manifest, name)
  if (facts !== null) return answerFile(read, { name, facts, request, headers: headersOf(name) })
  const missing = findFacts(manifest, MISSING_PAGE)
  if (missing === null) return null
  const headers = headersOf(MISSING_PAGE)
  return answerFile(read, { name: MISSING_PAGE, facts: missing, request, status: 404, headers })
}

/** @param read is called for each request, so that rebuilt guides are served without a restart */
export const createGuidesSurface = (read: ReadServedFile): FileSurface => {
  const readManifest = manifestOf(read)
  return {
    route: GUIDES_PATH,
    paths: [GUIDES_PATH, `${GUIDES_PATH}/*`],
    answer: (request) => {
      const location = redirectOf(request.path)
      if (location !== null) return new Response(null, { status: 302, headers: { location } })
      const manifest = readManifest()
      if (manifest === null) return notBuilt()
      return page(read, { manifest, request }) ?? notBuilt()
    },
  }
}
