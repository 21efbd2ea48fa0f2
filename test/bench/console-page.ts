/**
 * Interactions in the console's page, measured there with the page's own
 * clock, from the interaction to the frame that shows its result.
 */
import type { Page } from 'playwright-core'
import { z } from 'zod'

/** An interaction in a page that measures itself. Code is text, because it runs in the page's world. */
export type Interaction = Readonly<{
  name: string
  /** Prepares the page for the interaction; not measured. */
  before: (page: Page) => Promise<void>
  /** The interaction itself. */
  act: string
  /** Whether the page shows the result. */
  isDone: string
}>

const LIST = '/ui/w/default/jobs'
const ROW = '[role=row] [data-row-link]'

const openList = async (page: Page): Promise<void> => {
  await page.goto(LIST)
  await page.locator(ROW).first().waitFor()
}

const openOverview = async (page: Page): Promise<void> => {
  await page.goto('/ui/w/default')
  await page.getByRole('heading', { level: 1, name: 'Overview' }).first().waitFor()
  // the code of the jobs page is loaded when it is first opened; this measures what comes after
  await page.evaluate(`document.querySelector('nav a[href$="/jobs"]').click()`)
  await page.locator(ROW).first().waitFor()
  await page.evaluate(`document.querySelector('nav a[href$="/default"]').click()`)
  await page.getByRole('heading', { level: 1, name: 'Overview' }).first().waitFor()
}

const CHOOSE_FAILURE = `{
  const select = document.querySelector('select')
  Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value').set.call(select, 'failure')
  select.dispatchEvent(new Event('change', { bubbles: true }))
}`

const texts = `[...document.querySelectorAll('${ROW}')].map((each) => each.textContent)`

export const INTERACTIONS: readonly Interaction[] = [
  {
    name: 'Open the list of jobs from another page',
    before: openOverview,
    act: `document.querySelector('nav a[href$="/jobs"]').click()`,
    isDone: `document.querySelector('${ROW}') !== null`,
  },
  {
    name: 'The next page, by scrolling to the end of the first',
    before: openList,
    act: `globalThis.rowsBefore = Number(document.querySelector('[role=table]').getAttribute('aria-rowcount'));
      { const scroller = document.querySelector('[role=table]').parentElement; scroller.scrollTop = scroller.scrollHeight }`,
    isDone: `Number(document.querySelector('[role=table]').getAttribute('aria-rowcount')) > globalThis.rowsBefore`,
  },
  {
    name: 'Filter by status',
    before: openList,
    act: CHOOSE_FAILURE,
    isDone: `${texts}.length > 0 && ${texts}.every((text) => text === 'sample/fail')`,
  },
  {
    name: 'Open a job',
    before: openList,
    act: `document.querySelectorAll('${ROW}')[3].click()`,
    isDone: `document.querySelector('[role=tabpanel] button') !== null`,
  },
  {
    name: 'Open the palette',
    before: openList,
    act: `document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', code: 'KeyK', ctrlKey: true, bubbles: true, cancelable: true }))`,
    isDone: `document.querySelector('[role=dialog] [role=option]') !== null`,
  },
]

const milliseconds = z.number()

/** Milliseconds from the interaction to the frame after the one that shows its result. */
export const measureInteraction = async (
  page: Page,
  { before, act, isDone }: Interaction,
): Promise<number> => {
  await before(page)
  const text = `new Promise((resolve) => {
    const start = performance.now()
    ${act}
    const look = () => {
      if (${isDone}) requestAnimationFrame(() => resolve(performance.now() - start))
      else requestAnimationFrame(look)
    }
    look()
  })`
  return milliseconds.parse(await page.evaluate(text))
}

const WHEN_ROWS_STAND = `{
  const look = () => {
    if (document.querySelector('${ROW}') === null) requestAnimationFrame(look)
    else requestAnimationFrame(() => { globalThis.rowsStoodAt = performance.now() })
  }
  look()
}`

const firstView = z.object({ ms: z.number(), bytes: z.number(), requests: z.number() })
export type FirstView = z.infer<typeof firstView>

/** Bypasses the content security policy, which does not allow evaluation in the page itself. */
const ROWS_STAND = `new Promise((resolve) => {
  const look = () => (globalThis.rowsStoodAt === undefined ? requestAnimationFrame(look) : resolve())
  look()
})`

/** Measures from the start of the navigation until the rows of the list are shown, with an empty browser cache. */
export const measureFirstView = async (page: Page): Promise<FirstView> => {
  await page.addInitScript(WHEN_ROWS_STAND)
  await page.goto(LIST)
  await page.evaluate(ROWS_STAND)
  const found: unknown = await page.evaluate(`(() => {
    const loaded = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
      .filter(({ name, responseEnd }) => responseEnd <= globalThis.rowsStoodAt && !name.includes('/api/'))
    return {
      ms: globalThis.rowsStoodAt,
      bytes: loaded.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
      requests: loaded.length,
    }
  })()`)
  return firstView.parse(found)
}
