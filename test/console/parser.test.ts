/** API keys, the parser page and billing: a key is created, a certificate is read with it, and the charge is shown. */
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asRegion } from '../pdf/scans/jbig2.ts'
import { samplePages } from '../support/sample-certificate.ts'
import { writePdf } from '../support/write-pdf.ts'
import { lookAt, openPage } from './browser.ts'
import { ADMIN, MEMBER } from './console-node.ts'
import { during } from './during.ts'
import { useConsole } from './use-console.ts'

/** The sample with a line on its third page that belongs to no field. */
const withNotice = (): Buffer => {
  const notice = { text: '안내문', left: 30, right: 60, baseline: 780, size: 10 }
  const pages = samplePages().map((page, at) =>
    at === 2 ? { ...page, texts: [...page.texts, notice] } : page,
  )
  return writePdf(pages, true)
}

/** The sample with a picture that browsers cannot decode on its first page. */
const withScan = (): Buffer => {
  const bits = { width: 64, height: 64, at: (x: number, y: number) => (x + y) % 2 }
  const dictionary = '/Type /XObject /Subtype /Image /Width 64 /Height 64 /BitsPerComponent 1'
  return writePdf(samplePages(), true, {
    dictionary: `${dictionary} /ColorSpace /DeviceGray /Filter /JBIG2Decode`,
    stream: asRegion(bits),
  })
}

let folder: string
let certificate: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-console-parser-'))
  certificate = join(folder, 'certificate.pdf')
  writeFileSync(certificate, withNotice())
  writeFileSync(join(folder, 'broken.pdf'), '%PDF-1.7 and no more')
})
afterAll(() => rm(folder, { recursive: true, force: true }))
const { node, tour } = useConsole({
  fill: async () => {
    await node.runToEnd('greet', { name: 'Ada' })
    await node.api.post('/api-keys', { body: { name: 'mobile app' } })
  },
})

describe('the playground', { timeout: 180_000 }, () => {
  test('reads a certificate with a new key, and shows the place of each entry', () =>
    during(tour.visit('light', ADMIN), async ({ page, barriers, picture }) => {
      await openPage(page, '/ui/w/default/api-keys')
      await page.getByRole('button', { name: 'New API key' }).click()
      await page.getByLabel('Name').fill('playground')
      await page.getByRole('button', { name: 'Create API key' }).click()
      await page.getByRole('button', { name: 'Try it with a certificate' }).click()
      await page.getByRole('heading', { level: 1, name: 'Document parser' }).first().waitFor()
      await page.locator('input[type=file]').setInputFiles(certificate)

      const entry = page.getByRole('listitem').filter({ hasText: '1번등기명의인표시변경' }).first()
      await entry.first().waitFor()
      // page 3 is the first with entries, and its picture comes from the file itself
      await page.getByText('Page 3 of 7').first().waitFor()
      await page.locator('canvas').first().waitFor()
      const paper = page.getByRole('region', { name: 'The page with the recognized fields' })
      await paper.getByRole('img', { name: 'Not read: 안내문' }).first().waitFor()
      const box = paper.getByRole('button', { name: '1-1 1번등기명의인표시변경' })
      await entry.hover()
      await expect.poll(() => box.getAttribute('data-lit')).toBe('')
      await box.hover()
      await expect.poll(() => entry.getAttribute('data-lit')).toBe('')
      await picture('parser-read')
      expect(await barriers()).toEqual([])

      await page
        .getByRole('listitem')
        .filter({ hasText: '전세권설정' })
        .first()
        .getByRole('button', { name: 'Show on the page' })
        .click()
      await page.getByText('Page 4 of 7').first().waitFor()
      await page.getByRole('tab', { name: /^Diagnostics/ }).click()
      await page.getByText('The summary has rank 12, which no section has.').first().waitFor()
      await picture('parser-diagnostics')

      await page.getByRole('link', { name: 'Billing' }).click()
      const charge = page.getByRole('row').filter({ hasText: '/document-parser/registry' })
      await charge.getByText('-1,000').first().waitFor()
      await page.getByText('₩99,000').first().waitFor()
    }))

  test('explains on its page that the browser cannot display a scan', () =>
    during(tour.visit('light', ADMIN), async ({ page, picture }) => {
      const scan = join(folder, 'scan.pdf')
      writeFileSync(scan, withScan())
      const { key } = await node.api.post('/api-keys', { body: { name: 'scans' } })
      await openPage(page, '/ui/w/default/parser')
      await page.getByLabel('API key').fill(key)
      await page.locator('input[type=file]').setInputFiles(scan)
      await page.getByText('Page 3 of 7').first().waitFor()
      await page.locator('canvas').first().waitFor()
      const hint = page.getByText('The browser cannot display a picture on this page', {
        exact: false,
      })
      await expect.poll(() => hint.count()).toBe(0)
      await page.getByRole('button', { name: 'Previous page' }).click()
      await page.getByRole('button', { name: 'Previous page' }).click()
      await hint.waitFor()
      // above the page, which may be higher than the window
      const [words, paper] = await Promise.all([
        hint.boundingBox(),
        page.locator('canvas').first().boundingBox(),
      ])
      expect(words?.y).toBeLessThan(paper?.y ?? 0)
      await picture('parser-scan')
    }))

  test('shows what is wrong: no key, a wrong key, a broken file', () =>
    during(
      tour.visit('light', MEMBER),
      async ({ page }) => {
        await openPage(page, '/ui/w/default/parser')
        const file = page.locator('input[type=file]')
        await file.setInputFiles(certificate)
        await page.getByText('Enter an API key first.').first().waitFor()
        await page.getByLabel('API key').fill('ak_nobody.secret')
        await file.setInputFiles(certificate)
        await page.getByRole('alert').getByText('invalid_api_key').first().waitFor()
        const { key } = await node.api.post('/api-keys', { body: { name: 'for mina' } })
        await page.getByLabel('API key').fill(key)
        await file.setInputFiles(join(folder, 'broken.pdf'))
        await page.getByRole('alert').getByText('broken_pdf').first().waitFor()
        // the typed text is only in the field
        expect(
          await page.evaluate('JSON.stringify([{...localStorage}, {...sessionStorage}])'),
        ).not.toContain(key)
      },
      /401|422/,
    ))
})

