/** What pushes and clones leave on a server: neither places that stay taken, nor files. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type ClientRequest, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { oneActionApp } from '../support/app-files.ts'
import { WS } from '../support/create-test-app.ts'
import { openRepositoryFolder } from '../support/git-repository.ts'
import { openPushServer, type PushServer, runGit } from '../support/push-server.ts'

const MIB = 1_048_576

const repositories = openRepositoryFolder()
let server: PushServer
beforeAll(async () => {
  server = await openPushServer(64 * MIB)
})
afterAll(async () => {
  await server.close()
  repositories.remove()
})

const pushed = async (key: string, files: Readonly<Record<string, Uint8Array>> = {}) => {
  const repository = repositories.create(key)
  const commit = repository.commit({ ...oneActionApp(key), ...files })
  expect(await runGit(repository.path, 'push', server.remote(key), 'main')).toMatchObject({
    code: 0,
  })
  return { repository, commit }
}

type Service = 'git-upload-pack' | 'git-receive-pack'

const post = (key: string, service: Service, body: Uint8Array | string): ClientRequest => {
  const sent = request(`${server.base}/git/${WS}/${key}/${service}`, {
    method: 'POST',
    auth: `any:${server.token}`,
    headers: { 'content-type': `application/x-${service}-request` },
  })
  sent.on('error', () => undefined)
  sent.end(body)
  return sent
}

/** Reads the start of a response until no more arrives; the rest stays with git. */
const readStart = async (sent: ClientRequest) => {
  const [response] = await once(sent, 'response')
  const { socket } = response
  await once(response, 'readable')
  let seen = -1
  await expect
    .poll(() => {
      const isSame = seen === socket.bytesRead
      seen = socket.bytesRead
      return isSame
    })
    .toBe(true)
  return { sent, status: response.statusCode }
}

const line = (text: string): string => `${(text.length + 4).toString(16).padStart(4, '0')}${text}`

const statusOf = async (key: string, service: Service): Promise<number> => {
  const address = `${server.base}/git/${WS}/${key}/info/refs?service=${service}`
  const authorization = `Basic ${Buffer.from(`x:${server.token}`).toString('base64')}`
  return (await fetch(address, { headers: { authorization } })).status
}

describe('a client that goes away', () => {
  it('while it reads a clone gives its place back', async () => {
    const { commit } = await pushed('read', { 'noise.bin': randomBytes(16 * MIB) })
    const wanted = `${line(`want ${commit} ofs-delta\n`)}0000${line('done\n')}`
    const places = 6
    const readers = await Promise.all(
      Array.from({ length: places }, () => readStart(post('read', 'git-upload-pack', wanted))),
    )
    expect(readers.map(({ status }) => status)).toEqual(readers.map(() => 200))
    expect(await statusOf('read', 'git-upload-pack')).toBe(503)
    for (const { sent } of readers) sent.destroy()
    await expect.poll(() => statusOf('read', 'git-upload-pack')).toBe(200)
  })
})
