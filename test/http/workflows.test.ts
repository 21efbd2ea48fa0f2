/** POST /v2/workflows [documents 17.1]: every status, and its cost. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { CLI_ACTOR } from '#core/access/actor.ts'
import type { PropertyType } from '#registry/schema/title.ts'
import { issueApiKey } from '#service/customers/api-key.ts'
import { createWorkspace } from '#service/workspaces/create-workspace.ts'
import { findAccount, listCreditEntries } from '#store/billing/credit.ts'
import { generateCertificate } from '../registry/fixtures/certificate/generate-certificate.ts'
import { certificatePdf } from '../registry/fixtures/certificate/write-pdf.ts'
import { scanPdf, toPng, toScannedPdf } from '../registry/quality/scan-pages.ts'
import { createTestApp, type TestApp, WS } from '../support/create-test-app.ts'
import { type FileServer, openFileServer } from '../support/file-server.ts'
import { HOSTILE_URLS } from '../support/hostile-urls.ts'
import { isLong } from '../support/runs.ts'

const PATH = '/v2/workflows'
let files: FileServer
let app: TestApp
let key = ''
beforeAll(async () => {
  files = await openFileServer()
  app = await createTestApp({ fetchAllow: [files.host] })
  key = (await issueApiKey(app.deps, { ws: WS, name: 'parser', actor: CLI_ACTOR })).text
})
afterAll(async () => {
  await app.close()
  await files.close()
})

const certificateOf = (propertyType: PropertyType, seed = 7) =>
  generateCertificate(seed, { propertyType, cases: ['viewing_copy'] })
const putPdf = async (propertyType: PropertyType): Promise<string> =>
  files.put(`/${propertyType}.pdf`, await certificatePdf(certificateOf(propertyType)))

const call = (params: unknown, headers: Readonly<Record<string, string>> = { 'x-api-key': key }) =>
  app.call('POST', PATH, { headers, json: { type: 'document_parsing', params } })
const balance = async (ws = WS) => (await findAccount(app.deps.db, ws))?.balanceWon

/** Makes the call. @returns its response and its cost */
const spend = async (params: unknown) => {
  const before = (await balance()) ?? 0
  const answer = await call(params)
  return { ...answer, costWon: before - ((await balance()) ?? 0) }
}
const failed = z.strictObject({
  id: z.uuid(),
  status: z.literal('FAILED'),
  error: z.string().min(1),
  advice: z.string().min(1),
})

describe('who may call', () => {
  it('the error of a call without a key names the header of this route', async () => {
    const { json } = await call({}, {})
    expect(json).toMatchObject({ error: 'Send your API key as "X-API-Key: <keyId>.<secret>".' })
  })

  it('no caller without an API key, and none with another credential', async () => {
    const url = files.put('/x', new TextEncoder().encode('%PDF-'))
    const params = { documentType: 'land', imageUrl: url }
    const token = await app.token(['*'])
    const wrong = [{}, { 'x-api-key': '' }, { 'x-api-key': 'ak_0.x' }, { 'x-api-key': token }]
    for (const headers of wrong) {
      expect(await call(params, headers)).toMatchObject({
        status: 401,
        json: { code: expect.stringMatching(/unauthenticated|invalid_/) },
      })
    }
    expect(files.connections()).toBe(0)
  })

  it('a key in X-API-Key or as a bearer token; the header is the one that counts', async () => {
    const params = { documentType: 'land', imageUrl: `http://${files.host}/unknown` }
    expect((await call(params)).status).toBe(200)
    expect((await call(params, { authorization: `Bearer ${key}` })).status).toBe(200)
    const both = { 'x-api-key': 'ak_0.x', authorization: `Bearer ${key}` }
    expect((await call(params, both)).status).toBe(401)
  })

  it('no caller who cannot pay: 403 before anything is fetched', async () => {
    await createWorkspace(app.deps, { id: 'poor', name: 'Poor' })
    const poor = await issueApiKey(app.deps, { ws: 'poor', name: 'p', actor: CLI_ACTOR })
    const before = files.connections()
    const params = { documentType: 'land', imageUrl: `http://${files.host}/unknown` }
    expect(await call(params, { 'x-api-key': poor.text })).toMatchObject({
      status: 403,
      json: { code: 'insufficient_balance' },
    })
    expect(files.connections()).toBe(before)
  })
})

describe('a bad request is 400 and free', () => {
  const good = { documentType: 'land', imageUrl: 'https://example.com/a.pdf' }
  it.each([
    ['another type', { type: 'ocr', params: good }],
    ['no params', { type: 'document_parsing' }],
    ['no documentType', { type: 'document_parsing', params: { imageUrl: good.imageUrl } }],
    ['an unknown one', { type: 'document_parsing', params: { ...good, documentType: 'car' } }],
    ['no imageUrl', { type: 'document_parsing', params: { documentType: 'land' } }],
    ['an unknown accuracy', { type: 'document_parsing', params: { ...good, accuracy: 'best' } }],
  ])('%s', async (_what, json) => {
    expect((await app.call('POST', PATH, { headers: { 'x-api-key': key }, json })).status).toBe(400)
  })

  it.each([
    'http://127.0.0.1/a.pdf',
    'http://169.254.169.254/latest/meta-data/',
    'http://[::1]/a.pdf',
    'http://localhost:1/a.pdf',
    'file:///etc/passwd',
    'not an address',
  ])('%s may not be fetched', async (imageUrl) => {
    expect(await spend({ documentType: 'land', imageUrl })).toMatchObject({
      status: 400,
      json: { code: 'url_not_allowed' },
      costWon: 0,
    })
  })
})

