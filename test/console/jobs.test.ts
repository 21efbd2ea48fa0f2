/** Sign-in, the list of jobs and a job, as a person uses them in a real browser, with a real node. */
import { describe, expect, test } from 'vitest'
import { lookAt, openPage } from './browser.ts'
import { ADMIN, MEMBER } from './console-node.ts'
import { during } from './during.ts'
import { useConsole } from './use-console.ts'

let greeted: string
let failed: string

const { node, tour } = useConsole({
  fill: async () => {
    greeted = await node.runToEnd('greet', { name: 'Ada', times: 3 })
    failed = await node.runToEnd('fail', {})
  },
})

describe('signing in', { timeout: 120_000 }, () => {
  test('requires a password, reports a wrong one, and goes on to the requested page', () =>
    during(tour.visit('light', null), async ({ page, barriers, picture }) => {
      await page.goto(`/ui/w/default/jobs?status=failure`)
      await page.getByRole('heading', { name: 'Sign in' }).first().waitFor()
      await picture('sign-in')
      expect(await barriers()).toEqual([])
      await page.getByLabel('E-mail').fill(ADMIN.email)
      await page.getByLabel('Password').fill('wrong')
      await page.keyboard.press('Enter')
      await page.getByText('E-mail address or password is wrong.').first().waitFor()
      await page.getByLabel('Password').fill(ADMIN.password)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('link', { name: 'sample/fail' }).first().waitFor()
      // the filters suggest existing names
      const offered = (at: number): Promise<unknown> =>
        page.evaluate(
          `[...(document.querySelectorAll('search input')[${at}].list?.options ?? [])].map(({ value }) => value)`,
        )
      await expect.poll(() => offered(0)).toContain('sample')
      await page.getByLabel('App', { exact: true }).fill('sample')
      await expect.poll(() => offered(1)).toEqual(expect.arrayContaining(['fail', 'greet']))
      await page.getByLabel('App', { exact: true }).fill('')
      await page.waitForURL(/jobs\?status=failure$/)
      expect(page.url()).toContain('/ui/w/default/jobs?status=failure')
      await expect.poll(() => page.getByRole('link', { name: 'sample/greet' }).count()).toBe(0)
    }))

  test('ends by the menu, and leaves nothing behind', () =>
    during(tour.visitInNewSession('light', ADMIN), async ({ page }) => {
      await page.goto('/')
      await page.getByRole('heading', { name: 'Overview' }).first().waitFor()
      expect(page.url()).toBe(`${node.url}/ui/w/default`)
      const kept = () =>
        page.evaluate(`Object.keys(sessionStorage).filter((key) => key.startsWith('svc.draft.'))`)
      await openPage(page, '/ui/w/default/apps/sample/actions/greet')
      await page.getByLabel('Name').fill('Typed by me')
      await expect.poll(kept).toHaveLength(1)
      await page.getByRole('button', { name: 'Account and settings' }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      await page.getByRole('heading', { name: 'Sign in' }).first().waitFor()
      await expect.poll(kept).toEqual([])
      await page.goBack()
      await page.getByRole('heading', { name: 'Sign in' }).first().waitFor()
    }))
})

test(
  'a list asks for sign-in when the session has ended elsewhere, and comes back',
  {
    timeout: 120_000,
  },
  () =>
    during(tour.visitInNewSession('light', ADMIN), async ({ page }) => {
      await page.goto('/ui/w/default/jobs?status=success')
      await page.getByRole('link', { name: 'sample/greet' }).first().waitFor()
      // as if another page had signed out
      await page.context().clearCookies()
      await page.getByRole('heading', { name: 'Sign in' }).first().waitFor()
      await page.getByText('Your session has ended.').waitFor()
      await page.getByLabel('E-mail').fill(ADMIN.email)
      await page.getByLabel('Password').fill(ADMIN.password)
      await page.keyboard.press('Enter')
      await page.getByRole('link', { name: 'sample/greet' }).first().waitFor()
      expect(page.url()).toBe(`${node.url}/ui/w/default/jobs?status=success`)
    }),
)

describe('the list of jobs', { timeout: 120_000 }, () => {
  test('shows a new job and its end without a reload', () =>
    during(tour.visit('light', ADMIN), async ({ page }) => {
      await page.goto('/ui/w/default/jobs')
      await page.getByRole('link', { name: 'sample/greet' }).first().waitFor()
      await node.runToEnd('slow', { seconds: 0.2 })
      const row = page.getByRole('row').filter({ hasText: 'sample/slow' })
      await row.getByText('Success').first().waitFor()
    }))

  test('loses a job that no longer matches its filter, without a reload', () =>
    during(tour.visit('light', ADMIN), async ({ page }) => {
      const { job_id: id } = await node.api.post('/jobs/run/{app}/{action}', {
        params: { app: 'sample', action: 'slow' },
        body: { seconds: 120 },
      })
      await page.goto('/ui/w/default/jobs?status=running')
      await page.locator(`a[href$="${id}"]`).first().waitFor()
      await node.api.post('/jobs/{id}/cancel', { params: { id }, body: {} })
      await expect.poll(() => page.locator(`a[href$="${id}"]`).count()).toBe(0)
    }))

  test('is filtered by the address, and goes from row to row by keys', () =>
    during(tour.visit('light', ADMIN), async ({ page }) => {
      await page.goto('/ui/w/default/jobs')
      await page.getByLabel('Status').selectOption('failure')
      await page.waitForURL(/status=failure/)
      const failure = page.getByRole('link', { name: 'sample/fail' })
      await failure.first().waitFor()
      await page.reload()
      await failure.first().waitFor()
      await page.getByRole('button', { name: 'Clear' }).click()
      await page.getByRole('link', { name: 'sample/greet' }).first().waitFor()
      await page.getByRole('row').nth(1).getByRole('link').focus()
      await page.keyboard.press('j')
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/jobs\/[0-9a-f-]{36}/)
      await page
        .getByRole('heading', { level: 1, name: /sample\// })
        .first()
        .waitFor()
    }))

  test('replays all failed jobs of an app, and shows how far it is', () =>
    during(tour.visit('light', ADMIN), async ({ page, barriers }) => {
      await page.goto('/ui/w/default/jobs?app=sample')
      await page.getByRole('link', { name: 'sample/fail' }).first().waitFor()
      await expect.poll(() => page.getByRole('button', { name: 'Replay all' }).count()).toBe(0)
      await page.getByLabel('Status').selectOption('failure')
      await page.getByRole('button', { name: 'Replay all' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText(/^\d+ jobs? match(?:es)? the filters\.$/).waitFor()
      expect(await barriers()).toEqual([])
      await dialog.getByRole('button', { name: 'Replay all' }).click()
      await dialog.getByText(/^(\d+) of \1 done\.\s*$/).waitFor()
      await dialog.getByRole('button', { name: 'Close' }).last().click()
      await expect.poll(() => dialog.count()).toBe(0)
    }))

  test('replays the failed jobs that were selected, and lists it among the operations', () =>
    during(tour.visit('light', ADMIN), async ({ page, barriers, picture }) => {
      await node.runToEnd('fail', {})
      const before = (await node.api.get('/operations')).items.length
      await page.goto('/ui/w/default/jobs')
      await page.getByRole('link', { name: 'Failed', exact: true }).click()
      await page.waitForURL(/jobs\?status=failure&dismissed=no$/)
      const boxes = page.getByRole('checkbox', { name: 'Select sample/fail' })
      await boxes.nth(1).waitFor()
      await page.getByRole('checkbox', { name: 'Select all rows shown' }).check()
      const count = await boxes.count()
      await page.getByText(`${count} selected`).waitFor()
      await boxes.first().uncheck()
      await page.getByText(`${count - 1} selected`).waitFor()
      expect(await barriers()).toEqual([])
      await picture('jobs-selected')
      await page.getByRole('button', { name: 'Replay selected' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText(`${count - 1} of ${count - 1} selected jobs.`).waitFor()
      await dialog.getByRole('button', { name: 'Replay selected' }).click()
      await dialog.getByText(`${count - 1} of ${count - 1} done.`).waitFor()
      await dialog.getByRole('button', { name: 'Close' }).last().click()
      await expect.poll(() => page.getByText(/selected$/).count()).toBe(0)
      await page.getByRole('link', { name: 'Operations' }).click()
      const rows = page.getByRole('table', { name: 'Operations' }).getByRole('row')
      await expect.poll(() => rows.count()).toBe(before + 2)
      await rows
        .nth(1)
        .getByText(`${count - 1}/${count - 1}`)
        .waitFor()
      await rows.nth(1).getByRole('link', { name: 'Replay' }).click()
      await page.getByRole('dialog', { name: 'Replay' }).getByText(ADMIN.email).waitFor()
    }))

  test('dismisses failed jobs that were selected, with undo', () =>
    during(tour.visit('light', ADMIN), async ({ page, barriers }) => {
      await node.runToEnd('fail', {})
      await page.goto('/ui/w/default/jobs?status=failure&dismissed=no')
      const boxes = page.getByRole('checkbox', { name: 'Select sample/fail' })
      await boxes.nth(1).waitFor()
      const count = await boxes.count()
      await boxes.first().check()
      await page.getByRole('button', { name: 'Dismiss', exact: true }).click()
      await page.getByText('1 job dismissed').waitFor()
      await expect.poll(() => boxes.count()).toBe(count - 1)
      expect(await barriers()).toEqual([])
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText('1 job put back').waitFor()
      await expect.poll(() => boxes.count()).toBe(count)
      await openPage(page, `/ui/w/default/jobs/${failed}`)
      await page.getByRole('button', { name: 'Dismiss', exact: true }).click()
      await page.getByRole('button', { name: 'Put back' }).click()
      await page.getByRole('button', { name: 'Dismiss', exact: true }).waitFor()
    }))

  test('cancels all jobs that match, also those that were not selected', () =>
    during(tour.visit('light', ADMIN), async ({ page }) => {
      const later = new Date(Date.now() + 3_600_000).toISOString()
      const item = { app: 'sample', action: 'slow', scheduled_for: later }
      const { job_ids: ids } = await node.api.post('/jobs/batch', { body: { items: [item, item] } })
      await page.goto('/ui/w/default/jobs?action=slow')
      const boxes = page.getByRole('checkbox', { name: 'Select sample/slow' })
      await boxes.first().check()
      await expect.poll(() => page.getByRole('button', { name: 'Replay' }).count()).toBe(0)
      await page.getByRole('button', { name: 'Select all that match' }).click()
      await page.getByRole('button', { name: 'Cancel all' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Cancel all' }).click()
      await dialog.getByText(/^(\d+) of \1 done\.\s*$/).waitFor()
      const jobs = await Promise.all(
        ids.map((id) => node.api.get('/jobs/{id}', { params: { id } })),
      )
      expect(jobs.map(({ status }) => status)).toEqual(['canceled', 'canceled'])
    }))

  test('teaches the next step where there is nothing', () =>
    during(tour.visit('light', ADMIN), async ({ page }) => {
      await page.goto('/ui/w/default/jobs?app=nobody')
      await page.getByRole('heading', { name: 'No matching jobs' }).first().waitFor()
    }))
})

/** Hides the page and shows it again, and remembers whether its log was empty since. */
const HIDE_AND_SHOW = `
  globalThis.wasEmpty = false
  new MutationObserver(() => {
    globalThis.wasEmpty ||= document.body.innerText.includes('No log output yet')
  }).observe(document.body, { subtree: true, childList: true })
  const turn = (hidden) => new Promise((resolve) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden })
    document.dispatchEvent(new Event('visibilitychange'))
    requestAnimationFrame(() => requestAnimationFrame(resolve))
  })
  turn(true).then(() => turn(false))
`

describe('a job', { timeout: 120_000 }, () => {
  test('shows its result, its input and its log', () =>
    during(tour.visit('light', ADMIN), async ({ page }) => {
      await page.goto(`/ui/w/default/jobs/${greeted}`)
      await page.getByText('"Hello, Ada!"').first().waitFor()
      await page.getByRole('tab', { name: 'Input' }).click()
      await page.getByText('"Ada"', { exact: true }).first().waitFor()
      await page.getByRole('tab', { name: 'Log' }).click()
      await page.getByText(', Ada 2').first().waitFor()
      // the colour is a class, and escape sequences are removed
      expect(await page.getByRole('region', { name: 'Log' }).textContent()).not.toContain('[32m')
    }))

  test('has a log with times and streams that can be searched and copied', () =>
    during(tour.visit('light', ADMIN), async ({ page, barriers }) => {
      await page.goto(`/ui/w/default/jobs/${greeted}?tab=log`)
      const log = page.getByRole('region', { name: 'Log' })
      await log
        .getByText(/^\d\d:\d\d:\d\d\.\d{3}$/)
        .first()
        .waitFor()
      expect(await log.getByText('log', { exact: true }).count()).toBe(3)
      await page.keyboard.press('/')
      await page.keyboard.type('ada 1')
      await page.getByText('1 of 1', { exact: true }).waitFor()
      expect(await log.locator('mark').allTextContents()).toEqual(['Ada 1'])
      expect(await barriers()).toEqual([])
      await page.getByRole('button', { name: 'Copy the log' }).click()
      await page.getByRole('button', { name: 'Copied' }).waitFor()
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
        'Hello, Ada 0\nHello, Ada 1\nHello, Ada 2\n',
      )
      await page.getByRole('button', { name: 'Show times and streams' }).click()
      await expect.poll(() => log.locator('time').count()).toBe(0)
      await openPage(page, `/ui/w/default/jobs/${failed}?tab=log`)
      await log.locator('[data-stream=stderr]').first().waitFor()
    }))

  test('opens a long log at its end', () =>
    during(tour.visit('light', ADMIN), async ({ page }) => {
      const chatty = await node.runToEnd('greet', { name: 'Ada', times: 30_000 })
      await page.goto(`/ui/w/default/jobs/${chatty}?tab=log`)
      await page
        .getByRole('region', { name: 'Log' })
        .getByText('Ada! 29999')
        .or(page.getByText('Ada 29999'))
        .waitFor()
    }))

  test('shows its durable steps, its progress and what it waits for', () =>
    during(tour.visit('light', ADMIN), async ({ page, barriers }) => {
      const params = { app: 'sample', action: 'rests' }
      const { job_id: id } = await node.api.post('/jobs/run/{app}/{action}', { params, body: {} })
      await page.goto(`/ui/w/default/jobs/${id}?tab=steps`)
      const steps = page.getByRole('list', { name: 'Durable steps' })
      await steps.getByText('pause').waitFor()
      await steps.getByText('prepare').waitFor()
      await page.getByText('40 % · before the pause').waitFor()
      await page.getByText('Waits for').waitFor()
      await page.getByText('Sleeping').waitFor()
      expect(await barriers()).toEqual([])
      // of thousands of steps, the last ones can be reached too
      await page.route('**/steps?limit=100', (route) =>
        route.continue({ url: route.request().url().replace('limit=100', 'limit=1') }),
      )
      await page.reload()
      await steps.getByText('prepare').waitFor()
      expect(await steps.getByText('pause').count()).toBe(0)
      await page.getByRole('button', { name: 'Show more' }).click()
      await steps.getByText('pause').waitFor()
    }))

  test('leads from the step of a called flow to its run', () =>
    during(tour.visit('light', ADMIN), async ({ page }) => {
      const params = { app: 'sample', action: 'calls' }
      const { job_id: id } = await node.api.post('/jobs/run/{app}/{action}', { params, body: {} })
      await page.goto(`/ui/w/default/jobs/${id}?tab=steps`)
      await page.getByRole('link', { name: 'called flow run' }).click()
      await page.waitForURL(/\/flow-runs\/[\da-f-]{36}/)
    }))

  test('shows the event that it waits for, and sends it', () =>
    during(tour.visit('light', MEMBER), async ({ page, barriers, picture }) => {
      const { job_id: id } = await node.api.post('/jobs/run/{app}/{action}', {
        params: { app: 'sample', action: 'awaits' },
        body: { order: 'A-17' },
      })
      await page.goto(`/ui/w/default/jobs/${id}`)
      const waits = page.getByRole('region', { name: 'Waits for an event' })
      await waits.getByText('A-17').waitFor()
      await picture('job-event')
      await waits.getByRole('button', { name: 'Send event' }).click()
      const dialog = page.getByRole('dialog', { name: 'Send order.paid' })
      await dialog.locator('.cm-content').fill('{"amount": 9000}')
      expect(await barriers()).toEqual([])
      await dialog.getByRole('button', { name: 'Send event' }).click()
      await page.getByText('Event sent to 1 receiver').first().waitFor()
      await page.getByText('9000').first().waitFor()
      await expect.poll(() => waits.count()).toBe(0)
    }))

  test('shows why it failed', () =>
    during(tour.visit('light', ADMIN), async ({ page }) => {
      await page.goto(`/ui/w/default/jobs/${failed}`)
      await page.getByText('It went wrong on purpose.', { exact: true }).first().waitFor()
      await page.getByRole('link', { name: 'fail.ts:1:35' }).click()
      await page.waitForURL(/\/apps\/sample\/code\?.*file=fail\.ts&line=1$/)
      const line = page.locator('.cm-marked')
      await line.filter({ hasText: 'throw new RangeError' }).waitFor()
    }))

  test('has an action whose code is there to read, with lines that can be linked to', () =>
    during(tour.visit('light', ADMIN), async ({ page, barriers }) => {
      await page.goto('/ui/w/default/apps/sample/actions/flaky')
      await page.getByRole('tab', { name: 'Code' }).click()
      await page.getByText('The bank was closed at attempt').waitFor()
      await page.locator('.cm-lineNumbers').getByText('2', { exact: true }).click()
      await page.waitForURL(/tab=code&file=flaky\.ts&line=2$/)
      await page.reload()
      await page.locator('.cm-marked').filter({ hasText: 'ctx.job.attempt < 3' }).waitFor()
      expect(await barriers()).toEqual([])
      await page.getByRole('button', { name: 'app.yaml' }).click()
      await page.getByText('key: sample').waitFor()
    }))

  test('shows each of its attempts: who ran it, how it ended and why', () =>
    during(tour.visit('light', ADMIN), async ({ page, barriers, picture }) => {
      const id = await node.runToEnd('flaky', {})
      await page.goto(`/ui/w/default/jobs/${id}`)
      await page.getByRole('tab', { name: 'Attempts 3' }).click()
      await page.waitForURL(/tab=attempts/)
      const attempts = page.getByRole('tabpanel', { name: 'Attempts 3' }).getByRole('listitem')
      await attempts.first().waitFor()
      const texts = await attempts.allTextContents()
      expect(texts).toEqual([
        expect.stringMatching(/^Attempt 3Success.*Worker/),
        expect.stringMatching(
          /^Attempt 2Failure.*Worker.*Error The bank was closed at attempt 2\.$/,
        ),
        expect.stringMatching(
          /^Attempt 1Failure.*Worker.*Error The bank was closed at attempt 1\.$/,
        ),
      ])
      expect(await barriers()).toEqual([])
      await picture('attempts')
    }))

  test('is followed while it runs, and canceled after a question', () =>
    during(tour.visit('light', ADMIN), async ({ page }) => {
      const { job_id: id } = await node.api.post('/jobs/run/{app}/{action}', {
        params: { app: 'sample', action: 'slow' },
        body: { seconds: 120 },
      })
      await page.goto(`/ui/w/default/jobs/${id}`)
      await page
        .getByText(/^tick 3$/)
        .first()
        .waitFor()
      // a page that was hidden follows the log again, and shows what it had meanwhile
      await page.evaluate(HIDE_AND_SHOW)
      await page
        .getByText(/^tick 6$/)
        .first()
        .waitFor()
      expect(await page.evaluate('globalThis.wasEmpty')).toBe(false)
      await page.getByRole('button', { name: 'Cancel job' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Cancel job' }).click()
      await page.getByText('Canceled').first().waitFor()
      await expect.poll(() => page.getByRole('button', { name: 'Cancel job' }).count()).toBe(0)
    }))

  test('is run once, even if the answer is lost and the form is sent again', () =>
    during(tour.visit('light', ADMIN), async ({ page }) => {
      await page.goto('/ui/w/default/apps/sample/actions/greet')
      await page.getByLabel('Name').fill('Only once')
      await page.route(
        /jobs\/run\/sample\/greet/,
        async (route) => {
          await route.fetch()
          await route.abort()
        },
        { times: 1 },
      )
      await page.getByRole('button', { name: 'Run now' }).click()
      await page.getByText('Cannot reach the server.').first().waitFor()
      const newest = async () =>
        (await node.api.get('/jobs', { query: { app: 'sample', action: 'greet', limit: 1 } }))
          .items[0]?.id
      const first = await newest()
      await page.getByRole('button', { name: 'Run now' }).click()
      await page.waitForURL(/\/jobs\/[0-9a-f-]{36}/)
      expect(page.url()).toContain(first)
      expect(await newest()).toBe(first)
    }))

  test('is not opened if the person who started it has left the page', () =>
    during(tour.visit('light', ADMIN), async ({ page }) => {
      await page.goto('/ui/w/default/apps/sample/actions/greet')
      await page.getByLabel('Name').fill('Left early')
      let answer = (): void => undefined
      const isLeft = new Promise<void>((resolve) => {
        answer = resolve
      })
      await page.route(/jobs\/run\/sample\/greet/, async (route) => {
        const response = await route.fetch()
        await isLeft
        await route.fulfill({ response })
      })
      await page.getByRole('button', { name: 'Run now' }).click()
      await page.getByRole('link', { name: 'Schedules' }).first().click()
      await page.getByRole('heading', { level: 1, name: 'Schedules' }).first().waitFor()
      const answered = page.waitForResponse(/jobs\/run\/sample\/greet/)
      answer()
      await (await answered).finished()
      // the text is forgotten once the answer was handled
      await expect
        .poll(() => page.evaluate('JSON.stringify(sessionStorage)'))
        .not.toContain('Left early')
      expect(page.url()).toContain('/schedules')
    }))

  test('is run again with a form that its action’s schema makes', () =>
    during(tour.visit('light', ADMIN), async ({ page, barriers, picture }) => {
      await page.goto(`/ui/w/default/jobs/${greeted}`)
      await page.getByRole('button', { name: 'Run again' }).click()
      await page.getByLabel('Name').fill('Grace')
      await picture('run-again')
      expect(await barriers()).toEqual([])
      await page.getByRole('tab', { name: 'JSON' }).click()
      await page.locator('.cm-content').getByText('"Grace"').first().waitFor()
      expect(await barriers()).toEqual([])
      await page.getByRole('button', { name: 'Run', exact: true }).click()
      await page.getByText('"Hello, Grace!"').first().waitFor()
      expect(page.url()).not.toContain(greeted)
    }))

  test('of another person offers a member nothing that would be refused', () =>
    during(tour.visit('light', MEMBER), async ({ page }) => {
      await page.goto(`/ui/w/default/jobs/${greeted}?tab=input`)
      await page
        .getByText('Only admins and the person who started the job can see its input.')
        .first()
        .waitFor()
      await expect.poll(() => page.getByRole('button', { name: 'Run again' }).count()).toBe(0)
    }))

  test('that does not exist is said so', () =>
    during(
      tour.visit('light', ADMIN),
      async ({ page }) => {
        await page.goto('/ui/w/default/jobs/00000000-0000-7000-8000-000000000000')
        await page.getByRole('alert').first().waitFor()
      },
      // the browser reports the refused request
      /404/,
    ))
})

describe('the frame', { timeout: 120_000 }, () => {
  test('goes anywhere by the palette and by keys', () =>
    during(tour.visit('light', ADMIN), async ({ page, barriers, picture }) => {
      await page.goto('/ui/w/default')
      await page.getByRole('heading', { name: 'Overview' }).first().waitFor()
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').getByRole('combobox').fill('job')
      await picture('palette')
      expect(await barriers()).toEqual([])
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Jobs' }).first().waitFor()
      await page.keyboard.press('g')
      await page.keyboard.press('o')
      await page.getByRole('heading', { level: 1, name: 'Overview' }).first().waitFor()
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).first().waitFor()
    }))

  test('finds what is deployed by the palette, opens the form of a run, and keeps what was last', () =>
    during(tour.visit('light', ADMIN), async ({ page, barriers }) => {
      await page.goto('/ui/w/default')
      await page.getByRole('heading', { name: 'Overview' }).first().waitFor()
      const open = async (text: string, label: string): Promise<void> => {
        await page.keyboard.press('Control+k')
        await page.getByRole('combobox').fill(text)
        await page.getByRole('option', { name: label }).first().waitFor()
      }
      await open('run sample/gre', 'Run sample/greet')
      expect(await barriers()).toEqual([])
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Run now' }).waitFor()
      await open('run pair', 'Start sample/pair')
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').getByRole('button', { name: 'Start' }).waitFor()
      await page.keyboard.press('Escape')
      await page.waitForURL(/\/flows\/sample\/pair$/)
      await open(greeted, greeted)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'sample/greet' }).waitFor()
      await open('', 'Start sample/pair')
      expect(await page.getByRole('option').allTextContents()).toEqual(
        expect.arrayContaining(['Start sample/pairRecent', 'Run sample/greetRecent']),
      )
    }))

  test('switches to Korean and to dark, and keeps both', () =>
    during(tour.visit('light', ADMIN), async ({ page }) => {
      await page.goto('/ui/w/default/jobs')
      await page.getByRole('button', { name: 'Account and settings' }).click()
      await page.getByRole('menuitemradio', { name: '한국어' }).click()
      await page.getByRole('heading', { level: 1, name: '작업' }).first().waitFor()
      await page.getByRole('button', { name: '계정 및 설정' }).click()
      await page.getByRole('menuitemradio', { name: '어둡게' }).click()
      await page.reload()
      await page.getByRole('heading', { level: 1, name: '작업' }).first().waitFor()
      await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('ko')
      await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark')
    }))

  test('shows that the server is away, and goes on by itself when it is back', () =>
    during(tour.visit('light', ADMIN), async ({ page }) => {
      await page.goto('/ui/w/default/jobs')
      await page.getByRole('link', { name: 'sample/greet' }).first().waitFor()
      await node.pause()
      await page.getByText('The server is not responding.').first().waitFor()
      await node.restart()
      await expect.poll(() => page.getByText('The server is not responding.').count()).toBe(0)
      const id = await node.runToEnd('greet', { name: 'Back' })
      await page.locator(`a[href$="${id}"]`).first().waitFor()
    }))
})

test.each([
  ['overview', '/ui/w/default', 'h1'],
  ['jobs', '/ui/w/default/jobs', '[data-row-link]'],
  ['operations', '/ui/w/default/operations', '[data-row-link]'],
  ['nowhere', '/ui/nowhere', 'main h2'],
] as const)(
  '%s keeps the manners in every look',
  { timeout: 180_000 },
  async (name, path, ready) => {
    expect(await lookAt(tour, { name, path, ready, who: ADMIN })).toEqual([])
  },
)

test('a job keeps the manners in every look', { timeout: 180_000 }, async () => {
  const path = `/ui/w/default/jobs/${greeted}`
  const options = { name: 'job', path, ready: '[role=tabpanel] button', who: ADMIN }
  expect(await lookAt(tour, options)).toEqual([])
  const retried = `/ui/w/default/jobs/${await node.runToEnd('flaky', {})}?tab=attempts`
  const attempts = { name: 'job-attempts', path: retried, ready: '[role=tabpanel] li', who: ADMIN }
  expect(await lookAt(tour, attempts)).toEqual([])
})
