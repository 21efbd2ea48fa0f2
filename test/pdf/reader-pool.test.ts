/** Processes that read PDFs: few run at once, the queue is bounded, and processes are reused and replaced when necessary. */
import { resolve } from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { createPdfReader, type PdfReader, type PdfReaderOptions } from '#pdf/reader-pool.ts'
import { hostilePdfs } from '../support/hostile-pdfs.ts'
import { plainPdf } from '../support/raw-pdf.ts'
import { openTestReader } from '../support/test-reader.ts'

const open: PdfReader[] = []
const kept = (reader: PdfReader): PdfReader => {
  open.push(reader)
  return reader
}
const realReader = (options: Omit<PdfReaderOptions, 'command'> = {}) =>
  kept(openTestReader(options))
afterEach(() => {
  for (const reader of open.splice(0)) reader.close()
})

/** Replaces the reader by a shell that does what the test needs. */
const shellReader = (script: string, options: Omit<PdfReaderOptions, 'command'>) =>
  kept(
    createPdfReader({ ...options, command: { command: '/bin/sh', args: ['-c', script], env: {} } }),
  )

const file = [plainPdf()]
const META = { parsedAt: '2026-01-01T00:00:00.000Z', documentId: null }
const busy = { kind: 'unavailable', code: 'parser_busy' }
const slow = hostilePdfs(0)
  .filter(({ name }) => name === 'forms that double twenty-four times')
  .map(({ bytes }) => bytes)

test('a file may come in pieces, cut anywhere', async () => {
  const [bytes = new Uint8Array(0)] = file
  const pieces = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1))
  const reader = realReader()
  const whole = await reader.readContent(file)
  expect(whole.kind).toBe('content')
  expect(await reader.readContent(pieces)).toEqual(whole)
})

test('a file is parsed where it is read, when that is requested', async () => {
  const answer = await realReader().readRegistry(file, META)
  expect(answer).toMatchObject({ kind: 'registry', parse: { kind: expect.any(String) } })
})

test('a file that takes too long is given up, and the next one is read', async () => {
  const reader = realReader({ timeoutMs: 6_000, atOnce: 1 })
  const [given, read] = await Promise.all([reader.readContent(slow), reader.readContent(file)])
  expect(given).toMatchObject({ kind: 'failed', failure: 'too_slow' })
  expect(read.kind).toBe('content')
})

test('a file whose caller has gone is read no further, and the next one is read', async () => {
  const reader = realReader({ timeoutMs: 60_000, patienceMs: 60_000, atOnce: 1 })
  const caller = new AbortController()
  const { signal } = caller
  const gone = { kind: 'unavailable', code: 'caller_gone' }
  const reading = expect(reader.readContent(slow, { signal })).rejects.toMatchObject(gone)
  const waiting = expect(reader.readContent(file, { signal })).rejects.toMatchObject(gone)
  const next = reader.readContent(file)
  caller.abort()
  await Promise.all([reading, waiting])
  expect((await next).kind).toBe('content')
})

/** Prints a message as the reader's side of the pipe does. */
const say = (message: object): string => {
  const text = JSON.stringify(message)
  return `printf '\\000\\000\\000\\${text.length.toString(8)}%s' '${text}'`
}
const step = (allowedMs: number | null) => say({ kind: 'step', allowedMs })

test.each([
  ['longer than it may', `${step(100)}; sleep 60`, 'too_slow'],
  ['longer than the last of them may', `${step(60_000)}; ${step(100)}; sleep 60`, 'too_slow'],
  [
    'no longer than it may',
    `${step(400)}; ${step(null)}; sleep 1; ${say({ kind: 'failed', failure: 'broken', message: '' })}; sleep 60`,
    'broken',
  ],
])('a step that takes %s', async (_, script, failure) => {
  const reader = shellReader(script, { timeoutMs: 50_000 })
  expect(await reader.readContent(file)).toMatchObject({ kind: 'failed', failure })
})

test('a caller is refused at once when the queue is full, and after waiting too long', async () => {
  const reader = shellReader('sleep 60', {
    atOnce: 1,
    maxWaiting: 1,
    patienceMs: 200,
    timeoutMs: 1_000,
  })
  const first = reader.readContent(file)
  let isSecondRefused = false
  const second = reader.readContent(file).finally(() => {
    isSecondRefused = true
  })
  await expect(reader.readContent(file)).rejects.toMatchObject({ ...busy, retryAfterS: 2 })
  expect(isSecondRefused).toBe(false)
  await expect(second).rejects.toMatchObject(busy)
  expect(await first).toMatchObject({ failure: 'too_slow' })
})

test('a file whose reader cannot start may be sent again, and is not called too large', async () => {
  const command = { command: '/nowhere/svc', args: [], env: {} }
  for (const end of [undefined, () => undefined]) {
    const reader = kept(
      createPdfReader({ command: end === undefined ? command : { ...command, end } }),
    )
    await expect(reader.readContent(file)).rejects.toMatchObject(busy)
  }
})

test('a file that is not a PDF does not wait', async () => {
  const reader = shellReader('sleep 60', { atOnce: 1, maxWaiting: 0, timeoutMs: 500 })
  const first = reader.readContent(file)
  expect(await reader.readContent([Buffer.from('text')])).toMatchObject({ failure: 'not_a_pdf' })
  expect(await reader.readContent([])).toMatchObject({ failure: 'not_a_pdf' })
  expect(await reader.readContent([plainPdf().subarray(0, 200)])).toMatchObject({
    failure: 'broken',
  })
  await first
})

test.each([
  ['dies', 'exit 3'],
  ['ends without a word', 'exec cat >/dev/null'],
  ['speaks of more than it may', "printf '\\377\\377\\377\\377'; sleep 60"],
  ['speaks nonsense', "printf '\\000\\000\\000\\003abc'; sleep 60"],
])('a process that %s is a failure of its file alone', async (_, script) => {
  const reader = shellReader(script, { timeoutMs: 1_000 })
  expect(await reader.readContent(file)).toMatchObject({ kind: 'failed' })
})

test('a document that is too large for a node is refused before it arrives', async () => {
  // 24 MiB, of which nothing follows
  const script = "printf '\\001\\200\\000\\000'; sleep 60"
  const reader = shellReader(script, { timeoutMs: 1_000 })
  expect(await reader.readRegistry(file, META)).toMatchObject({ failure: 'too_big' })
  expect(await reader.readContent(file)).toMatchObject({ failure: 'too_slow' })
})

test('a process is used again, and replaced after so many files', async () => {
  const program = resolve(import.meta.dirname, '../support/counting-reader.ts')
  const command = { command: process.execPath, args: [program], env: {} }
  const reader = kept(createPdfReader({ command, atOnce: 1, recycleAfter: 3 }))
  const said: (readonly string[])[] = []
  for (let at = 0; at < 7; at += 1) {
    const answer = await reader.readContent(file)
    said.push((answer.kind === 'content' ? answer.source.picture : null)?.split(' ') ?? [])
  }
  expect(said.map(([, count]) => count)).toEqual(['1', '2', '3', '1', '2', '3', '1'])
  expect(new Set(said.map(([id]) => id)).size).toBe(3)
})

test('a closed reader reads nothing more', async () => {
  const reader = realReader()
  reader.prepare()
  reader.close()
  await expect(reader.readContent(file)).rejects.toMatchObject(busy)
  await pause(0)
})
