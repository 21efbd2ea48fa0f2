/** The overview and the account: first steps in an empty workspace, and where a person is signed in. */
import { setTimeout } from 'node:timers/promises'
import { Secret, TOTP } from 'otpauth'
import { expect, test } from 'vitest'
import { openPage } from './browser.ts'
import { ADMIN, MEMBER, SAMPLE_APP } from './console-node.ts'
import { during } from './during.ts'
import { useConsole } from './use-console.ts'

const HOME = '/ui/w/default'
/** The length of an interval of figures of a day, in milliseconds. */
const INTERVAL_MS = 900_000
/** Long enough to run a job and open its interval in a browser, in milliseconds. */
const ENOUGH_MS = 20_000
/** Longer than a list waits before it is read again, in milliseconds. */
const READ_AGAIN_MS = 6_000

const { node, tour } = useConsole({ app: null })

const runExample = () =>
  node.api.fetch('/api/w/default/jobs/run/example/hello/wait', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"name":"Ada"}',
  })

/** Runs the example so that the last interval of its figures has a job, and does not end during the test. */
const runInLastInterval = async (): Promise<void> => {
  const left = INTERVAL_MS - (Date.now() % INTERVAL_MS)
  if (left < ENOUGH_MS) await setTimeout(left)
  await runExample()
}

test(
  'an empty workspace shows first steps that tick themselves and go when all are done',
  {
    timeout: 120_000,
  },
  () =>
    during(tour.visit('light', ADMIN), async ({ page, barriers, picture }) => {
      await page.goto(HOME)
      await page.getByRole('heading', { name: 'First steps' }).waitFor()
      await page
        .getByText(/^svc login http.* && svc init my-app && cd my-app && svc deploy$/)
        .waitFor()
      // a second person was invited when the node started
      await page.getByText('1 of 5 done').waitFor()
      expect(await barriers()).toEqual([])
      await picture('first-steps')

      await page.getByRole('button', { name: 'Make an example app' }).click()
      await page.getByText('2 of 5 done').waitFor()
      await page.getByRole('link', { name: 'Open example/hello' }).waitFor()
      // by the API, because the page of a running job shows its log, which would complete the next step
      await runExample()
      await page.getByText('3 of 5 done').waitFor()
      await page.getByRole('link', { name: 'Open the latest log' }).click()
      await page.getByRole('region', { name: 'Log' }).waitFor()
      await openPage(page, HOME)
      await page.getByText('4 of 5 done').waitFor()

      await node.api.post('/schedules', {
        body: {
          app_key: 'example',
          action_key: 'hello',
          cron: '0 9 * * *',
          input: { name: 'Ada' },
        },
      })
      await expect.poll(() => page.getByRole('heading', { name: 'First steps' }).count()).toBe(0)
      await page.reload()
      await page.getByRole('heading', { name: 'Next schedules' }).waitFor()
      expect(await page.getByRole('heading', { name: 'First steps' }).count()).toBe(0)
    }),
)

test(
  'figures of the workspace and of an app are charts, sentences and tables',
  {
    timeout: 120_000,
  },
  () =>
    during(tour.visit('all', ADMIN), async ({ page, barriers, picture }) => {
      await runInLastInterval()
      await page.goto('/ui/w/default/apps/example?tab=figures')
      for (const title of ['실행', '소요 시간', '대기 시간']) {
        await page.getByRole('img', { name: new RegExp(`^${title}\\. .+`) }).waitFor()
      }
      await page.locator('canvas').nth(2).waitFor()
      await page.getByText('표로 보기').first().click()
      await page.getByRole('table', { name: '실행' }).getByRole('row').nth(1).waitFor()
      expect(await barriers()).toEqual([])
      // a point links to its jobs
      await page.getByRole('table', { name: '실행' }).getByRole('link').last().click()
      await page.waitForURL(/jobs\?app=example&since=.+&until=/)
      await page.getByRole('link', { name: 'example/hello' }).first().waitFor()
      await openPage(page, '/ui/w/default/apps/example/actions/hello?tab=figures')
      const over = page.locator('.u-over').first()
      await over.waitFor()
      // the last interval, at the right edge
      const { width = 0, height = 0 } = (await over.boundingBox()) ?? {}
      await over.click({ position: { x: width - 2, y: height - 2 } })
      await page.waitForURL(/jobs\?app=example&action=hello&since=/)
      await page.getByRole('link', { name: 'example/hello' }).first().waitFor()
      expect(await barriers()).toEqual([])
      await openPage(page, HOME)
      await page.locator('canvas').nth(1).waitFor()
      expect(await barriers()).toEqual([])
      await picture('figures')
      // with a slow server, the numbers arrive in places that are there before
      await page.route('**/jobs/summary?*', () => undefined)
      await page.reload()
      await page
        .getByRole('region', { name: '작업' })
        .getByRole('link', { name: '성공 –' })
        .waitFor()
      await page.unroute('**/jobs/summary?*')
    }),
)