it(`none of ${HOSTILE_URLS.length} hostile addresses is ever connected to, and none costs anything`, async () => {
  const inside = await openFileServer()
  const port = inside.host.split(':')[1] ?? ''
  const before = await balance()
  for (const url of HOSTILE_URLS) {
    const imageUrl = url.replaceAll('P', port)
    const { status, json } = await call({ documentType: 'land', imageUrl })
    // a name that does not resolve is not a failure of the workflow
    if (status === 200) expect(failed.parse(json).advice).toContain('imageUrl')
    else expect(status, imageUrl).toBe(400)
  }
  expect(inside.connections()).toBe(0)
  expect(await balance()).toBe(before)
  await inside.close()
}, 240_000)

describe('what cannot be read is FAILED with advice, and free', () => {
  it.each([
    ['nothing there', '/unknown', null],
    ['an empty file', '/empty', ''],
    ['no document', '/page.html', '<html></html>'],
    ['a broken PDF', '/broken.pdf', '%PDF-1.7\nnothing more'],
  ])('%s', async (_what, path, content) => {
    if (content !== null) files.put(path, new TextEncoder().encode(content))
    const answer = await spend({ documentType: 'land', imageUrl: `http://${files.host}${path}` })
    expect(answer).toMatchObject({ status: 200, costWon: 0 })
    failed.parse(answer.json)
  })

  it('a file of more than 10 MB', async () => {
    const bytes = new Uint8Array(10 * 1_048_576 + 1)
    bytes.set(new TextEncoder().encode('%PDF-1.7'))
    const answer = await spend({ documentType: 'land', imageUrl: files.put('/big', bytes) })
    expect(answer.costWon).toBe(0)
    expect(failed.parse(answer.json).error).toContain('10 MB')
  })

  it('a certificate of another kind than requested', async () => {
    const answer = await spend({ documentType: 'building', imageUrl: await putPdf('land') })
    expect(answer.costWon).toBe(0)
    expect(failed.parse(answer.json).advice).toContain('"land"')
  })
})

describe('a certificate that is read', () => {
  it('of land answers its record, for 1,000 won and with a line in the books', async () => {
    const { truth } = certificateOf('land')
    const answer = await spend({ documentType: 'land', imageUrl: await putPdf('land') })
    expect(answer).toMatchObject({
      status: 200,
      costWon: 1_000,
      json: { status: 'SUCCEEDED', result: { registrationNumber: truth.unique_number } },
    })
    expect(answer.json).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      result: {
        landNumber: expect.stringMatching(/^산?\d+(-\d+)?$/),
        owner: expect.any(String),
        area: expect.stringMatching(/^[\d.]+$/),
        usage: expect.any(String),
        acquisitionDate: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
        confidence: expect.any(Number),
      },
    })
    const [entry] = await listCreditEntries(app.deps.db, WS, { beforeId: null, limit: 1 })
    expect(entry).toMatchObject({ kind: 'charge', amountWon: -1_000, route: PATH })
  })

  it.each(['building', 'aggregate_building'] as const)(
    'of a %s answers the record of a building; high accuracy costs 500 won more',
    async (documentType) => {
      const imageUrl = await putPdf(documentType)
      const answer = await spend({ documentType, imageUrl, accuracy: 'high' })
      expect(answer).toMatchObject({
        status: 200,
        costWon: 1_500,
        json: {
          status: 'SUCCEEDED',
          result: {
            address: expect.any(String),
            owner: expect.any(String),
            buildingArea: expect.stringMatching(/^[\d.]+$/),
            floors: expect.any(Number),
            constructionDate: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
          },
        },
      })
    },
  )
})

