/** Scans through the process that reads them: what it reads, and what it refuses within its limits. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generateCertificate } from '../registry/fixtures/certificate/generate-certificate.ts'
import { certificatePdf } from '../registry/fixtures/certificate/write-pdf.ts'
import { compareDocument } from '../registry/quality/compare-document.ts'
import {
  type ScanQuality,
  scanPdf,
  toPng,
  toScannedPdf,
  toSheet,
  toTurned,
} from '../registry/quality/scan-pages.ts'
import { newTally, scores, totalOf } from '../registry/quality/tally.ts'
import { hostileImages } from '../support/hostile-images.ts'
import { isLong } from '../support/runs.ts'
import { openTestReader } from '../support/test-reader.ts'

const reader = openTestReader()
afterAll(() => reader.close())

const META = { parsedAt: '2026-01-01T00:00:00.000Z', documentId: null }
/** A land register of one page. */
const certificate = generateCertificate(36, { propertyType: 'land' })
const { profile, ...truth } = certificate.truth
const pageOf = async (quality: Omit<ScanQuality, 'name'>): Promise<Uint8Array> => {
  const [page] = scanPdf(await certificatePdf(certificate), { name: 'scan', ...quality })
  if (page === undefined) throw new Error('no page')
  return page
}
const read = (bytes: Uint8Array, type: 'pdf' | 'jpeg' | 'png', accuracy?: 'high') =>
  reader.readScan([bytes], { ...META, type, accuracy: accuracy ?? 'standard' })

/** The share of the document's values that were read. */
const recallOf = (answer: Awaited<ReturnType<typeof read>>): number => {
  if (answer.kind === 'failed' || answer.parse.kind === 'refused') return 0
  const tally = newTally()
  const wanted = { ...truth, profile: { ...profile, layout_profile: 'scan_ocr' } }
  compareDocument(tally, wanted, answer.parse.document)
  return scores(totalOf([...tally.groups.values()])).recall
}

describe('an image that is not a scan of a certificate', () => {
  it('an empty page has nothing in it', async () => {
    const page = await pageOf({ dpi: 200, blur: 40 })
    expect(await read(page, 'jpeg')).toMatchObject({
      kind: 'registry',
      parse: { kind: 'refused', code: 'nothing_recognised' },
    })
  }, 120_000)

  it.each([
    [72, 'the size of a screen'],
    [150, 'a coarse scan'],
  ])(
    '%i DPI, %s: low_resolution',
    async (dpi) => {
      const page = await pageOf({ dpi })
      for (const [bytes, type] of [
        [page, 'jpeg'],
        [toPng(page), 'png'],
        [await toScannedPdf([page], dpi), 'pdf'],
      ] as const) {
        expect(await read(bytes, type)).toMatchObject({ kind: 'failed', failure: 'low_resolution' })
      }
    },
    120_000,
  )

  it.each(hostileImages())(
    '$name',
    async ({ bytes, type, may }) => {
      const answer = await read(bytes, type)
      if (answer.kind === 'failed') expect(may).toContain(answer.failure)
      else expect(answer.parse).toMatchObject({ kind: 'refused', code: 'nothing_recognised' })
    },
    120_000,
  )
})

// by the process that has read all of the above
describe('after all that a page of 200 DPI', () => {
  let page: Uint8Array
  beforeAll(async () => {
    page = await pageOf({ dpi: 200 })
  })

  it('gives the number, the place, the owner and their dates', async () => {
    const answer = await read(page, 'jpeg')
    expect(answer).toMatchObject({
      kind: 'registry',
      parse: {
        kind: 'document',
        document: {
          unique_number: truth.unique_number,
          profile: { property_type: 'land', layout_profile: 'scan_ocr' },
          source: { page_count: 1, pdf_text_based: false },
          title: { land_type: '종교용지', land_area: '1606㎡' },
          section_a: [
            {
              rank_number: '5',
              receipt: { date: '2019년 04월 14일', number: '12370호' },
              content: { persons: [{ name: '송미르', role: '소유자' }] },
            },
          ],
        },
        confidence: { level: expect.stringMatching(/높음|보통/) },
      },
    })
    expect(recallOf(answer)).toBeGreaterThan(0.85)
  }, 120_000)

  it('is the same as a PNG and as a PDF of images', async () => {
    expect(recallOf(await read(toPng(page), 'png'))).toBeGreaterThan(0.85)
    expect(recallOf(await read(await toScannedPdf([page], 200), 'pdf'))).toBeGreaterThan(0.85)
  }, 120_000)

  it('is the same on a sheet for two pages', async () => {
    const answer = await read(toSheet(page, 200), 'jpeg')
    expect(answer).toMatchObject({ parse: { document: { source: { page_count: 1 } } } })
    expect(recallOf(answer)).toBeGreaterThan(0.85)
  }, 120_000)

  it('is the same upside down', async () => {
    expect(recallOf(await read(toTurned(page, 200, 3), 'jpeg'))).toBeGreaterThan(0.85)
  }, 120_000)

  it('is the same on its side in a PDF that turns the page, and on a sheet that lies on its side', async () => {
    const scan = await toScannedPdf([toTurned(page, 200, 6)], 200, [270])
    expect(recallOf(await read(scan, 'pdf'))).toBeGreaterThan(0.85)
    const sheet = await read(toTurned(toSheet(page, 200), 200, 8), 'jpeg')
    expect(recallOf(sheet)).toBeGreaterThan(0.85)
  }, 240_000)

  it('is read askew, with noise and compressed; at high accuracy no worse (long form)', async () => {
    const askew = await pageOf({ dpi: 200, skew: 1, noise: 16, quality: 60 })
    const standard = recallOf(await read(askew, 'jpeg'))
    expect(standard).toBeGreaterThan(0.6)
    if (!isLong) return
    expect(recallOf(await read(askew, 'jpeg', 'high'))).toBeGreaterThanOrEqual(standard)
  }, 240_000)
})
