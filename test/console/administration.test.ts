/** Settings, notifications, one's own account, the page of the certificate relay, and the instance page of super admins. */
import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lookAt, openPage } from './browser.ts'
import { ADMIN, MEMBER } from './console-node.ts'
import { during } from './during.ts'
import { useConsole } from './use-console.ts'

let receiver: string

/** Accepts every notification. */
const server = createServer((_, response) => response.writeHead(204).end())

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  receiver = `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
})
afterAll(() => void server.close())
const { node, tour } = useConsole({ settings: () => ({ SVC_EGRESS_ALLOW: receiver }) })

const invite = async (email: string, password: string): Promise<void> => {
  const { url } = await node.api.post('/invites', { body: { email, role: 'member' } })
  await node.api.fetch('/api/auth/accept-invite', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: new URL(url).searchParams.get('token'), name: 'Test', password }),
  })
}

const signIn = async (email: string, password: string): Promise<number> => {
  const answer = await fetch(`${node.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  return answer.status
}

describe('settings', { timeout: 120_000 }, () => {
  test('are saved, and say what is wrong with them', () =>
    during(
      tour.visit('light', ADMIN),
      async ({ page, barriers }) => {
        await openPage(page, '/ui/w/default/settings')
        await page.getByRole('textbox', { name: 'Name' }).fill('The team')
        await page.getByRole('textbox', { name: 'Error handler' }).fill('nobody/there')
        await page.getByRole('button', { name: 'Save' }).click()
        await page.getByRole('alert').first().waitFor()
        expect(await barriers()).toEqual([])
        await page.getByRole('textbox', { name: 'Error handler' }).fill('sample/greet')
        await page.getByRole('button', { name: 'Save' }).click()
        await page.getByText('Settings saved').first().waitFor()
        await page.reload()
        await expect
          .poll(() => page.getByRole('textbox', { name: 'Name' }).inputValue())
          .toBe('The team')
        expect(await node.api.get('/workspace')).toMatchObject({
          name: 'The team',
          error_handler: 'sample/greet',
        })
      },
      /404/,
    ))

  test('keep what another admin saved meanwhile', () =>
    during(tour.visit('light', ADMIN), async ({ page }) => {
      await node.api.patch('/workspace', { body: { error_handler: 'sample/greet' } })
      await openPage(page, '/ui/w/default/settings')
      await page.getByRole('textbox', { name: 'Name' }).fill('Our team')
      await node.api.patch('/workspace', { body: { error_handler: null } })
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Settings saved').first().waitFor()
      expect(await node.api.get('/workspace')).toMatchObject({
        name: 'Our team',
        error_handler: null,
      })
      await expect
        .poll(() => page.getByRole('textbox', { name: 'Error handler' }).inputValue())
        .toBe('')
    }))

  test('keep what was typed over a reload, until it is saved', () =>
    during(tour.visit('light', ADMIN), async ({ page }) => {
      await openPage(page, '/ui/w/default/settings')
      const name = page.getByRole('textbox', { name: 'Name' })
      await name.fill('Typed before the reload')
      await page.reload()
      await expect.poll(() => name.inputValue()).toBe('Typed before the reload')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Settings saved').first().waitFor()
      await node.api.patch('/workspace', { body: { name: 'Ours' } })
      await page.reload()
      await expect.poll(() => name.inputValue()).toBe('Ours')
    }))

  test('hide an unused section, and show it again', () =>
    during(tour.visit('light', ADMIN), async ({ page }) => {
      await page.goto('/ui/w/default/settings')
      const pages = page.getByRole('navigation', { name: 'Pages' })
      await pages.getByRole('link', { name: 'Billing' }).waitFor()
      const billing = page.getByRole('switch', { name: 'Billing' })
      await billing.click()
      await pages.getByRole('link', { name: 'Billing' }).waitFor({ state: 'detached' })
      await openPage(page, '/ui/w/default/billing')
      await page.getByRole('heading', { level: 1, name: 'Billing' }).waitFor()
      expect(await pages.getByRole('link', { name: 'Billing' }).count()).toBe(0)
      await openPage(page, '/ui/w/default/settings')
      await billing.click()
      await pages.getByRole('link', { name: 'Billing' }).waitFor()
    }))

  test('hide a section without showing those that another admin hid meanwhile', () =>
    during(tour.visit('light', ADMIN), async ({ page }) => {
      const hidden = async () => (await node.api.get('/workspace')).hidden_sections
      await openPage(page, '/ui/w/default/settings')
      const parser = page.getByRole('switch', { name: 'Parser' })
      await parser.waitFor()
      await node.api.patch('/workspace', { body: { hidden_sections: ['webhooks'] } })
      await parser.click()
      await expect.poll(hidden).toEqual(['webhooks', 'parser'])
      await parser.click()
      await expect.poll(hidden).toEqual(['webhooks'])
      await node.api.patch('/workspace', { body: { hidden_sections: [] } })
    }))

  test('are only read by a member', () =>
    during(tour.visit('light', MEMBER), async ({ page }) => {
      await openPage(page, '/ui/w/default/settings')
      await page.getByText('Only admins can change these settings.').first().waitFor()
      await expect.poll(() => page.getByRole('textbox', { name: 'Name' }).isDisabled()).toBe(true)
      await expect.poll(() => page.getByRole('link', { name: 'Instance' }).count()).toBe(0)
    }))
})