test('workers that ran jobs are listed with their jobs over time', { timeout: 60_000 }, () =>
  during(tour.visit('light', ADMIN), async ({ page, barriers }) => {
    await openPage(page, '/ui/w/default/workers?span=1h')
    const card = page.getByRole('region', { name: 'Workers over time' })
    await card.getByRole('img', { name: /^[1-9]\d* jobs? over this time$/ }).waitFor()
    expect(await card.getByRole('row').count()).toBe(2)
    expect(await barriers()).toEqual([])
  }),
)

test('a person to whom the steps mean nothing does not see them', { timeout: 60_000 }, () =>
  during(tour.visit('light', MEMBER), async ({ page }) => {
    await page.goto(HOME)
    await page.getByRole('heading', { name: 'Next schedules' }).waitFor()
    expect(await page.getByRole('heading', { name: 'First steps' }).count()).toBe(0)
  }),
)

test('the account page signs out other sessions, one or all', { timeout: 120_000 }, () =>
  during(tour.visitInNewSession('light', MEMBER), async ({ page, barriers }) => {
    const others = await Promise.all([
      tour.visitInNewSession('light', MEMBER),
      tour.visitInNewSession('light', MEMBER),
    ])
    await page.goto(`${HOME}/account`)
    const card = page.getByRole('region', { name: 'Where you are signed in' })
    await card.getByText('This session').waitFor()
    expect(await barriers()).toEqual([])
    const rows = card.getByRole('row')
    const before = await rows.count()
    await card
      .getByRole('button', { name: /^Sign out \d/ })
      .first()
      .click()
    await expect.poll(() => rows.count()).toBe(before - 1)
    await card.getByRole('button', { name: 'Sign out all others' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out all others' }).click()
    // the header and this session
    await expect.poll(() => rows.count()).toBe(2)
    for (const other of others) {
      expect((await other.page.request.get('/api/auth/me')).status()).toBe(401)
      await other.close()
    }
  }),
)

test(
  'two-factor sign-in is set up with an app, requested after the password, and turned off',
  {
    timeout: 180_000,
  },
  () =>
    during(
      tour.visitInNewSession('light', MEMBER),
      async ({ page, barriers, picture }) => {
        await page.goto(`${HOME}/account`)
        const card = page.getByRole('region', { name: 'Two-factor sign-in' })
        await card.getByLabel('Your password').fill(MEMBER.password)
        await card.getByRole('button', { name: 'Set up' }).click()
        await card.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
        await picture('two-factor')
        expect(await barriers()).toEqual([])
        const secret = (await card.getByText(/^[A-Z2-7]{32}$/).textContent()) ?? ''
        const codeAt = (steps: number): string =>
          new TOTP({ secret: Secret.fromBase32(secret) }).generate({
            timestamp: Date.now() + steps * 30_000,
          })
        await card.getByRole('textbox', { name: 'Code' }).fill(codeAt(-1))
        await card.getByRole('button', { name: 'Turn on' }).click()
        const dialog = page.getByRole('dialog', { name: 'Recovery codes' })
        await dialog.getByText(/^(?:[a-z2-9]{5}-[a-z2-9]{5}\s*){10}$/).waitFor()
        expect(await barriers()).toEqual([])
        await dialog.getByRole('button', { name: 'I have copied it' }).click()
        await card.getByText('10 recovery codes are left').waitFor()

        await page.request.post('/api/auth/logout')
        await page.goto('/ui/sign-in')
        await page.getByLabel('E-mail').fill(MEMBER.email)
        await page.getByLabel('Password').fill(MEMBER.password)
        await page.getByRole('button', { name: 'Sign in' }).click()
        await page.getByRole('textbox', { name: 'Code' }).fill(codeAt(0))
        expect(await barriers()).toEqual([])
        await page.getByRole('button', { name: 'Sign in' }).click()
        await page.waitForURL(/\/ui\/w\//)
        await openPage(page, `${HOME}/account`)
        await card.getByRole('textbox', { name: 'Code' }).fill(codeAt(1))
        await card.getByRole('button', { name: 'Turn off' }).click()
        await card.getByRole('button', { name: 'Set up' }).waitFor()
      },
      /401/,
    ),
)

test('the page of a proxy in front of svc is not shown as its message', { timeout: 60_000 }, () =>
  during(
    tour.visit('light', ADMIN),
    async ({ page }) => {
      const body = '<html><h1>Refused</h1></html>'
      await page.route('**/api/w/default/tokens*', (route) =>
        route.fulfill({ status: 418, contentType: 'text/html', body }),
      )
      await page.goto('/ui/w/default/tokens')
      await page.getByText('A proxy in front of svc answered HTTP 418.').first().waitFor()
      expect(await page.getByText('<h1>').count()).toBe(0)
      await page.unrouteAll()
    },
    /status of 418/,
  ),
)

test('a page that cannot load keeps its error while it tries again', { timeout: 120_000 }, () =>
  during(
    // in a session of its own, because the clock of its tab is replaced for good
    tour.visitInNewSession('light', ADMIN),
    async ({ page }) => {
      await node.deploy(SAMPLE_APP)
      await page.clock.install()
      const main = page.locator('main')
      const limit = { status: 429, json: { error: 'Too many.', code: 'rate_limited' } }
      await page.route('**/api/w/default/apps?*', (route) => route.fulfill(limit))
      await page.goto(`${HOME}/apps`)
      const retry = main.getByRole('button', { name: 'Try again' })
      /** Lets the page try as often as it does before it shows an error, for which it waits for seconds. */
      const untilTried = (isTried: () => Promise<boolean>): Promise<void> =>
        expect
          .poll(async () => {
            if (await isTried()) return true
            await page.clock.fastForward(2_000)
            return false
          })
          .toBe(true)
      await untilTried(async () => (await retry.count()) === 1)
      await page.evaluate(`globalThis.sawLoading = false
        new MutationObserver(() => {
          if (/Loading/.test(document.querySelector('main').innerText)) globalThis.sawLoading = true
        }).observe(document.querySelector('main'), { childList: true, subtree: true })`)
      await retry.click()
      await expect.poll(() => retry.isDisabled()).toBe(true)
      await untilTried(async () => !(await retry.isDisabled()))
      const later = page.waitForResponse('**/api/w/default/apps?*')
      await page.clock.fastForward(READ_AGAIN_MS)
      await later
      expect(await page.evaluate('globalThis.sawLoading')).toBe(false)
      await page.unrouteAll({ behavior: 'wait' })
      await page.clock.fastForward(READ_AGAIN_MS)
      await page.getByRole('link', { name: 'sample' }).first().waitFor()
      expect(await page.evaluate('globalThis.sawLoading')).toBe(false)
    },
    /status of 429/,
  ),
)

test(
  'the latest failures are one row for each action, with the newest error',
  { timeout: 120_000 },
  () =>
    during(tour.visit('light', ADMIN), async ({ page, barriers }) => {
      await node.deploy(SAMPLE_APP)
      for (const order of [1, 2]) await node.runToEnd('fail', { order })
      await page.goto(HOME)
      const card = page.getByRole('region', { name: 'Latest failures' })
      await card.getByText('RangeError: It went wrong on purpose.').waitFor()
      expect(await card.getByRole('listitem').count()).toBe(1)
      expect(await barriers()).toEqual([])
      await card.getByRole('link', { name: '2 failures' }).click()
      await page.waitForURL(/status=failure.*action=fail/)
      await expect.poll(() => page.locator('[data-row-link]').count()).toBe(2)
    }),
)
