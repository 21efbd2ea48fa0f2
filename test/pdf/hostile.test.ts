/** A hostile file uses no more than its limits: the read of each of these files ends soon, and the next file is read. */
import { afterAll, expect, test } from 'vitest'
import { hostilePdfs } from '../support/hostile-pdfs.ts'
import { plainPdf } from '../support/raw-pdf.ts'
import { isLong } from '../support/runs.ts'
import { openTestReader } from '../support/test-reader.ts'

const TIMEOUT_MS = 3_000
/** For files that may be too slow: most of them compute until they are stopped. */
const SHORT_TIMEOUT_MS = isLong ? TIMEOUT_MS : 1_000
const SLACK_MS = 10_000
const openReader = (timeoutMs: number) =>
  openTestReader({ timeoutMs, atOnce: 2, maxWaiting: 1_000 })
const reader = openReader(TIMEOUT_MS)
const impatient = openReader(SHORT_TIMEOUT_MS)
afterAll(() => {
  reader.close()
  impatient.close()
})

const FILES = hostilePdfs(12)

test('there are many of them, each under a name of its own', () => {
  expect(FILES.length).toBeGreaterThanOrEqual(70)
  expect(new Set(FILES.map(({ name }) => name)).size).toBe(FILES.length)
})

test.each(FILES)(
  '$name ends soon, and as it may',
  async ({ bytes, may }) => {
    const startedAt = performance.now()
    const { readContent } = may.includes('too_slow') ? impatient : reader
    const answer = await readContent([bytes])
    expect(may).toContain(answer.kind === 'content' ? 'read' : answer.failure)
    expect(performance.now() - startedAt).toBeLessThan(TIMEOUT_MS + SLACK_MS)
  },
  TIMEOUT_MS + 2 * SLACK_MS,
)

test('a good file is read after all that', async () => {
  const answers = await Promise.all(
    [reader, impatient].map(({ readContent }) => readContent([plainPdf()])),
  )
  const read = { kind: 'content', source: { pages: [{ number: 1 }] } }
  expect(answers).toMatchObject([read, read])
})
