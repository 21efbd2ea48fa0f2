/** How the console's files are served: paths, caching, encodings, policy, and which paths stay with the API. */
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createConsoleSurface, NONCE_MARK } from '#http/surfaces/console-surface.ts'
import { createTestApp, type TestApp } from '../support/create-test-app.ts'

const SCRIPT = 'console.log("the console")'
const PAGE = `<!doctype html><meta property="csp-nonce" nonce="${NONCE_MARK}"><div id="app"></div>`
const encode = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text))

const BUILT: Readonly<Record<string, Uint8Array<ArrayBuffer>>> = {
  'manifest.json': encode(
    JSON.stringify({
      files: {
        'index.html': { type: 'text/html; charset=utf-8', etag: '"page"', isHashed: false },
        'assets/a-1.js': { type: 'text/javascript', etag: '"one"', isHashed: true },
        'theme.js': { type: 'text/javascript', etag: '"two"', isHashed: false },
      },
    }),
  ),
  'index.html.br': new Uint8Array(brotliCompressSync(PAGE)),
  'assets/a-1.js.br': new Uint8Array(brotliCompressSync(SCRIPT)),
  'assets/a-1.js.gz': new Uint8Array(gzipSync(SCRIPT)),
  'theme.js.br': new Uint8Array(brotliCompressSync(SCRIPT)),
}

let app: TestApp
afterEach(() => app.close())
const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  app.request('GET', path, { headers })

describe('a console that was built', () => {
  beforeEach(async () => {
    app = await createTestApp({ files: [createConsoleSurface((name) => BUILT[name] ?? null)] })
  })

  it('is where / leads to', async () => {
    for (const path of ['/', '/ui']) {
      const answer = await get(path)
      expect([answer.status, answer.headers.get('location')]).toEqual([302, '/ui/'])
    }
  })

  it.each(['/ui/', '/ui/sign-in', '/ui/w/default/jobs/1?tab=log', '/ui/index.html'])(
    'answers its page at %s, under a policy without anything inline, and revalidated each time',
    async (path) => {
      const answer = await get(path)
      const policy = answer.headers.get('content-security-policy') ?? ''
      expect(answer.status).toBe(200)
      expect(answer.headers.get('cache-control')).toBe('no-cache')
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self' 'nonce-")
      expect(policy).not.toContain('unsafe')
      const [, nonce = ''] = /'nonce-([^']+)'/.exec(policy) ?? []
      expect(await answer.text()).toBe(PAGE.replace(NONCE_MARK, nonce))
      const again = (await get(path)).headers.get('content-security-policy')
      expect(again).not.toBe(policy)
    },
  )

  it('keeps hashed files for ever, in the encoding that the browser takes', async () => {
    for (const [accepted, encoding] of [
      ['gzip, deflate, br', 'br'],
      ['gzip;q=1.0, br;q=0', 'gzip'],
      ['', null],
    ] as const) {
      const answer = await get('/ui/assets/a-1.js', { 'accept-encoding': accepted })
      expect(answer.headers.get('content-encoding')).toBe(encoding)
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(answer.headers.get('vary')).toBe('accept-encoding')
      if (encoding === null) expect(await answer.text()).toBe(SCRIPT)
    }
  })

  it('answers 304 to who has the file already', async () => {
    const answer = await get('/ui/theme.js', { 'if-none-match': '"two"' })
    expect([answer.status, await answer.text()]).toEqual([304, ''])
    expect((await get('/ui/theme.js', { 'if-none-match': '"old"' })).status).toBe(200)
  })

  it('answers 404 for a file that an older console had, not the page', async () => {
    const answer = await get('/ui/assets/gone-2.js')
    expect(answer.status).toBe(404)
    expect(answer.headers.get('content-type')).toContain('text/plain')
  })

  it.each([
    '/ui/../internal',
    '/ui/%2e%2e/%2e%2e/package.json',
    '/ui/__proto__',
    '/ui/assets/../manifest.json',
  ])('gives no file away at %s', async (path) => {
    const text = await (await get(path)).text()
    expect(text).not.toContain('"version"')
    expect(text).not.toContain('isHashed')
  })

  it('leaves unknown paths of the API to the API', async () => {
    for (const path of ['/api/nothing', '/nothing', '/api/w/default/nothing']) {
      const answer = await app.call('GET', path)
      expect(answer).toMatchObject({ status: 404, json: { code: 'not_found' } })
    }
  })

  it('takes no other method', async () => {
    const answer = await app.call('POST', '/ui/', { json: {} })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET'])
  })

  it('shows its head alone to HEAD', async () => {
    const answer = await app.request('HEAD', '/ui/')
    expect([answer.status, await answer.text()]).toEqual([200, ''])
  })
})

it('serves a rebuilt console without a restart', async () => {
  const built = { ...BUILT }
  app = await createTestApp({ files: [createConsoleSurface((name) => built[name] ?? null)] })
  expect((await get('/ui/new.js')).headers.get('content-type')).toContain('text/html')
  built['manifest.json'] = encode(
    JSON.stringify({
      files: { 'new.js': { type: 'text/javascript', etag: '"new"', isHashed: false } },
    }),
  )
  built['new.js.br'] = new Uint8Array(brotliCompressSync(SCRIPT))
  expect((await get('/ui/new.js')).headers.get('content-type')).toBe('text/javascript')
})

it('explains how to build the console where it is not built', async () => {
  app = await createTestApp({ files: [createConsoleSurface(() => null)] })
  const answer = await app.request('GET', '/ui/w/default/jobs')
  expect(answer.status).toBe(503)
  expect(await answer.text()).toContain('make console')
})
