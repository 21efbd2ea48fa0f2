/** From one node with a file to several with sqld, by the steps of docs/operating.md: a token, a move, and all data is there. */
import { execFile, execFileSync } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSqld } from '../support/sqld.ts'
import { PROGRAM } from '../support/svc-process.ts'
import { type Folder, makeTemplate, tryRun } from './durable-node.ts'

let folder: Folder
beforeAll(async () => {
  folder = await makeTemplate()
})
afterAll(() => folder.remove())

const svc = (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const [command = '', ...before] = PROGRAM
  return promisify(execFile)(command, [...before, ...args], {
    cwd: folder.path,
    env: { PATH: process.env.PATH, ...env },
  })
}
const refusalOf = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  try {
    await svc(args, env)
  } catch (error) {
    if (error instanceof Error && 'stderr' in error) return String(error.stderr)
    throw error
  }
  throw new Error('It was not refused.')
}

test('a node moves to sqld with all that it has, behind a token', {
  timeout: 120_000,
}, async () => {
  const before = await folder.start()
  const headers = {
    authorization: `Bearer ${folder.token}`,
    'content-type': 'application/json',
  }
  const ask = async (url: string, path: string, body?: object) => {
    const answer = await fetch(`${url}/api/w/default${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return answer.json()
  }
  await ask(before.url, '/variables', { key: 'GREETING', value: 'hi', secret: false })
  await ask(before.url, '/schedules', {
    app_key: 'crash',
    action_key: 'quick',
    cron: '@yearly',
  })
  const ids = await Promise.all([1, 2, 3].map((id) => tryRun(before, folder, 'quick', { id })))
  await ask(before.url, '/jobs/run/crash/quick/wait', { id: 4 })
  const { stdout: token } = await svc(['keys', 'sqld-jwt'])
  const sqld = await startSqld({
    more: ['--auth-jwt-key-file', join(folder.path, 'svc-data', 'sqld-jwt.pem')],
  })
  const env = { SVC_DATABASE_AUTH_TOKEN: token.trim() }
  try {
    expect(await refusalOf(['db', 'move', sqld.httpUrl], env)).toContain(
      'is in use. Stop svc first',
    )
    await before.process.stop()
    expect(await refusalOf(['db', 'move', sqld.httpUrl])).toMatch(/token|auth|Unauthorized|401/i)
    expect(await refusalOf(['db', 'move', 'file:x.db'], env)).toContain('must be that of a server')
    const { stdout } = await svc(['db', 'move', sqld.httpUrl], env)
    expect(stdout).toMatch(/Moved \d+ rows of \d+ tables/)
    // a command that was killed at its end is repeated
    expect((await svc(['db', 'move', sqld.httpUrl], env)).stdout).toBe(stdout)

    const remote = { ...env, SVC_DATABASE_URL: sqld.httpUrl }
    const server = await folder.start({ args: ['server'], env: remote })
    const worker = await folder.start({ args: ['worker'], env: remote })
    for (const id of ids) {
      expect(await ask(server.url, `/jobs/${id}/result`)).toMatchObject({ status: 'success' })
    }
    expect(await refusalOf(['db', 'move', sqld.httpUrl], env)).toContain('This move had ended')
    expect(await ask(server.url, '/variables')).toMatchObject({
      items: [{ key: 'GREETING', value: 'hi' }],
    })
    expect(await ask(server.url, '/schedules')).toMatchObject({ items: [{ cron: '@yearly' }] })
    expect(await ask(server.url, '/jobs/run/crash/quick/wait', { id: 5 })).toMatchObject({
      status: 'success',
      result: { id: 5 },
    })
    expect(await worker.process.stop()).toBe(0)
    expect(await server.process.stop()).toBe(0)
    // the file still works for a separate node
    const again = await folder.start()
    expect(await ask(again.url, `/jobs/${ids[0]}/result`)).toMatchObject({ status: 'success' })
    await again.process.stop()
  } finally {
    await sqld.close()
  }
})

test('further tokens open the same sqld, and may end', async () => {
  const key = () =>
    execFileSync('cat', [join(folder.path, 'svc-data', 'sqld-jwt.key')], { encoding: 'utf8' })
  const first = key()
  const { stdout } = await svc(['keys', 'sqld-jwt', '--expires-in-days', '1'])
  expect(key()).toBe(first)
  const [, payload = ''] = stdout.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
  expect(claims).toMatchObject({ a: 'rw' })
  expect(claims.exp - claims.iat).toBe(86_400)
  expect(await refusalOf(['keys', 'sqld-jwt', '--expires-in-days', '-1'])).toContain('more than 0')
})