describe('notifications', { timeout: 120_000 }, () => {
  test('go to channels, and each delivery shows how it went and why', () =>
    during(tour.visit('light', ADMIN), async ({ page, barriers, picture }) => {
      await openPage(page, '/ui/w/default/notifications')
      await page.getByText('No channels yet.').waitFor()
      const add = async (address: string): Promise<void> => {
        await page.getByRole('button', { name: 'Add channel' }).click()
        const dialog = page.getByRole('dialog')
        await dialog.getByLabel('Kind').selectOption('webhook')
        await dialog.getByLabel('Address').fill(address)
        await dialog.getByLabel('Schedule disabled').uncheck()
        expect(await barriers()).toEqual([])
        await dialog.getByRole('button', { name: 'Add' }).click()
        // by name, because the message that the channel was added is also a dialog, and stays for seconds
        await page.getByRole('dialog', { name: 'Add channel' }).waitFor({ state: 'detached' })
      }
      await add(`http://${receiver}/in`)
      // no workspace has a grant for this destination
      await add('http://127.0.0.1:9/in')
      const tryOut = (address: string) =>
        page
          .getByRole('row')
          .filter({ hasText: address })
          .getByRole('button', { name: 'Send a test' })
          .click()
      await tryOut(`http://${receiver}/in`)
      await tryOut('http://127.0.0.1:9/in')
      const deliveries = page.getByRole('table', { name: 'Deliveries' }).getByRole('row')
      await deliveries.filter({ hasText: receiver }).getByText('Delivered').waitFor()
      const refused = deliveries.filter({ hasText: 'http://127.0.0.1:9' })
      await refused.getByText('Pending').waitFor()
      await refused.getByText('127.0.0.1:9 is', { exact: false }).waitFor()
      expect((await node.api.get('/workspace')).notify).toEqual([
        {
          on: ['job_failed', 'flow_failed', 'approval_waiting'],
          to: { webhook: `http://${receiver}/in` },
        },
        expect.objectContaining({ to: { webhook: 'http://127.0.0.1:9/in' } }),
      ])
      await picture('notifications')
      expect(await barriers()).toEqual([])
      await refused.getByRole('link').click()
      const details = page.getByRole('dialog', { name: 'Test' })
      await details.getByText('Next attempt').waitFor()
      await details.getByRole('button', { name: 'Close' }).first().click()
      await page
        .getByRole('row', { name: /127.0.0.1:9.in/ })
        .getByRole('button', { name: 'Delete' })
        .click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await page.getByText('Channel deleted').first().waitFor()
    }))

  test('show a member the deliveries, and offer no change', () =>
    during(tour.visit('light', MEMBER), async ({ page }) => {
      await openPage(page, '/ui/w/default/notifications')
      await page.getByText('Delivered').first().waitFor()
      await expect.poll(() => page.getByRole('button', { name: 'Add channel' }).count()).toBe(0)
      await expect.poll(() => page.getByRole('button', { name: 'Send a test' }).count()).toBe(0)
    }))
})