test.each(['dark', 'phone', 'korean'] as const)(
  'a certificate that was read keeps the manners: %s',
  { timeout: 180_000 },
  (look) =>
    during(tour.visit(look, ADMIN), async ({ page, barriers, picture }) => {
      const { key } = await node.api.post('/api-keys', { body: { name: look } })
      await openPage(page, '/ui/w/default/parser')
      await page.locator('input[type=password]').fill(key)
      await page.locator('input[type=file]').setInputFiles(certificate)
      await page.locator('canvas').first().waitFor()
      await page.getByText('1번등기명의인표시변경').first().waitFor()
      await picture('parser-read')
      expect(await barriers()).toEqual([])
    }),
)

describe('billing', { timeout: 120_000 }, () => {
  test('lists a record of each job that ended', () =>
    during(tour.visit('light', ADMIN), async ({ page }) => {
      await openPage(page, '/ui/w/default/billing?tab=jobs&app=sample')
      await page.getByRole('link', { name: 'sample/greet' }).click()
      await page.getByRole('heading', { level: 1, name: 'sample/greet' }).first().waitFor()
    }))

  test('and API keys are not shown to a member', () =>
    during(tour.visit('light', MEMBER), async ({ page }) => {
      await openPage(page, '/ui/w/default')
      await page.getByRole('link', { name: 'Parser' }).first().waitFor()
      await expect.poll(() => page.getByRole('link', { name: 'Billing' }).count()).toBe(0)
      await expect.poll(() => page.getByRole('link', { name: 'API keys' }).count()).toBe(0)
    }))
})

test('an API key is revoked after a question', { timeout: 120_000 }, () =>
  during(tour.visit('light', ADMIN), async ({ page }) => {
    await node.api.post('/api-keys', { body: { name: 'lost phone' } })
    await openPage(page, '/ui/w/default/api-keys')
    await page.getByRole('link', { name: 'lost phone' }).click()
    await page.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page
      .getByRole('row')
      .filter({ hasText: 'lost phone' })
      .getByText('Revoked')
      .first()
      .waitFor()
  }),
)

test.each([
  ['api-keys', '/ui/w/default/api-keys', '[data-row-link]'],
  ['parser', '/ui/w/default/parser', 'input[type=password]'],
  ['billing', '/ui/w/default/billing', '[role=cell]'],
  ['job-records', '/ui/w/default/billing?tab=jobs', '[data-row-link]'],
] as const)(
  '%s keeps the manners in every look',
  { timeout: 180_000 },
  async (name, path, ready) => {
    expect(await lookAt(tour, { name, path, ready, who: ADMIN })).toEqual([])
  },
)
