import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { type BackendRequest, runBackend } from './http-backend.ts'

const root = mkdtempSync(join(tmpdir(), 'svc-backend-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

afterEach(() => vi.useRealTimers())

/** Runs a script in place of git. */
const run = async (
  script: string,
  { onEnded, ...request }: Pick<BackendRequest, 'service' | 'onEnded'> & Partial<BackendRequest>,
): Promise<Response> => {
  const repository = join(root, 'app.git')
  mkdirSync(join(repository, 'objects', 'pack'), { recursive: true })
  writeFileSync(join(root, 'git'), `#!/bin/sh\n${script}\n`, { mode: 0o700 })
  const folder = { root, maxBytes: 10_000_000, path: `${root}:/bin:/usr/bin` }
  return runBackend(folder, {
    repository,
    isAdvertisement: false,
    contentEncoding: undefined,
    protocol: undefined,
    body: null,
    signal: new AbortController().signal,
    onRefs: async () => true,
    onEnded,
    ...request,
  })
}
const HEAD = "printf 'Status: 200 OK\\r\\n\\r\\n'"

test('git that serves a push has as much memory as git that fetches a source', async () => {
  let ends = 0
  const onEnded = (): void => {
    ends += 1
  }
  const answer = await run(`${HEAD}; ulimit -d`, { service: 'git-receive-pack', onEnded })
  expect([answer.status, await answer.text()]).toEqual([200, '1000000\n'])
  await expect.poll(() => ends).toBe(1)
})

const later = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })

const ended = (onEnded: () => void): Promise<void> => {
  vi.useRealTimers()
  return expect.poll(() => vi.mocked(onEnded).mock.calls.length).toBe(1)
}

test('a client that sends less than the rate is cut off, and one that sends more is not', async () => {
  for (const [bytesPerS, isCutOff] of [
    [500, true],
    [1_500, false],
  ] as const) {
    later()
    const onEnded = vi.fn()
    const sender = new TransformStream<Uint8Array, Uint8Array>()
    const writer = sender.writable.getWriter()
    const service = 'git-receive-pack'
    const answer = await run(`${HEAD}; cat >/dev/null`, { service, onEnded, body: sender.readable })
    for (let second = 0; second < 100; second += 1) {
      if (onEnded.mock.calls.length === 0) void writer.write(new Uint8Array(bytesPerS))
      await vi.advanceTimersByTimeAsync(1_000)
    }
    if (isCutOff) await ended(onEnded)
    else expect(onEnded).not.toHaveBeenCalled()
    void writer.close().catch(() => undefined)
    await answer.body?.cancel().catch(() => undefined)
    vi.useRealTimers()
  }
})

test('a client that reads less than the rate is cut off', async () => {
  later()
  const onEnded = vi.fn()
  await run(`${HEAD}; yes | head -c 9000000`, { service: 'git-upload-pack', onEnded })
  // that of the whole operation, and that of the client
  await expect.poll(() => vi.getTimerCount()).toBe(2)
  await vi.advanceTimersByTimeAsync(29_000)
  expect(onEnded).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(2_000)
  await ended(onEnded)
})

test('a client that waits for git is not cut off', async () => {
  later()
  const onEnded = vi.fn()
  const answer = await run(`${HEAD}; exec sleep 60`, { service: 'git-upload-pack', onEnded })
  await vi.advanceTimersByTimeAsync(100_000)
  expect(onEnded).not.toHaveBeenCalled()
  await answer.body?.cancel()
  await ended(onEnded)
})
