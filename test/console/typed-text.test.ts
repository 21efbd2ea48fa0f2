/** The session ends elsewhere while a person types into a dialog. After they have signed in again, the text is still there. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage } from './browser.ts'
import { ADMIN } from './console-node.ts'
import { during } from './during.ts'
import { useConsole } from './use-console.ts'

const HOME = '/ui/w/default'

const FORM_APP = {
  'app.yaml': `key: orders
name: Orders
actions:
  - key: take
    entrypoint: take.ts
  - key: pay
    entrypoint: take.ts
    inputSchema:
      type: object
      properties:
        order: { type: string, title: Order }
        pin: { type: string, format: password, title: PIN }
        certificate: { type: string, format: password, title: Certificate, maxLength: 5000 }
flows: [{ key: order, steps: [{ key: take, action: take }] }]
`,
  'take.ts': 'export const main = () => 1',
}

let customer = ''

const { node, tour } = useConsole({
  fill: async () => {
    await node.deploy(FORM_APP)
    ;({ id: customer } = await node.api.post('/consumers', { body: { name: 'Bakery' } }))
  },
})

const storage = (page: Page): Promise<unknown> =>
  page.evaluate('JSON.stringify([{ ...sessionStorage }, { ...localStorage }])')

/** Ends the session behind the page's back, loads the page again and signs in. */
const signInAgain = async (page: Page): Promise<void> => {
  await page.context().clearCookies()
  await page.reload()
  await page.getByLabel('E-mail').fill(ADMIN.email)
  await page.getByLabel('Password').fill(ADMIN.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(/\/ui\/w\//)
}

type Form = Readonly<{
  path: string
  /** The buttons that open the dialog. */
  open: readonly string[]
  /** Labels, and what is typed there. */
  typed: Readonly<Record<string, string>>
}>

const forms = (): readonly Form[] => [
  { path: '/tokens', open: ['New token'], typed: { Name: 'laptop' } },
  { path: '/api-keys', open: ['New API key'], typed: { Name: 'relay' } },
  { path: '/customers', open: ['New customer'], typed: { Name: 'Florist' } },
  { path: `/customers/${customer}?tab=keys`, open: ['New key'], typed: { Name: 'server' } },
  { path: '/members', open: ['Invite'], typed: { 'E-mail': 'a@example.com' } },
  { path: '/apps', open: ['New app'], typed: { Key: 'shop', Name: 'The shop' } },
  { path: '/drafts', open: ['New draft'], typed: { App: 'shop' } },
  { path: '/variables', open: ['New variable'], typed: { Key: 'API_KEY' } },
  {
    path: '/variables?tab=resources',
    open: ['New resource'],
    typed: { Key: 'orders_db', Type: 'postgres' },
  },
  { path: '/instance', open: ['New workspace'], typed: { ID: 'sales', Name: 'Sales' } },
  {
    path: '/flows/orders/order?tab=links',
    open: ['New public link', 'Add field'],
    typed: { Key: 'amount', Label: 'How much' },
  },
]

test('dialogs have what was typed before the session ended', { timeout: 180_000 }, () =>
  during(
    tour.visitInNewSession('light', ADMIN),
    async ({ page }) => {
      const field = (label: string) => page.getByRole('dialog').getByLabel(label).first()
      const openForm = async ({ path, open: [button = '', ...more] }: Form): Promise<void> => {
        await openPage(page, `${HOME}${path}`)
        await page.getByRole('button', { name: button, exact: true }).first().click()
        for (const each of more) await page.getByRole('button', { name: each }).click()
      }
      for (const form of forms()) {
        await openForm(form)
        for (const [label, text] of Object.entries(form.typed)) await field(label).fill(text)
      }
      await signInAgain(page)
      for (const form of forms()) {
        await openForm(form)
        for (const [label, text] of Object.entries(form.typed)) {
          await expect.poll(() => field(label).inputValue(), { message: form.path }).toBe(text)
        }
      }
    },
    /401/,
  ),
)

test(
  'a new channel keeps an e-mail address, and no URL, which may contain a secret',
  { timeout: 120_000 },
  () =>
    during(
      tour.visitInNewSession('light', ADMIN),
      async ({ page }) => {
        const dialog = page.getByRole('dialog')
        const openForm = async (kind: string): Promise<void> => {
          await openPage(page, `${HOME}/notifications`)
          await page.getByRole('button', { name: 'Add channel' }).first().click()
          await dialog.getByLabel('Kind').selectOption(kind)
        }
        await openForm('email')
        await dialog.getByLabel('Address').fill('ops@example.com')
        await openForm('slack')
        await dialog.getByLabel('Address').fill('https://hooks.example.com/top-secret')
        expect(await storage(page)).toContain('ops@example.com')
        expect(await storage(page)).not.toContain('top-secret')
        await signInAgain(page)
        await openForm('email')
        expect(await dialog.getByLabel('Address').inputValue()).toBe('ops@example.com')
      },
      /401/,
    ),
)

test('the value of a new variable is kept nowhere', { timeout: 120_000 }, () =>
  during(tour.visit('light', ADMIN), async ({ page }) => {
    const dialog = page.getByRole('dialog')
    for (const [tab, kind] of [
      ['variables', 'variable'],
      ['resources', 'resource'],
    ]) {
      await openPage(page, `${HOME}/variables?tab=${tab}`)
      await page
        .getByRole('button', { name: `New ${kind}` })
        .first()
        .click()
      await dialog.getByLabel('Key').fill('KEPT_KEY')
      await dialog.getByLabel('Value').fill('"top-secret"')
      await expect.poll(() => storage(page)).toContain('KEPT_KEY')
      expect(await storage(page)).not.toContain('top-secret')
    }
  }),
)

test('a password of an input is hidden while typed, and kept nowhere', { timeout: 120_000 }, () =>
  during(tour.visit('light', ADMIN), async ({ page, barriers }) => {
    await openPage(page, `${HOME}/apps/orders/actions/pay?tab=run`)
    await page.getByLabel('Order', { exact: true }).fill('A-1')
    const pin = page.getByLabel('PIN')
    await pin.fill('top-secret')
    expect(await pin.getAttribute('type')).toBe('password')
    const certificate = page.getByLabel('Certificate')
    await certificate.fill('top-secret\nof two lines')
    const shownAs = (): Promise<unknown> =>
      page.evaluate("getComputedStyle(document.querySelector('textarea')).webkitTextSecurity")
    expect(await shownAs()).toBe('disc')
    await page.getByRole('checkbox', { name: 'Show' }).check()
    expect(await shownAs()).toBe('none')
    expect(await barriers()).toEqual([])
    expect(await storage(page)).not.toContain('top-secret')
  }),
)

test('the form of a schedule keeps no input that may have a password', { timeout: 120_000 }, () =>
  during(tour.visit('light', ADMIN), async ({ page }) => {
    await openPage(page, `${HOME}/schedules/new?app=orders`)
    await page.getByLabel('Action').selectOption('pay')
    await page.getByLabel('Order', { exact: true }).fill('A-1')
    await page.getByLabel('PIN').fill('top-secret')
    await page.getByLabel('Cron expression').fill('5 4 * * *')
    await expect.poll(() => storage(page)).toContain('5 4 * * *')
    expect(await storage(page)).not.toContain('top-secret')
    // the input stays with another target, which alone asks for no password
    await page.getByLabel('Action').selectOption('take')
    await expect.poll(() => storage(page)).toContain('take')
    expect(await storage(page)).not.toContain('top-secret')
    await page.reload()
    await expect.poll(() => page.getByLabel('Cron expression').inputValue()).toBe('5 4 * * *')
  }),
)

test('what was sent is forgotten', { timeout: 120_000 }, () =>
  during(tour.visit('light', ADMIN), async ({ page }) => {
    await openPage(page, `${HOME}/customers`)
    await page.getByRole('button', { name: 'New customer' }).first().click()
    await page.getByRole('dialog').getByLabel('Name').fill('Sent at once')
    await page.getByRole('button', { name: 'Create customer' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sent at once' }).waitFor()
    expect(await storage(page)).not.toContain('Sent at once')
  }),
)
