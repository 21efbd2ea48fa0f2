/** The guides in a browser: search, menu on a phone, copying, in light and dark. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createGuidesSurface } from '#http/surfaces/guides-surface.ts'
import { readGuideFile } from '#platform/served-files.ts'
import { buildGuides } from '../../cmd/build/guides/build-guides.ts'
import { createTestApp, type TestApp } from '../support/create-test-app.ts'
import { type Look, openTour, type Tour, type Visit } from './browser.ts'
import { during } from './during.ts'

let app: TestApp
let tour: Tour

beforeAll(async () => {
  await buildGuides()
  app = await createTestApp({ files: [createGuidesSurface(readGuideFile)] })
  tour = await openTour({ url: await app.listen() })
}, 240_000)

afterAll(async () => {
  await tour?.close()
  await app?.close()
})

const visit = (look: Look, act: (visit: Visit) => Promise<void>): Promise<void> =>
  during(tour.visit(look), act)

describe('the guides', { timeout: 120_000 }, () => {
  test.each(['light', 'all'] as const)('fit the window and have no barriers (%s)', (look) =>
    visit(look, async ({ page, barriers, picture }) => {
      for (const path of ['', 'flows', 'reference/jobs', 'architecture', 'examples/hello']) {
        await page.goto(`/docs/${path}`)
        await page.locator('footer').waitFor()
        const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
        expect([path, overflow]).toEqual([path, 0])
        expect(await barriers()).toEqual([])
        await picture(`guides-${path.replace('/', '-')}`)
      }
    }),
  )

  test('find a passage from the keyboard and lead to its heading', () =>
    visit('light', async ({ page, barriers }) => {
      await page.goto('/docs/')
      await page.getByRole('searchbox').waitFor()
      await page.keyboard.press('/')
      await page.keyboard.type('svc_data_dir')
      await page.locator('.found a').first().waitFor()
      expect(await barriers()).toEqual([])
      await page.getByRole('searchbox').fill('heartbeat lease')
      await page.getByRole('link', { name: /Jobs/ }).first().waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/docs\/.+#/)
      await page.getByRole('searchbox').fill('zzzzqqq')
      await page.getByText('Nothing found for “zzzzqqq”.').waitFor()
      await page.keyboard.press('Escape')
      await page.getByText('Nothing found for').waitFor({ state: 'hidden' })
    }))

  test('open their menu on a phone, and close it by Escape', () =>
    visit('phone', async ({ page, barriers }) => {
      await page.goto('/docs/flows')
      const link = page.locator('#menu').getByRole('link', { name: 'Durable code' })
      expect(await link.isVisible()).toBe(false)
      await page.getByRole('button', { name: 'Menu' }).click()
      await link.waitFor()
      expect(await barriers()).toEqual([])
      await page.keyboard.press('Escape')
      await link.waitFor({ state: 'hidden' })
    }))

  test('copy a block of code, and take the theme that was chosen in the console', () =>
    visit('light', async ({ page }) => {
      await page.goto('/docs/flows')
      const block = page.locator('.code').first()
      await block.hover()
      await block.getByRole('button', { name: 'Copy' }).click()
      await block.getByRole('button', { name: 'Copied' }).waitFor()
      expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^flows:\n/)
      await page.evaluate(`localStorage.setItem('svc.theme', 'dark')`)
      await page.reload()
      expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
    }))
})
