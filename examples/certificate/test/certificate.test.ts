import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { CHILD_ENV, PROGRAM } from '../../../test/support/svc-process.ts'
import { tryApp } from '../../try-app.ts'
import { main } from '../actions/read.ts'

const FOLDER = join(import.meta.dirname, '..')
const FILE = join(FOLDER, 'certificate.pdf')
const pdf = readFileSync(FILE).toString('base64')

/** What the parser answers for the certificate of this folder. */
const parse = (): string => {
  const [command = '', ...before] = PROGRAM
  const args = [...before, 'parse', 'registry', FILE, '--json']
  return execFileSync(command, args, { env: { ...CHILD_ENV }, encoding: 'utf8' })
}
const answer = parse()

type Sent = { url: string; key: string | null; bytes: number }

const withParser = (respond: () => Response) => {
  const sent: Sent[] = []
  const fetch = async (url: string, init: RequestInit) => {
    const request = new Request(url, init)
    const file = (await request.formData()).get('file')
    const bytes = file instanceof Blob ? file.size : 0
    sent.push({ url, key: request.headers.get('authorization'), bytes })
    return respond()
  }
  const variables = { PARSER_URL: 'https://svc.test', PARSER_KEY: 'key.secret' }
  return { ...tryApp(FOLDER, { fetch, variables }), sent }
}

const recorded = {
  number: '2976-2023-996127',
  owners: ['고가온 (3분의 2)', '마루종합개발주식회사 (3분의 1)'],
}

test('a certificate that was read for certain is recorded without a person', async () => {
  const { runFlow, sent } = withParser(() => new Response(answer))
  const { status, result, steps } = await runFlow('check', { pdf })
  assert.deepEqual({ status, result }, { status: 'completed', result: recorded })
  assert.deepEqual(steps, ['read success', 'record success'])
  const bytes = readFileSync(FILE).length
  const url = 'https://svc.test/document-parser/registry'
  assert.deepEqual(sent, [{ url, key: 'Bearer key.secret', bytes }])
})

const doubtful = JSON.stringify({ ...JSON.parse(answer), confidence: { overall: 61 } })

test('a doubtful one waits for a person, who decides', async () => {
  const { runFlow } = withParser(() => new Response(doubtful))
  const approve = () => ({ kind: 'approved', values: {}, by: ['ada@example.com'] }) as const
  const { status, result } = await runFlow('check', { pdf }, approve)
  assert.deepEqual({ status, result }, { status: 'completed', result: recorded })
  const reject = () => ({ kind: 'rejected', by: 'ada@example.com', reason: 'unreadable' }) as const
  assert.equal((await runFlow('check', { pdf }, reject)).status, 'failed')
})

test('a refused file is final, a busy parser is worth another attempt', async () => {
  const nameFor = async (status: number): Promise<string> => {
    const fetch = async () => new Response('{"code":"no"}', { status })
    const variables = { PARSER_KEY: 'key.secret' }
    return main({ input: { pdf }, fetch, variables }).then(
      () => 'nothing',
      (error: Error) => error.name,
    )
  }
  assert.deepEqual(await Promise.all([400, 422, 429, 503].map(nameFor)), [
    'NonRetryableError',
    'NonRetryableError',
    'Error',
    'Error',
  ])
})
