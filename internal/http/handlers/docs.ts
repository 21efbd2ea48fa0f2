import { createHash } from 'node:crypto'
import { manifestSchema } from '#core/manifest-schema.ts'
import { type Endpoint, fullPathOf, scopeOf } from '../endpoint.ts'
import { allEndpoints } from '../endpoints/all.ts'
import { docEndpoints } from '../endpoints/docs.ts'
import { handlers } from '../handlers.ts'
import { openApiDocument } from '../openapi.ts'

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const toRow = (one: Endpoint): string => `<tr>
  <td><code class="${one.method}">${one.method.toUpperCase()}</code></td>
  <td><code>${escapeHtml(fullPathOf(one))}</code></td>
  <td>${escapeHtml(one.summary)}</td>
  <td><code>${escapeHtml(scopeOf(one))}</code></td>
  <td>${Object.entries(one.answers)
    .map(([status, { description }]) => `<b>${status}</b> ${escapeHtml(description)}`)
    .join('<br>')}</td>
</tr>`

const STYLE = `body{font:15px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem;color:#1b1f24}
h1{font-weight:600}h2{margin-top:2rem}table{border-collapse:collapse;width:100%}
td,th{text-align:left;vertical-align:top;padding:.4rem .6rem;border-bottom:1px solid #e3e6ea}
code{font:13px ui-monospace,monospace}.get{color:#0a6b3d}.post{color:#0b4f9e}.delete{color:#a1260d}.put,.patch{color:#7a4d00}`

const page = (version: string): string => {
  const endpoints: readonly Endpoint[] = Object.values(allEndpoints)
  const tags = [...new Set(endpoints.map(({ tag }) => tag))]
  const sections = tags.map((tag) => {
    const rows = endpoints.filter((one) => one.tag === tag).map(toRow)
    return `<h2>${escapeHtml(tag)}</h2><table>
<tr><th></th><th>Path</th><th></th><th>Scope</th><th>Answers</th></tr>${rows.join('')}</table>`
  })
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>svc API</title>
<meta name="viewport" content="width=device-width"><style>${STYLE}</style></head><body>
<h1>svc API ${escapeHtml(version)}</h1>
<p>For programs: <a href="/api/openapi.json">/api/openapi.json</a>. Send your token as
<code>Authorization: Bearer …</code>.</p>${sections.join('')}</body></html>`
}

/** Style alone, by its hash: no script runs on this page. */
const csp = async (): Promise<string> => {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(STYLE))
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
  const html = once(() => page(version))
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
      return new Response(html(), { headers })
    },
  }
})
