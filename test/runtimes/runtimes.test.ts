/**
 * The same requests against the program from source on Node, from source on Deno,
 * and as dist/svc, so that the program keeps running on all of them.
 */
import { execFile, execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseTokenText } from '#core/access/token-text.ts'
import { findDeno } from '#platform/deno.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { generateCertificate } from '../registry/fixtures/certificate/generate-certificate.ts'
import { certificatePdf } from '../registry/fixtures/certificate/write-pdf.ts'
import { scanPdf } from '../registry/quality/scan-pages.ts'
import { oneActionApp } from '../support/app-files.ts'
import { type FileServer, openFileServer } from '../support/file-server.ts'
import { openRepositoryFolder } from '../support/git-repository.ts'
import { makeMemoryFolder } from '../support/memory-folder.ts'
import { ROOT } from '../support/repository.ts'
import { sampleCertificate } from '../support/sample-certificate.ts'
import { FROM_SOURCE, type SvcProcess, startSvc } from '../support/svc-process.ts'

const BINARY = join(ROOT, 'dist', 'svc')
const MAIN = join(ROOT, 'cmd', 'svc', 'main.ts')

const PROGRAMS: readonly Readonly<{ name: string; program: readonly string[] }>[] = [
  { name: 'Node, from source', program: FROM_SOURCE },
  { name: 'Deno, from source', program: [findDeno(), 'run', '--allow-all', '--quiet', MAIN] },
  { name: 'dist/svc', program: [BINARY] },
]

test('dist/svc is built', () => {
  expect(existsSync(BINARY), 'Run `make build` first.').toBe(true)
})

test.concurrent.each([
  ['Node', [process.execPath]],
  ['Deno', [findDeno(), 'run', '--allow-all', '--quiet']],
])('clients that never finish are cut off on %s', async (_, [command = '', ...args]) => {
  const script = join(import.meta.dirname, 'slow-clients.ts')
  const { stdout } = await promisify(execFile)(command, [...args, script])
  expect(JSON.parse(stdout)).toEqual({
    'sends nothing': '408',
    'stops within its headers': '408',
    'drips headers': '408',
    'drips a body': '408',
    'drips a chunked body': '408',
    'takes long over a body, but keeps a pace': '200',
    'sends headers beyond the limit': '431',
    others: 200,
  })
})

/** A scanned page at 200 DPI. */
const scanLand = async (): Promise<Uint8Array> => {
  const certificate = generateCertificate(36, { propertyType: 'land' })
  const [page] = scanPdf(await certificatePdf(certificate), { name: 'scan', dpi: 200 })
  if (page === undefined) throw new Error('no page')
  return page
}

let scanned: Promise<Uint8Array> | undefined
const scannedLand = (): Promise<Uint8Array> => {
  scanned ??= scanLand()
  return scanned
}

