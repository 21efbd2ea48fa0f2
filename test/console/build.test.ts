/** Apps with their actions, deployments and functions, as a person uses them, with a real node. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertHostClaims } from '#store/apps/hosts.ts'
import { openDatabase } from '#store/open-database.ts'
import { type DnsServer, startDnsServer } from '../support/dns-server.ts'
import { lookAt, openPage, type Visit } from './browser.ts'
import { ADMIN, MEMBER, SAMPLE_APP } from './console-node.ts'
import { during } from './during.ts'
import { useConsole } from './use-console.ts'

const PATIENT = { timeout: 240_000 }
const HOME = '/ui/w/default'

const ECHO_APP = {
  'app.yaml': 'key: echo\nname: Echo\n',
  'functions/hello/index.ts': `import { shout } from './shout'
export default (ctx) => {
  console.log('called by', ctx.method)
  if (ctx.query.fail) throw new RangeError('It went wrong on purpose.')
  ctx.set.headers['x-seen'] = ctx.headers['x-name'] ?? 'unknown'
  ctx.set.headers['x-cookie'] = ctx.headers.cookie ?? 'none'
  return { greeting: shout('hello ' + (ctx.query.name ?? ctx.body?.name)), method: ctx.method }
}
`,
  'functions/hello/shout.ts': 'export const shout = (text) => text.toUpperCase()\n',
  'functions/hello/function.yaml': 'description: Answers hello\nmethods: [GET, POST]\n',
}

const ORDER_APP = {
  'app.yaml': `key: order
actions:
  - key: take
    entrypoint: take.ts
    inputSchema:
      type: object
      properties:
        rows: { type: array, items: { type: object, properties: { count: { type: integer } } } }
        address:
          type: object
          required: [city, street]
          properties: { city: { type: string }, street: { type: string } }
`,
  'take.ts': 'export const main = () => 1',
}

let dns: DnsServer

beforeAll(async () => {
  dns = await startDnsServer()
})
afterAll(() => dns?.close())
const { node, tour } = useConsole({ settings: () => ({ SVC_DNS_SERVERS: dns.address }), app: null })

const asAdmin = (act: (visit: Visit) => Promise<void>, expected?: RegExp): Promise<void> =>
  during(tour.visit('light', ADMIN), act, expected)
const asMember = (act: (visit: Visit) => Promise<void>): Promise<void> =>
  during(tour.visit('light', MEMBER), act)

const look = async (name: string, path: string, ready: string): Promise<void> =>
  expect(await lookAt(tour, { name, path: `${HOME}${path}`, ready, who: ADMIN })).toEqual([])

describe('before anything is deployed', PATIENT, () => {
  test('the list of apps teaches the ways to deploy, in every look', () =>
    look('apps-empty', '/apps', 'main section h2'))

  test('an empty app is made, taught how to be filled, and deleted by typing its key', () =>
    asAdmin(async ({ page, barriers }) => {
      await page.goto(`${HOME}/apps`)
      await page.getByRole('button', { name: 'New app' }).click()
      const dialog = page.getByRole('dialog')
      // the first field has the focus
      await page.locator('input:focus').waitFor()
      await page.keyboard.type('empty')
      await expect.poll(() => dialog.getByLabel('Key').inputValue()).toBe('empty')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Nothing deployed yet' }).first().waitFor()
      await page.getByText('"application":{"id":"empty"}').first().waitFor()
      expect(await barriers()).toEqual([])
      await page.getByRole('link', { name: 'Start a draft' }).click()
      await expect.poll(() => dialog.getByLabel('App').inputValue()).toBe('empty')
      await page.goBack()
      await page.getByRole('button', { name: 'Delete app' }).click()
      const confirm = dialog.getByRole('button', { name: 'Delete app' })
      await expect.poll(() => confirm.isDisabled()).toBe(true)
      await dialog.getByLabel('Type empty to confirm').fill('empty')
      await confirm.click()
      await page.getByRole('heading', { name: 'No apps yet' }).first().waitFor()
      await page.getByText('svc init my-app && cd my-app && svc deploy').waitFor()
      expect(page.url()).toBe(`${node.url}${HOME}/apps`)
    }))

  test('a member sees who can deploy, and no deploy action', () =>
    asMember(async ({ page }) => {
      await page.goto(`${HOME}/apps`)
      await page.getByText('No app is deployed here yet.').first().waitFor()
      await expect.poll(() => page.getByRole('button', { name: 'New app' }).count()).toBe(0)
      await expect.poll(() => page.getByRole('link', { name: 'From git' }).count()).toBe(0)
    }))
})

describe('an action', PATIENT, () => {
  beforeAll(async () => {
    await node.deploy(SAMPLE_APP)
  })

  test('is found from the list of apps, run with a form, and its typing survives a reload', () =>
    asAdmin(async ({ page, barriers }) => {
      await page.goto(`${HOME}/apps`)
      await page.getByRole('link', { name: 'sample' }).click()
      await page.getByRole('link', { name: 'greet' }).click()
      await page.getByLabel('Name').fill('Ada')
      await page.reload()
      await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Ada')
      expect(await barriers()).toEqual([])
      await page.getByLabel('Name').press('Control+Enter')
      await page.getByText('"Hello, Ada!"').first().waitFor()
      // the draft is forgotten once it was sent
      await openPage(page, `${HOME}/apps/sample/actions/greet`)
      await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('')
    }))

  test('shows the server’s fault at the field', () =>
    asAdmin(async ({ page }) => {
      await page.goto(`${HOME}/apps/sample/actions/greet`)
      await page.getByLabel('Name').fill('Ada')
      await page.getByLabel('times').fill('0')
      await page.getByRole('button', { name: 'Run now' }).click()
      await page.getByRole('heading', { name: 'Could not start the job' }).first().waitFor()
      const field = page.getByLabel('times')
      await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
    }, /400/))

  test('asks for a part of a group only if the group is filled in, and shows faults inside of JSON', () =>
    asAdmin(async ({ page }) => {
      await node.deploy(ORDER_APP)
      await page.goto(`${HOME}/apps/order/actions/take`)
      const city = page.getByLabel('city')
      await city.fill('Seoul')
      const street = page.getByLabel('street')
      const required = () => street.getAttribute('required')
      await expect.poll(required).toBe('')
      await city.fill('')
      await expect.poll(required).toBe(null)
      await page.getByLabel('rows').fill('[{ "count": "many" }]')
      await page.getByRole('button', { name: 'Run now' }).click()
      await page.getByText('0.count must be a whole number.', { exact: true }).waitFor()
      await page.getByLabel('rows').fill('[]')
      await page.getByRole('button', { name: 'Run now' }).click()
      await page.waitForURL(/\/jobs\/[0-9a-f-]{36}$/)
    }, /400/))

  test('is queued for later with options', () =>
    asAdmin(async ({ page }) => {
      await page.goto(`${HOME}/apps/sample/actions/slow`)
      await page.getByText('Options').click()
      await page.getByLabel('Not before').fill('2099-01-31T09:00')
      await page.getByLabel('Priority').fill('7')
      await page.getByRole('button', { name: 'Run later' }).click()
      await page.getByText('Queued').first().waitFor()
      const id = page.url().split('/').at(-1) ?? ''
      const job = await node.api.get('/jobs/{id}', { params: { id } })
      expect(job).toMatchObject({ priority: 7, scheduled_for: '2099-01-31T00:00:00.000Z' })
    }))

  test('lists its own runs, as they come', () =>
    asAdmin(async ({ page }) => {
      await page.goto(`${HOME}/apps/sample/actions/fail?tab=runs`)
      await page.getByRole('heading', { name: 'No runs yet' }).first().waitFor()
      await node.runToEnd('fail', {})
      await page
        .getByRole('row')
        .filter({ hasText: 'sample/fail' })
        .getByText('Failure')
        .first()
        .waitFor()
      await expect.poll(() => page.getByText('sample/greet').count()).toBe(0)
    }))

  test('shows its webhook, and the address works', () =>
    asAdmin(async ({ page }) => {
      await page.goto(`${HOME}/apps/sample/actions/slow?tab=call`)
      const address = `${node.url}/api/w/default/jobs/webhook/sample/slow`
      await page.getByText(address, { exact: true }).first().waitFor()
      await page.getByText('--scope webhooks:invoke').first().waitFor()
      const answer = await node.api.fetch(new URL(address).pathname, { method: 'POST', body: 'x' })
      expect(answer.status).toBe(201)
      await page.getByRole('tab', { name: 'Runs' }).click()
      await page.getByRole('row').filter({ hasText: 'Webhook' }).first().waitFor()
    }))

  test('is sent to other workers, and back', () =>
    asAdmin(async ({ page }) => {
      await page.goto(`${HOME}/apps/sample/actions/greet`)
      await page.getByRole('button', { name: 'Change: Tag' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Tag').fill('gpu')
      await page.keyboard.press('Enter')
      await page.getByText('(set here)').first().waitFor()
      await page.getByRole('button', { name: 'Change: Tag' }).click()
      await dialog.getByRole('button', { name: 'Use the manifest’s tag' }).click()
      await expect.poll(() => page.getByText('(set here)').count()).toBe(0)
    }))

  test('is run by a member, who may not move it', () =>
    asMember(async ({ page }) => {
      await page.goto(`${HOME}/apps/sample/actions/greet`)
      await page.getByRole('button', { name: 'Run now' }).first().waitFor()
      await expect.poll(() => page.getByRole('button', { name: 'Change: Tag' }).count()).toBe(0)
    }))

  test('that is not there is said so', () =>
    asAdmin(async ({ page }) => {
      await page.goto(`${HOME}/apps/sample/actions/nobody`)
      await page.getByRole('heading', { name: 'Action not found' }).first().waitFor()
    }))
})

describe('the deployments of an app', PATIENT, () => {
  test('tell what each changed, against any other', () =>
    asAdmin(async ({ page, barriers, picture }) => {
      await node.deploy(SAMPLE_APP)
      const manifest = SAMPLE_APP['app.yaml'] ?? ''
      const without = manifest.replace('  - key: fail\n    entrypoint: fail.ts\n', '')
      await node.deploy({ ...SAMPLE_APP, 'app.yaml': without })
      await node.deploy({ ...SAMPLE_APP, 'slow.ts': 'export const main = () => 2\n' })
      await page.goto(`${HOME}/apps/sample?tab=deployments`)
      await page.getByText('current').first().waitFor()
      const links = page.getByRole('table').getByRole('link')
      await expect.poll(() => links.count()).toBe(3)
      await links.nth(0).click()
      const changes = page.getByRole('listitem')
      await changes.filter({ hasText: 'action fail added' }).first().waitFor()
      await changes.filter({ hasText: 'action slow code changed' }).first().waitFor()
      await page.getByRole('region', { name: 'Manifest' }).getByText('"fail.ts"').first().waitFor()
      expect(await barriers()).toEqual([])
      await picture('deployments')
      await page.getByLabel('Compared with').selectOption({ index: 1 })
      await changes.filter({ hasText: 'action fail added' }).waitFor({ state: 'detached' })
      await changes.filter({ hasText: 'action slow code changed' }).first().waitFor()
      await links.nth(2).click()
      await page.getByText('This is the oldest deployment').first().waitFor()
    }))

  test('are gone back to after a question, and the app is as it was then', () =>
    asAdmin(async ({ page, barriers, picture }) => {
      await page.goto(`${HOME}/apps/sample?tab=deployments`)
      const rows = page.getByRole('row').filter({ has: page.locator('[data-row-link]') })
      await expect.poll(() => rows.count()).toBe(3)
      await rows.nth(0).getByRole('link').click()
      await page
        .getByRole('heading', { name: /^Changes · / })
        .first()
        .waitFor()
      // the current deployment has no button to roll back
      const again = page.getByRole('button', { name: 'Roll back to this deployment' })
      await expect.poll(() => again.count()).toBe(0)
      await rows.nth(2).getByRole('link').click()
      await again.click()
      const dialog = page.getByRole('dialog', { name: 'Roll back to this deployment?' })
      await dialog.getByText('become current at once').first().waitFor()
      await picture('redeploy')
      expect(await barriers()).toEqual([])
      await dialog.getByRole('button', { name: 'Roll back' }).click()
      await page.getByText('Rolled back').first().waitFor()
      await expect.poll(() => rows.count()).toBe(4)
      await rows.nth(0).getByText('current').waitFor()
      await rows.nth(0).getByText('redeployed').waitFor()
      expect(await rows.getByText('current').count()).toBe(1)
      await page.getByRole('tab', { name: 'Actions' }).click()
      await page.getByRole('link', { name: 'fail' }).first().waitFor()
    }))

  test('are looked at by a member, who may not go back', () =>
    asMember(async ({ page }) => {
      await page.goto(`${HOME}/apps/sample?tab=deployments`)
      await page.locator('[data-row-link]').last().click()
      await page.waitForURL(/deployment=/)
      await expect
        .poll(() => page.getByRole('button', { name: 'Roll back to this deployment' }).count())
        .toBe(0)
    }))
})

describe('a function', PATIENT, () => {
  beforeAll(async () => {
    await node.deploy(ECHO_APP)
    await claimHost('api.echo.example', 'svc-verify=0123')
  })

  /** Claims a host for a workspace admin who is not a super admin. */
  const claimHost = async (host: string, txtValue: string): Promise<void> => {
    await node.pause()
    const db = await openDatabase({ url: node.databaseUrl })
    await db.write([insertHostClaims({ ws: 'default', app: 'echo' }, [{ host, txtValue }])])
    await db.close()
    await node.restart()
  }

  test('is served at host names that are proved by a record, added and removed', () =>
    asAdmin(async ({ page, barriers, picture }) => {
      await page.goto(`${HOME}/apps/echo?tab=functions`)
      await page.getByText('_svc-challenge.api.echo.example').first().waitFor()
      await page.getByText('svc-verify=0123').first().waitFor()
      await picture('app-hosts')
      expect(await barriers()).toEqual([])
      await page.getByRole('button', { name: 'Verify api.echo.example' }).click()
      await page.getByText('There is no TXT record at').first().waitFor()
      dns.records.set('_svc-challenge.api.echo.example', ['svc-verify=0123'])
      await page.getByRole('button', { name: 'Verify api.echo.example' }).click()
      const row = page.getByRole('row').filter({ hasText: 'api.echo.example' })
      await row.getByText('Active', { exact: true }).first().waitFor()
      await page.getByRole('textbox', { name: 'Host name' }).fill('localhost')
      await page.getByRole('button', { name: 'Add', exact: true }).click()
      await page.getByText('is reserved for svc').first().waitFor()
      await page.getByRole('textbox', { name: 'Host name' }).fill('www.echo.example')
      await page.getByRole('button', { name: 'Add', exact: true }).click()
      await page.getByRole('button', { name: 'Remove www.echo.example' }).click()
      const question = page.getByRole('dialog', { name: 'Remove www.echo.example?' })
      await question.getByRole('button', { name: 'Remove' }).click()
      await expect.poll(() => page.getByText('www.echo.example').count()).toBe(0)
    }, /409/))

  test('is tried without the reader’s session, and each call is listed with its log', () =>
    asAdmin(async ({ page, barriers, picture }) => {
      await page.goto(`${HOME}/apps/echo?tab=functions`)
      await page.getByRole('link', { name: 'hello' }).click()
      await page.getByLabel('Query').fill('name=Ada')
      await page.getByLabel('Headers', { exact: true }).fill('x-name: Grace')
      await page.getByRole('button', { name: 'Send' }).click()
      await page.getByText('"HELLO ADA"').first().waitFor()
      await page.getByText('200').first().waitFor()
      await page.locator('summary').filter({ hasText: 'Headers' }).click()
      await page.getByText('Grace', { exact: true }).first().waitFor()
      await page.getByText('none', { exact: true }).first().waitFor()
      expect(await barriers()).toEqual([])
      await picture('function-answer')
      await page.getByRole('tab', { name: 'Calls' }).click()
      await page.getByRole('row').nth(1).getByRole('link').click()
      await page.getByRole('dialog').getByText('called by GET').first().waitFor()
    }))

  test('takes a body, and shows what went wrong', () =>
    asAdmin(async ({ page }) => {
      await page.goto(`${HOME}/apps/echo/functions/hello`)
      await page.getByLabel('Method').selectOption('POST')
      // wait for the colours, which the browser would keep in a style attribute if it inserted typed text itself
      await page.locator('.cm-content span').first().waitFor()
      await page.locator('.cm-content').fill('{"name":"Bob"}')
      await page.getByRole('button', { name: 'Send' }).click()
      await page.getByText('"HELLO BOB"').first().waitFor()
      await page.getByLabel('Headers', { exact: true }).fill('no header')
      await page.getByText('“no header” is not a header.').first().waitFor()
      await page.getByLabel('Headers', { exact: true }).fill('')
      await page.getByLabel('Query').fill('fail=1')
      await page.getByRole('button', { name: 'Send' }).click()
      await page.getByText('500').first().waitFor()
      await page.getByRole('tab', { name: 'Calls' }).click()
      const row = page.getByRole('row').filter({ hasText: 'RangeError' })
      await row.getByRole('link').click()
      await page.getByRole('dialog').getByText('It went wrong on purpose.').first().waitFor()
    }, /500/))

  test('shows its files', () =>
    asAdmin(async ({ page }) => {
      await page.goto(`${HOME}/apps/echo/functions/hello?tab=code`)
      await page.getByText('called by').first().waitFor()
      await page.getByRole('button', { name: 'shout.ts' }).click()
      await page.getByText('toUpperCase').first().waitFor()
    }))
})

