/** Schedules in the console: created, viewed, switched, changed and deleted, as a person does it. */
import type { Route } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { lookAt, openPage } from './browser.ts'
import { ADMIN, MEMBER } from './console-node.ts'
import { during } from './during.ts'
import { FLOW_APP } from './flow-sample.ts'
import { useConsole } from './use-console.ts'

const { node, tour } = useConsole({ app: FLOW_APP })

const make = async (
  cron: string,
  more: Readonly<{ timezone?: string; action_key?: string; flow_key?: string }> = {},
): Promise<string> => {
  const target = more.flow_key === undefined ? { action_key: 'mail' } : {}
  const body = { app_key: 'shop', cron, input: {}, ...target, ...more }
  return (await node.api.post('/schedules', { body })).id
}

describe('a schedule', { timeout: 180_000 }, () => {
  test('is made with a form that describes it in words, and shows its next times', () =>
    during(
      tour.visit('light', ADMIN),
      async ({ page, barriers, picture }) => {
        // an old link to an app that was deleted leaves the choice of another
        await openPage(page, '/ui/w/default/schedules/new?app=deleted')
        await page.getByLabel('App', { exact: false }).selectOption('shop')
        await openPage(page, '/ui/w/default/schedules')
        await page.getByRole('link', { name: 'New schedule' }).click()
        await page.getByRole('heading', { level: 1, name: 'New schedule' }).first().waitFor()
        await page.getByLabel('App', { exact: false }).selectOption('shop')
        await page.getByLabel('Action').selectOption('find')
        await page.getByLabel('Order').fill('12')
        const cron = page.getByLabel('Cron expression')
        await cron.fill('61 * * * *')
        await page.getByRole('alert').first().waitFor()
        await cron.fill('30 9 * * 1-5')
        await page.getByLabel('Time zone').fill('Europe/Berlin')
        await page.getByText('Monday to Friday at 09:30').first().waitFor()
        await page.getByRole('columnheader', { name: 'Europe/Berlin' }).first().waitFor()
        await page.getByRole('columnheader', { name: 'Your time (Asia/Seoul)' }).first().waitFor()
        await page
          .getByRole('cell', { name: /09:30$/ })
          .first()
          .waitFor()
        await picture('schedule-form')
        expect(await barriers()).toEqual([])
        // a reload loses nothing
        await page.reload()
        await page.getByLabel('Order').first().waitFor()
        await expect.poll(() => page.getByLabel('Order').inputValue()).toBe('12')
        await page.getByRole('button', { name: 'Create schedule' }).click()
        await page.getByRole('heading', { level: 1, name: 'shop/find' }).first().waitFor()
        await page.getByText('It has not fired yet.').first().waitFor()
        await expect.poll(() => page.getByRole('row').count()).toBe(11)
        const { items } = await node.api.get('/schedules')
        expect(items[0]).toMatchObject({
          action_key: 'find',
          cron: '30 9 * * 1-5',
          timezone: 'Europe/Berlin',
          input: { order: 12 },
        })
      },
      // the app is unknown and the expression wrong at first
      /40[04]/,
    ))

  test('keeps what another person changed while its form was open', () =>
    during(
      tour.visit('light', ADMIN),
      async ({ page }) => {
        const id = await make('0 5 * * *')
        await openPage(page, `/ui/w/default/schedules/${id}/edit`)
        await page.getByRole('button', { name: 'Every 15 minutes' }).click()
        await node.api.patch('/schedules/{id}', {
          params: { id },
          body: { timezone: 'Asia/Seoul', overlap: 'skip' },
        })
        await page.getByRole('button', { name: 'Save' }).click()
        await page.getByRole('link', { name: 'Edit' }).first().waitFor()
        expect(await node.api.get('/schedules/{id}', { params: { id } })).toMatchObject({
          cron: '*/15 * * * *',
          timezone: 'Asia/Seoul',
          overlap: 'skip',
        })
        await node.api.delete('/schedules/{id}', { params: { id } })
      },
      // the first request names the version that the form began with
      /412/,
    ))

  test('keeps its form while a time zone is typed letter by letter', () =>
    during(
      tour.visit('light', ADMIN),
      async ({ page }) => {
        await page.goto('/ui/w/default/schedules/new')
        await page.getByRole('columnheader', { name: 'Asia/Seoul' }).first().waitFor()
        const zone = page.getByLabel('Time zone')
        await zone.press('End')
        await zone.press('Backspace')
        await expect.poll(() => zone.inputValue()).toBe('Asia/Seou')
        await page.getByRole('alert').first().waitFor()
        await zone.fill('Europe/Berlin')
        await page.getByRole('columnheader', { name: 'Europe/Berlin' }).first().waitFor()
        // a form that cannot list what to run gives the reason
        await page.route('**/apps?*', (route) => route.fulfill({ status: 400, json: {} }))
        await page.reload()
        await page.getByRole('heading', { name: 'Could not load' }).first().waitFor()
        await page.unroute('**/apps?*')
      },
      // the time zone is wrong at first
      /400/,
    ))

  test('of a flow shows the runs that it has started, day by day', () =>
    during(tour.visit('light', ADMIN), async ({ page, barriers }) => {
      const id = await make('@every 1s', { flow_key: 'small' })
      await openPage(page, `/ui/w/default/schedules/${id}`)
      await page.getByRole('link', { name: 'Completed' }).first().waitFor()
      await page.getByRole('button', { name: /[1-9]\d* fired, 0 skipped/ }).click()
      await page.waitForURL(/day=\d{4}-\d{2}-\d{2}/)
      expect(await barriers()).toEqual([])
      await node.api.patch('/schedules/{id}', { params: { id }, body: { enabled: false } })
      await page.getByText('The schedule is off').first().waitFor()
      await page.getByRole('link', { name: 'Completed' }).first().click()
      await page.getByRole('heading', { level: 1, name: 'shop/small' }).first().waitFor()
    }))

  test('is led to from the overview, among those that come next', () =>
    during(tour.visit('light', ADMIN), async ({ page, picture }) => {
      const id = await make('*/10 * * * *', { action_key: 'pay' })
      await openPage(page, '/ui/w/default')
      const link = page.locator(`main a[href*="${id}"]`)
      await link.first().waitFor()
      await picture('overview-schedules')
      await link.click()
      await page.getByRole('heading', { name: 'shop/pay' }).first().waitFor()
      expect(page.url()).toBe(`${node.url}/ui/w/default/schedules/${id}`)
    }))

  test('is disabled and enabled in the list', () =>
    during(tour.visit('light', ADMIN), async ({ page }) => {
      const id = await make('0 4 * * *', { action_key: 'pay' })
      const isOn = async (): Promise<boolean> =>
        (await node.api.get('/schedules/{id}', { params: { id } })).enabled
      await openPage(page, '/ui/w/default/schedules')
      const row = page.getByRole('row').filter({ has: page.locator(`a[href*="${id}"]`) })
      await row.getByText('Every day at 04:00').first().waitFor()
      const on = row.getByRole('switch', { name: 'Enable shop/pay' })
      await on.click()
      await expect.poll(isOn).toBe(false)
      await row.getByText('–').first().waitFor()
      await on.press('Space')
      await expect.poll(isOn).toBe(true)
    }))

  test('shows why svc disabled it', () =>
    during(tour.visit('light', ADMIN), async ({ page }) => {
      const id = await make('@every 1s', { action_key: 'slow' })
      await node.deploy({
        ...FLOW_APP,
        'app.yaml': `${FLOW_APP['app.yaml']}`
          .replace('  - key: slow\n    entrypoint: slow.ts\n', '')
          .replace('  - key: long\n    steps:\n      - { key: wait, action: slow }\n', ''),
      })
      await openPage(page, `/ui/w/default/schedules/${id}`)
      await page
        .getByRole('heading', { name: 'This schedule was turned off automatically' })
        .first()
        .waitFor()
      await openPage(page, '/ui/w/default/schedules')
      await page.getByText('turned off').first().waitFor()
    }))

  test('is run at once, and leads to its job', () =>
    during(tour.visit('light', ADMIN), async ({ page }) => {
      const id = await make('0 7 * * *')
      await openPage(page, `/ui/w/default/schedules/${id}`)
      await page.getByRole('button', { name: 'Run now' }).click()
      await page.waitForURL(/\/jobs\//)
      const { items } = await node.api.get('/jobs', { query: { trigger_kind: 'schedule' } })
      expect(items[0]).toMatchObject({ app: 'shop', action: 'mail', created_by: ADMIN.email })
      expect(page.url()).toContain(items[0]?.id)
    }))

  test('is run once, even if the answer is lost and the button is pressed again', () =>
    during(
      tour.visit('light', ADMIN),
      async ({ page }) => {
        const id = await make('0 8 * * *')
        await openPage(page, `/ui/w/default/schedules/${id}`)
        const lose = async (route: Route): Promise<void> => {
          await route.fetch()
          await route.abort()
        }
        await page.route(`**/schedules/${id}/run`, lose, { times: 1 })
        const newest = async () => {
          const query = { trigger_kind: 'schedule', limit: 1 } as const
          return (await node.api.get('/jobs', { query })).items[0]?.id
        }
        const before = await newest()
        const run = page.getByRole('button', { name: 'Run now' })
        await run.click()
        await page.getByText('Could not start it').first().waitFor()
        const first = await newest()
        expect(first).not.toBe(before)
        await run.click()
        await page.waitForURL(/\/jobs\/[0-9a-f-]{36}/)
        expect(page.url()).toContain(first)
        expect(await newest()).toBe(first)
      },
      /Failed to load resource/,
    ))

  test('is changed, and deleted after a question', () =>
    during(tour.visit('light', ADMIN), async ({ page }) => {
      const id = await make('0 5 * * *')
      await openPage(page, `/ui/w/default/schedules/${id}`)
      await page.getByRole('link', { name: 'Edit' }).click()
      await page.getByRole('button', { name: 'Every 15 minutes' }).click()
      await page.getByLabel('Time zone').fill('Asia/Seoul')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('link', { name: 'Edit' }).first().waitFor()
      await page.getByText('Every 15 minutes').first().waitFor()
      await page.getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('heading', { level: 1, name: 'Schedules' }).first().waitFor()
      await expect
        .poll(async () => (await node.api.get('/schedules')).items.filter((each) => each.id === id))
        .toEqual([])
      await expect.poll(() => page.locator(`a[href*="${id}"]`).count()).toBe(0)
    }))

  test('is looked at by a member, who is offered no change', () =>
    during(tour.visit('light', MEMBER), async ({ page }) => {
      const id = await make('0 6 * * *')
      await page.goto(`/ui/w/default/schedules/${id}`)
      await page.getByText('Every day at 06:00').first().waitFor()
      await expect.poll(() => page.getByRole('button', { name: 'Delete' }).count()).toBe(0)
      await expect.poll(() => page.getByRole('link', { name: 'Edit' }).count()).toBe(0)
      await expect.poll(() => page.getByRole('switch').isDisabled()).toBe(true)
      for (const path of ['new', `${id}/edit`]) {
        await openPage(page, `/ui/w/default/schedules/${path}`)
        await page.getByText('You need the scope schedules:write.').first().waitFor()
        expect(await page.locator('main form').count()).toBe(0)
      }
    }))
})

test('schedules, one of them and its form keep the manners in every look', {
  timeout: 300_000,
}, async () => {
  const id = await make('30 9 * * 1-5', { timezone: 'Europe/Berlin' })
  const pages = [
    ['schedules', '/ui/w/default/schedules', '[data-row-link]'],
    ['schedule', `/ui/w/default/schedules/${id}`, 'tbody tr'],
    ['schedule-edit', `/ui/w/default/schedules/${id}/edit`, 'main:has(tbody tr) .cm-content'],
  ] as const
  for (const [name, path, ready] of pages) {
    expect(await lookAt(tour, { name, path, ready, who: ADMIN })).toEqual([])
  }
})
