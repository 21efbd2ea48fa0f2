/** Lists are where they were, with their filters, after Back, Forward and a reload. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ADMIN } from './console-node.ts'
import { during } from './during.ts'
import { useConsole } from './use-console.ts'

const HOME = '/ui/w/default'
/** More than two pages of the longest list. */
const MANY = 250

const { node, tour } = useConsole({
  fill: async () => {
    const scheduled_for = '2099-01-01T00:00:00Z'
    const job = { app: 'sample', action: 'greet', input: { name: 'Ada' }, scheduled_for }
    await node.api.post('/jobs/batch', { body: { items: Array.from({ length: MANY }, () => job) } })
    const names = Array.from({ length: MANY }, (_, at) => `Customer ${at}`)
    await Promise.all(names.map((name) => node.api.post('/consumers', { body: { name } })))
  },
})

const SCROLLER = `document.querySelector('[role=table]')?.parentElement`
const scrollTop = (page: Page): Promise<unknown> => page.evaluate(`${SCROLLER}?.scrollTop`)

/** Scrolls in steps, as a reader does, so that further pages are loaded. @returns where the list is then */
const scrollTo = async (page: Page, top: number): Promise<number> => {
  await expect
    .poll(async () => {
      await page.evaluate(`${SCROLLER}?.scrollTo(0, ${top})`)
      return scrollTop(page)
    })
    .toBe(top)
  return top
}

test.each([
  ['jobs', 'jobs?status=queued'],
  ['customers', 'customers'],
])(
  'the list of %s is where it was after Back, Forward and a reload',
  { timeout: 120_000 },
  (_, path) =>
    during(tour.visit('light', ADMIN), async ({ page }) => {
      await page.goto(`${HOME}/${path}`)
      const rows = page.locator('[data-row-link]')
      await rows.first().waitFor()
      const top = await scrollTo(page, 5_000)
      const list = page.url()
      await page.reload()
      await expect.poll(() => scrollTop(page)).toBe(top)
      expect(page.url()).toBe(list)
      const { x, y } = (await page.locator('[role=table]').locator('xpath=..').boundingBox()) ?? {
        x: 0,
        y: 0,
      }
      await page.mouse.click(x + 200, y + 300)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await expect.poll(() => page.url()).not.toBe(list)
      const opened = page.url()
      await page.goBack()
      await expect.poll(() => scrollTop(page)).toBe(top)
      expect(page.url()).toBe(list)
      await page.goForward()
      await expect.poll(() => page.url()).toBe(opened)
      await page.reload()
      await page.goBack()
      await expect.poll(() => scrollTop(page)).toBe(top)
    }),
)

test(
  'a list that is loaded again stays where its reader scrolls meanwhile',
  { timeout: 120_000 },
  () =>
    during(tour.visit('light', ADMIN), async ({ page }) => {
      await page.goto(`${HOME}/customers`)
      const rows = page.locator('[data-row-link]')
      await rows.first().waitFor()
      await scrollTo(page, 5_000)
      // the second page comes only after the reader has moved
      let release = (): void => undefined
      const moved = new Promise<void>((resolve) => {
        release = resolve
      })
      await page.route('**/consumers?*cursor=*', async (route) => {
        await moved
        await route.continue()
      })
      await page.reload()
      await rows.first().waitFor()
      await page.mouse.move(700, 500)
      await page.mouse.wheel(0, -100_000)
      await expect.poll(() => scrollTop(page)).toBe(0)
      release()
      await page.unrouteAll({ behavior: 'wait' })
      await page.mouse.wheel(0, 100)
      await expect.poll(() => scrollTop(page)).toBe(100)
    }),
)

test(
  'Back closes the details of a row, and closing them leaves nothing to go back to',
  {
    timeout: 120_000,
  },
  () =>
    during(tour.visit('light', ADMIN), async ({ page }) => {
      await page.goto(`${HOME}/jobs`)
      await page.goto(`${HOME}/tokens`)
      const rows = page.locator('[data-row-link]')
      const dialog = page.getByRole('dialog')
      const list = new RegExp(`${HOME}/tokens$`)
      await rows.first().click()
      await dialog.waitFor()
      await page.goBack()
      await dialog.waitFor({ state: 'hidden' })
      await expect.poll(() => page.url()).toMatch(list)
      await page.goForward()
      await dialog.waitFor()
      await page.reload()
      await dialog.waitFor()
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'hidden' })
      await expect.poll(() => page.url()).toMatch(list)
      await rows.first().press('Enter')
      await dialog.getByRole('button', { name: 'Close' }).click()
      await dialog.waitFor({ state: 'hidden' })
      await expect.poll(() => page.url()).toMatch(list)
      await page.goBack()
      await expect.poll(() => page.url()).toMatch(new RegExp(`${HOME}/jobs$`))
    }),
)
