/** A stranger's file costs what it may cost, and no more: each of these ends soon, and the next one is read. */
import { afterAll, expect, test } from 'vitest'
import { hostilePdfs } from '../support/hostile-pdfs.ts'
import { plainPdf } from '../support/raw-pdf.ts'
import { openTestReader } from '../support/test-reader.ts'

const TIMEOUT_MS = 3_000
const SLACK_MS = 10_000
const reader = openTestReader({ timeoutMs: TIMEOUT_MS, atOnce: 2, maxWaiting: 1_000 })
afterAll(() => reader.close())

const FILES = hostilePdfs(12)

test('there are many of them, each under a name of its own', () => {
  expect(FILES.length).toBeGreaterThanOrEqual(70)
  expect(new Set(FILES.map(({ name }) => name)).size).toBe(FILES.length)
})

test.each(FILES)(
  '$name ends soon, and as it may',
  async ({ bytes, may }) => {
    const startedAt = performance.now()
    const answer = await reader.readContent([bytes])
    expect(may).toContain(answer.kind === 'content' ? 'read' : answer.failure)
    expect(performance.now() - startedAt).toBeLessThan(TIMEOUT_MS + SLACK_MS)
  },
  TIMEOUT_MS + 2 * SLACK_MS,
)

test('a good file is read after all that', async () => {
  const answer = await reader.readContent([plainPdf()])
  expect(answer).toMatchObject({ kind: 'content', source: { pages: [{ number: 1 }] } })
})
