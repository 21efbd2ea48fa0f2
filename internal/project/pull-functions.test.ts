/** Which app `svc pull` takes from a server with more apps than a page has. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { serveCommands } from '../../test/support/command-target.ts'
import { pullFunctions } from './pull-functions.ts'

const PATH = '/api/w/default/apps?limit=500'
const page = (keys: readonly string[], next: string | null) => ({
  items: keys.map((key) => ({ key, name: `The app ${key}` })),
  pagination: { next_cursor: next },
})
const many = (letter: string) => Array.from({ length: 20 }, (_, at) => `${letter}${at}`)
const functionWith = (paths: readonly string[]) => ({
  name: `f${paths.length}`,
  hash: 'h',
  deployed_at: '2026-01-01T00:00:00.000Z',
  files: Object.fromEntries(paths.map((path) => [path, ''])),
})
const PAGES: Readonly<Record<string, unknown>> = {
  '/api/auth/me': { workspace: 'default', scopes: [] },
  [PATH]: page(many('a'), 'b'),
  [`${PATH}&cursor=b`]: page(many('b'), 'c'),
  [`${PATH}&cursor=c`]: page(['shop'], null),
  '/api/w/default/apps/shop/functions': { items: [] },
  '/api/w/default/apps/a1/functions': {
    items: [functionWith(['index.ts']), functionWith(['index.ts', '.git/config'])],
  },
}
serveCommands(({ url = '' }, response) => {
  response.end(JSON.stringify(PAGES[url] ?? null))
})

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-pull-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test.each(['shop', 'The app shop'])('finds %s on the last page', async (wanted) => {
  await expect(pullFunctions({ folder, wanted, force: false })).resolves.toMatchObject({
    app: 'shop',
  })
  expect(readFileSync(join(folder, '.svcrc'), 'utf8')).toContain('shop')
})

test.each([
  ['shops', 'App "shops" not found. Did you mean shop?'],
  ['unlike-any', 'App "unlike-any" not found. `svc apps` lists all.'],
])('names no long list of apps for %s', async (wanted, message) => {
  await expect(pullFunctions({ folder, wanted, force: false })).rejects.toThrow(message)
})

test('writes nothing of an app that brings a repository of git, whose configuration could run programs', async () => {
  await expect(pullFunctions({ folder, wanted: 'a1', force: true })).rejects.toThrow(
    'The function f2 has the file .git/config,',
  )
  expect(readdirSync(folder)).toEqual([])
})