describe.each(PROGRAMS)('on $name', ({ program }) => {
  const folder = makeMemoryFolder('svc-runtimes-')
  const repositories = openRepositoryFolder()
  let node: SvcProcess
  let files: FileServer
  let url = ''
  let token = ''

  const run = async (...args: readonly string[]): Promise<string> => {
    const [command = '', ...before] = program
    const { stdout } = await promisify(execFile)(command, [...before, ...args], {
      cwd: folder,
      env: { PATH: process.env.PATH },
    })
    return stdout
  }

  /** @param body JSON, or a form */
  const send = async (path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const json = { 'content-type': 'application/json', ...headers }
    const response = await fetch(`${url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined || body instanceof FormData ? headers : json),
      },
      ...(body === undefined
        ? {}
        : { body: body instanceof FormData ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') === true
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: isJson ? JSON.parse(text) : null,
    }
  }
  const ws = (path: string): string => `/api/w/default${path}`

  beforeAll(async () => {
    files = await openFileServer()
    node = startSvc(['start', '--concurrency', '2'], {
      cwd: folder,
      program,
      env: { SVC_GIT_LOCAL_ROOTS: repositories.root, SVC_FETCH_ALLOW: files.host },
    })
    const [, address = ''] = await node.untilSaid(/"url":"(http:[^"]+)"/)
    url = address
    token = (await run('create-token', 'default', 'admin@localhost')).trimEnd()
  })
  afterAll(async () => {
    await node.stop()
    await files.close()
    repositories.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  test('--version prints the version, and create-token a token that fits its checksum', async () => {
    expect(await run('--version')).toBe(`${packageJson.version}\n`)
    expect(parseTokenText(token)?.kind).toBe('api_token')
  })

  test('the node reports that it is ready, its metrics and its endpoints', async () => {
    expect((await send('/healthz')).json).toMatchObject({
      status: 'ok',
      version: packageJson.version,
      role: 'start',
      database: 'ok',
    })
    expect((await send('/metrics')).text).toContain('svc_build_info')
    expect((await send('/api/openapi.json')).json.openapi).toMatch(/^3\./)
    expect((await send('/api/docs')).headers.get('content-type')).toContain('text/html')
    expect(node.said()).not.toContain('does not work here')
  })

  test('an uploaded app is deployed, and its action answers', async () => {
    const archive = join(folder, 'hello.tar.gz')
    execFileSync('tar', ['-czf', archive, '-C', join(ROOT, 'examples', 'hello'), '.'])
    const form = new FormData()
    form.set('bundle', new Blob([readFileSync(archive)]), 'hello.tar.gz')
    const deployed = await send(ws('/deployments'), form)
    expect([deployed.status, deployed.json.app]).toEqual([201, 'hello'])

    const answer = await send(ws('/jobs/run/hello/greet/wait'), { name: 'Ada', language: 'ko' })
    expect(answer.json).toMatchObject({
      status: 'success',
      result: { greeting: 'Ada님, 안녕하세요!', count: 1 },
    })
    const { status, text } = await send(ws(`/jobs/${answer.json.job_id}/logs`))
    expect(status).toBe(200)
    expect(text).toContain('attempt 1 of greet')
  })

  test.each([
    { path: '/deployments', name: 'bundle' },
    { path: '/apps/hello/functions/deploy', name: 'functions/f/index.ts' },
  ])('a form to $path that was cut short is refused as broken', async ({ path, name }) => {
    const part = `--cut\r\ncontent-disposition: form-data; name="${name}"; filename="a"\r\n\r\nx\r\n`
    const answer = await fetch(`${url}${ws(path)}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'multipart/form-data; boundary=cut',
      },
      body: part,
    })
    expect(await answer.json()).toMatchObject({ error: 'The multipart body is broken.' })
    expect(answer.status).toBe(400)
  })

  test('an app comes from git, and a remote that does not answer is reported', async () => {
    const repository = repositories.create('from-git')
    const commit = repository.commit(oneActionApp('from-git'))
    const sync = async (source: string) => {
      const { json } = await send(ws('/git-sources'), { name: 'test', url: source })
      return send(ws(`/git-sources/${json.id}/sync`), {})
    }
    expect((await sync(repository.path)).json).toMatchObject({ deployments: [{ commit }] })
    const answer = await send(ws('/jobs/run/from-git/run/wait'), {})
    expect(answer.json).toMatchObject({ status: 'success', result: 'ok' })
    const lost = await sync('http://127.0.0.1:1/x.git')
    expect([lost.status, lost.json.code]).toEqual([502, 'git_unreachable'])
    const closed = await send(ws('/git-sources/probe'), { url: 'http://169.254.169.254/x' })
    expect([closed.status, closed.json.code]).toEqual([400, 'url_not_allowed'])
  })

  test('a failure names the line of the author', async () => {
    const failed = await send(ws('/jobs/run/hello/fail/wait'), {})
    expect(failed.json).toMatchObject({ status: 'failure', result: { name: 'RangeError' } })
    const { text } = await send(ws(`/jobs/${failed.json.job_id}/logs`))
    expect(text).toMatch(/lib\/order\.ts:\d+/)
  })

  test('many callers wait at once, and each gets the answer to its own question', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `caller-${index}`)
    const answers = await Promise.all(
      names.map((name) => send(ws('/jobs/run/hello/greet/wait'), { name })),
    )
    expect(answers.map(({ json }) => json.result.greeting)).toEqual(
      names.map((name) => `Hello, ${name}!`),
    )
  })

  test('wrong requests get the one error body', async () => {
    const wrong = [
      {
        answer: await send(ws('/jobs/run/hello/nothing'), {}),
        status: 404,
        code: 'action_not_found',
      },
      { answer: await send(ws('/jobs/run/hello/greet'), [1]), status: 400, code: 'not_an_object' },
      { answer: await send('/api/w/other/apps'), status: 403, code: 'wrong_workspace' },
      { answer: await send('/healthz', {}), status: 405, code: 'method_not_allowed' },
      {
        answer: await send(ws('/jobs/run/hello/greet'), { name: 'x'.repeat(1_100_000) }),
        status: 413,
        code: 'too_large',
      },
      {
        answer: await send(ws('/jobs/run/hello/greet'), {}, { 'content-type': 'text/plain' }),
        status: 415,
        code: 'unsupported_media_type',
      },
    ]
    for (const { answer, status, code } of wrong) {
      expect([answer.status, answer.json]).toEqual([
        status,
        expect.objectContaining({
          code,
          error: expect.any(String),
          request_id: answer.headers.get('x-request-id'),
        }),
      ])
    }
  })

  test('a certificate is read apart, answered and paid for', async () => {
    const { json: made } = await send(ws('/api-keys'), { name: 'parser' })
    const form = new FormData()
    form.set('file', new Blob([sampleCertificate()]), 'certificate.pdf')
    const response = await fetch(`${url}/document-parser/registry`, {
      method: 'POST',
      headers: { authorization: `Bearer ${made.key}` },
      body: form,
    })
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({
      parser_version: '1.5.0',
      data: { profile: { property_type: 'aggregate_building' } },
    })
    expect((await send(ws('/billing'))).json).toMatchObject({ balance_won: 99_000 })
  })

  test('reads a scan by OCR, from an address that it may fetch', async () => {
    const { json: made } = await send(ws('/api-keys'), { name: 'scans' })
    const imageUrl = files.put('/scan.jpg', await scannedLand())
    const params = { documentType: 'land', imageUrl }
    const body = { type: 'document_parsing', params }
    const { json } = await send('/v2/workflows', body, { 'x-api-key': made.key })
    expect(json).toMatchObject({ status: 'SUCCEEDED', result: { usage: '종교용지' } })
  }, 240_000)

  test('it stops with 0, and has said nothing but its log', async () => {
    expect(await node.stop()).toBe(0)
    const lines = node.said().trimEnd().split('\n')
    const strange = lines.filter((line) => !line.startsWith('{') && !line.startsWith('Sign in as'))
    expect(strange).toEqual([])
    const levels = lines
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line).level)
    expect(levels).not.toContain('ERROR')
    expect(node.said()).toContain('Stopped.')
  })
})
