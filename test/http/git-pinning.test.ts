/** svc resolves a name once for each use of a git source and connects to the address that it checked, on every hop. */
import { createServer } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { oneActionApp } from '../support/app-files.ts'
import { createTestApp, type TestAnswer, WS } from '../support/create-test-app.ts'
import { startGitHttpServer } from '../support/git-http-server.ts'
import { openRepositoryFolder } from '../support/git-repository.ts'
import { portOf } from '../support/port-of.ts'

const AUTHORIZATION = `Basic ${Buffer.from('x-access-token:s3cret').toString('base64')}`

const repositories = openRepositoryFolder()
afterAll(() => repositories.remove())

const body = z.looseObject({ id: z.string().optional(), code: z.string().optional() })
const bodyOf = ({ json }: TestAnswer) => body.parse(json)

describe('a git source whose name answers otherwise later', () => {
  it('that redirects is dialed at the address that was judged, however its name answers later', async () => {
    const repository = repositories.create('rebinding')
    repository.commit(oneActionApp('rebinding'))
    // a second resolution of the name would find the thief, because the system resolves localhost to 127.0.0.1
    const thief = await startGitHttpServer(repositories.root)
    const port = Number(new URL(thief.url).port)
    const server = await startGitHttpServer(repositories.root, {
      host: '127.0.0.2',
      port,
      authorization: AUTHORIZATION,
      intercept: ({ url = '' }, response) => {
        if (!url.startsWith('/old/')) return false
        response.writeHead(301, { location: url.replace('/old/', '/rebinding/') }).end()
        return true
      },
    })
    const asked: string[] = []
    const rebound = await createTestApp({
      git: {
        resolve: async (host) => {
          asked.push(host)
          return asked.length === 1 ? ['127.0.0.2'] : ['169.254.169.254']
        },
      },
    })
    try {
      const owner = await rebound.token(['*'])
      const made = await rebound.call('POST', `/api/w/${WS}/git-sources`, {
        token: owner,
        json: {
          name: 'x',
          url: `http://localhost:${port}/old/.git`,
          auth: { type: 'token', token: 's3cret' },
        },
      })
      const path = `/api/w/${WS}/git-sources/${bodyOf(made).id}/sync`
      const answer = await rebound.call('POST', path, { token: owner })
      expect(thief.requests).toEqual([])
      expect([answer.status, asked]).toEqual([200, ['localhost']])
      // each sync resolves the name again
      const again = await rebound.call('POST', path, { token: owner })
      expect([again.status, bodyOf(again).code]).toEqual([400, 'url_not_allowed'])
    } finally {
      await rebound.close()
      await server.close()
      await thief.close()
    }
  })

  it('over git’s own protocol is dialed at the address that was judged', async () => {
    const said: string[] = []
    const listenAt = async (host: string, port: number) => {
      const server = createServer((socket) => {
        socket.on('error', () => undefined)
        // a request may arrive in pieces
        let text = ''
        socket.on('data', (bytes) => {
          text += bytes.toString('latin1')
          if (!text.includes('\0host=')) return
          said.push(`${host} ${text}`)
          socket.destroy()
        })
      })
      await new Promise<void>((listening) => server.listen(port, host, listening))
      return { server, port: portOf(server) }
    }
    const byName = await listenAt('127.0.0.1', 0)
    const judged = await listenAt('127.0.0.2', byName.port)
    const pinned = await createTestApp({ git: { resolve: async () => ['127.0.0.2'] } })
    try {
      await pinned.call('POST', `/api/w/${WS}/git-sources/probe`, {
        token: await pinned.token(['*']),
        json: { url: `git://localhost:${byName.port}/x.git` },
      })
      expect(said).toHaveLength(1)
      expect(said[0]).toMatch(/^127\.0\.0\.2 .*\/x\.git\0host=localhost:\d+\0/)
    } finally {
      await pinned.close()
      byName.server.close()
      judged.server.close()
    }
  })
})
