/** No secret is stored in plain text: not in the database file, its log, or a copy of it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { backupDatabase } from '#store/maintenance/backup.ts'
import { createTestApp, type TestApp, WS } from '../support/create-test-app.ts'

let app: TestApp
let token = ''
beforeAll(async () => {
  app = await createTestApp()
  token = await app.token(['*'], { isAdmin: true })
})
afterAll(() => app.close())

const post = async (method: string, path: string, json: unknown) => {
  const answer = await app.call(method, `/api/w/${WS}/${path}`, { token, json })
  expect([path, answer.status]).toEqual([path, expect.toBeOneOf([200, 201])])
  return z.record(z.string(), z.unknown()).parse(answer.json)
}

const MARKERS = ['VAR-7f3a91', 'PLAIN-51bb02', 'RES-aa04e7', 'GIT-c0ffee', 'SSH-d15ea5'] as const
const [VARIABLE, PLAIN, RESOURCE, GIT, SSH] = MARKERS

/** The forms that a file might contain: as text, and in common encodings. */
const formsOf = (text: string): readonly Buffer[] => {
  const bytes = Buffer.from(text)
  return [text, bytes.toString('hex'), bytes.toString('base64').slice(0, -3)].map((form) =>
    Buffer.from(form),
  )
}

it('neither variables, resources, git credentials nor credentials of callers', async () => {
  await post('PUT', 'variables/SECRET', { value: VARIABLE })
  await post('PUT', 'variables/OPEN', { value: PLAIN, secret: false })
  await post('POST', 'resources', { key: 'db', type: 'pg', value: { password: RESOURCE } })
  const source = { name: 's', url: 'https://git.example/repo' }
  await post('POST', 'git-sources', { ...source, auth: { type: 'token', token: GIT } })
  await post('POST', 'git-sources', {
    name: 't',
    url: 'ssh://git@git.example/repo',
    auth: { type: 'ssh_key', private_key: SSH },
  })
  const { id } = await post('POST', 'consumers', { name: 'Acme' })
  const issued = [
    (await post('POST', 'tokens', { label: 'x' })).token,
    (await post('POST', `consumers/${id}/keys`, { label: 'x' })).key,
    (await post('POST', 'api-keys', { name: 'x' })).key,
  ].map((text) => String(text).slice(-38))

  backupDatabase(join(app.folder, 'svc.db'), join(app.folder, 'copy.db'))
  const files = readdirSync(app.folder)
  expect(files).toEqual(expect.arrayContaining(['svc.db', 'svc.db-wal', 'copy.db']))
  const contents = files.map((name) => readFileSync(join(app.folder, name)))
  // a check of the search itself: it finds what is there
  expect(contents.some((bytes) => bytes.includes('git.example'))).toBe(true)
  for (const secret of [...MARKERS, ...issued]) {
    for (const form of formsOf(secret)) {
      expect([secret, contents.some((bytes) => bytes.includes(form))]).toEqual([secret, false])
    }
  }
})
