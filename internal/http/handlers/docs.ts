import { createHash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { manifestSchema } from '#core/manifest/schema.ts'
import { docEndpoints } from '../endpoints/docs.ts'
import { handlers } from '../handlers.ts'
import { cspHash } from '../pages/csp-hash.ts'
import { REFERENCE_SCRIPT, REFERENCE_STYLE, THEME_SCRIPT } from '../reference/script.gen.ts'
import { openApiText, referenceText } from '../reference/texts.ts'
import { encodingFor } from '../surfaces/served-files.ts'

/** Allows the page's own style and scripts by their hashes, and requests of its forms to this server only. */
const csp = (): string =>
  [
    "default-src 'none'",
    `script-src ${cspHash(THEME_SCRIPT)} ${cspHash(REFERENCE_SCRIPT)}`,
    `style-src ${cspHash(REFERENCE_STYLE)}`,
    'img-src data:',
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** Both documents are made once: endpoints are public and never change while the node runs. */
const once = <T>(make: () => T): (() => T) => {
  let made: Readonly<{ value: T }> | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** RFC 9110, 13.1.2: `*`, or a list of tags, compared weakly. */
const matches = (ifNoneMatch: string | undefined, etag: string): boolean =>
  (ifNoneMatch ?? '')
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === '*' || tag === etag)

/** Quality 5 compresses 300 kB to 40 kB in 10 ms; higher ones take ten times as long and save a further tenth. */
const BROTLI_QUALITY = 5

type Text = Readonly<{
  /** The body in an encoding that the caller accepts, and the headers that name it. */
  encoded: (acceptEncoding: string | undefined) => Readonly<{
    body: string | Uint8Array<ArrayBuffer>
    headers: Readonly<Record<string, string>>
  }>
}>

/** A text that never changes; the first request for each encoding compresses it. */
const compressible = (text: string): Text => {
  const bodies = {
    br: once(() =>
      brotliCompressSync(text, {
        params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY },
      }),
    ),
    gzip: once(() => gzipSync(text)),
  }
  return {
    encoded: (acceptEncoding) => {
      const encoding = encodingFor(acceptEncoding)
      const vary = { vary: 'accept-encoding' }
      if (encoding === null) return { body: text, headers: vary }
      const body = new Uint8Array(bodies[encoding]())
      return { body, headers: { ...vary, 'content-encoding': encoding } }
    },
  }
}

export const docsRoutes = handlers(docEndpoints, ({ version }: Readonly<{ version: string }>) => {
  const schema = once(() => JSON.stringify(manifestSchema()))
  const document = once(() => {
    const text = openApiText(version)
    const etag = `"${createHash('sha256').update(text).digest('base64url')}"`
    return { text, etag, ...compressible(text) }
  })
  const page = once(async () => compressible(await referenceText(version)))
  const policy = once(csp)
  return {
    getOpenApiDocument: async ({ header }) => {
      const { etag, encoded } = document()
      // the browser revalidates each time and gets 304 until the program changes
      const known = { etag, 'cache-control': 'no-cache' }
      if (matches(header('if-none-match'), etag)) {
        return new Response(null, { status: 304, headers: known })
      }
      const { body, headers } = encoded(header('accept-encoding'))
      return new Response(body, {
        headers: { ...known, ...headers, 'content-type': 'application/json; charset=utf-8' },
      })
    },
    getManifestSchema: async () =>
      new Response(schema(), { headers: { 'content-type': 'application/schema+json' } }),
    getDocsPage: async ({ header }) => {
      const { body, headers } = (await page()).encoded(header('accept-encoding'))
      return new Response(body, {
        headers: {
          ...headers,
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': policy(),
        },
      })
    },
  }
})
