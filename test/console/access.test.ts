/** Tokens, members, invites, the audit log, workers: as an admin and as a member use them. */
import { describe, expect, test } from 'vitest'
import { lookAt, openPage } from './browser.ts'
import { ADMIN, MEMBER } from './console-node.ts'
import { during } from './during.ts'
import { useConsole } from './use-console.ts'

const { node, tour } = useConsole({
  fill: async () => {
    await node.api.post('/tokens', {
      body: { label: 'GitHub Actions', scopes: ['deployments:write', 'apps:read', 'jobs:read'] },
    })
    await node.api.post('/invites', { body: { email: 'grace@example.com', role: 'admin' } })
  },
})

describe('tokens', { timeout: 120_000 }, () => {
  test('are made with scopes that are explained, and shown once', () =>
    during(tour.visit('light', ADMIN), async ({ page, barriers, picture }) => {
      await openPage(page, '/ui/w/default/tokens')
      await page.getByRole('button', { name: 'New token' }).click()
      const form = page.getByRole('dialog')
      await form.getByRole('textbox', { name: 'Name' }).fill('laptop of Mina')
      await form.getByRole('button', { name: 'Create token' }).click()
      await form.getByText('Select at least one scope.').first().waitFor()
      await form.getByRole('button', { name: 'Read only' }).click()
      await form.getByRole('checkbox', { name: 'jobs:run' }).check()
      await form.getByText('run, run and wait, cancel').first().waitFor()
      await picture('token-new')
      expect(await barriers()).toEqual([])
      await form.getByRole('button', { name: 'Create token' }).click()
      const shown = page.getByRole('dialog', { name: 'Your new token' })
      const text = (await shown.getByText(/^svc_\w+$/).textContent()) ?? ''
      await picture('token-shown')
      expect(await barriers()).toEqual([])
      const answer = await fetch(`${node.url}/api/w/default/whoami`, {
        headers: { authorization: `Bearer ${text}` },
      })
      expect(answer.status).toBe(200)
      await shown.getByRole('button', { name: 'I have copied it' }).click()
      await page.getByRole('link', { name: 'laptop of Mina' }).first().waitFor()
      expect(await page.content()).not.toContain(text)
    }))

  test('are revoked after a question, and refused at once', () =>
    during(tour.visit('light', ADMIN), async ({ page, barriers, picture }) => {
      const { token, id } = await node.api.post('/tokens', {
        body: { label: 'to be revoked', scopes: ['workspace:read'] },
      })
      await openPage(page, '/ui/w/default/tokens')
      await page.getByRole('link', { name: 'to be revoked' }).click()
      await page.waitForURL(new RegExp(`open=${id}`))
      await page.getByRole('dialog').getByText('read own info and the workspace').first().waitFor()
      await picture('token')
      expect(await barriers()).toEqual([])
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
      const question = page.getByRole('dialog', { name: 'Revoke “to be revoked”?' })
      await question.getByRole('button', { name: 'Revoke' }).click()
      await page
        .getByRole('row')
        .filter({ hasText: 'to be revoked' })
        .getByText('Revoked', { exact: true })
        .waitFor()
      const answer = await fetch(`${node.url}/api/w/default/whoami`, {
        headers: { authorization: `Bearer ${token}` },
      })
      expect(answer.status).toBe(401)
    }))

  test('are walked and opened by keys, and the focus comes back', () =>
    during(tour.visit('light', ADMIN), async ({ page }) => {
      await openPage(page, '/ui/w/default')
      await page.getByRole('heading', { level: 1, name: 'Overview' }).first().waitFor()
      await page.keyboard.press('g')
      await page.keyboard.press('t')
      const rows = page.locator('[data-row-link]')
      await rows.nth(1).first().waitFor()
      await rows.first().focus()
      await page.keyboard.press('j')
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').first().waitFor()
      await page.keyboard.press('Escape')
      await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
      expect(new URL(page.url()).search).toBe('')
      await expect
        .poll(() => page.evaluate(`document.activeElement?.hasAttribute('data-row-link')`))
        .toBe(true)
    }))

  test('are only read by a member', () =>
    during(tour.visit('light', MEMBER), async ({ page }) => {
      await openPage(page, '/ui/w/default/tokens')
      await page.getByRole('link', { name: 'GitHub Actions' }).click()
      await page.getByRole('dialog').getByText('deploy apps').first().waitFor()
      await expect.poll(() => page.getByRole('button', { name: 'Revoke' }).count()).toBe(0)
      await expect.poll(() => page.getByRole('button', { name: 'New token' }).count()).toBe(0)
    }))
})

