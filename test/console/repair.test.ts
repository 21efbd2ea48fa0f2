/** A person repairs a deployed app: from the failed job over the line of the code to its draft, and from there to a job that succeeds. */
import { expect, test } from 'vitest'
import { openPage } from './browser.ts'
import { ADMIN } from './console-node.ts'
import { during } from './during.ts'
import { useConsole } from './use-console.ts'

const PATIENT = { timeout: 180_000 }
const HOME = '/ui/w/default'

const BROKEN = `export const main = (ctx) => {
  const { items } = ctx.input
  return { total: items.length }
}
`

const { node, tour } = useConsole({
  app: null,
  fill: async () => {
    const files = {
      'app.yaml': 'key: sums\nactions:\n  - { key: add, entrypoint: actions/add.ts }\n',
      'actions/add.ts': BROKEN,
    }
    await node.api.put('/drafts/{app}', { params: { app: 'sums' }, body: { files } })
    await node.api.post('/drafts/{app}/deploy', { params: { app: 'sums' }, body: {} })
    await node.deploy({ 'app.yaml': 'key: other\nactions: []\n' })
  },
})

test('a failed job leads to the line of its draft, which is corrected and deployed', PATIENT, () =>
  during(tour.visit('light', ADMIN), async ({ page, barriers }) => {
    await openPage(page, `${HOME}/apps/sums/actions/add`)
    await page.getByRole('button', { name: 'Run now' }).click()
    await page.waitForURL(/\/jobs\//)
    const failed = page.url()
    await page
      .getByRole('link', { name: /add\.ts:3/ })
      .first()
      .click()
    await page.waitForURL(/\/apps\/sums\/code/)
    const edit = page.getByRole('link', { name: 'Edit draft' })
    await edit.waitFor()
    expect(await barriers()).toEqual([])
    await edit.click()
    await page.waitForURL(/\/drafts\/sums\?file=actions%2Fadd\.ts&line=3$/)
    // the cursor is in the line that failed
    const line = page.locator('.cm-content:focus .cm-line').nth(2)
    await line.getByText('items').waitFor()
    await page.keyboard.press('Home')
    await page.keyboard.type('if (items === undefined) return { total: 0 }; ')
    await page.getByRole('button', { name: 'Deploy' }).click()
    const plan = page.getByRole('dialog')
    await plan.getByText('items === undefined').first().waitFor()
    await plan.locator('button[type=submit]').click()
    await page.waitForURL(/\/apps\/sums$/)
    await openPage(page, failed)
    await page.getByRole('button', { name: 'Run again' }).click()
    await page.getByRole('dialog').locator('button[type=submit]').click()
    await page.waitForURL((url) => url.href !== failed && url.pathname.includes('/jobs/'))
    await page.getByText('total:').waitFor()
  }),
)

test('an app without a draft offers none', PATIENT, () =>
  during(tour.visit('light', ADMIN), async ({ page }) => {
    await openPage(page, `${HOME}/apps/sums`)
    await page.getByRole('link', { name: 'Edit draft' }).waitFor()
    await openPage(page, `${HOME}/apps/other`)
    await page.getByRole('link', { name: 'Code' }).waitFor()
    expect(await page.getByRole('link', { name: 'Edit draft' }).count()).toBe(0)
  }),
)