describe('in every look', PATIENT, () => {
  test.each([
    ['apps', '/apps', 'main [data-row-link]'],
    ['app', '/apps/sample', 'main td'],
    ['app-flows', '/apps/sample?tab=flows', 'main td'],
    ['app-schedules', '/apps/sample?tab=schedules', 'main h2'],
    ['app-code', '/apps/sample/code?file=greet.ts&line=2', 'main .cm-content .cm-marked'],
    ['app-functions', '/apps/echo?tab=functions', 'main td'],
    ['app-deployments', '/apps/sample?tab=deployments', 'main [data-row-link]'],
    ['app-source', '/apps/sample?tab=source', 'main section h2'],
    ['action', '/apps/sample/actions/greet', 'main form input'],
    ['action-json', '/apps/sample/actions/fail', 'main .cm-content'],
    ['action-runs', '/apps/sample/actions/greet?tab=runs', 'main [data-row-link]'],
    ['action-call', '/apps/sample/actions/greet?tab=call', 'main h2'],
    ['function', '/apps/echo/functions/hello', 'main form input'],
    ['function-calls', '/apps/echo/functions/hello?tab=calls', 'main [data-row-link]'],
    ['function-code', '/apps/echo/functions/hello?tab=code', 'main .cm-content'],
  ])('%s keeps the manners', look)
})
