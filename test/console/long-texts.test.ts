/** Long names and errors in lists, on a wide screen and on a phone. */
import type { Page } from 'playwright-core'
import { expect, test, vi } from 'vitest'
import { openPage } from './browser.ts'
import { ADMIN } from './console-node.ts'
import { during } from './during.ts'
import { useConsole } from './use-console.ts'

const APP = 'quarterly-settlement-and-reconciliation'
const ACTION = 'recalculate-outstanding-invoices-of-customers'
const FLOW = 'close-the-quarter-and-send-reports-to-the-auditors'
/** As long as a key may be, without a place to break it. */
const STEP = 'k'.repeat(63)
const PATIENT = { timeout: 120_000 }

let failed: string

const { node, tour } = useConsole({
  app: {
    'app.yaml': `key: ${APP}
actions:
  - { key: ${ACTION}, entrypoint: fail.ts }
flows:
  - key: ${FLOW}
    steps:
      - { key: ${STEP}, action: ${ACTION} }
`,
    'fail.ts': `export const main = () => { throw new RangeError('The bank was closed.\\nsecond line') }\n`,
  },
  fill: async () => {
    const params = { app: APP, flow: FLOW }
    const { flow_run_id: id } = await node.api.post('/flows/run/{app}/{flow}', { params, body: {} })
    failed = id
    const run = () => node.api.get('/flow-runs/{id}', { params: { id } })
    await vi.waitFor(async () => expect((await run()).status).toBe('failed'), 30_000)
  },
})

const LISTS = [
  ['jobs', '/ui/w/default/jobs?flows=each', `${APP}/${ACTION}`],
  ['runs', '/ui/w/default/flow-runs', `${APP}/${FLOW}`],
] as const

const openList = async (page: Page, path: string, name: string) => {
  await openPage(page, path)
  const row = page.getByRole('row').filter({ has: page.getByRole('link', { name }) })
  await row.waitFor()
  return row
}

test.each(LISTS)(
  'a list of %s shows why one failed, and asks for no job',
  PATIENT,
  (_, path, name) =>
    during(tour.visit('light', ADMIN), async ({ page }) => {
      const asked: string[] = []
      page.on('request', (request) => asked.push(new URL(request.url()).pathname))
      const row = await openList(page, path, name)
      await row.getByText('RangeError: The bank was closed.', { exact: true }).waitFor()
      expect(asked.filter((each) => /\/(jobs|flow-runs)\/[0-9a-f]{8}-/.test(each))).toEqual([])
      // the link covers the row, so that the tooltip is its own
      expect(await row.getByRole('link', { name }).getAttribute('title')).toBe(name)
    }),
)

/** Texts of the row that are cut off. */
const CUT = `[...document.querySelectorAll('[role=cell], [role=cell] *')].filter(
  (each) => getComputedStyle(each).overflow !== 'visible' && each.scrollWidth > each.clientWidth
).map(({ textContent }) => textContent).filter((text) => text !== '')`

test.each(LISTS)('on a phone a list of %s shows long names in full', PATIENT, (_, path, name) =>
  during(tour.visit('phone', ADMIN), async ({ page, barriers }) => {
    const row = await openList(page, path, name)
    await row.getByText('RangeError: The bank was closed.').waitFor()
    expect(await page.evaluate(CUT)).toEqual([])
    expect(await barriers()).toEqual([])
  }),
)

const SCROLLS_SIDEWAYS = `[document.documentElement, document.querySelector('main')].some(
  (each) => each.scrollWidth > each.clientWidth
)`

test.each(['light', 'phone'] as const)(
  'a failed run whose step has a long key fits into the window, %s',
  PATIENT,
  (look) =>
    during(tour.visit(look, ADMIN), async ({ page }) => {
      await openPage(page, `/ui/w/default/flow-runs/${failed}`)
      await page.getByRole('button', { name: 'Failed at' }).waitFor()
      expect(await page.evaluate(SCROLLS_SIDEWAYS)).toBe(false)
    }),
)

const WEEK_MS = 604_800_000

/** Lets all times of the server's answers be at noon more than a week ago, which takes the most room. */
const ageAnswers = (page: Page): Promise<unknown> =>
  page.route('**/api/w/default/**', async (route) => {
    const day = new Date(Date.now() - 2 * WEEK_MS).toISOString().slice(0, 10)
    // a connection that the node has just closed is opened again
    const answer = await route.fetch({ maxRetries: 3 })
    const body = await answer.text()
    await route.fulfill({
      response: answer,
      body: body.replaceAll(/"20\d\d-\d\d-\d\dT[\d:.]+Z"/g, `"${day}T03:34:56.000Z"`),
    })
  })

const CUT_TIMES = `[...document.querySelectorAll('[role=cell]')].filter(
  (each) => each.querySelector('time') !== null && each.scrollWidth > each.clientWidth
).map(({ textContent }) => textContent)`

const AGED = ['jobs', 'flow-runs', 'audit', 'tokens', `apps/${APP}?tab=deployments`] as const

test.each(AGED.flatMap((path) => [[path, 'light'] as const, [path, 'korean'] as const]))(
  'the list at %s shows dates in full, %s',
  PATIENT,
  (path, look) =>
    during(tour.visit(look, ADMIN), async ({ page }) => {
      await ageAnswers(page)
      await page.goto(`/ui/w/default/${path}`)
      await page.locator('[role=cell] time').first().waitFor()
      expect(await page.evaluate(CUT_TIMES)).toEqual([])
      await page.unrouteAll({ behavior: 'wait' })
    }),
)
