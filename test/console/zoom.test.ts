/** A small laptop at 200 % zoom: pages that fill the window still show their lists and files [WCAG 1.4.4]. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTour, type Tour } from './browser.ts'
import { ADMIN, type ConsoleNode, SAMPLE_APP, startConsoleNode } from './console-node.ts'
import { during } from './during.ts'

/** 1280 × 720 pixels at 200 %. */
const ZOOMED = { width: 640, height: 360 }
const SOME_ROWS = 4

let node: ConsoleNode
let tour: Tour

beforeAll(async () => {
  node = await startConsoleNode()
  await node.deploy(SAMPLE_APP)
  for (let made = 0; made < 2 * SOME_ROWS; made += 1) await node.runToEnd('greet', { name: 'Ada' })
  await node.api.post('/drafts/{app}/from-deployed', { params: { app: 'sample' } })
  tour = await openTour(node)
}, 180_000)

afterAll(async () => {
  await tour?.close()
  await node?.stop()
})

const zoomed = (act: (page: Page) => Promise<void>): Promise<void> =>
  during(tour.visitInNewSession('light', ADMIN), async ({ page }) => {
    await page.setViewportSize(ZOOMED)
    await act(page)
  })

test('several rows of a list fit into the window', { timeout: 60_000 }, () =>
  zoomed(async (page) => {
    await page.goto('/ui/w/default/jobs')
    const rows = page.getByRole('row')
    await rows.nth(SOME_ROWS).waitFor()
    const list = page.getByRole('table').locator('..')
    // the page scrolls down to the list
    await page.mouse.move(ZOOMED.width / 2, 100)
    await page.mouse.wheel(0, 1_000)
    await expect
      .poll(async () => {
        const [frame, row] = [await list.boundingBox(), await rows.nth(SOME_ROWS).boundingBox()]
        if (frame === null || row === null) return false
        const end = row.y + row.height
        return end <= frame.y + frame.height && end <= ZOOMED.height
      })
      .toBe(true)
  }),
)

test('the files of a draft can be seen and chosen', { timeout: 60_000 }, () =>
  zoomed(async (page) => {
    await page.goto('/ui/w/default/drafts/sample')
    const file = page.getByRole('button', { name: 'greet.ts' })
    await file.waitFor()
    await file.click({ timeout: 5_000 })
    await page.getByText('greeting:').first().waitFor()
  }),
)
