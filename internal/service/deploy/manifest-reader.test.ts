import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { answerQuestion, type ManifestQuestion } from '#core/manifest/question.ts'
import {
  createManifestReader,
  type ManifestReaderOptions,
  type StartManifestThread,
} from './manifest-reader.ts'

/** A reader whose threads answer when the test calls `answer`. */
const openReader = (options: ManifestReaderOptions = {}) => {
  const asked: string[] = []
  const threads: { isStopped: boolean; answer: () => void; end: () => void }[] = []
  const start: StartManifestThread = ({ onAnswer, onEnd }) => {
    let question: ManifestQuestion | null = null
    const thread = {
      isStopped: false,
      answer: () => {
        if (question !== null) onAnswer(answerQuestion(question))
      },
      end: onEnd,
    }
    threads.push(thread)
    return {
      ask: (next) => {
        question = next
        asked.push(next.kind === 'app' ? next.app.file : next.kind)
      },
      stop: () => {
        thread.isStopped = true
      },
    }
  }
  const reader = createManifestReader(start, options)
  const read = (ws: string, file: string) => {
    const result = reader.readApp(ws, { text: `key: a\n#${'x'.repeat(5_000)}`, file, policy: null })
    // a refusal that a test does not await must not end the process
    result.catch(() => undefined)
    return result
  }
  return { reader, read, asked, threads }
}

test('a short manifest is read without a thread', async () => {
  const { reader, threads } = openReader()
  const app = { text: 'key: a', file: 'app.yaml', policy: null }
  expect(await reader.readApp('w', app)).toMatchObject({ ok: true, manifest: { key: 'a' } })
  expect(threads).toEqual([])
})

test('function.yaml files that are long together are read on the thread', async () => {
  const { reader, asked, threads } = openReader()
  const texts = Array.from({ length: 50 }, (_, n) => ({
    name: `f${n}`,
    text: `timeoutS: ${n + 1} # ${'x'.repeat(50)}`,
    file: `functions/f${n}/function.yaml`,
  }))
  const results = reader.readFunctions('w', texts)
  expect(asked).toEqual(['functions'])
  threads[0]?.answer()
  expect((await results).get('functions/f49/function.yaml')).toMatchObject({
    ok: true,
    definition: { timeoutS: 50 },
  })
})

test('workspaces take turns on one thread', async () => {
  const { read, asked, threads } = openReader()
  const results = [read('a', 'a1'), read('a', 'a2'), read('a', 'a3'), read('b', 'b1')]
  for (const _ of results) threads[0]?.answer()
  expect(await Promise.all(results)).toHaveLength(4)
  expect(asked).toEqual(['a1', 'a2', 'b1', 'a3'])
  expect(threads).toHaveLength(1)
})

test('a workspace with too many manifests is refused, and others are not', async () => {
  const { read, threads } = openReader({ waiting: { perCaller: 1, total: 2 } })
  const results = [read('a', 'a1'), read('a', 'a2')]
  await expect(read('a', 'a3')).rejects.toMatchObject({ code: 'manifests_busy' })
  results.push(read('b', 'b1'))
  for (const _ of results) threads[0]?.answer()
  expect(await Promise.all(results)).toHaveLength(3)
})

test('a manifest that takes too long is refused, and the next has a new thread', async () => {
  const { read, asked, threads } = openReader({ timeoutMs: 20 })
  const slow = read('a', 'a1')
  const next = read('a', 'a2')
  await expect(slow).rejects.toMatchObject({
    kind: 'unprocessable',
    message: 'The manifest takes more than 0.02 s to read. Make it shorter or simpler.',
  })
  expect(asked).toEqual(['a1', 'a2'])
  expect(threads.map(({ isStopped }) => isStopped)).toEqual([true, false])
  // the late answer of the first thread is not the answer to the second question
  threads[0]?.answer()
  threads[0]?.end()
  threads[1]?.answer()
  expect(await next).toMatchObject({ ok: true })
})

test('a thread that fails refuses its manifest, and the next has a new thread', async () => {
  const { read, threads } = openReader()
  const [failing, next] = [read('a', 'a1'), read('a', 'a2')]
  threads[0]?.end()
  await expect(failing).rejects.toMatchObject({ kind: 'unavailable' })
  threads[1]?.answer()
  expect(await next).toMatchObject({ ok: true })
})

test('a thread without work ends', async () => {
  const { read, threads } = openReader({ idleMs: 1 })
  const first = read('a', 'a1')
  threads[0]?.answer()
  await first
  while (threads[0]?.isStopped !== true) await setTimeout(1)
  const second = read('a', 'a2')
  threads[1]?.answer()
  expect(await second).toMatchObject({ ok: true })
})

test('an input that must wait is not refused, however many others wait', async () => {
  const { reader, threads } = openReader()
  const check = (mustWait: boolean) => reader.checkInput('w', { type: 'string' }, '1', mustWait)
  const [requests, ofRuns] = [false, true].map((mustWait) =>
    Array.from({ length: 1_001 }, () => check(mustWait)),
  )
  await expect(check(false)).rejects.toMatchObject({ code: 'manifests_busy' })
  const further = check(true)
  for (const { answer } of threads) for (let n = 0; n < 1_002; n += 1) answer()
  expect(await further).toMatchObject([{ path: 'input' }])
  for (const all of [requests, ofRuns]) expect(await Promise.all(all ?? [])).toHaveLength(1_001)
})

test('an input whose check takes too long may be sent again', async () => {
  const { reader } = openReader({ timeoutMs: 5 })
  const refusal = { kind: 'unavailable', code: 'manifest_unread' }
  await expect(reader.checkInput('w', true, '1', false)).rejects.toMatchObject(refusal)
})
