/** Access that ends and requests that take long while a page is open. */
import type { Page, Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage } from './browser.ts'
import { ADMIN, MEMBER } from './console-node.ts'
import { during } from './during.ts'
import { useConsole } from './use-console.ts'

const PATIENT = { timeout: 120_000 }
const HOME = '/ui/w/default'

const { node, tour } = useConsole()

/** Holds requests of a method back. @returns a function that answers them */
const holdBack = async (page: Page, url: string, method: string) => {
  const held: Route[] = []
  await page.route(url, (route) => {
    if (route.request().method() === method) held.push(route)
    else void route.fallback()
  })
  return { held, answer: (act: (route: Route) => Promise<void>) => Promise.all(held.map(act)) }
}

test('a token far down the list that is revoked in another tab shows it', PATIENT, () =>
  during(tour.visit('light', ADMIN), async ({ page }) => {
    const issue = (label: string) =>
      node.api.post('/tokens', { body: { label, scopes: ['jobs:run'] } })
    const oldest = `the oldest ${performance.now()}`
    const { id } = await issue(oldest)
    // at once, because only the first and the last have a place in the list that matters
    await Promise.all(Array.from({ length: 99 }, (_, n) => issue(`newer ${n}`)))
    await issue('the newest')
    await openPage(page, `${HOME}/tokens`)
    await page.getByRole('link', { name: 'the newest' }).waitFor()
    const link = page.getByRole('link', { name: oldest })
    await expect
      .poll(async () => {
        await page.mouse.move(700, 500)
        await page.mouse.wheel(0, 5_000)
        return link.count()
      })
      .toBe(1)
    await link.click()
    const state = page.getByRole('dialog').getByText('Active', { exact: true })
    await state.waitFor()
    await node.api.delete('/tokens/{id}', { params: { id } })
    await page.getByRole('dialog').getByText('Revoked', { exact: true }).first().waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Revoke' }).count()).toBe(0)
  }),
)

test(
  'Escape leaves a form open while its request is in progress, and its result appears',
  PATIENT,
  () =>
    during(tour.visit('light', ADMIN), async ({ page }) => {
      await openPage(page, `${HOME}/api-keys`)
      await page.getByRole('button', { name: 'New API key' }).click()
      const form = page.getByRole('dialog')
      await form.getByLabel('Name').fill('shown once')
      const { held, answer } = await holdBack(page, '**/api-keys', 'POST')
      await page.keyboard.press('Enter')
      await expect.poll(() => held.length).toBe(1)
      await page.keyboard.press('Escape')
      await form.getByRole('button', { name: 'Close' }).click()
      await answer((route) => route.continue())
      await form.getByText('Copy it now').first().waitFor()
    }),
)

test('a refusal of a form that Back has closed is announced', PATIENT, () =>
  during(
    tour.visit('light', ADMIN),
    async ({ page }) => {
      await page.goto(HOME)
      await page.getByRole('link', { name: 'Customers' }).click()
      await page.getByRole('button', { name: 'New customer' }).click()
      await page.getByRole('dialog').getByLabel('Name').fill('Acme')
      const { held, answer } = await holdBack(page, '**/consumers', 'POST')
      await page.keyboard.press('Enter')
      await expect.poll(() => held.length).toBe(1)
      await page.keyboard.press('Escape')
      expect(await page.getByRole('dialog').count()).toBe(1)
      await page.goBack()
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
      await answer((route) => route.fulfill({ status: 502 }))
      await page.getByText('Could not create the customer').first().waitFor()
    },
    /502/,
  ),
)

test('a person in no workspace keeps their account, and can sign out', PATIENT, () =>
  during(
    tour.visitInNewSession('light', MEMBER),
    async ({ page, barriers }) => {
      await node.api.delete('/members/{email}', { params: { email: MEMBER.email } })
      await page.goto(`${HOME}/account`)
      await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor()
      await page.getByRole('heading', { name: 'Where you are signed in' }).waitFor()
      await page.goto('/ui/')
      await page.getByRole('heading', { level: 1, name: 'No workspace' }).waitFor()
      expect(await barriers()).toEqual([])
      await page.getByRole('link', { name: 'Your account' }).click()
      await page.getByText(MEMBER.email).first().waitFor()
      expect(await barriers()).toEqual([])
      await page.goBack()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.waitForURL(/sign-in/)
    },
    /403/,
  ),
)
