import { expect, test } from 'vitest'
import { createGit } from './git.ts'

const unused = (): never => {
  throw new Error('Git is not started.')
}

test('remotes of one owner that do not answer leave room for other owners', async () => {
  const hangs = new Promise<readonly string[]>(() => undefined)
  const git = createGit({
    localRoots: [],
    network: 'any',
    environment: {},
    resolve: async (host) => (host === 'hangs.example' ? hangs : []),
    confine: unused,
  })
  const probe = (host: string, owner: string) =>
    git.probe({ url: `https://${host}/app.git`, auth: null, owner })
  for (let at = 0; at < 20; at += 1) void probe('hangs.example', 'a')
  expect(await probe('gone.example', 'b')).toMatchObject({ reachable: false })
})
