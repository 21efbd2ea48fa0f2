import { createHash } from 'node:crypto'
import { manifestSchema } from '#core/manifest-schema.ts'
import { allEndpoints } from '../endpoints/all.ts'
import { docEndpoints } from '../endpoints/docs.ts'
import { handlers } from '../handlers.ts'
import { openApiDocument } from '../openapi.ts'
import { REFERENCE_STYLE, referencePage } from '../reference/page.ts'

/** Style alone, by its hash: no script runs on this page. */
const csp = async (): Promise<string> => {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(REFERENCE_STYLE))
  const hash = Buffer.from(digest).toString('base64')
  return `default-src 'none'; style-src 'sha256-${hash}'; frame-ancestors 'none'; base-uri 'none'`
}

/** Both answers are made once: endpoints are public and never change while the node runs. */
const once = <T>(make: () => T): (() => T) => {
  let made: Readonly<{ value: T }> | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** RFC 9110, 13.1.2: `*`, or a list of tags of which a weak one matches too. */
const matches = (ifNoneMatch: string | undefined, etag: string): boolean =>
  (ifNoneMatch ?? '')
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === '*' || tag === etag)

export const docsRoutes = handlers(docEndpoints, ({ version }: Readonly<{ version: string }>) => {
  const schema = once(() => JSON.stringify(manifestSchema()))
  const document = once(() => {
    const text = JSON.stringify(openApiDocument(allEndpoints, version))
    return { text, etag: `"${createHash('sha256').update(text).digest('base64url')}"` }
  })
  const html = once(() => referencePage(JSON.parse(document().text), version))
  const policy = once(csp)
  return {
    getOpenApiDocument: async ({ header }) => {
      const { text, etag } = document()
      // the browser asks each time and gets 304 until the program changes
      const headers = { etag, 'cache-control': 'no-cache' }
      if (matches(header('if-none-match'), etag)) {
        return new Response(null, { status: 304, headers })
      }
      return new Response(text, {
        headers: { ...headers, 'content-type': 'application/json; charset=utf-8' },
      })
    },
    getManifestSchema: async () =>
      new Response(schema(), { headers: { 'content-type': 'application/schema+json' } }),
    getDocsPage: async () => {
      const headers = {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': await policy(),
      }
      return new Response(await html(), { headers })
    },
  }
})
