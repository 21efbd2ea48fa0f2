/** A small laptop at 200 % zoom: pages that fill the window still show their lists and files [WCAG 1.4.4]. */
import type { Page } from 'playwright-core'
import { expect, test, vi } from 'vitest'
import type { Visit } from './browser.ts'
import { openPage } from './browser.ts'
import { ADMIN, MEMBER } from './console-node.ts'
import { during } from './during.ts'
import { FLOW_APP } from './flow-sample.ts'
import { useConsole } from './use-console.ts'

/** 1280 × 720 pixels at 200 %. */
const ZOOMED = { width: 640, height: 360 }
const SOME_ROWS = 4

const { node, tour } = useConsole({
  fill: async () => {
    for (let made = 0; made < 2 * SOME_ROWS; made += 1)
      await node.runToEnd('greet', { name: 'Ada' })
    await node.api.post('/drafts/{app}/from-deployed', { params: { app: 'sample' } })
  },
})

const zoomed = (act: (page: Page, visit: Visit) => Promise<void>, who = ADMIN): Promise<void> =>
  during(tour.visit('light', who), async (visit) => {
    await visit.page.setViewportSize(ZOOMED)
    await act(visit.page, visit)
  })

/** An app whose deployment adds more actions than the list of changes shows at once. */
const MANY_ACTIONS = `key: wide
name: Wide
actions:
${Array.from({ length: 30 }, (_, at) => `  - { key: a${at}, entrypoint: a.ts }`).join('\n')}
`

test('several rows of a list fit into the window', { timeout: 60_000 }, () =>
  zoomed(async (page) => {
    await openPage(page, '/ui/w/default/jobs')
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
    await openPage(page, '/ui/w/default/drafts/sample')
    const file = page.getByRole('button', { name: 'greet.ts' })
    await file.waitFor()
    await file.click({ timeout: 5_000 })
    await page.getByText('greeting:').first().waitFor()
  }),
)

test('what scrolls within a page or a dialog can be scrolled by keyboard', {
  timeout: 120_000,
}, async () => {
  const files = { 'app.yaml': MANY_ACTIONS, 'a.ts': 'export const main = () => 1' }
  await node.api.put('/drafts/{app}', { params: { app: 'wide' }, body: { files } })
  const { id } = await node.api.post('/tokens', {
    body: { label: 'wide', scopes: ['jobs:read', 'apps:read', 'flows:read', 'drafts:read'] },
  })
  await zoomed(async (page, { barriers }) => {
    await openPage(page, '/ui/w/default/drafts/wide')
    await page.locator('.cm-content').waitFor()
    expect(await barriers()).toEqual([])
    await page.getByRole('button', { name: 'Deploy' }).click()
    const changes = page.getByRole('dialog').getByRole('region', { name: 'Changes' })
    await changes.getByText('a29', { exact: true }).waitFor()
    expect(await barriers()).toEqual([])
    await changes.getByRole('list').focus()
    await page.keyboard.press('End')
    await expect.poll(() => page.evaluate('document.activeElement.scrollTop')).not.toBe(0)
  })
  // a member can only read the token, so that nothing in the dialog takes the focus
  await zoomed(async (page, { barriers }) => {
    await openPage(page, `/ui/w/default/tokens?open=${id}`)
    await page.getByRole('dialog').waitFor()
    expect(await barriers()).toEqual([])
  }, MEMBER)
})

test.each([
  // the workers of the instance take no focus, and the transactions of the balance neither
  ['instance?tab=workers', ZOOMED],
  ['billing', { width: 320, height: 568 }],
])(
  'what scrolls at %s takes the focus, though nothing in it does',
  { timeout: 60_000 },
  async (path, size) => {
    await zoomed(async (page, { barriers }) => {
      await page.setViewportSize(size)
      await openPage(page, `/ui/w/default/${path}`)
      await page.locator('main [role=row], main td').first().waitFor()
      await expect.poll(barriers).toEqual([])
    })
  },
)

/** Starts a run of the flow with the most kinds of steps. @returns its id, once it has ended */
const runTour = async (order: number): Promise<string> => {
  const params = { app: 'shop', flow: 'tour' }
  const note = 'Please send it to the reception on the ground floor.'
  const { flow_run_id: id } = await node.api.post('/flows/run/{app}/{flow}', {
    params,
    body: { order, note },
  })
  const read = () => node.api.get('/flow-runs/{id}', { params: { id } })
  await vi.waitFor(async () => expect((await read()).status).toBe('completed'), 60_000)
  return id
}

/** Whether an element is wide enough for its text. */
const showsAll = (each: { scrollWidth: number; clientWidth: number }): boolean =>
  each.scrollWidth <= each.clientWidth

const IS_TOO_WIDE = `[document.documentElement, ...document.querySelectorAll('main')].some(
  (each) => each.scrollWidth > each.clientWidth)`

test('histories fit into a width of 320 px, and names into one of 768 px', {
  timeout: 120_000,
}, async () => {
  await node.deploy(FLOW_APP)
  const [one, other] = [await runTour(1), await runTour(2)]
  await zoomed(async (page) => {
    await page.setViewportSize({ width: 320, height: 568 })
    await openPage(page, `/ui/w/default/flow-runs/${one}/compare/${other}`)
    await page.locator('main details').first().waitFor()
    expect(await page.evaluate(IS_TOO_WIDE)).toBe(false)
    await openPage(page, '/ui/w/default/apps/sample?tab=deployments')
    await page.locator('main [data-row-link]').first().waitFor()
    expect(await page.evaluate(IS_TOO_WIDE)).toBe(false)
    // the open tab is in view, also after the numbers of the others have arrived
    await page.getByRole('tab', { name: /7$/ }).waitFor({ state: 'attached' })
    const tab = page.getByRole('tab', { selected: true })
    const endOfTab = async (): Promise<number> => {
      const box = await tab.boundingBox()
      return box === null ? Number.POSITIVE_INFINITY : box.x + box.width
    }
    await expect.poll(endOfTab).toBeLessThanOrEqual(320)
    await openPage(page, '/ui/w/default/audit')
    await page.locator('main [data-row-link]').first().waitFor()
    const log = page.getByRole('table', { name: 'Audit log' }).locator('..')
    expect(await log.evaluate(showsAll)).toBe(true)
    // on a tablet, the name of a flow has room before columns that matter less
    await page.setViewportSize({ width: 768, height: 900 })
    await openPage(page, '/ui/w/default/jobs')
    const name = page.getByRole('link', { name: 'shop/tour' }).first().locator('span span').last()
    await name.waitFor()
    expect(await name.evaluate(showsAll)).toBe(true)
  })
})
