/** What pages show and announce while a job or an operation runs, which clock the console uses, and how it marks old data. */
import { expect, test } from 'vitest'
import { ADMIN } from './console-node.ts'
import { during } from './during.ts'
import { useConsole } from './use-console.ts'

const TIRED_APP = {
  'app.yaml': 'key: tired\nactions: [{ key: nap, entrypoint: nap.ts }]\n',
  'nap.ts': "export const main = (ctx) => ctx.sleep('pause', { seconds: 2 })\n",
}

const { node, tour } = useConsole({
  settings: () => ({ SVC_CONCURRENCY: '1' }),
  fill: async () => {
    await node.deploy(TIRED_APP)
  },
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

test(
  'a job that has slept long enough waits for a worker, and no longer for a time',
  {
    timeout: 120_000,
  },
  () =>
    during(tour.visit('light', ADMIN), async ({ page }) => {
      const start = async (app: string, action: string, body: object): Promise<string> => {
        const params = { app, action }
        return (await node.api.post('/jobs/run/{app}/{action}', { params, body })).job_id
      }
      const nap = await start('tired', 'nap', {})
      // takes the only slot when the other job falls asleep
      const slow = await start('sample', 'slow', { seconds: 3_000 })
      await page.goto(`/ui/w/default/jobs/${nap}`)
      await page.getByText('It waits for a free slot of a worker with the tag "default".').waitFor()
      expect(await page.getByText('Continues', { exact: true }).count()).toBe(0)
      await node.api.post('/jobs/{id}/cancel', { params: { id: slow } })
      await page.getByRole('status').getByText('Success').waitFor()
    }),
)

test(
  'a browser whose clock is days ahead shows ages, filters and expiry by the time of the server',
  {
    timeout: 120_000,
  },
  () =>
    during(tour.visitInNewSession('light', ADMIN), async ({ page }) => {
      const id = await node.runToEnd('greet', { name: 'Ada' })
      const expires_in_days = 1
      await node.api.post('/tokens', { body: { label: 'short', scopes: ['*'], expires_in_days } })
      await page.addInitScript('const { now } = Date; Date.now = () => now() + 172_800_000')
      await page.goto('/ui/w/default/jobs?span=1h')
      const job = page.getByRole('row').filter({ has: page.locator(`a[href$="${id}"]`) })
      await job.getByText(/^(now|\d+[sm] ago)$/).waitFor()
      await page.goto('/ui/w/default/tokens')
      const token = page.getByRole('row').filter({ hasText: 'short' })
      await token.getByText('Active').waitFor()
    }),
)

test(
  'a list that the server refuses to send again is marked as old until it is current',
  {
    timeout: 120_000,
  },
  () =>
    during(
      tour.visit('light', ADMIN),
      async ({ page, barriers }) => {
        const id = await node.runToEnd('greet', { name: 'Ada' })
        await page.goto('/ui/w/default/jobs')
        const job = page.locator(`a[href$="${id}"]`)
        await job.first().waitFor()
        // refused until the button is pressed, because the list would read again by itself before a slow press
        await page.evaluate(
          `addEventListener('click', () => { globalThis.isPressed = true }, true)`,
        )
        await page.route('**/api/w/default/jobs/folded*', async (route) =>
          (await page.evaluate('globalThis.isPressed === true'))
            ? route.continue()
            : route.fulfill({ status: 400 }),
        )
        const note = page.getByText('This page could not be refreshed and may be out of date.')
        await note.waitFor()
        expect(await job.count()).toBe(1)
        expect(await barriers()).toEqual([])
        await page.getByRole('button', { name: 'Try again' }).click()
        await note.waitFor({ state: 'detached' })
        await page.unrouteAll({ behavior: 'wait' })
      },
      /400/,
    ),
)

test('an operation that runs can be stopped, and shows how many jobs it left', () =>
  during(tour.visit('light', ADMIN), async ({ page, barriers }) => {
    const body = { do: 'cancel', filter: { app: 'nowhere' } } as const
    await node.api.post('/jobs/bulk', { body })
    const [ended] = (await node.api.get('/operations')).items
    const running = { ...ended, status: 'running', matched: 9, done: 4 }
    let shown: object = running
    await page.route('**/api/w/default/operations?*', (route) =>
      route.fulfill({ json: { items: [shown], pagination: { next_cursor: null } } }),
    )
    await page.route('**/api/w/default/operations/*/stop', (route) => {
      shown = { ...running, status: 'completed', stopped: true }
      return route.fulfill({ json: shown })
    })
    await page.goto(`/ui/w/default/operations?open=${ended?.id}`)
    await page.getByRole('button', { name: 'Stop' }).click()
    const question = page.getByRole('dialog', { name: 'Stop this operation?' })
    await question.getByText('What it has done stays done.').waitFor()
    expect(await barriers()).toEqual([])
    await question.getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('table', { name: 'Operations' }).getByText('Stopped').waitFor()
    await page.unrouteAll()
  }))

test('a log that is still on its way is not called empty', { timeout: 120_000 }, () =>
  during(tour.visit('light', ADMIN), async ({ page }) => {
    const id = await node.runToEnd('greet', { name: 'Ada' })
    let release = (): void => undefined
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/logs?format=json', async (route) => {
      await released
      await route.continue()
    })
    await page.goto(`/ui/w/default/jobs/${id}?tab=log`)
    const log = page.getByRole('region', { name: 'Log' })
    await log.getByText('Loading …').waitFor()
    expect(await log.getByText('No log output').count()).toBe(0)
    release()
    await log.getByText('Hello, Ada').waitFor()
    await page.unrouteAll({ behavior: 'wait' })
  }),
)