describe('members', { timeout: 120_000 }, () => {
  test('are invited by a link that is shown once, and can be taken back', () =>
    during(tour.visit('light', ADMIN), async ({ page, barriers, picture }) => {
      await openPage(page, '/ui/w/default/members')
      await page.getByRole('button', { name: 'Invite', exact: true }).click()
      await page.getByLabel('E-mail').fill('alan@example.com')
      await picture('invite')
      expect(await barriers()).toEqual([])
      await page.getByRole('button', { name: 'Create link' }).click()
      const link =
        (await page
          .getByRole('dialog')
          .getByText(/\/invite\?token=/)
          .textContent()) ?? ''
      expect((await fetch(link)).status).toBe(200)
      await page.getByRole('button', { name: 'I have copied it' }).click()
      await page.getByRole('tab', { name: 'Invites' }).click()
      await page.getByRole('link', { name: 'alan@example.com' }).click()
      await page.getByRole('button', { name: 'Revoke' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
      // while the dialog is open, the list behind it counts as hidden
      await expect.poll(async () => (await fetch(link)).status).toBe(404)
      await expect.poll(() => page.getByRole('link', { name: 'alan@example.com' }).count()).toBe(0)
    }))

  test.each([
    { look: 'light', name: 'Your name', password: 'Password', join: 'Join', home: 'Overview' },
    { look: 'dark', name: 'Your name', password: 'Password', join: 'Join', home: 'Overview' },
    { look: 'phone', name: 'Your name', password: 'Password', join: 'Join', home: 'Overview' },
    { look: 'korean', name: '이름', password: '비밀번호', join: '참여하기', home: '개요' },
  ] as const)('join by their link and see the console, in $look', ({ look, ...words }) =>
    during(
      tour.visit(look, null),
      async ({ page, barriers, picture }) => {
        const email = `${look}@example.com`
        const { url } = await node.api.post('/invites', { body: { email, role: 'member' } })
        await page.goto(url)
        await page.getByText(email).first().waitFor()
        expect(await barriers()).toEqual([])
        await page.getByLabel(words.name).fill('Yuna')
        // the e-mail address, which is not allowed as a password
        await page.getByLabel(words.password).fill(email)
        await page.getByRole('button', { name: words.join }).click()
        await page.getByRole('alert').first().waitFor()
        await picture('join')
        expect(await barriers()).toEqual([])
        await expect.poll(() => page.getByLabel(words.name).inputValue()).toBe('Yuna')
        await page.getByLabel(words.password).fill('only for tests as well')
        await page.getByRole('button', { name: words.join }).click()
        await page.getByRole('heading', { name: words.home }).first().waitFor()
        expect(page.url()).toBe(`${node.url}/ui/w/default`)
        // the link has been used, and redirects people who open it again
        await page.goto(url)
        await picture('join-ended')
        expect(await barriers()).toEqual([])
        await page.getByRole('link').click()
        await page.getByRole('heading', { name: words.home }).first().waitFor()
      },
      /status of 4(00|10)/,
    ),
  )

  test('get another role, and are disabled, enabled and removed', () =>
    during(tour.visit('light', ADMIN), async ({ page, barriers, picture }) => {
      const { url } = await node.api.post('/invites', {
        body: { email: 'bob@example.com', role: 'member' },
      })
      const token = new URL(url).searchParams.get('token')
      await node.api.fetch('/api/auth/accept-invite', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ token, name: 'Bob', password: 'another one for tests' }),
      })
      await openPage(page, '/ui/w/default/members')
      const row = page.getByRole('row').filter({ hasText: 'bob@example.com' })
      await row.getByRole('link').click()
      await page.getByRole('radio', { name: /^Admin/ }).check()
      await picture('member')
      expect(await barriers()).toEqual([])
      await page.getByRole('button', { name: 'Save' }).click()
      await row.getByText('Admin').first().waitFor()
      await row.getByRole('link').click()
      await page.getByRole('button', { name: 'Disable' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
      await row.getByText('Disabled').first().waitFor()
      await row.getByRole('link').click()
      await page.getByRole('button', { name: 'Enable' }).click()
      await row.getByText('Active').first().waitFor()
      await row.getByRole('link').click()
      await page.getByRole('button', { name: 'Remove' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
      await expect.poll(() => row.count()).toBe(0)
    }))

  test('see who is there, and no more', () =>
    during(tour.visit('light', MEMBER), async ({ page }) => {
      await openPage(page, '/ui/w/default/members?open=admin@localhost')
      await page.getByRole('dialog', { name: 'admin@localhost' }).first().waitFor()
      await expect.poll(() => page.getByRole('button', { name: 'Save' }).count()).toBe(0)
      await expect
        .poll(() => page.getByRole('button', { name: 'Invite', exact: true }).count())
        .toBe(0)
      await expect.poll(() => page.getByRole('link', { name: 'Audit log' }).count()).toBe(0)
    }))
})

test(
  'the audit log is filtered by a press on what was done, and the address keeps it',
  { timeout: 120_000 },
  () =>
    during(tour.visit('light', ADMIN), async ({ page }) => {
      await openPage(page, '/ui/w/default/audit')
      await page.getByRole('button', { name: 'Invite created invite.created' }).first().click()
      await page.waitForURL(/action=invite.created/)
      await page.getByText('grace@example.com').first().waitFor()
      await page
        .getByRole('button', { name: 'token.created' })
        .first()
        .waitFor({ state: 'detached' })
      await page.reload()
      await page.getByText('grace@example.com').first().waitFor()
      await expect.poll(() => page.getByLabel('Action').inputValue()).toBe('invite.created')
    }),
)

test('the audit log names the target of each entry on a phone too', {
  timeout: 60_000,
}, async () => {
  const body = { value: 'v', secret: false }
  await node.api.put('/variables/{key}', { params: { key: 'AUDITED_KEY' }, body })
  await during(tour.visit('all', ADMIN), async ({ page }) => {
    await openPage(page, '/ui/w/default/audit?action=variable.set')
    await page.getByText('AUDITED_KEY').first().waitFor()
  })
})

test('a target in the audit log leads to its page, if it has one', {
  timeout: 60_000,
}, async () => {
  const body = { value: 'v', secret: false }
  await node.api.put('/variables/{key}', { params: { key: 'NO_PAGE' }, body })
  await during(tour.visit('light', ADMIN), async ({ page }) => {
    await page.goto('/ui/w/default/audit?action=app.deployed')
    await page.getByRole('row').getByRole('link').first().click()
    await page.waitForURL(/\/ui\/w\/default\/apps\/[a-z-]+$/)
    await page.goto('/ui/w/default/audit?action=variable.set')
    await page.getByText('NO_PAGE').first().waitFor()
    expect(await page.getByRole('row').getByRole('link').count()).toBe(0)
  })
})

test.each([
  ['tokens', '/ui/w/default/tokens', '[data-row-link]'],
  ['members', '/ui/w/default/members', '[data-row-link]'],
  ['invites', '/ui/w/default/members?tab=invites', '[data-row-link]'],
  ['audit', '/ui/w/default/audit', '[data-row-link]'],
  ['workers', '/ui/w/default/workers', 'tbody tr'],
] as const)(
  '%s keeps the manners in every look',
  { timeout: 180_000 },
  async (name, path, ready) => {
    expect(await lookAt(tour, { name, path, ready, who: ADMIN })).toEqual([])
  },
)
