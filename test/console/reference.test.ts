/** The API reference in a browser: calls by session and by token, the filter, on a phone, light and dark. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../support/create-test-app.ts'
import { type Look, openTour, type Tour, type Visit } from './browser.ts'
import { ADMIN } from './console-node.ts'
import { during } from './during.ts'

let app: TestApp
let tour: Tour

beforeAll(async () => {
  app = await createTestApp()
  tour = await openTour({ url: await app.listen() })
}, 120_000)

afterAll(async () => {
  await tour?.close()
  await app?.close()
})

/** A refusal that a test causes is not a fault of the page. */
const REFUSED = /Failed to load resource.*404/

const visit = (look: Look, act: (visit: Visit) => Promise<void>, isSignedIn = true) =>
  during(tour.visit(look, isSignedIn ? ADMIN : null), act, REFUSED)

let opened = 0

const open = async ({ page }: Visit, operation: string) => {
  // visits share a tab, in which another heading of the same address would not load the page again
  opened += 1
  await page.goto(`/api/docs?visit=${opened}#${operation}`)
  const section = page.locator(`#${operation}`)
  await section.getByRole('button', { name: 'Try it' }).click()
  return section
}

describe('the API reference', { timeout: 120_000 }, () => {
  test.each(['light', 'all'] as const)('fits the window and has no barriers (%s)', (look) =>
    visit(look, async (visited) => {
      const { page, barriers, faults, picture } = visited
      const section = await open(visited, 'createSchedule')
      await section.getByText('Sent with your session, admin@localhost.').waitFor()
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
      expect(overflow).toBe(0)
      // all sections have the same structure, and axe takes seconds for 200 of them
      await page.evaluate(`[...document.querySelectorAll('section')].slice(5)
        .filter(({ id }) => id !== 'createSchedule').forEach((each) => each.remove())`)
      expect([...(await barriers()), ...faults]).toEqual([])
      await picture('reference')
    }),
  )

  test('sends a change with the session of the reader, and shows answer and refusal', () =>
    visit('light', async (visited) => {
      const section = await open(visited, 'setVariable')
      const body = section.getByLabel('Body', { exact: false })
      expect(JSON.parse(await body.inputValue())).toMatchObject({ value: 'Hi' })
      await section.getByLabel('key', { exact: true }).fill('greeting')
      await body.fill('{"value":"Hi","secret":false}')
      await section.getByRole('button', { name: 'Send PUT' }).click()
      await section.locator('.answer').getByText(/^200 /).waitFor()
      const { items } = (
        await app.call('GET', '/api/w/default/variables', {
          token: await app.token(['*']),
        })
      ).json as { items: unknown[] }
      expect(items).toMatchObject([{ key: 'greeting', value: 'Hi' }])

      await body.fill('{"value":')
      await section.getByRole('button', { name: 'Send PUT' }).click()
      await section.getByText(/^The body is not JSON: /).waitFor()
      await section.getByRole('button', { name: 'Show as curl' }).click()
      await section.getByText('$SVC_URL/api/w/default/variables/greeting').last().waitFor()
    }))

  test('leads from the code of a refusal to its meaning', () =>
    visit('light', async (visited) => {
      const { page } = visited
      const section = await open(visited, 'getApp')
      await section.getByLabel('app', { exact: true }).fill('nothing')
      await section.getByRole('button', { name: 'Send GET' }).click()
      await section.getByRole('link', { name: 'What app_not_found means' }).click()
      await page.locator('#code-app_not_found').getByText('App "…" not found.').waitFor()
      await section.getByRole('button', { name: 'Close' }).click()
      await section.locator('form').waitFor({ state: 'detached' })
    }))

  test('takes a token from who is not signed in, and forgets it with the page', () =>
    visit(
      'light',
      async (visited) => {
        const { page } = visited
        const section = await open(visited, 'getIdentity')
        await section.getByText('You are not signed in.').waitFor()
        await section.getByLabel('Token').fill(await app.token(['jobs:read']))
        await section.getByText('Sent with this token.').waitFor()
        await section.getByRole('button', { name: 'Send GET' }).click()
        await section.getByText('"jobs:read"').waitFor()
        await page.reload()
        await page.locator('#getIdentity').getByRole('button', { name: 'Try it' }).click()
        expect(await page.locator('#getIdentity').getByLabel('Token').inputValue()).toBe('')
      },
      false,
    ))

  test('filters the menu, which a phone shows by its button', () =>
    visit('phone', async ({ page, barriers }) => {
      await page.goto('/api/docs')
      await page.getByRole('button', { name: 'Menu' }).click()
      await page.getByRole('searchbox').fill('put variables')
      const links = page.locator('nav a:visible')
      expect(await links.allTextContents()).toEqual(['Set a variable'])
      await page.evaluate(`[...document.querySelectorAll('section')].slice(5)
        .filter(({ id }) => id !== 'setVariable').forEach((each) => each.remove())`)
      expect(await barriers()).toEqual([])
      await links.first().click()
      await page.waitForURL(/#setVariable$/)
      await links.first().waitFor({ state: 'hidden' })
    }))
})
