/** POST /document-parser/registry: who may call it, what it refuses, what it returns and what it costs. */
import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CLI_ACTOR } from '#core/access/actor.ts'
import type { PdfReader } from '#pdf/reader-pool.ts'
import { parserResponseSchema } from '#registry/schema/document.ts'
import { charge } from '#service/billing/charge.ts'
import { administerWorkspace } from '#service/workspaces/administer-workspace.ts'
import { createTestApp, type TestApp } from '../support/create-test-app.ts'
import { hostilePdfs } from '../support/hostile-pdfs.ts'
import { BOUNDARY, createCustomer, FORM, formOf, PARSER } from '../support/parser-caller.ts'
import { plainPdf } from '../support/raw-pdf.ts'
import { sampleCertificate } from '../support/sample-certificate.ts'

const CERTIFICATE = sampleCertificate()
const PRICE = 1_000

let app: TestApp
let count = 0
const customerWith = (won: number) => {
  count += 1
  return createCustomer(app, `shop-${count}`, won)
}
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

const FILES = hostilePdfs(0)

const hostile = (name: string): Uint8Array => {
  const found = FILES.find((file) => file.name === name)
  if (found === undefined) throw new Error(`There is no file "${name}".`)
  return found.bytes
}
const refusal = (status: number, code: string) => ({ status, json: { code } })

describe('a certificate', () => {
  it('is read, charged once, and recorded with key and request', async () => {
    const customer = await customerWith(1_500)
    const answer = await customer.send(CERTIFICATE)
    expect(answer.status).toBe(200)
    const response = parserResponseSchema.parse(answer.json)
    expect(response).toMatchObject({
      document_type: 'registry',
      parser_version: '1.5.0',
      data: {
        meta: {
          parsed_at: response.parsed_at,
          document_id: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
        profile: { property_type: 'aggregate_building' },
        source: { page_count: 7, pdf_text_based: true },
        verification_image: expect.stringMatching(/^iVBOR/),
      },
    })
    expect(await customer.billing()).toEqual({
      balance: 500,
      charges: [
        expect.objectContaining({
          amount_won: -PRICE,
          route: PARSER,
          api_key_id: customer.keyId,
          request_id: answer.headers.get('x-request-id'),
        }),
      ],
    })
  })

  it('is found behind a preamble and in pieces of any size', async () => {
    const customer = await customerWith(10_000)
    const body = Buffer.concat([Buffer.from('preamble\r\n'), formOf(CERTIFICATE)])
    for (const size of [body.length, 1_021, 65_536]) {
      let at = 0
      const stream = new ReadableStream<Uint8Array>({
        pull: (controller) => {
          if (at >= body.length) controller.close()
          else controller.enqueue(new Uint8Array(body.subarray(at, at + size)))
          at += size
        },
      })
      const answer = await app.call('POST', PARSER, {
        token: customer.key,
        headers: FORM,
        body: stream,
      })
      expect(answer.status).toBe(200)
    }
  })

  it('fits the published schema', async () => {
    const { status, json } = await app.call('GET', '/api/schemas/registry-1.5.0.json')
    expect(status).toBe(200)
    expect(json).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      properties: { parser_version: { const: '1.5.0' }, data: { type: 'object' } },
    })
  })
})

