import { createServer, type RequestListener } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { HOSTILE_URLS } from '../../test/support/hostile-urls.ts'
import { portOf } from '../../test/support/port-of.ts'
import { createFetchDocument, type FetchOptions } from './fetch-document.ts'

const PDF = new TextEncoder().encode('%PDF-1.7 and more')
let connections = 0
let handler: RequestListener = (_request, response) => void response.end(PDF)
const server = createServer((request, response) => handler(request, response))
server.on('connection', () => {
  connections += 1
})
let port = 0

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '::', resolve))
  port = portOf(server)
})
afterAll(() => void server.close())
beforeEach(() => {
  connections = 0
  handler = (_request, response) => void response.end(PDF)
})

const LOCAL_NAMES: Readonly<Record<string, readonly string[]>> = {
  'public.test': ['93.184.215.14'],
  'inside.test': ['127.0.0.1'],
  'inside.test.': ['127.0.0.1'],
  localhost: ['127.0.0.1', '::1'],
  'localhost.': ['127.0.0.1'],
  'mixed.test': ['93.184.215.14', '127.0.0.1'],
  'mapped.test': ['::ffff:127.0.0.1'],
  'zone.test': ['fe80::1%lo'],
}
const resolve = async (host: string): Promise<readonly string[]> => {
  const found = LOCAL_NAMES[host]
  if (found === undefined) throw new Error(`unknown ${host}`)
  return found
}
const open = (options: Partial<FetchOptions> = {}) =>
  createFetchDocument({ allow: [], resolve, timeoutMs: 3_000, ...options })

describe('a URL that leads to an internal address', () => {
  it.each(HOSTILE_URLS)('%j is never fetched', async (text) => {
    const url = text.replaceAll('P', String(port))
    await expect(open()(url)).rejects.toMatchObject({ kind: 'invalid', code: 'url_not_allowed' })
    expect(connections).toBe(0)
  })

  it('is refused when the address belongs to this machine, public or not', async () => {
    const fetchDocument = open({ ownAddresses: () => ['93.184.215.14'] })
    await expect(fetchDocument('http://public.test/')).rejects.toMatchObject({
      code: 'url_not_allowed',
    })
  })
})

describe('a name whose address changes (DNS rebinding)', () => {
  it('is resolved once, and the checked address is connected to', async () => {
    let asked = 0
    const rebinding = async (): Promise<readonly string[]> => {
      asked += 1
      return asked === 1 ? ['192.0.2.1'] : ['127.0.0.1']
    }
    // the first address does not answer: a second resolution would have led to the server that counts
    const fetchDocument = open({ resolve: rebinding, allow: ['rebind.test'], timeoutMs: 300 })
    const answer = await fetchDocument(`http://rebind.test:${port}/`)
    expect(answer).toMatchObject({ kind: 'failed' })
    expect([asked, connections]).toEqual([1, 0])
  })

  it('is checked again when it redirects to itself', async () => {
    let asked = 0
    const rebinding = async (): Promise<readonly string[]> => {
      asked += 1
      return asked === 1 ? ['127.0.0.1'] : ['10.0.0.1']
    }
    const fetchDocument = open({ resolve: rebinding, allow: [`self.test:${port}`] })
    handler = (_request, response) =>
      void response.writeHead(302, { location: 'http://self.test:1/' }).end()
    await expect(fetchDocument(`http://self.test:${port}/`)).rejects.toMatchObject({
      code: 'url_not_allowed',
    })
    expect(connections).toBe(1)
  })
})

