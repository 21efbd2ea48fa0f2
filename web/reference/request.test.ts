import { expect, test } from 'vitest'
import type { Operation } from './operation.ts'
import { type Body, NotFilledIn, toCurl, toRequest } from './request.ts'

const operation = (method: string, path: string, more: Partial<Operation> = {}) => ({
  method,
  path,
  parameters: [],
  isPublic: false,
  ...more,
})

const filled = (
  values: Readonly<Record<string, string>>,
  given: ReturnType<typeof operation>,
  { body = { kind: 'none' }, token = '' }: Readonly<{ body?: Body; token?: string }> = {},
) => ({
  operation: given,
  valueIn: (place: string, name: string) => values[`${place} ${name}`] ?? '',
  body,
  token,
})

const LIST = operation('GET', '/api/w/{ws}/jobs', {
  parameters: [
    { name: 'ws', in: 'path', required: true, schema: {} },
    { name: 'app', in: 'query', schema: {} },
    { name: 'since', in: 'query', required: true, schema: {} },
    { name: 'Idempotency-Key', in: 'header', schema: {} },
  ],
})

test('puts what was typed into address and headers, and leaves out what is empty', () => {
  const values = { 'path ws': 'a b', 'query since': 'x&y', 'header Idempotency-Key': 'k' }
  const { address, init } = toRequest(filled(values, LIST))
  expect(address).toBe('/api/w/a%20b/jobs?since=x%26y')
  expect(init).toMatchObject({ method: 'GET', headers: [['idempotency-key', 'k']], body: null })
})

test('names what is missing', () => {
  expect(() => toRequest(filled({ 'query since': 'x' }, LIST))).toThrow(NotFilledIn)
  expect(() => toRequest(filled({ 'path ws': 'a' }, LIST))).toThrow('Fill in since.')
})

test('keeps the slashes of the rest of an address, and of nothing else', () => {
  const file = operation('GET', '/files/{id}/{path}')
  const values = { 'path id': 'a/b', 'path path': 'src/my file.ts' }
  expect(toRequest(filled(values, file)).address).toBe('/files/a%2Fb/src/my%20file.ts')
})

test('sends a session only without a token, and a token alone', () => {
  const run = operation('POST', '/run')
  expect(toRequest(filled({}, run)).init).toMatchObject({ credentials: 'same-origin', headers: [] })
  expect(toRequest(filled({}, run, { token: 'svc_x' })).init).toMatchObject({
    credentials: 'omit',
    headers: [['authorization', 'Bearer svc_x']],
  })
})

test('refuses a body that is not JSON before it is sent', () => {
  const body = { kind: 'text', type: 'application/json', text: '{"a":' } as const
  expect(() => toRequest(filled({}, operation('POST', '/run'), { body }))).toThrow(
    'The body is not JSON: ',
  )
})

test('writes the same request for curl, quoted for a shell and without the token', () => {
  const body = { kind: 'text', type: 'application/json', text: `{"a":"it's"}` } as const
  const command = toCurl(filled({}, operation('POST', '/run'), { body, token: 'svc_secret' }))
  expect(command).toBe(
    [
      'curl -sS -X POST "$SVC_URL/run"',
      '-H "authorization: Bearer $SVC_TOKEN"',
      "-H 'content-type: application/json'",
      `--data-binary '{"a":"it'\\''s"}'`,
    ].join(' \\\n  '),
  )
})

test('sends files as the fields of a form', () => {
  const file = new File(['x'], 'app.tar.gz')
  const body = { kind: 'files', fields: [['bundle', file]] } as const
  const upload = filled({}, operation('POST', '/deployments'), { body })
  const { init } = toRequest(upload)
  expect(init.body).toBeInstanceOf(FormData)
  expect(toCurl(upload)).toContain("-F 'bundle=@app.tar.gz'")
})