describe('a call is refused', () => {
  it('first for its credential', async () => {
    const { key } = await customerWith(0)
    const send = (headers: Record<string, string>) => app.call('POST', PARSER, { headers })
    expect(await send({})).toMatchObject(refusal(401, 'unauthenticated'))
    const wrong = { authorization: `Bearer ${key.slice(0, -1)}_`, ...FORM }
    expect(await send(wrong)).toMatchObject(refusal(401, 'invalid_api_key'))
    expect((await send({})).headers.get('www-authenticate')).toBe('Bearer')
  })

  it('then for the balance or a suspended account, before the file is looked at', async () => {
    const poor = await customerWith(PRICE - 1)
    expect(await poor.send(Buffer.alloc(0))).toMatchObject(refusal(403, 'insufficient_balance'))
    const rich = await customerWith(10_000)
    await administerWorkspace(app.deps, {
      ws: rich.ws,
      rules: { isSuspended: true },
      actor: CLI_ACTOR,
    })
    expect(await rich.send(CERTIFICATE)).toMatchObject(refusal(403, 'suspended'))
    await administerWorkspace(app.deps, {
      ws: rich.ws,
      rules: { isSuspended: false },
      actor: CLI_ACTOR,
    })
    expect((await rich.send(CERTIFICATE)).status).toBe(200)
  })

  it('then for its form', async () => {
    const { key, billing } = await customerWith(PRICE)
    const send = (body?: Uint8Array<ArrayBuffer>, headers: Record<string, string> = FORM) =>
      app.call('POST', PARSER, { token: key, headers, ...(body === undefined ? {} : { body }) })
    expect(await send()).toMatchObject(refusal(400, 'no_file'))
    expect(await send(undefined, {})).toMatchObject(refusal(400, 'no_file'))
    expect(await send(formOf(CERTIFICATE, { field: 'pdf' }))).toMatchObject(refusal(400, 'no_file'))
    expect(await send(Buffer.from(`--${BOUNDARY}--\r\n`))).toMatchObject(refusal(400, 'no_file'))
    expect(await send(formOf(CERTIFICATE).subarray(0, 900))).toMatchObject(
      refusal(400, 'malformed_form'),
    )
    expect(await send(Buffer.from('no form'))).toMatchObject(refusal(400, 'malformed_form'))
    const json = { 'content-type': 'application/json' }
    expect(await send(Buffer.from('{}'), json)).toMatchObject(
      refusal(415, 'unsupported_media_type'),
    )
    const packed = { ...FORM, 'content-encoding': 'gzip' }
    expect((await send(formOf(CERTIFICATE), packed)).status).toBe(415)
    expect(await billing()).toEqual({ balance: PRICE, charges: [] })
  })

  it('for text in the field of the file, and not as a broken PDF', async () => {
    const { key, billing } = await customerWith(PRICE)
    const send = (content: Uint8Array) =>
      app.call('POST', PARSER, {
        token: key,
        headers: FORM,
        body: Buffer.concat([
          Buffer.from(`--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"\r\n\r\n`),
          content,
          Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
        ]),
      })
    const text = await send(Buffer.from('certificate.pdf'))
    expect(text).toMatchObject(refusal(400, 'no_file'))
    expect(text.text).toContain('-F \\"file=@<file>\\"')
    expect(await billing()).toEqual({ balance: PRICE, charges: [] })
    // some clients name no file
    expect((await send(CERTIFICATE)).status).toBe(200)
  })

  it('and for a second file, which would be lost', async () => {
    const { key, billing } = await customerWith(PRICE)
    const [first, second] = [formOf(CERTIFICATE), formOf(CERTIFICATE)]
    const body = Buffer.concat([first.subarray(0, first.lastIndexOf(`--${BOUNDARY}`)), second])
    const answer = await app.call('POST', PARSER, { token: key, headers: FORM, body })
    expect(answer).toMatchObject(refusal(400, 'malformed_form'))
    expect(answer.text).toContain('more than once')
    expect(await billing()).toEqual({ balance: PRICE, charges: [] })
  })

  it('and for fields that it does not know, before the file is read', async () => {
    const { key, billing } = await customerWith(PRICE)
    const note = (name: string) =>
      Buffer.from(`--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\nfile\r\n`)
    const body = Buffer.concat([note('note'), note('accuracy'), formOf(CERTIFICATE)])
    const answer = await app.call('POST', PARSER, { token: key, headers: FORM, body })
    expect(answer).toMatchObject(refusal(400, 'unknown_field'))
    expect(answer.text).toContain('note, accuracy')
    expect(await billing()).toEqual({ balance: PRICE, charges: [] })
  })

  it.each([
    ['an empty file', 400, 'not_a_pdf'],
    ['a picture', 400, 'not_a_pdf'],
    ['cut after 400 bytes', 422, 'broken_pdf'],
    ['damage in the middle of a packed page', 422, 'broken_pdf'],
    ['locked by a password', 422, 'encrypted_pdf'],
    ['six hundred pages', 422, 'too_complex'],
    ['a page without a size', 422, 'no_text_layer'],
  ])('then for what was sent: %s', async (name, status, code) => {
    const customer = await customerWith(PRICE)
    expect(await customer.send(hostile(name))).toMatchObject(refusal(status, code))
    expect(await customer.billing()).toEqual({ balance: PRICE, charges: [] })
  })

  it('and for a text that is not a certificate', async () => {
    const customer = await customerWith(PRICE)
    const words = 'BT /F 10 Tf 50 600 Td (nothing of a registry, however long it goes on) Tj ET'
    const answer = await customer.send(plainPdf(words))
    expect(answer).toMatchObject(refusal(422, 'nothing_recognised'))
    expect(await customer.billing()).toEqual({ balance: PRICE, charges: [] })
  })
})

describe('a hostile file', () => {
  // files that may use up the whole time limit are tested elsewhere (test/pdf/hostile.test.ts)
  const quick = FILES.filter(({ may }) => !may.includes('too_slow'))

  it('is the fault of who sent it, costs nothing, and leaves the server as it was', async () => {
    const customer = await customerWith(PRICE)
    for (const { name, bytes } of quick) {
      const { status } = await customer.send(bytes)
      expect([400, 422], name).toContain(status)
    }
    expect(await customer.billing()).toEqual({ balance: PRICE, charges: [] })
    expect((await customer.send(CERTIFICATE)).status).toBe(200)
  }, 60_000)
})