describe('an allowed host', () => {
  const allow = ['127.0.0.1', '[::1]', 'inside.test']

  it.each(['127.0.0.1', '[::1]', 'inside.test'])('%s is fetched from', async (host) => {
    expect(await open({ allow })(`http://${host}:${port}/a.pdf`)).toEqual({
      kind: 'file',
      type: 'pdf',
      bytes: PDF,
    })
  })

  it('with a port is allowed on that port only', async () => {
    const fetchDocument = open({ allow: [`127.0.0.1:${port}`] })
    expect(await fetchDocument(`http://127.0.0.1:${port}/`)).toMatchObject({ kind: 'file' })
    await expect(fetchDocument('http://127.0.0.1:1/')).rejects.toMatchObject({
      code: 'url_not_allowed',
    })
  })

  it('may redirect to itself a few times, but not to another host', async () => {
    const fetchDocument = open({ allow })
    handler = ({ url }, response) =>
      void (url === '/a' ? response.writeHead(302, { location: '/b' }).end() : response.end(PDF))
    expect(await fetchDocument(`http://127.0.0.1:${port}/a`)).toMatchObject({ kind: 'file' })
    handler = (_request, response) =>
      void response.writeHead(302, { location: `http://[::1]:${port}/` }).end()
    await expect(fetchDocument(`http://127.0.0.1:${port}/a`)).rejects.toMatchObject({
      code: 'url_not_allowed',
    })
    handler = (_request, response) => void response.writeHead(302, { location: '/a' }).end()
    expect(await fetchDocument(`http://127.0.0.1:${port}/a`)).toEqual({
      kind: 'failed',
      failure: 'unreachable',
    })
  })

  it('receives its name in the Host header', async () => {
    const hosts: (string | undefined)[] = []
    handler = ({ headers }, response) => {
      hosts.push(headers.host)
      response.end(PDF)
    }
    await open({ allow })(`http://inside.test:${port}/`)
    expect(hosts).toEqual([`inside.test:${port}`])
  })
})

describe('a fault of the remote is a result', () => {
  const fetchLocal = (options: Partial<FetchOptions> = {}) =>
    open({ allow: ['127.0.0.1'], ...options })(`http://127.0.0.1:${port}/`)
  const failed = (failure: string) => ({ kind: 'failed', failure })

  it('an unknown name', async () => {
    expect(await open()('http://unknown.test/')).toEqual(failed('unreachable'))
  })
  it('another status', async () => {
    handler = (_request, response) => void response.writeHead(404).end(PDF)
    expect(await fetchLocal()).toEqual(failed('unreachable'))
  })
  it('too many bytes, announced or not', async () => {
    handler = (_request, response) => void response.end(Buffer.alloc(2_000, '%PDF-'))
    expect(await fetchLocal({ maxBytes: 1_000 })).toEqual(failed('too_large'))
    handler = (_request, response) => {
      response.write(Buffer.alloc(600, '%PDF-'))
      response.end(Buffer.alloc(600))
    }
    expect(await fetchLocal({ maxBytes: 1_000 })).toEqual(failed('too_large'))
  })
  it('a response that does not end', async () => {
    handler = (_request, response) => void response.write(PDF)
    expect(await fetchLocal({ timeoutMs: 100 })).toEqual(failed('too_slow'))
  })
  it('unless the caller has gone, for whom it ends at once', async () => {
    const caller = new AbortController()
    handler = (_request, response) => {
      response.write(PDF)
      caller.abort()
    }
    const fetched = open({ allow: ['127.0.0.1'] })(`http://127.0.0.1:${port}/`, caller.signal)
    await expect(fetched).rejects.toMatchObject({ code: 'caller_gone' })
  })
  it('a name server that does not answer', async () => {
    const fetchDocument = open({ resolve: () => new Promise(() => undefined), timeoutMs: 100 })
    expect(await fetchDocument('http://public.test/')).toEqual(failed('too_slow'))
  })
  it('an empty body, and a file that is not a document, whatever its content type', async () => {
    handler = (_request, response) => void response.end()
    expect(await fetchLocal()).toEqual(failed('empty'))
    handler = (_request, response) =>
      void response.writeHead(200, { 'content-type': 'application/pdf' }).end('<html></html>')
    expect(await fetchLocal()).toEqual(failed('unsupported_type'))
  })
  it.each([
    ['jpeg', [0xff, 0xd8, 0xff, 0xe0]],
    ['png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ])('a %s is recognized by its bytes', async (type, bytes) => {
    handler = (_request, response) => void response.end(Buffer.from(bytes))
    expect(await fetchLocal()).toMatchObject({ kind: 'file', type })
  })
})
