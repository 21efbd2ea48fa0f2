import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { adoptCopies, pushFolderOf } from './open-git-push.ts'

test('servers that share a data directory have separate copies, whose paths contain no colon', () => {
  const places = [
    { host: '127.0.0.1', port: 3000 },
    { host: '127.0.0.1', port: 3001 },
    { host: '10.0.0.1', port: 3000 },
    { host: '::1', port: 3000 },
  ]
  const config = { dataDir: '/var/lib/svc', gitPushMaxMb: 1 }
  const roots = places.map((place) => pushFolderOf(config, place).root)
  expect(new Set(roots).size).toBe(places.length)
  for (const root of roots) expect(root).toMatch(/^\/var\/lib\/svc\/git-push\/[^:/]+$/)
})

test('the first server that starts takes the copies of an older svc, and a second one does not', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-adopt-'))
  mkdirSync(join(dataDir, 'git-push/repositories/default/shop.git'), { recursive: true })
  mkdirSync(join(dataDir, 'git-push/hooks'))
  const folderAt = (port: number) =>
    pushFolderOf({ dataDir, gitPushMaxMb: 1 }, { host: '127.0.0.1', port })
  for (const port of [3000, 3001, 3000]) adoptCopies(folderAt(port))
  expect(readdirSync(join(dataDir, 'git-push'))).toEqual(['127.0.0.1-3000'])
  expect(existsSync(join(folderAt(3000).root, 'repositories/default/shop.git'))).toBe(true)
  rmSync(dataDir, { recursive: true })
})
