/** What screen readers announce by themselves, and questions before typed text is lost. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage } from './browser.ts'
import { ADMIN } from './console-node.ts'
import { during } from './during.ts'
import { useConsole } from './use-console.ts'

const PATIENT = { timeout: 120_000 }
const HOME = '/ui/w/default'

const { node, tour } = useConsole({
  fill: async () => {
    await node.api.post('/drafts/{app}/from-deployed', { params: { app: 'sample' } })
  },
})

/** Ages in a region that is announced, of which each second would be read out. */
const announcedAges = (page: Page): Promise<number> =>
  page
    .locator(':is([role=status], [role=alert], [aria-live=polite]) time')
    .evaluateAll(
      (times) =>
        times.filter((time) => time.closest('[aria-live], [role=status]')?.ariaLive !== 'off')
          .length,
    )

test.each([
  // it was saved some seconds ago
  ['drafts/sample', 'main [role=status] time'],
  // it fires in some hours
  ['schedules/new', 'main [aria-live=polite] time'],
])('the passing of time at %s is not announced', PATIENT, (path, ready) =>
  during(tour.visit('light', ADMIN), async ({ page }) => {
    await openPage(page, `${HOME}/${path}`)
    await page.locator(ready).first().waitFor()
    expect(await announcedAges(page)).toBe(0)
  }),
)

test('what was typed into a draft is discarded only after a question', PATIENT, () =>
  during(tour.visit('light', ADMIN), async ({ page, barriers }) => {
    await openPage(page, `${HOME}/drafts/sample?file=fail.ts`)
    const code = page.locator('.cm-content')
    await code.getByText('RangeError').waitFor()
    await code.focus()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('// typed')
    const discard = page.getByRole('button', { name: 'Discard unsaved changes' })
    await discard.focus()
    await page.keyboard.press('Enter')
    const question = page.getByRole('dialog', { name: 'Discard unsaved changes?' })
    await question.getByText('What you typed into 1 file since the last save is lost.').waitFor()
    expect(await barriers()).toEqual([])
    await page.keyboard.press('Escape')
    await expect.poll(() => question.count()).toBe(0)
    expect(await code.textContent()).toContain('// typed')
    await discard.click()
    await question.getByRole('button', { name: 'Discard changes' }).click()
    await expect.poll(() => code.textContent()).not.toContain('// typed')
  }),
)
