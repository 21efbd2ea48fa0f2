/**
 * svc accepts the samples of the API reference: each runs as it is shown, by curl and by the typed client, against a real
 * node. The objects that a sample names may be missing, but a malformed call or an unknown route is a fault.
 */
import { execFile } from 'node:child_process'
import { copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allEndpoints } from '#http/endpoints/all.ts'
import { openApiDocument } from '#http/openapi.ts'
import { type Operation, readDescription } from '#http/reference/description.ts'
import { curlSample, typescriptSample } from '#http/reference/samples.ts'
import { ApiError, type Client, createClient } from '../../sdk/client.ts'
import { packApp } from '../support/bundle-archive.ts'
import { writeNodeDatabase } from '../support/database-template.ts'
import { makeMemoryFolder } from '../support/memory-folder.ts'
import { ROOT } from '../support/repository.ts'
import { CHILD_ENV, PROGRAM, type SvcProcess, startSvc } from '../support/svc-process.ts'

const run = promisify(execFile)
const description = readDescription(
  JSON.parse(JSON.stringify(openApiDocument(allEndpoints, '1.2.3'))),
)

const folder = makeMemoryFolder('svc-samples-')
let node: SvcProcess
let url: string
let env: Readonly<Record<string, string>>

const EXAMPLE = join(ROOT, 'examples/hello')

/** The example that the README deploys, because the samples name it. */
const APP = Object.fromEntries(
  globSync(['app.yaml', '{actions,lib}/*.ts'], { cwd: EXAMPLE }).map((path) => [
    path,
    readFileSync(join(EXAMPLE, path), 'utf8'),
  ]),
)

/** Creates a token and an API key of the administrator, and the app that the samples name. */
const prepare = async (): Promise<void> => {
  const [command = '', ...before] = PROGRAM
  const made = await run(command, [...before, 'create-token', 'default', 'admin@localhost'], {
    cwd: folder,
    env: CHILD_ENV,
  })
  const token = made.stdout.trim()
  const client = createClient({ url, token, workspace: 'default' })
  const { key } = await client.post('/api-keys', { body: { name: 'samples' } })
  env = { ...CHILD_ENV, SVC_URL: url, SVC_TOKEN: token, SVC_API_KEY: key }
  const form = new FormData()
  form.append('bundle', new Blob([new Uint8Array(await packApp(APP))]), 'app.tar.gz')
  await client.post('/deployments', { body: form })
}

beforeAll(async () => {
  await writeNodeDatabase(join(folder, 'svc-data'))
  node = startSvc(['start'], {
    cwd: folder,
    env: { SVC_RATE_RUN_PER_S: '0', SVC_RATE_OTHER_PER_S: '0', SVC_RATE_ANONYMOUS_PER_S: '0' },
  })
  const [, address = ''] = await node.untilSaid(/"url":"(http:\/\/[^"]+)"/)
  url = address
  await prepare()
  writeFileSync(join(folder, 'app.tar.gz'), await packApp(APP))
  writeFileSync(join(folder, 'hello.ts'), 'export default () => new Response("hello")')
  writeFileSync(join(folder, 'event.json'), '{"name":"Ada"}')
  copyFileSync(join(ROOT, 'cmd/build/sample-certificate.pdf'), join(folder, 'certificate.pdf'))
}, 120_000)

afterAll(async () => {
  await node?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** The response to a sample, reduced to what shows whether svc accepted the call. */
type Answered = Readonly<{ id: string; status: number; text: string }>

/** Statuses for unknown names, missing rights and wrong states: the server understood the call. */
const TAKEN = [401, 403, 404, 409, 410, 422, 426]

/** Samples that need what the test cannot provide: a code that was given to a device, and the internet. */
const EXPECTED: readonly string[] = [
  'exchangeDeviceCode 400',
  ...[400, 502, 504].map((status) => `runWorkflow ${status}`),
]

const isFault = ({ id, status, text }: Answered): boolean =>
  (status > 399 && !TAKEN.includes(status) && !EXPECTED.includes(`${id} ${status}`)) ||
  status === 0 ||
  text.includes('There is nothing here')

/** The logout comes last, because it ends the token that all others use. */
const shown = description.operations
  .toSorted((a, b) => Number(a.operationId === 'logOut') - Number(b.operationId === 'logOut'))
  .map((each): readonly [Operation, string] => [each, curlSample(description, each)])

test('each sample of curl is a request that svc takes', { timeout: 300_000 }, async () => {
  const script = shown.map(([{ operationId }, sample]) => `echo "=== ${operationId}"\n${sample}\n`)
  const curl = `curl() { command curl --max-time 20 -w '\\n=> %{http_code}\\n' "$@" || true; }\n`
  const { stdout } = await run('bash', ['-uc', curl + script.join('')], {
    cwd: folder,
    env,
    maxBuffer: 64_000_000,
  })
  const answered = stdout
    .split(/^=== (?=\w+$)/m)
    .slice(1)
    .map((part): Answered => {
      const [, id = '', text = '', status = '0'] = /^(\w+)\n([\s\S]*)\n=> (\d+)\n$/.exec(part) ?? []
      return { id, text: text.slice(0, 300), status: Number(status) }
    })
  expect(answered).toHaveLength(shown.length)
  expect(answered.filter(isFault)).toEqual([])
  expect(answered.filter(({ status }) => status < 300).length).toBeGreaterThan(80)
})

test('each sample in TypeScript is a call that svc takes', { timeout: 300_000 }, async () => {
  await prepare()
  const { SVC_URL: url = '', SVC_TOKEN: token = '' } = env
  const client = createClient({ url, token, workspace: 'default' })
  const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor
  const answered: Answered[] = []
  for (const [operation] of shown) {
    const { operationId: id } = operation
    const sample = typescriptSample(description, operation)
    if (sample === null) continue
    const call: (given: Client) => Promise<unknown> = new AsyncFunction('client', sample)
    const status = await call(client).then(
      () => 200,
      (error: unknown) => {
        if (error instanceof ApiError) return error.status
        throw error
      },
    )
    answered.push({ id, status, text: '' })
  }
  expect(answered.length).toBeGreaterThan(130)
  expect(answered.filter(isFault)).toEqual([])
  expect(answered.filter(({ status }) => status < 300).length).toBeGreaterThan(70)
})
