/**
 * Compares each page with a reference picture in test/console/looks: coarse, and without times, ids and numbers, which
 * differ between runs. After an intended change, `make console-looks` writes the pictures again; look at dist/screenshots
 * before you commit them. On the wide screen, each page is also walked through by keyboard.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import type { Page } from 'playwright-core'
import { describe, expect, test, vi } from 'vitest'
import { pngFile } from '../support/png-file.ts'
import type { Look } from './browser.ts'
import { ADMIN } from './console-node.ts'
import { during } from './during.ts'
import { fixTexts } from './fix-texts.ts'
import { keyboardBarriers } from './keyboard.ts'
import { differenceOf, type Grid, readGrid, toGrid } from './look-grid.ts'
import { useConsole } from './use-console.ts'

const REFERENCES = join(import.meta.dirname, 'looks')
const SCREENSHOTS = resolve(import.meta.dirname, '../../dist/screenshots')
const isRecording = process.env.RECORD_LOOKS === 'on'
/** The share of a page's squares that may differ. */
const MOST_DIFFERENT = 0.001
const HOME = '/ui/w/default'
const LOADING = /^(Loading|불러오는 중) …$/
/** Light on a wide screen, and dark and Korean on a phone. */
const LOOKS: readonly Look[] = ['light', 'all']

let job: string
let run: string
let customer: string

const { node, tour } = useConsole({
  fill: async () => {
    await node.runToEnd('fail', {})
    job = await node.runToEnd('greet', { name: 'Ada', times: 3 })
    const flow = { app: 'sample', flow: 'pair' }
    run = (await node.api.post('/flows/run/{app}/{flow}', { params: flow, body: {} })).flow_run_id
    const yearly = {
      app_key: 'sample',
      action_key: 'greet',
      cron: '0 0 1 1 *',
      input: { name: 'Ada' },
    }
    await node.api.post('/schedules', { body: yearly })
    await node.api.post('/api/admin/workspaces', { body: { id: 'fresh', name: 'Fresh' } })
    customer = (await node.api.post('/consumers', { body: { name: 'Acme' } })).id
    await vi.waitFor(
      async () =>
        expect(await node.api.get('/flow-runs/{id}', { params: { id: run } })).toMatchObject({
          status: 'waiting_approval',
        }),
      30_000,
    )
  },
})

/** Name, path below the server's address or the workspace, and a selector of what the page shows once it has its data. */
const PAGES: readonly (readonly [string, () => string, string])[] = [
  // an empty workspace, because charts look different each hour
  ['first-steps', () => '/ui/w/fresh', 'main li'],
  ['jobs', () => '/jobs', 'main [data-row-link]'],
  ['job', () => `/jobs/${job}`, '[role=tabpanel] button'],
  ['apps', () => '/apps', 'main [data-row-link]'],
  ['app', () => '/apps/sample', 'main td'],
  ['action', () => '/apps/sample/actions/greet', 'main form input'],
  ['flow', () => '/flows/sample/pair', '[role=tabpanel] button'],
  ['flow-runs', () => '/flow-runs', 'main [data-row-link]'],
  ['flow-run', () => `/flow-runs/${run}`, 'button[aria-pressed]'],
  ['approvals', () => '/approvals', 'main h1'],
  ['schedules', () => '/schedules', 'main [data-row-link]'],
  ['customer', () => `/customers/${customer}`, '[role=tabpanel] input'],
  ['webhooks', () => '/webhooks', 'main h1'],
  ['tokens', () => '/tokens', 'main h1'],
  ['members', () => '/members', 'main h1'],
  ['variables', () => '/variables', 'main h1'],
  ['settings', () => '/settings', 'main form input'],
]

type Seen = Readonly<{ screenshot: Buffer; grid: Grid }>

const see = async (page: Page): Promise<Seen> => {
  await fixTexts(page)
  const screenshot = await page.screenshot({ animations: 'disabled', caret: 'hide' })
  return { screenshot, grid: toGrid(screenshot) }
}

const write = (folder: string, name: string, content: Buffer): void => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, name), content)
}

/** Waits until the page no longer changes. */
const record = async (page: Page, file: string): Promise<void> => {
  let seen = await see(page)
  await vi.waitFor(
    async () => {
      const before = seen
      seen = await see(page)
      expect(differenceOf(before.grid, seen.grid)).toBe(0)
    },
    { timeout: 20_000, interval: 500 },
  )
  write(REFERENCES, file, pngFile(seen.grid))
  write(SCREENSHOTS, `look-${file}`, seen.screenshot)
}

/** Waits until the page matches its reference, because data may arrive late. */
const compare = async (page: Page, file: string): Promise<void> => {
  const reference = readGrid(readFileSync(join(REFERENCES, file)))
  await vi.waitFor(
    async () => {
      const { screenshot, grid } = await see(page)
      const difference = differenceOf(grid, reference)
      if (difference > MOST_DIFFERENT) write(SCREENSHOTS, `look-${file}`, screenshot)
      expect(difference, `see dist/screenshots/look-${file}`).toBeLessThanOrEqual(MOST_DIFFERENT)
    },
    { timeout: 20_000, interval: 300 },
  )
}

describe.each(LOOKS)('%s', (look) => {
  test.each(PAGES)('%s looks as it did', { timeout: 60_000 }, (name, path, ready) =>
    during(tour.visit(look, ADMIN), async ({ page }) => {
      const at = path()
      await page.goto(at.startsWith('/ui/') ? at : `${HOME}${at}`)
      await page.locator(ready).first().waitFor()
      // parts such as the graph load later than the page
      await expect.poll(() => page.getByText(LOADING).count(), { timeout: 20_000 }).toBe(0)
      const file = `${name}-${look}.png`
      await (isRecording ? record : compare)(page, file)
      // the order of controls is the same in all looks
      if (look === 'light') expect(await keyboardBarriers(page)).toEqual([])
    }),
  )
})
