/** The files that mean the reader of print harm, given to the reader of scans: each ends, and the next one is read. */
import { afterAll, expect, it } from 'vitest'
import { hostilePdfs } from '../support/hostile-pdfs.ts'
import { openTestReader } from '../support/test-reader.ts'

const TIMEOUT_MS = 5_000
const reader = openTestReader({ timeoutMs: TIMEOUT_MS })
afterAll(() => reader.close())

const WISH = { type: 'pdf', accuracy: 'standard', parsedAt: '', documentId: null } as const
/** Most of them have no image either. */
const NOTHING = expect.stringMatching(/^(?:nothing_recognised|no_text_layer)$/)
/** Those that are about images, and a part of the rest: the reader of print meets them all. */
const FILES = hostilePdfs(1).filter(({ name }, at) => name.includes('image') || at % 4 === 0)

it.each(FILES)(
  '$name',
  async ({ bytes }) => {
    const answer = await reader.readScan([bytes], WISH)
    if (answer.kind === 'failed') expect(answer.message).not.toBe('')
    else expect(answer.parse).toMatchObject({ kind: 'refused', code: NOTHING })
  },
  12 * TIMEOUT_MS,
)
