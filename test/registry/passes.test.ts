/** A certificate reads the same after another program has rewritten its file, also on other paper [documents 3.7]. */
import { describe, expect, it } from 'vitest'
import { readPdf } from '#pdf/read-pdf.ts'
import { PDF_BOUNDS } from '#pdf/reading.ts'
import { findMarks } from '#registry/reader/find-marks.ts'
import { isLong } from '../support/runs.ts'
import { generateCertificate } from './fixtures/certificate/generate-certificate.ts'
import { htmlLayout } from './fixtures/printers/html-layout.ts'
import { PAGE_FORMS, type PageForm } from './fixtures/printers/page-forms.ts'
import { PASSES, type PassName, passThrough } from './fixtures/printers/passes.ts'
import { printPages } from './fixtures/printers/print-by-browser.ts'
import { readContent } from './quality/content.ts'

/** Fonts with all Hangul and with the frequent ones only. Ghostscript damages their maps in different ways. */
const SEEDS = isLong ? [2, 3, 4, 5, 6] : [3, 4]

const names = Object.keys(PASSES).filter((name): name is PassName => name in PASSES)

const forms = Object.keys(PAGE_FORMS).filter((name): name is PageForm => name in PAGE_FORMS)

/** A short description of the first difference of two documents. */
const difference = (before: string, after: string): string | null => {
  const at = [...before].findIndex((sign, index) => sign !== after[index])
  return at === -1
    ? null
    : `${before.slice(at - 40, at + 40)} became ${after.slice(at - 40, at + 40)}`
}

describe('a certificate', async () => {
  const files = await printPages(SEEDS.map((seed) => htmlLayout(generateCertificate(seed))))
  const contents = await Promise.all(files.map((file) => readContent(file)))

  it.each(names)('reads the same after %s', async (name) => {
    for (const [at, file] of files.entries()) {
      const after = await readContent(passThrough(name, file))
      expect(difference(contents[at] ?? '', after)).toBeNull()
    }
  })

  it.each(forms)('reads the same with %s', async (name) => {
    for (const [at, file] of files.entries()) {
      const after = await readContent(await PAGE_FORMS[name](file))
      expect(difference(contents[at] ?? '', after)).toBeNull()
    }
  })

  it('has its marks on the sheets when two pages share one', async () => {
    const [file = new Uint8Array()] = files
    const source = await readPdf(await PAGE_FORMS['two pages on a sheet'](file), PDF_BOUNDS)
    const marks = findMarks(source)
    expect(new Set(marks.map(({ page }) => page))).toEqual(
      new Set(source.pages.map(({ number }) => number)),
    )
    const [sheet] = source.pages
    const rights = marks.filter(({ page }) => page === 1).map(({ box }) => box[2] ?? 0)
    expect(Math.max(...rights)).toBeGreaterThan((sheet?.width ?? 0) * 0.9)
  })
})