describe('the own account', { timeout: 120_000 }, () => {
  test('takes a new password when the current one is right', () =>
    during(
      (async () => {
        await invite('carol@example.com', 'the first password')
        return tour.visit('light', { email: 'carol@example.com', password: 'the first password' })
      })(),
      async ({ page }) => {
        await openPage(page, '/ui/w/default')
        await page.getByRole('button', { name: /^Account and settings/ }).click()
        await page.getByRole('menuitem', { name: 'Your account' }).click()
        const fill = async (current: string, next: string, again: string): Promise<void> => {
          await page.getByLabel('Current password').fill(current)
          await page.getByLabel('New password', { exact: false }).first().fill(next)
          await page.getByLabel('Confirm new password').fill(again)
          await page.getByRole('button', { name: 'Change password' }).click()
        }
        await fill('the first password', 'the second password', 'the second passwort')
        await page.getByText('The passwords do not match.').first().waitFor()
        await fill('not the first one', 'the second password', 'the second password')
        await page.getByRole('alert').first().waitFor()
        await fill('the first password', 'the second password', 'the second password')
        await page
          .getByText(/^Password changed/)
          .first()
          .waitFor()
        // this session stays signed in, and the old password no longer works
        await page.reload()
        await page.getByRole('heading', { level: 1, name: 'Your account' }).first().waitFor()
        expect(await signIn('carol@example.com', 'the first password')).toBe(401)
        expect(await signIn('carol@example.com', 'the second password')).toBe(200)
      },
      /401/,
    ))
})

describe('a git source', { timeout: 120_000 }, () => {
  test('keeps what was typed at a click outside, and what another person changed meanwhile', () =>
    during(tour.visit('light', ADMIN), async ({ page }) => {
      const { id } = await node.api.post('/git-sources', {
        body: { name: 'shared', url: 'https://example.com/shop.git', auto_sync_s: 300 },
      })
      const params = { id }
      await openPage(page, `/ui/w/default/git-sources/${id}`)
      const dialog = page.getByRole('dialog')
      const clickOutside = () => page.mouse.click(5, 5)
      await page.getByRole('button', { name: 'Edit' }).click()
      await dialog.waitFor()
      await clickOutside()
      await dialog.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Edit' }).click()
      await dialog.getByLabel('Folder').fill('sub')
      await clickOutside()
      await node.api.patch('/git-sources/{id}', { params, body: { auto_sync_s: null } })
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.waitFor({ state: 'detached' })
      expect(await node.api.get('/git-sources/{id}', { params })).toMatchObject({
        path: 'sub',
        auto_sync_s: null,
      })
      await node.api.delete('/git-sources/{id}', { params })
    }))
})

