/** What pushes and clones leave on a server: neither places that stay taken, nor files. */
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { type ClientRequest, request } from 'node:http'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
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

/** What git has received and not accepted: paths and sizes in bytes. */
const unfinished = (key: string): ReadonlyMap<string, number> => {
  const repository = join(server.root, 'repositories', WS, `${key}.git`)
  const paths = readdirSync(repository, { recursive: true, encoding: 'utf8' })
  const sizeAt = (path: string): number =>
    statSync(join(repository, path), { throwIfNoEntry: false })?.size ?? 0
  return new Map(paths.filter((path) => path.includes('tmp_')).map((path) => [path, sizeAt(path)]))
}

const sha1 = (content: Uint8Array): Buffer => createHash('sha1').update(content).digest()

/** The number of bytes of an object, 7 bits in each byte. */
const sizeOf = (bytes: number): readonly number[] =>
  bytes < 0x80 ? [bytes] : [0x80 | (bytes & 0x7f), ...sizeOf(bytes >> 7)]

/** A small pack whose objects are 4,000 differences from one of 4 MiB, which git takes a minute to compute. */
const slowPack = (): Buffer => {
  const base = Buffer.alloc(4 * MIB)
  const name = sha1(Buffer.concat([Buffer.from(`blob ${base.length}\0`), base]))
  const size = sizeOf(base.length)
  const head = (type: number, bytes: number): Buffer =>
    Buffer.from([0x80 | (type << 4) | (bytes & 15), ...sizeOf(bytes >> 4)])
  const differences = Array.from({ length: 4_000 }, (_, at) => {
    const literal = Buffer.from(`${at}`.padStart(127))
    const copies = [0xf0, 0xff, 0xff, 0x3f, literal.length]
    const content = Buffer.from([
      ...size,
      ...sizeOf(0x3fffff + literal.length),
      ...copies,
      ...literal,
    ])
    return Buffer.concat([head(7, content.length), name, deflateSync(content)])
  })
  const count = Buffer.alloc(4)
  count.writeUInt32BE(differences.length + 1)
  const pack = Buffer.concat([
    Buffer.from('PACK\0\0\0\x02', 'latin1'),
    count,
    head(3, base.length),
    deflateSync(base),
    ...differences,
  ])
  return Buffer.concat([pack, sha1(pack)])
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

  it('while git computes what it has sent leaves nothing of it', async () => {
    await pushed('slow')
    const command = `${'0'.repeat(40)} ${'1'.repeat(40)} refs/heads/idea\0 report-status\n`
    const pack = slowPack()
    const body = Buffer.concat([Buffer.from(`${line(command)}0000`), pack])
    const sent = post('slow', 'git-receive-pack', body)
    // git writes what it reads, up to its last buffer
    const isRead = (): boolean =>
      [...unfinished('slow').values()].some((bytes) => bytes > pack.length - 8_192)
    await expect.poll(isRead, { timeout: 10_000 }).toBe(true)
    sent.destroy()
    await expect.poll(() => [...unfinished('slow').keys()], { timeout: 5_000 }).toEqual([])
  })
})

describe('a repository that the database does not have', () => {
  const copies = (): readonly string[] => readdirSync(join(server.root, 'repositories', WS)).sort()

  it('has no copy once its first push was refused, or its app deleted', async () => {
    await pushed('kept')
    const before = copies()
    for (let at = 0; at < 3; at += 1) {
      expect(await statusOf(`asked-${at}`, 'git-receive-pack')).toBe(200)
    }
    expect(copies()).toEqual(before)
    await pushed('gone')
    const all = await server.app.token(['*'])
    const deleted = await server.app.call('DELETE', `/api/w/${WS}/apps/gone`, { token: all })
    expect(deleted.status).toBe(204)
    const repository = repositories.create('refused')
    repository.commit({ 'README.md': 'no app' })
    const refused = await runGit(repository.path, 'push', server.remote('refused'), 'main')
    expect(refused.text).toContain('There is no app.yaml')
    await expect.poll(copies).toEqual(before)
    expect(await runGit(server.root, 'ls-remote', server.remote('kept'))).toMatchObject({ code: 0 })
  })
})
