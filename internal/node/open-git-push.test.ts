import { expect, test } from 'vitest'
import { pushFolderOf } from './open-git-push.ts'

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
