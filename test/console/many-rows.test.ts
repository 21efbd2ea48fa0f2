/** Lists of many jobs and variables, in a real browser with a real node. */

import process from 'node:process'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { openDatabase } from '#store/open-database.ts'
import { fillHistory } from '../bench/fill.ts'
import { runs } from '../support/runs.ts'
import { openPage } from './browser.ts'
import { ADMIN } from './console-node.ts'
import { during } from './during.ts'
import { useConsole } from './use-console.ts'

/** A page loads 50 of them, and a few hundred are in the document at a time. */
const ROWS = runs({ short: 3_000, long: 10_000 })

const { node, tour } = useConsole({
  fill: async () => {
    const model = await node.runToEnd('greet', { name: 'Ada' })
    await node.pause()
    const db = await openDatabase({ url: node.databaseUrl })
    await fillHistory({ db, newId: () => v7() }, model, ROWS)
    await db.close()
    await node.restart()
  },
})

/** Scrolls down in steps like a wheel, and returns the longest time between two frames. */
const SCROLL = `new Promise((resolve) => {
  const scroller = document.querySelector('[role=table]').parentElement
  let longest = 0, before = performance.now(), frames = 0
  const frame = (now) => {
    longest = Math.max(longest, now - before)
    before = now
    scroller.scrollBy(0, 400)
    frames += 1
    if (frames < 300) requestAnimationFrame(frame)
    else resolve(Math.round(longest))
  }
  requestAnimationFrame((now) => { before = now; frame(now) })
})`

test('is walked to its end, draws what is in sight, and stays in place when a job arrives', {
  timeout: 300_000,
}, async () => {
  const { page, faults, close } = await tour.visit('light', ADMIN)
  try {
    await page.goto('/ui/w/default/jobs')
    await page.locator('[data-row-link]').first().waitFor()
    // the focused row scrolls out of sight, and the keyboard goes on from it
    const third = page.locator('[data-row-link]').nth(2)
    const address = await third.getAttribute('href')
    await third.focus()
    const longest: unknown = await page.evaluate(SCROLL)
    const focused: unknown = await page.evaluate(`document.activeElement?.getAttribute('href')`)
    expect(focused).toBe(address)
    const table = page.getByRole('table')
    const count = async (): Promise<number> => Number(await table.getAttribute('aria-rowcount'))
    const toBottom = `(() => { const e = document.querySelector('[role=table]').parentElement; e.scrollTop = e.scrollHeight })()`
    await expect
      .poll(
        async () => {
          await page.evaluate(toBottom)
          return count()
        },
        { timeout: 240_000, interval: 20 },
      )
      .toBeGreaterThan(ROWS)
    expect(await page.getByRole('row').count()).toBeLessThan(120)

    const scrollTop = `document.querySelector('[role=table]').parentElement.scrollTop`
    await page.evaluate(toBottom)
    const place: unknown = await page.evaluate(scrollTop)
    const id = await node.runToEnd('greet', { name: 'New' })
    const news = page.getByRole('button', { name: '1 new' })
    await news.first().waitFor()
    expect(await page.evaluate(scrollTop)).toBe(place)
    await news.click()
    await page.locator(`a[href$="${id}"]`).first().waitFor()
    expect(faults).toEqual([])
    // only printed, because the longest frame depends on the load of this machine
    expect(longest).toEqual(expect.any(Number))
    process.stdout.write(`longest frame while scrolling: ${String(longest)} ms\n`)
  } finally {
    await close()
  }
})

test('variables are drawn a hundred at a time, and a filter finds the others', () =>
  during(tour.visit('light', ADMIN), async ({ page, barriers }) => {
    const body = { value: 'x' }
    const keys = Array.from({ length: 120 }, (_, at) => `MANY_${100 + at}`)
    await Promise.all(
      keys.map((key) => node.api.put('/variables/{key}', { params: { key }, body })),
    )
    await page.goto('/ui/w/default/variables')
    await page.getByText('MANY_100').waitFor()
    const rows = page.getByRole('row')
    expect(await rows.count()).toBe(101)
    await page.keyboard.press('/')
    await page.keyboard.type('many_219')
    await page.getByText('MANY_219').waitFor()
    await expect.poll(() => rows.count()).toBe(2)
    expect(await barriers()).toEqual([])
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByRole('button', { name: 'Show more (20)' }).click()
    expect(await rows.count()).toBe(121)
  }))

test('an address opens an entry beyond the first page of its list, or explains that it is not there', () =>
  during(tour.visit('light', ADMIN), async ({ page, barriers }) => {
    const label = (at: number): string => `token ${at}`
    const body = { label: label(0), scopes: ['jobs:read'] }
    const { id } = await node.api.post('/tokens', { body })
    const others = Array.from({ length: 110 }, (_, at) => label(at + 1))
    await Promise.all(
      others.map((each) => node.api.post('/tokens', { body: { ...body, label: each } })),
    )
    await openPage(page, `/ui/w/default/tokens?open=${id}`)
    await page.getByRole('dialog', { name: label(0) }).waitFor()
    expect(await barriers()).toEqual([])
    await page.keyboard.press('Escape')
    await expect.poll(() => new URL(page.url()).search).toBe('')
    await openPage(page, '/ui/w/default/tokens?open=unknown')
    await page.getByRole('dialog', { name: 'Not found in this list' }).waitFor()
    expect(await barriers()).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: label(110) }).waitFor()
    expect(new URL(page.url()).search).toBe('')
  }))

test('on a phone, the buttons for selected rows stay above the filters', () =>
  during(tour.visit('phone', ADMIN), async ({ page }) => {
    await openPage(page, '/ui/w/default/jobs')
    await page
      .getByRole('checkbox', { name: /^Select sample/ })
      .first()
      .check()
    const clear = page.getByRole('button', { name: 'Clear selection' })
    const [button, views] = await Promise.all([
      clear.boundingBox(),
      page.getByRole('link', { name: 'All jobs' }).boundingBox(),
    ])
    if (button === null || views === null) throw new Error('The page shows no buttons.')
    expect(button.y + button.height).toBeLessThanOrEqual(views.y)
    await clear.click()
    await expect.poll(() => clear.count()).toBe(0)
  }))
