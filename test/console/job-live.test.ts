/** What the page of a job shows and announces while the job runs. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTour, type Tour } from './browser.ts'
import { ADMIN, type ConsoleNode, SAMPLE_APP, startConsoleNode } from './console-node.ts'
import { during } from './during.ts'

let node: ConsoleNode
let tour: Tour

beforeAll(async () => {
  node = await startConsoleNode()
  await node.deploy(SAMPLE_APP)
  tour = await openTour(node)
}, 180_000)

afterAll(async () => {
  await tour?.close()
  await node?.stop()
})

test('a running job shows how long it has run, and announces its end', { timeout: 120_000 }, () =>
  during(tour.visit('light', ADMIN), async ({ page, barriers }) => {
    const params = { app: 'sample', action: 'slow' }
    const { job_id: id } = await node.api.post('/jobs/run/{app}/{action}', {
      params,
      body: { seconds: 3_000 },
    })
    await page.goto(`/ui/w/default/jobs/${id}`)
    // a live region that was there before the change
    const status = page.locator('header').getByRole('status')
    await status.getByText('Running').waitFor()
    const timeline = page.getByRole('region', { name: 'Timeline' })
    await timeline.getByText('Running').waitFor()
    const elapsed = timeline.getByText(/^(?:\d+m )?[\d.]+s$/)
    const before = await elapsed.textContent()
    await expect.poll(() => elapsed.textContent()).not.toBe(before)
    expect(await barriers()).toEqual([])
    await node.api.post('/jobs/{id}/cancel', { params: { id } })
    await status.getByText('Canceled').waitFor()
    await expect.poll(() => timeline.getByText('Running').count()).toBe(0)
  }),
)
