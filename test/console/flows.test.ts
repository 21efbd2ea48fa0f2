/** Flows in the console: their graph, their start and their public links, as a person uses them. */
import type { Locator } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { lookAt, openPage } from './browser.ts'
import { ADMIN, MEMBER } from './console-node.ts'
import { during } from './during.ts'
import { FLOW_APP } from './flow-sample.ts'
import { useConsole } from './use-console.ts'

const { node, tour } = useConsole({ app: FLOW_APP })

describe('a flow', { timeout: 180_000 }, () => {
  test('is found in the list, and shows each step in the graph and, the same, as a list', () =>
    during(tour.visit('light', ADMIN), async ({ page, barriers }) => {
      await openPage(page, '/ui/w/default/flows')
      await page
        .getByRole('row')
        .filter({ hasText: 'shop/refund' })
        .getByText('needs approval')
        .first()
        .waitFor()
      await page.getByRole('link', { name: 'shop/tour' }).click()
      const graph = page.getByRole('application', { name: 'Graph of the flow' })
      // the library's own words are English, and of keys that do nothing here
      expect(await graph.textContent()).not.toContain('Press')
      expect(await graph.getByRole('img', { name: /^Edge/ }).count()).toBe(0)
      await graph.getByRole('button', { name: /^pick/ }).click()
      const card = page.getByRole('region', { name: 'pick' })
      await card.getByText('results.look.amount > 1000').first().waitFor()
      await page.getByRole('tab', { name: 'Steps' }).click()
      expect(
        await page.getByRole('list', { name: 'Steps' }).getByRole('heading').allTextContents(),
      ).toEqual(['look', 'pick', 'both', 'each', 'many', 'inner', 'unless'])
      expect(await barriers()).toEqual([])
    }))

  /** Whether the frame of the graph shows the whole box. */
  const isShown = async (graph: Locator, box: Locator): Promise<boolean> => {
    const [outer, inner] = [await graph.boundingBox(), await box.boundingBox()]
    if (outer === null || inner === null) return false
    return inner.y > outer.y && inner.y + inner.height < outer.y + outer.height
  }

  test('of seven steps is shown whole', () =>
    during(tour.visit('light', ADMIN), async ({ page }) => {
      await openPage(page, '/ui/w/default/flows/shop/tour')
      const graph = page.getByRole('application', { name: 'Graph of the flow' })
      await graph.getByRole('button', { name: /^unless/ }).waitFor()
      await expect.poll(() => isShown(graph, graph.getByText('End', { exact: true }))).toBe(true)
    }))

  test('that is larger than its frame is moved to the step that has the focus', () =>
    during(tour.visit('light', ADMIN), async ({ page, picture }) => {
      const steps = Array.from({ length: 16 }, (_, at) => `      - { key: s${at}, action: one }\n`)
      await node.deploy({
        'app.yaml': `key: tall\nactions: [{ key: one, entrypoint: one.ts }]\nflows:\n  - key: all\n    steps:\n${steps.join('')}`,
        'one.ts': 'export const main = () => 1\n',
      })
      await openPage(page, '/ui/w/default/flows/tall/all')
      const graph = page.getByRole('application', { name: 'Graph of the flow' })
      const last = graph.getByRole('button', { name: /^s15/ })
      await graph.getByRole('button', { name: /^s0/ }).focus()
      expect(await isShown(graph, last)).toBe(false)
      for (let step = 0; step < 15; step += 1) await page.keyboard.press('Tab')
      expect(await last.evaluate('document.activeElement.textContent')).toContain('s15')
      await expect.poll(() => isShown(graph, last)).toBe(true)
      await picture('flow-moved')
      // a frame of another width leaves the graph where it was moved to
      const width = async () => (await graph.boundingBox())?.width
      const before = await width()
      await page.setViewportSize({ width: 1_300, height: 900 })
      await expect.poll(width).not.toBe(before)
      await page.evaluate(
        'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
      )
      expect(await isShown(graph, last)).toBe(true)
      await page.setViewportSize({ width: 1_440, height: 900 })
    }))

  test('is started with a form of what its steps refer to, by key and mouse', () =>
    during(tour.visit('light', ADMIN), async ({ page, picture, barriers }) => {
      await openPage(page, '/ui/w/default/flows/shop/tour')
      await page.getByRole('button', { name: 'Start' }).first().waitFor()
      await page.keyboard.press('n')
      const dialog = page.getByRole('dialog', { name: 'Start shop/tour' })
      await dialog.getByLabel('Order').fill('77')
      await picture('flow-start')
      expect(await barriers()).toEqual([])
      await dialog.getByRole('button', { name: 'Start' }).click()
      await page.waitForURL(/\/flow-runs\/[0-9a-f-]{36}/)
      await page.getByText('Completed').first().waitFor()
      await page.getByRole('link', { name: 'shop/tour' }).click()
      await page.getByRole('tab', { name: 'Runs' }).click()
      await page.getByRole('row').filter({ hasText: 'Completed' }).first().waitFor()
    }))

  test('gets a public link that is shown once, works without an account, and is revoked', () =>
    during(tour.visit('light', ADMIN), async ({ page, picture, barriers }) => {
      await openPage(page, '/ui/w/default/flows/shop/tour?tab=links')
      await page.getByRole('button', { name: 'New public link' }).click()
      const dialog = page.getByRole('dialog')
      // proposed from the references of the flow
      await expect.poll(() => dialog.getByLabel('Key').inputValue()).toBe('order')
      await dialog.getByLabel('Max uses').fill('3')
      const warning = dialog.getByText('The flow requires order.')
      const isRequired = dialog.getByLabel('Required')
      await isRequired.uncheck()
      await warning.waitFor()
      await isRequired.check()
      await expect.poll(() => warning.count()).toBe(0)
      await dialog.getByRole('button', { name: 'Add field' }).click()
      const second = dialog.getByRole('group', { name: 'Field 2' })
      await second.getByLabel('Key').fill('size')
      await second.getByLabel('Type').selectOption('select')
      await second.getByLabel('Options, one per line').fill('S\nL')
      await picture('flow-new-link')
      expect(await barriers()).toEqual([])
      await dialog.getByRole('button', { name: 'Create link' }).click()
      await page.getByText('It is not shown again').first().waitFor()
      const url = await page.getByRole('link', { name: 'Open the form' }).getAttribute('href')
      await page.getByRole('button', { name: 'Copy' }).click()
      await page.getByRole('button', { name: 'Copied' }).first().waitFor()
      const token = new URL(url ?? '').searchParams.get('t') ?? 'no token'
      await page.getByRole('button', { name: 'Done' }).click()
      expect(await page.content()).not.toContain(token)

      const form = await fetch(url ?? '')
      expect(form.status).toBe(200)
      expect(await form.text()).toContain('Order')

      const item = page.getByRole('list', { name: 'Public links' }).getByRole('listitem')
      await item.getByText('0 of 3').first().waitFor()
      await item.getByRole('button', { name: 'Revoke' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
      await item.getByText('Revoked').first().waitFor()
      expect((await fetch(url ?? '')).status).toBe(410)
    }))

  test('that waits for an approval has no public link, with the reason', () =>
    during(tour.visit('light', ADMIN), async ({ page }) => {
      await openPage(page, '/ui/w/default/flows/shop/refund?tab=links')
      await page.getByText('A flow with an approval cannot have a public link').first().waitFor()
      await expect.poll(() => page.getByRole('button', { name: 'New public link' }).count()).toBe(0)
    }))

  test('is started by a member, who makes no links', () =>
    during(tour.visit('light', MEMBER), async ({ page }) => {
      await openPage(page, '/ui/w/default/flows/shop/small?tab=links')
      await page.getByRole('heading', { name: 'No public links yet' }).first().waitFor()
      await expect.poll(() => page.getByRole('button', { name: 'New public link' }).count()).toBe(0)
      await page.getByRole('button', { name: 'Start' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click()
      await page.getByText('Completed').first().waitFor()
    }))
})

test('flows and a flow keep the manners in every look', { timeout: 300_000 }, async () => {
  const params = { app: 'shop', flow: 'tour' }
  await node.api.post('/flows/run/{app}/{flow}', { params, body: { order: '78' } })
  const pages = [
    ['flows', '/ui/w/default/flows', '[data-row-link]'],
    ['flow', '/ui/w/default/flows/shop/tour?step=pick', '[data-kind=subflow], main ol h2'],
    ['flow-runs-of', '/ui/w/default/flows/shop/tour?tab=runs', '[data-row-link]'],
    ['flow-links', '/ui/w/default/flows/shop/tour?tab=links', 'main h2, main li code'],
  ] as const
  for (const [name, path, ready] of pages) {
    expect(await lookAt(tour, { name, path, ready, who: ADMIN })).toEqual([])
  }
})