describe('the balance', () => {
  it('pays for three of twenty calls at once, and never falls below zero', async () => {
    const customer = await customerWith(3 * PRICE)
    const answers = await Promise.all(Array.from({ length: 20 }, () => customer.send(CERTIFICATE)))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(3)
    expect(statuses.filter((status) => status === 403)).toHaveLength(17)
    for (const { status, text } of answers) {
      if (status === 403) expect(text).not.toContain('section_a')
    }
    const { balance, charges } = await customer.billing()
    expect(balance).toBe(0)
    expect(charges).toHaveLength(3)
  }, 60_000)

  it('that was used up while the file was read gives no result', async () => {
    let spend = async (): Promise<unknown> => undefined
    const reader = (inner: PdfReader): PdfReader => ({
      ...inner,
      readRegistry: async (...args) => {
        const answer = await inner.readRegistry(...args)
        await spend()
        return answer
      },
    })
    const other = await createTestApp({ wrapPdf: reader })
    const customer = await createCustomer(other, 'shop', PRICE)
    const call = { ws: 'shop', priceWon: PRICE, route: 'x', apiKeyId: 'x', requestId: 'x' }
    spend = () => charge(other.deps, call)
    expect(await customer.send(CERTIFICATE)).toMatchObject(refusal(403, 'insufficient_balance'))
    expect((await customer.billing()).charges).toHaveLength(1)
    await other.close()
  })

  it('is left alone where billing is off; the call is recorded all the same', async () => {
    const billing = { isPrepaid: false, registryWon: 1_000, accuracyWon: 500 }
    const free = await createTestApp({ billing })
    const customer = await createCustomer(free, 'shop', 0)
    expect((await customer.send(CERTIFICATE)).status).toBe(200)
    expect(await customer.billing()).toEqual({
      balance: 0,
      charges: [
        expect.objectContaining({ amount_won: 0, route: PARSER, api_key_id: customer.keyId }),
      ],
    })
    await administerWorkspace(free.deps, {
      ws: 'shop',
      rules: { isSuspended: true },
      actor: CLI_ACTOR,
    })
    expect(await customer.send(CERTIFICATE)).toMatchObject(refusal(403, 'suspended'))
    await free.close()
  })
})

describe('a caller that disconnects', () => {
  it('ends the reading of its file, and pays nothing', async () => {
    const begun = Promise.withResolvers<void>()
    const ended = Promise.withResolvers<unknown>()
    const reader = (inner: PdfReader): PdfReader => ({
      ...inner,
      readRegistry: (parts, meta, caller) => {
        const reading = inner.readRegistry(parts, meta, caller)
        begun.resolve()
        reading.catch(ended.resolve)
        return reading
      },
    })
    const other = await createTestApp({ wrapPdf: reader })
    const customer = await createCustomer(other, 'shop', PRICE)
    const leaving = new AbortController()
    const call = fetch(`${await other.listen()}${PARSER}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${customer.key}`, ...FORM },
      body: formOf(hostile('forms that double twenty-four times')),
      signal: leaving.signal,
    })
    await begun.promise
    leaving.abort()
    await expect(call).rejects.toMatchObject({ name: 'AbortError' })
    expect(await ended.promise).toMatchObject({ code: 'caller_gone' })
    expect(await customer.billing()).toEqual({ balance: PRICE, charges: [] })
    await other.close()
  })
})

/** Uploads the given number of bytes over a socket until a response arrives. @returns its status */
const upload = (
  url: string,
  key: string,
  { megabytes, length }: Readonly<{ megabytes: number; length: boolean }>,
): Promise<Readonly<{ status: number; text: string }>> =>
  new Promise((resolve, reject) => {
    const [head, tail] = [
      formOf(Buffer.from('%PDF-1.7')).subarray(0, -20),
      formOf(Buffer.alloc(0)).subarray(-20),
    ]
    const bytes = head.length + tail.length + megabytes * 1_048_576
    const headers = {
      authorization: `Bearer ${key}`,
      ...FORM,
      ...(length ? { 'content-length': bytes } : {}),
    }
    const call = request(`${url}${PARSER}`, { method: 'POST', headers }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (part: string) => {
        text += part
      })
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
    })
    call.on('error', reject)
    call.write(head)
    const piece = randomBytes(1_048_576)
    const write = (left: number): void => {
      if (left === 0) call.end(tail)
      else call.write(piece, () => write(left - 1))
    }
    write(megabytes)
  })

describe('a large file over a socket', () => {
  it('of more than 50 MB is refused, with and without a Content-Length', async () => {
    const url = await app.listen()
    const { key } = await customerWith(PRICE)
    for (const length of [true, false]) {
      const { status, text } = await upload(url, key, { megabytes: 53, length })
      expect(status).toBe(413)
      expect(JSON.parse(text)).toMatchObject({ code: 'too_large' })
    }
  }, 60_000)

  it('of less reaches the reader, and costs nothing when it is not a certificate', async () => {
    const url = await app.listen()
    const { key, billing } = await customerWith(PRICE)
    const { status, text } = await upload(url, key, { megabytes: 49, length: false })
    expect([status, JSON.parse(text).code]).toEqual([422, 'broken_pdf'])
    expect((await billing()).balance).toBe(PRICE)
  }, 60_000)

  it('is refused for its balance before it is sent', async () => {
    const url = await app.listen()
    const { key } = await customerWith(0)
    const { status } = await upload(url, key, { megabytes: 20, length: true })
    expect(status).toBe(403)
  }, 60_000)
})