describe('the instance', { timeout: 120_000 }, () => {
  test('gets a workspace, which is suspended, resumed and given credit', () =>
    during(tour.visit('light', ADMIN), async ({ page, barriers, picture }) => {
      await page.goto('/ui/w/default/instance')
      await page.getByRole('button', { name: 'New workspace' }).click()
      await page.getByRole('textbox', { name: 'ID' }).fill('shop')
      await page.getByRole('button', { name: 'Create workspace' }).click()
      await page.getByRole('link', { name: 'shop' }).click()
      const dialog = page.getByRole('dialog', { name: 'shop' })
      await dialog.getByLabel('Amount (₩)').fill('5000')
      // the answer is lost, so the form is sent again
      await page.route(
        /\/credits$/,
        async (route) => {
          await route.fetch()
          await route.abort()
        },
        { times: 1 },
      )
      await dialog.getByRole('button', { name: 'Add credit' }).click()
      await dialog.getByText('Cannot reach the server.').first().waitFor()
      await dialog.getByRole('button', { name: 'Add credit' }).click()
      await page.getByText('The balance is now ₩5,000').first().waitFor()
      await picture('instance-workspace')
      expect(await barriers()).toEqual([])
      await dialog.getByRole('button', { name: 'Suspend' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
      await dialog.getByText('Suspended').first().waitFor()
      await dialog.getByRole('button', { name: 'Resume' }).click()
      await dialog.getByText('Active').first().waitFor()
      await dialog.getByRole('link', { name: 'Open' }).click()
      await page.waitForURL(/\/ui\/w\/shop$/)
      await page.getByRole('heading', { level: 1, name: 'Overview' }).first().waitFor()
    }))

  test('disables an account everywhere, and enables it again', () =>
    during(tour.visit('light', ADMIN), async ({ page }) => {
      await invite('dave@example.com', 'a password of his')
      await openPage(page, '/ui/w/default/instance?tab=users')
      const row = page.getByRole('row').filter({ hasText: 'dave@example.com' })
      await row.getByRole('link').click()
      await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
      await page
        .getByRole('dialog', { name: /\?$/ })
        .getByRole('button', { name: 'Disable' })
        .click()
      await row.getByText('Disabled').first().waitFor()
      expect(await signIn('dave@example.com', 'a password of his')).toBe(401)
      await row.getByRole('link').click()
      await page.getByRole('dialog').getByRole('button', { name: 'Enable' }).click()
      await row.getByText('Active').first().waitFor()
      expect(await signIn('dave@example.com', 'a password of his')).toBe(200)
    }))

  test('shows who signed in, filtered by the address', () =>
    during(tour.visit('light', ADMIN), async ({ page }) => {
      await invite('erin@example.com', 'a password of hers')
      const params = { email: 'erin@example.com' }
      await node.api.patch('/api/admin/users/{email}', { params, body: { disabled: true } })
      await openPage(page, '/ui/w/default/instance?tab=audit&action=session.started')
      await page.getByRole('button', { name: 'session.started' }).first().waitFor()
      await page.getByRole('button', { name: 'Clear' }).click()
      await page.getByRole('button', { name: 'user.disabled' }).first().waitFor()
      await page.waitForURL(/tab=audit$/)
      // shown by its device, not by its id
      const session = page.getByRole('row').filter({ hasText: 'session.started' })
      await session
        .filter({ hasText: /Chrome.*, Linux/ })
        .first()
        .waitFor()
    }))

  test('opens its first tab when the address names one that is not there', () =>
    during(tour.visit('light', ADMIN), async ({ page }) => {
      await openPage(page, '/ui/w/default/instance?tab=nonsense')
      await page.getByRole('tab', { name: 'Workspaces', selected: true }).waitFor()
      await page.getByRole('tabpanel', { name: 'Workspaces' }).waitFor()
    }))
})

test('the side bar shows every page at once on a small laptop', { timeout: 120_000 }, () =>
  during(tour.visitInNewSession('light', ADMIN), async ({ page }) => {
    await page.setViewportSize({ width: 1_280, height: 800 })
    await openPage(page, '/ui/w/default/settings')
    const pages = page.getByRole('navigation', { name: 'Pages' })
    await pages.getByRole('link', { name: 'Instance' }).first().waitFor()
    const rest = pages.evaluate((list) => list.scrollHeight - list.clientHeight)
    expect(await rest).toBe(0)
  }),
)

test('the certificate relay leads to its own page', { timeout: 120_000 }, () =>
  during(tour.visit('light', MEMBER), async ({ page }) => {
    await openPage(page, '/ui/w/default/certificates')
    const opened = page.context().waitForEvent('page')
    await page.getByRole('link', { name: /^Open the desktop page/ }).click()
    const desktop = await opened
    await desktop
      .getByRole('heading', { name: 'Send a certificate to your phone' })
      .first()
      .waitFor()
  }),
)

test.each([
  ['settings', 'settings', 'form input'],
  ['notifications', 'notifications', '[data-row-link]'],
  ['account', 'account', 'form input[type=password]'],
  ['certificates', 'certificates', 'ol li'],
  ['instance', 'instance', '[data-row-link]'],
  ['instance-users', 'instance?tab=users', '[data-row-link]'],
  ['instance-workers', 'instance?tab=workers', 'tbody tr'],
] as const)(
  '%s keeps the manners in every look',
  { timeout: 180_000 },
  async (name, tail, ready) => {
    const path = `/ui/w/default/${tail}`
    expect(await lookAt(tour, { name, path, ready, who: ADMIN })).toEqual([])
  },
)
