/** A page whose packed data is damaged is never read without a doubt [documents 13.7]. */
import { deflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { readPdf } from '#pdf/read-pdf.ts'
import { PDF_BOUNDS } from '#pdf/reading.ts'
import { parseRegistry } from '#registry/parse-registry.ts'
import { generateCertificate } from '../registry/fixtures/certificate/generate-certificate.ts'
import { latin1, withContent } from '../support/raw-pdf.ts'
import { openTestReader } from '../support/test-reader.ts'

const LINES = Array.from(
  { length: 200 },
  (_, at) => `BT /F 10 Tf 1 0 0 1 50 ${800 - at * 3} Tm (line ${at} ${(at * 7_919) % 1_009}) Tj ET`,
)
const PACKED = deflateSync(latin1(LINES.join('\n')))

const read = async (packed: Uint8Array) => {
  const file = withContent({ dictionary: '/Filter /FlateDecode', stream: packed })
  try {
    return (await readPdf(new Uint8Array(file), PDF_BOUNDS)).isDoubtful === true
      ? 'doubtful'
      : 'read'
  } catch {
    return 'broken'
  }
}

it('is read without a doubt as it was written, also with a line break behind its end', async () => {
  expect(await read(PACKED)).toBe('read')
  expect(await read(Buffer.concat([PACKED, latin1('\r\n')]))).toBe('read')
})

it('is doubtful or broken where a bit differs', async () => {
  for (let at = 2; at < PACKED.length; at += Math.ceil(PACKED.length / 40)) {
    const damaged = Buffer.from(PACKED)
    damaged[at] = (damaged[at] ?? 0) ^ 0x10
    expect(await read(damaged), `bit of byte ${at}`).not.toBe('read')
  }
})

it('is doubtful in the process that reads the files of callers too', async () => {
  const reader = openTestReader()
  const damaged = Buffer.from(PACKED)
  // the last byte of the checksum
  damaged[damaged.length - 1] = (damaged.at(-1) ?? 0) ^ 0x10
  const doubts: unknown[] = []
  for (const packed of [PACKED, damaged]) {
    const file = withContent({ dictionary: '/Filter /FlateDecode', stream: packed })
    const answer = await reader.readContent([file])
    doubts.push(answer.kind === 'content' ? answer.source.isDoubtful : answer.kind)
  }
  reader.close()
  expect(doubts).toEqual([undefined, true])
})

it('is reported in the document', () => {
  const { pages } = generateCertificate(3)
  const parsed = parseRegistry({ ...pages, isDoubtful: true }, { parsedAt: '', documentId: null })
  if (parsed.kind === 'refused') throw new Error(parsed.message)
  expect(parsed.document.diagnostics.warnings.map(({ code }) => code)).toContain('TEXT_DAMAGED')
})
