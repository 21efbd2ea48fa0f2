/** Keys that belong to an input method, to a Korean layout or to the code editor, and not to the console's shortcuts. */
import type { CDPSession, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage } from './browser.ts'
import { ADMIN } from './console-node.ts'
import { during } from './during.ts'
import { useConsole } from './use-console.ts'

const PATIENT = { timeout: 120_000 }
const HOME = '/ui/w/default'
/** Browsers report this code for presses that an input method takes. */
const IN_COMPOSITION = 229

const { node, tour } = useConsole({
  fill: async () => {
    await node.api.post('/drafts/{app}/from-deployed', { params: { app: 'sample' } })
  },
})

const inKorean = (act: (page: Page, keys: CDPSession) => Promise<void>): Promise<void> =>
  during(tour.visit('korean', ADMIN), async ({ page }) => {
    await act(page, await page.context().newCDPSession(page))
  })

/** Composes a text, of which the last syllable is not ended. */
const compose = (keys: CDPSession, text: string) =>
  keys.send('Input.imeSetComposition', {
    text,
    selectionStart: text.length,
    selectionEnd: text.length,
  })

const press = async (keys: CDPSession, key: string, code: string): Promise<void> => {
  await keys.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key, code })
  await keys.send('Input.dispatchKeyEvent', { type: 'keyUp', key, code })
}

const pressComposing = (keys: CDPSession, key: string) =>
  keys.send('Input.dispatchKeyEvent', {
    type: 'rawKeyDown',
    key,
    code: key,
    windowsVirtualKeyCode: IN_COMPOSITION,
  })

test('the command menu finds a syllable that is still composed', PATIENT, () =>
  inKorean(async (page, keys) => {
    await openPage(page, `${HOME}/tokens`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    const field = page.getByRole('dialog').getByRole('combobox')
    await field.waitFor()
    await compose(keys, '일정')
    const first = page.getByRole('option').first()
    await expect.poll(() => first.textContent()).toContain('일정')
    await pressComposing(keys, 'Enter')
    expect(await field.inputValue()).toBe('일정')
    await keys.send('Input.insertText', { text: '일정' })
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/schedules$/)
  }),
)

test('shortcuts work on a Korean layout', PATIENT, () =>
  inKorean(async (page, keys) => {
    await node.runToEnd('greet', { name: 'Ada' })
    await node.runToEnd('greet', { name: 'Bob' })
    await openPage(page, `${HOME}/tokens`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await press(keys, 'ㅎ', 'KeyG')
    await press(keys, 'ㅓ', 'KeyJ')
    await page.waitForURL(/\/jobs$/)
    const rows = page.locator('[data-row-link]')
    await rows.nth(1).waitFor()
    await rows.first().focus()
    await press(keys, 'ㅓ', 'KeyJ')
    await page.locator('[data-row-link]:focus').waitFor()
    expect(await rows.first().evaluate((row) => row.matches(':focus'))).toBe(false)
  }),
)

test('j enters the list of a page, moves to its last row, and stays there', PATIENT, () =>
  during(tour.visit('light', ADMIN), async ({ page }) => {
    for (const name of ['Ada', 'Bob']) await node.runToEnd('greet', { name })
    await openPage(page, `${HOME}/jobs`)
    const rows = page.locator('main [data-row-link]')
    await rows.nth(1).waitFor()
    const last = (await rows.count()) - 1
    await page.keyboard.press('j')
    await expect.poll(() => rows.first().evaluate((row) => row.matches(':focus'))).toBe(true)
    for (let at = 0; at <= last; at += 1) await page.keyboard.press('j')
    await expect.poll(() => rows.nth(last).evaluate((row) => row.matches(':focus'))).toBe(true)
    await page.keyboard.press('k')
    await expect.poll(() => rows.nth(last - 1).evaluate((row) => row.matches(':focus'))).toBe(true)
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByText('Previous row').waitFor()
  }),
)

test('Enter that ends a syllable does not move the search of a log', PATIENT, () =>
  inKorean(async (page, keys) => {
    const job = await node.runToEnd('greet', { name: '가나', times: 3 })
    await openPage(page, `${HOME}/jobs/${job}?tab=log`)
    const field = page.getByRole('searchbox')
    await field.focus()
    await compose(keys, '가나')
    const found = page.locator('search').getByRole('status')
    await expect.poll(() => found.textContent()).toBe('3개 중 1번째')
    await pressComposing(keys, 'Enter')
    await keys.send('Input.insertText', { text: '가나' })
    expect(await found.textContent()).toBe('3개 중 1번째')
    await page.keyboard.press('Enter')
    await expect.poll(() => found.textContent()).toBe('3개 중 2번째')
  }),
)

test('the key that deletes a line of code does not open the command menu', PATIENT, () =>
  during(tour.visit('light', ADMIN), async ({ page }) => {
    await page.goto(`${HOME}/drafts/sample?file=fail.ts`)
    const code = page.locator('.cm-content')
    await code.getByText('RangeError').waitFor()
    await code.focus()
    await page.keyboard.press('Control+Shift+k')
    await expect.poll(() => code.textContent()).not.toContain('RangeError')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').waitFor()
  }),
)
