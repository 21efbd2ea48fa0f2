/** A small laptop at 200 % zoom: pages that fill the window still show their lists and files [WCAG 1.4.4]. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Visit } from './browser.ts'
import { ADMIN, MEMBER } from './console-node.ts'
import { during } from './during.ts'
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
  during(tour.visitInNewSession('light', who), async (visit) => {
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

test('what scrolls within a page or a dialog can be scrolled by keyboard', {
  timeout: 120_000,
}, async () => {
  const files = { 'app.yaml': MANY_ACTIONS, 'a.ts': 'export const main = () => 1' }
  await node.api.put('/drafts/{app}', { params: { app: 'wide' }, body: { files } })
  const { id } = await node.api.post('/tokens', {
    body: { label: 'wide', scopes: ['jobs:read', 'apps:read', 'flows:read', 'drafts:read'] },
  })
  await zoomed(async (page, { barriers }) => {
    await page.goto('/ui/w/default/drafts/wide')
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
    await page.goto(`/ui/w/default/tokens?open=${id}`)
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
      await page.goto(`/ui/w/default/${path}`)
      await page.locator('main [role=row], main td').first().waitFor()
      await expect.poll(barriers).toEqual([])
    })
  },
)
