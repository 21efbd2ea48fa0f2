/** The guides as a server delivers them: every page, every link, the policy, the text of the search. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readArchive } from '#bundle/archive.ts'
import { createGuidesSurface } from '#http/surfaces/guides-surface.ts'
import { VERSION } from '#node/version.ts'
import { readGuideFile } from '#platform/served-files.ts'
import { editorFiles } from '#project/project-templates.ts'
import { buildGuides } from '../../cmd/build/guides/build-guides.ts'
import { cpuMs } from '../support/cpu-time.ts'
import { createTestApp, type TestApp } from '../support/create-test-app.ts'

let app: TestApp
let names: readonly string[]
const pages = new Map<string, string>()

const manifest = z.object({ files: z.record(z.string(), z.looseObject({})) })

beforeAll(async () => {
  await buildGuides()
  app = await createTestApp({ files: [createGuidesSurface(readGuideFile)] })
  const text = Buffer.from(readGuideFile('manifest.json') ?? []).toString()
  names = Object.keys(manifest.parse(JSON.parse(text)).files)
  for (const name of names.filter((each) => /\.html$/.test(each) && each !== 'missing.html')) {
    const path = name === 'index.html' ? '/docs/' : `/docs/${name.replace(/\.html$/, '')}`
    pages.set(path, await (await app.request('GET', path)).text())
  }
}, 240_000)
afterAll(() => app.close())

const attributes = (html: string, name: string): readonly string[] =>
  [...html.matchAll(new RegExp(` ${name}="([^"]*)"`, 'g'))].map(([, value = '']) => value)

describe('the guides', () => {
  it('have a page for each document, and the list of them leads to all', () => {
    expect(pages.size).toBeGreaterThan(60)
    const listed = new Set(attributes(pages.get('/docs/') ?? '', 'href'))
    expect([...pages.keys()].filter((path) => !listed.has(path))).toEqual([])
  })

  it('come with the package @svc/sdk, where a new project looks for it', async () => {
    const files = editorFiles('http://svc')
    const { devDependencies } = z
      .looseObject({ devDependencies: z.record(z.string(), z.string()) })
      .parse(JSON.parse(files['package.json'] ?? ''))
    const { pathname } = new URL(devDependencies['@svc/sdk'] ?? '')
    const answer = await app.request('GET', pathname)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/gzip'])
    const packed = await readArchive(new Uint8Array(await answer.arrayBuffer()))
    const own = JSON.parse(Buffer.from(packed.get('package/package.json') ?? []).toString())
    expect(own).toMatchObject({ name: '@svc/sdk', version: VERSION })
    expect([...packed.keys()]).toEqual(
      expect.arrayContaining(['package/mod.d.ts', 'package/testing.js', 'package/LICENSES.txt']),
    )
  })

  it('link to pages, headings and files that there are', () => {
    const lost = [...pages].flatMap(([from, html]) =>
      [...attributes(html, 'href'), ...attributes(html, 'src')]
        .filter((to) => {
          if (/^(https?:|mailto:|\/api\/docs$|\/ui\/$)/.test(to)) return false
          const { pathname, hash } = new URL(to, `http://svc${from}`)
          const target = pages.get(pathname)
          if (target === undefined) return !names.includes(pathname.slice('/docs/'.length))
          return (
            hash !== '' && !attributes(target, 'id').includes(decodeURIComponent(hash.slice(1)))
          )
        })
        .map((to) => `${from}: ${to}`),
    )
    expect(lost).toEqual([])
  })

  it('load nothing from another site, and hold nothing inline', () => {
    for (const [path, html] of pages) {
      expect([path, attributes(html, 'src').filter((to) => !to.startsWith('/docs/'))]).toEqual([
        path,
        [],
      ])
      expect(html, path).not.toMatch(/<script(?![^>]* src=)|<style| style="| on\w+="/)
    }
  })

  it('come under a policy that allows files of this server alone, and are revalidated', async () => {
    const answer = await app.request('GET', '/docs/flows')
    expect(answer.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
    )
    expect(answer.headers.get('cache-control')).toBe('no-cache')
    const etag = answer.headers.get('etag') ?? ''
    const again = await app.request('GET', '/docs/flows', { headers: { 'if-none-match': etag } })
    expect(again.status).toBe(304)
    const style = attributes(pages.get('/docs/flows') ?? '', 'href').find((to) =>
      to.endsWith('.css'),
    )
    const { headers } = await app.request('GET', style ?? '')
    expect(headers.get('cache-control')).toContain('immutable')
  })

  it('lead from /docs and from a trailing slash to the page', async () => {
    for (const [from, to] of [
      ['/docs', '/docs/'],
      ['/docs/flows/', '/docs/flows'],
    ] as const) {
      const answer = await app.request('GET', from)
      expect([answer.status, answer.headers.get('location')]).toEqual([302, to])
    }
  })

  it('lead from many slashes to the page without delay', async () => {
    const before = cpuMs()
    const answer = await app.request('GET', `/docs${'/'.repeat(100_000)}x/`)
    expect(answer.status).toBe(302)
    expect(cpuMs() - before).toBeLessThan(2_000)
  })

  it('answer an unknown address with 404 and the search', async () => {
    for (const path of ['/docs/nothing', '/docs/missing', '/docs/__proto__', '/docs/a.png']) {
      const answer = await app.request('GET', path)
      expect([path, answer.status]).toEqual([path, 404])
      expect(await answer.text()).toContain('There is no page at this address.')
    }
  })

  it('give the search the text below each heading, with addresses that there are', async () => {
    const [, search = ''] = / data-search="([^"]+)"/.exec(pages.get('/docs/') ?? '') ?? []
    const passages = z
      .array(
        z.object({ address: z.string(), title: z.string(), page: z.string(), text: z.string() }),
      )
      .parse(await (await app.request('GET', search)).json())
    expect(passages.length).toBeGreaterThan(400)
    const lost = passages.filter(({ address }) => {
      const { pathname, hash } = new URL(address, 'http://svc')
      const page = pages.get(pathname)
      return (
        page === undefined ||
        (hash !== '' && !attributes(page, 'id').includes(decodeURIComponent(hash.slice(1))))
      )
    })
    expect(lost).toEqual([])
  })
})

it('explains how to build the guides where they are not built', async () => {
  const bare = await createTestApp({ files: [createGuidesSurface(() => null)] })
  const answer = await bare.request('GET', '/docs/')
  expect([answer.status, (await answer.text()).includes('make guides')]).toEqual([503, true])
  await bare.close()
})
