/** Gives the hostile files of the PDF reader to the reader of scans: each read ends, and the next file is read. */
import { afterAll, expect, it } from 'vitest'
import { hostilePdfs } from '../support/hostile-pdfs.ts'
import { openTestReader } from '../support/test-reader.ts'

const TIMEOUT_MS = 5_000
const reader = openTestReader({ timeoutMs: TIMEOUT_MS })
afterAll(() => reader.close())

const WISH = { type: 'pdf', accuracy: 'standard', parsedAt: '', documentId: null } as const
/** Most of them have no image either. */
const NOTHING = expect.stringMatching(/^(?:nothing_recognised|no_text_layer)$/)
/** All files about images and a quarter of the others. The tests of the PDF reader use all of them. */
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
