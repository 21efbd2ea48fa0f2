/** Where the focus is while a dialog is open: in the dialog, and first where a person continues. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPage, openTour, type Tour } from './browser.ts'
import { ADMIN, type ConsoleNode, SAMPLE_APP, startConsoleNode } from './console-node.ts'
import { during } from './during.ts'

const PATIENT = { timeout: 120_000 }
const HOME = '/ui/w/default'

let node: ConsoleNode
let tour: Tour
let greeted: string
let failed: string

beforeAll(async () => {
  node = await startConsoleNode()
  await node.deploy(SAMPLE_APP)
  greeted = await node.runToEnd('greet', { name: 'Ada' })
  failed = await node.runToEnd('fail', {})
  tour = await openTour(node)
}, 180_000)

afterAll(async () => {
  await tour?.close()
  await node?.stop()
})

/** No frame is drawn any more, as on a machine that is too busy for one. */
const stopFrames = (page: Page) => page.evaluate('window.requestAnimationFrame = () => 0')

const isIn = (page: Page, selector: string): Promise<unknown> =>
  page.evaluate(`document.activeElement?.matches(${JSON.stringify(selector)}) ?? false`)

test('no key reaches the page behind a dialog, even before the next frame', PATIENT, () =>
  during(tour.visit('light', ADMIN), async ({ page, barriers }) => {
    await openPage(page, `${HOME}/jobs/${greeted}`)
    const share = page.getByRole('button', { name: 'Share' })
    await share.focus()
    await stopFrames(page)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByText('expires').first().waitFor()
    expect(await isIn(page, '[role=dialog] select')).toBe(true)
    for (const key of [...Array(12).fill('Tab'), ...Array(12).fill('Shift+Tab')]) {
      await page.keyboard.press(key)
      expect(await isIn(page, '#app *')).toBe(false)
    }
    expect(await barriers()).toEqual([])
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    expect(await isIn(page, '#app *')).toBe(true)
    await page.keyboard.press('Tab')
    expect(await isIn(page, '#app *')).toBe(true)
  }),
)

test('a form that loads its fields later has the focus in the first one', PATIENT, () =>
  during(tour.visit('light', ADMIN), async ({ page }) => {
    // slower than the editor, which would be there first
    await page.route('**/apps/sample/actions', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      await route.continue()
    })
    await openPage(page, `${HOME}/jobs/${greeted}`)
    const again = page.getByRole('button', { name: 'Run again' })
    await again.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Name' }).waitFor()
    await expect.poll(() => isIn(page, '[role=dialog] input')).toBe(true)
    await page.keyboard.press('Control+A')
    await page.keyboard.type('Bob')
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => !url.pathname.endsWith(greeted))
    await page.getByText('Hello, Bob!').first().waitFor()
    // the action has no schema, and its editor loads after the dialog
    await openPage(page, `${HOME}/jobs/${failed}`)
    await again.focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => isIn(page, '[role=dialog] .cm-content')).toBe(true)
  }),
)

test('a question has the focus on the button that changes nothing', PATIENT, () =>
  during(tour.visit('light', ADMIN), async ({ page }) => {
    const { job_id: id } = await node.api.post('/jobs/run/{app}/{action}', {
      params: { app: 'sample', action: 'rests' },
      body: {},
    })
    await openPage(page, `${HOME}/jobs/${id}`)
    await page.getByRole('button', { name: 'Cancel job' }).focus()
    await page.keyboard.press('Enter')
    const back = page.getByRole('dialog').getByRole('button', { name: 'Back' })
    await expect.poll(() => back.evaluate((each) => each.matches(':focus'))).toBe(true)
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    await expect.poll(() => isIn(page, 'button')).toBe(true)
  }),
)
