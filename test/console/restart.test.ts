/** The node restarts under an open page, also with a newer console, whose files have other names. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ADMIN } from './console-node.ts'
import { during } from './during.ts'
import { useConsole } from './use-console.ts'

const PATIENT = { timeout: 120_000 }
const HOME = '/ui/w/default'
/** What browsers report about a file that is gone, and about a node that restarts. */
const EXPECTED = /404|Failed to load resource|Failed to fetch dynamically imported module/

const { node, tour } = useConsole()

const asAdmin = (act: (page: Page) => Promise<void>): Promise<void> =>
  during(tour.visitInNewSession('light', ADMIN), ({ page }) => act(page), EXPECTED)

/** Answers like a newer server until the page loads again: the files with this name have other names now. */
const replaceFile = async (page: Page, name: string): Promise<void> => {
  const file = `**/ui/assets/${name}-*.js`
  await page.route(file, (route) => route.fulfill({ status: 404 }))
  page.once('load', () => void page.unroute(file))
}

test(
  'a part that a newer console has replaced loads the page again, with what was typed',
  PATIENT,
  () =>
    asAdmin(async (page) => {
      await page.goto(`${HOME}/apps/sample/actions/greet`)
      await page.getByLabel('Name').fill('Typed before')
      await replaceFile(page, 'code-mirror')
      await page.getByRole('tab', { name: 'JSON' }).first().click()
      await page.waitForEvent('load')
      await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Typed before')
      await page.getByRole('tab', { name: 'JSON' }).first().click()
      await page.getByText('"Typed before"').first().waitFor()
    }),
)

test(
  'a part that does not load even then is reported, and loads nothing again and again',
  PATIENT,
  () =>
    asAdmin(async (page) => {
      await page.route('**/ui/assets/code-mirror-*.js', (route) => route.fulfill({ status: 404 }))
      await page.goto(`${HOME}/apps/sample/actions/greet`)
      await page.getByRole('tab', { name: 'JSON' }).first().click()
      await page.waitForEvent('load')
      await page.getByRole('tab', { name: 'JSON' }).first().click()
      await page.getByText('This page crashed').first().waitFor()
    }),
)

test(
  'a page and a part that were opened while the node was away come after its return',
  PATIENT,
  () =>
    asAdmin(async (page) => {
      await page.goto(`${HOME}/apps/sample/actions/greet`)
      await page.getByLabel('Name').fill('Typed before')
      const second = await page.context().newPage()
      await second.goto(`${HOME}/tokens`)
      await second.getByRole('button', { name: 'New token' }).waitFor()
      await node.pause()
      await page.getByRole('tab', { name: 'JSON' }).first().click()
      await second.getByRole('link', { name: 'Schedules' }).click()
      await second.getByText('The server is not responding.').first().waitFor()
      await page.getByText('The server is not responding.').first().waitFor()
      await node.restart()
      await second.getByRole('heading', { level: 1, name: 'Schedules' }).waitFor()
      await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Typed before')
      await page.getByRole('tab', { name: 'JSON' }).first().click()
      await page.getByText('"Typed before"').first().waitFor()
    }),
)

test(
  'the sign-in page of a proxy crashes no page, and a later answer of svc replaces it',
  PATIENT,
  () =>
    asAdmin(async (page) => {
      await page.goto(`${HOME}/apps/sample/actions/greet`)
      await page.getByLabel('Name').fill('Typed before')
      const answer = {
        contentType: 'text/html; charset=utf-8',
        body: '<h1>Sign in to the proxy</h1>',
      }
      await page.route('**/api/w/**', (route) => route.fulfill(answer))
      await page.getByRole('button', { name: 'Run now' }).click()
      const reason = page.getByText('A proxy in front of svc answered with a page of its own.')
      await reason.first().waitFor()
      expect(await page.getByLabel('Name').inputValue()).toBe('Typed before')
      await page.getByRole('link', { name: 'Schedules' }).click()
      await page.getByRole('heading', { level: 1, name: 'Schedules' }).waitFor()
      await reason.first().waitFor()
      await page.unrouteAll({ behavior: 'wait' })
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByText('No schedules yet').waitFor()
      await expect.poll(() => reason.count()).toBe(0)
    }),
)