describe('a scan', () => {
  /** A land register of one page. */
  const certificate = generateCertificate(36, { propertyType: 'land' })
  const pageOf = async (dpi: number, blur?: number): Promise<Uint8Array> => {
    const [page] = scanPdf(await certificatePdf(certificate), { name: 'scan', dpi, blur })
    if (page === undefined) throw new Error('no page')
    return page
  }
  let page: Uint8Array
  beforeAll(async () => {
    page = await pageOf(200)
  })
  const read = {
    landNumber: '229-26',
    owner: '송미르',
    area: '1606',
    usage: '종교용지',
    acquisitionDate: '2019-04-14',
    registrationNumber: certificate.truth.unique_number,
    confidence: expect.any(Number),
  }

  // a PDF with the right name is read below, and a JPEG refused
  it('is read, whatever its name and type say, and costs its price once', async () => {
    const imageUrl = files.put('/scan.txt', toPng(page))
    const before = await listCreditEntries(app.deps.db, WS, { beforeId: null, limit: 100 })
    expect(await spend({ documentType: 'land', imageUrl })).toMatchObject({
      status: 200,
      costWon: 1_000,
      json: { status: 'SUCCEEDED', result: read },
    })
    const after = await listCreditEntries(app.deps.db, WS, { beforeId: null, limit: 100 })
    expect(after.length).toBe(before.length + 1)
  }, 120_000)

  describe('as a stream of events', () => {
    const follow = (imageUrl: string, apiKey = key) =>
      app.request('POST', PATH, {
        headers: { accept: 'text/event-stream', 'x-api-key': apiKey },
        json: { type: 'document_parsing', params: { documentType: 'land', imageUrl } },
      })

    it('shows its pages while they are read, and then the result for the same price', async () => {
      const imageUrl = files.put('/followed.txt', await toScannedPdf([page], 200))
      const before = (await balance()) ?? 0
      const answer = await follow(imageUrl)
      expect(answer.headers.get('content-type')).toBe('text/event-stream')
      const events = (await answer.text()).trim().split('\n\n')
      const [first, second, last = ''] = events.filter((event) => event.startsWith('event:'))
      expect([first, second]).toEqual([
        'event: progress\ndata: {"page":0,"pages":1}',
        'event: progress\ndata: {"page":1,"pages":1}',
      ])
      expect(last).toMatch(/^event: result\n/)
      const body: unknown = JSON.parse(last.slice(last.indexOf('{')))
      expect(body).toMatchObject({ status: 'SUCCEEDED', result: read })
      expect(before - ((await balance()) ?? 0)).toBe(1_000)
    }, 120_000)

    it('is refused with a status of its own before the first page', async () => {
      await createWorkspace(app.deps, { id: 'broke', name: 'Broke' })
      const poor = await issueApiKey(app.deps, { ws: 'broke', name: 'b', actor: CLI_ACTOR })
      const answer = await follow(`http://${files.host}/unknown`, poor.text)
      expect(answer.status).toBe(403)
      expect(await answer.json()).toMatchObject({ code: 'insufficient_balance' })
    })

    it('costs nothing when its caller leaves', async () => {
      // a page takes seconds, of which the caller waits only for the first moment
      const imageUrl = files.put('/left.pdf', await toScannedPdf([page], 200))
      const before = await balance()
      const answer = await follow(imageUrl)
      const reader = answer.body?.getReader()
      await reader?.read()
      await reader?.cancel()
      // the same reader of scans takes the next page once it is done
      await spend({ documentType: 'land', imageUrl: files.put('/next.jpg', await pageOf(100)) })
      expect(await balance()).toBe(before)
    }, 120_000)
  })

  // the short form reads a page without text at high accuracy below, and this one takes three times as long
  if (isLong) {
    it('at high accuracy as a JPEG costs its price, once', async () => {
      const imageUrl = files.put('/high.txt', page)
      const before = await listCreditEntries(app.deps.db, WS, { beforeId: null, limit: 100 })
      const answer = await spend({ documentType: 'land', imageUrl, accuracy: 'high' })
      expect(answer).toMatchObject({ costWon: 1_500, json: { status: 'SUCCEEDED', result: read } })
      const after = await listCreditEntries(app.deps.db, WS, { beforeId: null, limit: 100 })
      expect(after.length).toBe(before.length + 1)
    }, 120_000)
  }

  it('of less than 200 DPI, or with nothing to be read, is FAILED with what to do, and free', async () => {
    const cases = [
      [await pageOf(100), '300 DPI'],
      [await pageOf(200, 40), '300 DPI'],
      [new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 2]), 'save a copy'],
    ] as const
    for (const [file, advice] of cases) {
      const imageUrl = files.put('/poor.jpg', file)
      const answer = await spend({ documentType: 'land', imageUrl, accuracy: 'high' })
      expect(answer).toMatchObject({ status: 200, costWon: 0 })
      expect(failed.parse(answer.json).advice).toContain(advice)
    }
  }, 120_000)

  it('is recognised by the registry parser too', async () => {
    const form = new FormData()
    const scan = await toScannedPdf([page], 200)
    form.set('file', new Blob([new Uint8Array(scan)]), 'scan.pdf')
    const request = new Request('http://localhost', { method: 'POST', body: form })
    const answer = await app.call('POST', '/document-parser/registry', {
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': request.headers.get('content-type') ?? '',
      },
      body: new Uint8Array(await request.arrayBuffer()),
    })
    expect(answer).toMatchObject({
      status: 200,
      json: {
        data: {
          unique_number: certificate.truth.unique_number,
          source: { pdf_text_based: false },
          profile: { layout_profile: 'scan_ocr' },
        },
      },
    })
  }, 120_000)
})
