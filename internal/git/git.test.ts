import { createServer } from 'node:net'
import process from 'node:process'
import { expect, test } from 'vitest'
import { openRepositoryFolder } from '../../test/support/git-repository.ts'
import { portOf } from '../../test/support/port-of.ts'
import { createGit } from './git.ts'

const unused = (): never => {
  throw new Error('Git is not started.')
}

const noTurn = async (): Promise<void> => undefined

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
    git.probe({ url: `https://${host}/app.git`, auth: null, owner }, noTurn)
  for (let at = 0; at < 20; at += 1) void probe('hangs.example', 'a')
  expect(await probe('gone.example', 'b')).toMatchObject({ reachable: false })
})

/** Fetches one repository of this machine for several workspaces. */
const fetchesOf = () => {
  const repositories = openRepositoryFolder()
  const repository = repositories.create('app')
  repository.commit({ 'app.yaml': 'key: app' })
  const git = createGit({
    localRoots: [repositories.root],
    environment: { PATH: process.env.PATH ?? '' },
    resolve: unused,
  })
  const fetch = (owner: string, signal?: AbortSignal) =>
    git.fetch({ url: repository.path, auth: null, owner }, null, signal)
  return { fetch, remove: repositories.remove }
}

test('a workspace has three open snapshots at most, and the others wait until one is disposed of', async () => {
  const { fetch, remove } = fetchesOf()
  const open = await Promise.all([fetch('a'), fetch('a'), fetch('a')])
  let isOpen = false
  const fourth = fetch('a').then((snapshot) => {
    isOpen = true
    return snapshot
  })
  // these run after the fourth would have, if it did not wait
  for (const snapshot of [await fetch('b'), await fetch('b')]) snapshot.dispose()
  expect(isOpen).toBe(false)
  for (const snapshot of open) snapshot.dispose()
  ;(await fourth).dispose()
  remove()
})

test('a failed fetch gives its place back', async () => {
  const { fetch, remove } = fetchesOf()
  const aborted = AbortSignal.abort()
  for (let at = 0; at < 4; at += 1) await expect(fetch('a', aborted)).rejects.toThrow('stopping')
  ;(await fetch('a')).dispose()
  remove()
})

test('an abort stops git that reads a snapshot', async () => {
  const { fetch, remove } = fetchesOf()
  const stop = new AbortController()
  const snapshot = await fetch('a', stop.signal)
  stop.abort()
  await expect(snapshot.list('', noTurn)).rejects.toThrow('svc is stopping')
  snapshot.dispose()
  remove()
})

test('a redirect that ends in a switch of protocols fails, and gives its place back', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', (request) => {
      const isOfGit = /user-agent: git/i.test(request.toString('latin1'))
      const head = isOfGit
        ? `302 Found\r\nLocation: /y.git/info/refs?service=git-upload-pack\r\nContent-Length: 0`
        : '101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade'
      socket.write(`HTTP/1.1 ${head}\r\n\r\n`)
    })
  })
  const port = await new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      resolve(portOf(server))
    }),
  )
  const git = createGit({
    localRoots: [],
    environment: { PATH: process.env.PATH ?? '' },
    resolve: async () => [],
  })
  const probed = await git.probe({ url: `http://127.0.0.1:${port}/x.git`, auth: null }, noTurn)
  expect(probed).toMatchObject({ reachable: false })
  server.close()
})
