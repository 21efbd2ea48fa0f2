/** Requests that get no response: forms report that they wait and let the person stop, and pages read again. */
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { Visit } from './browser.ts'
import { ADMIN, SAMPLE_APP } from './console-node.ts'
import { during } from './during.ts'
import { useConsole } from './use-console.ts'

const PATIENT = { timeout: 120_000 }
const HOME = '/ui/w/default'
const SLOW = 'The server has not responded yet.'
const STOPPED = 'The server did not respond, and you stopped waiting.'
/** Longer than a form waits before it reports it, and longer than a read may be silent. */
const LONG_MS = 31_000

const { node, tour } = useConsole()

/** One tab of its own for all tests, because its clock is replaced for good. Each of them loads a page again. */
let visit: Visit
beforeAll(async () => {
  visit = await tour.visitInNewSession('light', ADMIN)
  await visit.page.clock.install()
}, 60_000)

/** Ends the requests that are held back, which Chromium would send when its page has no route. */
const leave = async (): Promise<void> => {
  await visit.page.goto('about:blank')
  await visit.page.unrouteAll({ behavior: 'ignoreErrors' })
}

const withClock = (act: (page: Page) => Promise<void>): Promise<void> =>
  during(
    Promise.resolve({ ...visit, close: leave }),
    ({ page }) => act(page),
    /Failed to load resource/,
  )

/**
 * Leaves requests of some methods without a response until it is released. Those that were sent until then never get one: the
 * route stays, because Chromium would send them when its page has no route.
 */
const hold = async (page: Page, url: string, ...methods: readonly string[]) => {
  let count = 0
  let isHeld = true
  await page.route(url, async (route) => {
    if (!(isHeld && methods.includes(route.request().method()))) return route.fallback()
    count += 1
  })
  return {
    count: () => count,
    release: () => {
      isHeld = false
    },
  }
}

test('a dialog whose request never ends reports it, and can be sent again', PATIENT, () =>
  withClock(async (page) => {
    await page.goto(`${HOME}/variables`)
    await page.getByRole('button', { name: 'New variable' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Key').fill('API_KEY')
    await form.getByLabel('Value').fill('typed before')
    const held = await hold(page, '**/api/w/default/variables**', 'PUT', 'POST')
    const save = form.locator('button[type=submit]')
    await save.click()
    await expect.poll(held.count).toBe(1)
    expect(await form.getByText(SLOW).count()).toBe(0)
    await page.clock.fastForward(LONG_MS)
    await form.getByText(SLOW).waitFor()
    // the page behind the dialog shows no second notice
    expect(await page.getByText(SLOW).count()).toBe(1)
    await form.getByRole('button', { name: 'Stop waiting' }).click()
    await form.getByText(STOPPED).waitFor()
    expect(await form.getByLabel('Value').inputValue()).toBe('typed before')
    held.release()
    await save.click()
    await expect.poll(() => form.count()).toBe(0)
    await page.getByText('API_KEY').first().waitFor()
  }),
)

test('a question whose request never ends can be left', PATIENT, () =>
  withClock(async (page) => {
    await node.api.post('/tokens', { body: { label: 'laptop', scopes: ['jobs:read'] } })
    await page.goto(`${HOME}/tokens`)
    await page.getByRole('link', { name: 'laptop' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    const question = page.getByRole('dialog', { name: 'Revoke “laptop”?' })
    const held = await hold(page, '**/api/w/default/tokens/*', 'DELETE')
    await question.getByRole('button', { name: 'Revoke' }).click()
    await expect.poll(held.count).toBe(1)
    await page.clock.fastForward(LONG_MS)
    await question.getByText(SLOW).waitFor()
    expect(await page.getByText(SLOW).count()).toBe(1)
    await question.getByRole('button', { name: 'Stop waiting' }).click()
    await page.keyboard.press('Escape')
    await expect.poll(() => question.count()).toBe(0)
  }),
)

test('a form of a page whose request never ends can be sent again', PATIENT, () =>
  withClock(async (page) => {
    await page.goto(`${HOME}/apps/sample/actions/greet`)
    await page.getByLabel('Name').fill('Ada')
    const held = await hold(page, '**/api/w/default/jobs/run/sample/greet', 'POST')
    await page.getByRole('button', { name: 'Run now' }).click()
    await expect.poll(held.count).toBe(1)
    await page.clock.fastForward(LONG_MS)
    await page.getByRole('button', { name: 'Stop waiting' }).click()
    await page.getByText(STOPPED).first().waitFor()
    held.release()
    await page.getByRole('button', { name: 'Run now' }).click()
    await page.waitForURL(/\/jobs\//)
  }),
)

test('a page whose read never ends reports it, and reads again', PATIENT, () =>
  withClock(async (page) => {
    await page.goto(`${HOME}/tokens`)
    await page.getByRole('button', { name: 'New token' }).waitFor()
    const held = await hold(page, '**/api/w/default/schedules?**', 'GET')
    await page.getByRole('link', { name: 'Schedules' }).click()
    await expect.poll(held.count).toBe(1)
    await page.clock.fastForward(LONG_MS / 3)
    await page.getByText(SLOW).waitFor()
    held.release()
    await page.clock.fastForward(LONG_MS)
    await page.getByText('No schedules yet').waitFor()
  }),
)

test('a list that is open reads again after a read that never ended', PATIENT, () =>
  withClock(async (page) => {
    await page.goto(`${HOME}/apps`)
    await page.getByRole('link', { name: 'sample' }).waitFor()
    const held = await hold(page, '**/api/w/default/apps?**', 'GET')
    await page.clock.fastForward(LONG_MS)
    await expect.poll(held.count).toBeGreaterThan(0)
    held.release()
    await node.deploy({ ...SAMPLE_APP, 'app.yaml': 'key: later\nactions: []\n' })
    await page.clock.fastForward(LONG_MS)
    await page.getByRole('link', { name: 'later' }).waitFor()
  }),
)

test('a list shows that it loads while its filters have no response', PATIENT, () =>
  withClock(async (page) => {
    await node.runToEnd('greet', { name: 'Ada' })
    await page.goto(`${HOME}/jobs?app=unknown`)
    await page.getByText('No matching jobs').waitFor()
    const held = await hold(page, '**/api/w/default/jobs**', 'GET')
    await page.getByRole('button', { name: 'Clear' }).click()
    await expect.poll(held.count).toBeGreaterThan(0)
    await page.getByText('Loading …').first().waitFor()
    expect(await page.getByText(/^No (?:matching )?jobs/).count()).toBe(0)
    held.release()
    await page.clock.fastForward(LONG_MS)
    const row = page.locator('[data-row-link]').first()
    await row.waitFor()
    const again = await hold(page, '**/api/w/default/jobs**', 'GET')
    await page.getByLabel('Status').selectOption('failure')
    await expect.poll(again.count).toBeGreaterThan(0)
    await page.getByText('Loading …').first().waitFor()
    expect(await page.getByRole('table').getAttribute('aria-busy')).toBe('true')
    again.release()
    await page.clock.fastForward(LONG_MS)
    await page.getByText('No matching jobs').waitFor()
  }),
)
