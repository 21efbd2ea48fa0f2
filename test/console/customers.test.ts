/** Customers: created, granted actions, given keys, disabled. Calls of the API itself show what a key may do. */
import { describe, expect, test } from 'vitest'
import { lookAt } from './browser.ts'
import { ADMIN, MEMBER } from './console-node.ts'
import { during } from './during.ts'
import { useConsole } from './use-console.ts'

let acme: string

const { node, tour } = useConsole({
  fill: async () => {
    const { id } = await node.api.post('/consumers', {
      body: { name: 'Acme', external_ref: 'crm-17' },
    })
    acme = id
    await node.api.put('/consumers/{id}/grants', {
      params: { id },
      body: { grants: [{ app: 'sample', action: 'greet' }] },
    })
    await node.api.post('/consumers/{id}/keys', { params: { id }, body: { label: 'production' } })
  },
})

const runWith = async (key: string, action: string): Promise<number> => {
  const answer = await fetch(`${node.url}/api/w/default/jobs/run/sample/${action}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{"name":"Ada"}',
  })
  return answer.status
}

test(
  'the list of customers shows that a page could not be loaded, and loads it when the reader requests it',
  {
    timeout: 120_000,
  },
  () =>
    during(
      tour.visit('light', ADMIN),
      async ({ page }) => {
        const names = Array.from({ length: 110 }, (_, at) => `Many ${at}`)
        const made = await Promise.all(
          names.map((name) => node.api.post('/consumers', { body: { name } })),
        )
        await page.route(/\/consumers\?.*cursor=/, (route) => route.fulfill({ status: 400 }))
        await page.goto('/ui/w/default/customers')
        await page.getByRole('link', { name: 'Many' }).first().waitFor()
        const toBottom = `(() => { const e = document.querySelector('[role=table]').parentElement; e.scrollTop = e.scrollHeight })()`
        await page.evaluate(toBottom)
        await page.getByText('Could not load more.').waitFor()
        await page.unrouteAll()
        await page.getByRole('button', { name: 'Try again' }).click()
        await expect
          .poll(async () => {
            await page.evaluate(toBottom)
            return page.getByText('End of list').count()
          })
          .toBe(1)
        await Promise.all(
          made.map(({ id }) => node.api.delete('/consumers/{id}', { params: { id } })),
        )
      },
      // the page is refused at first
      /400/,
    ),
)

describe('a customer', { timeout: 120_000 }, () => {
  test('is created once by a double click', () =>
    during(tour.visit('light', ADMIN), async ({ page }) => {
      await page.goto('/ui/w/default/customers')
      await page.getByRole('button', { name: 'New customer' }).click()
      await page.getByLabel('Name').fill('Initech')
      await page.getByRole('dialog').locator('button[type=submit]').dblclick()
      await page.getByRole('heading', { level: 1, name: 'Initech' }).first().waitFor()
      const { items } = await node.api.get('/consumers')
      expect(items.filter(({ name }) => name === 'Initech')).toHaveLength(1)
    }))

  test('shows no action as gone while the apps cannot be read', () =>
    during(
      tour.visit('light', ADMIN),
      async ({ page }) => {
        await page.route('**/api/w/default/apps*', (route) => route.fulfill({ status: 400 }))
        await page.goto(`/ui/w/default/customers/${acme}`)
        await page.getByText('Could not load', { exact: true }).waitFor()
        expect(await page.getByText('no longer deployed').count()).toBe(0)
        await page.unrouteAll()
        await page.reload()
        await page.getByRole('checkbox', { name: 'greet' }).waitFor()
      },
      // the apps are refused at first
      /400/,
    ))

  test('is added, granted an action, given a key, and disabled', () =>
    during(tour.visit('light', ADMIN), async ({ page, barriers, picture }) => {
      await page.goto('/ui/w/default/customers')
      await page.getByRole('button', { name: 'New customer' }).click()
      const name = page.getByLabel('Name')
      await name.fill('  ')
      await page.keyboard.press('Enter')
      const fault = () => page.evaluate('document.activeElement.validationMessage')
      expect(await fault()).toBe('Enter more than spaces.')
      await name.fill('Globex')
      expect(await fault()).toBe('')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Globex' }).first().waitFor()
      // a person without a mouse continues at the top of the new page
      const focused = () => page.evaluate('document.activeElement.textContent')
      await expect.poll(focused).toBe('Globex')

      await page.getByRole('checkbox', { name: 'greet' }).check()
      // a selection that is not saved survives a reload
      await page.reload()
      await page.getByRole('checkbox', { name: 'greet' }).first().waitFor()
      await expect.poll(() => page.getByRole('checkbox', { name: 'greet' }).isChecked()).toBe(true)
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Allowed actions saved').first().waitFor()

      await page.getByRole('tab', { name: 'Keys' }).click()
      await page.getByRole('button', { name: 'New key' }).click()
      await page.getByLabel('Name').fill('production')
      await page.getByRole('button', { name: 'Create key' }).click()
      const dialog = page.getByRole('dialog', { name: 'Your new key' })
      const key = (await dialog.getByText(/^svck_\w+$/).textContent()) ?? ''
      await picture('customer-key')
      expect(await barriers()).toEqual([])
      await page.getByRole('button', { name: 'I have copied it' }).click()
      await expect.poll(focused).toBe('New key')
      await page.getByRole('link', { name: 'production' }).first().waitFor()
      expect(await runWith(key, 'greet')).toBe(201)
      expect(await runWith(key, 'fail')).toBe(403)

      await page.getByRole('button', { name: 'Disable' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
      await page.getByRole('button', { name: 'Enable' }).first().waitFor()
      expect(await runWith(key, 'greet')).toBe(401)
      await page.getByRole('button', { name: 'Enable' }).click()
      await page.getByRole('button', { name: 'Disable' }).first().waitFor()

      await page.getByRole('link', { name: 'production' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
      await page
        .getByRole('dialog', { name: /\?$/ })
        .getByRole('button', { name: 'Revoke' })
        .click()
      await page.getByRole('row').getByText('Revoked').first().waitFor()
      expect(await runWith(key, 'greet')).toBe(401)

      await page.getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('heading', { level: 1, name: 'Customers' }).first().waitFor()
      await page.getByRole('link', { name: 'Acme' }).first().waitFor()
      await expect.poll(() => page.getByRole('link', { name: 'Globex' }).count()).toBe(0)
    }))

  test('keeps what another admin grants and withdraws while its page is open', async () => {
    const { id } = await node.api.post('/consumers', { body: { name: 'Initech' } })
    const put = (...actions: readonly string[]) =>
      node.api.put('/consumers/{id}/grants', {
        params: { id },
        body: { grants: actions.map((action) => ({ app: 'sample', action })) },
      })
    await put('greet', 'slow')
    await during(tour.visit('light', ADMIN), async ({ page }) => {
      await page.goto(`/ui/w/default/customers/${id}`)
      await page.getByRole('checkbox', { name: 'fail' }).check()
      await put('slow', 'flaky')
      await page.getByRole('button', { name: 'Edit' }).click()
      await page.getByLabel('Name').fill('Initech Ltd')
      await node.api.patch('/consumers/{id}', { params: { id }, body: { external_ref: 'crm-9' } })
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Initech Ltd' }).first().waitFor()
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Allowed actions saved').first().waitFor()
      await expect.poll(() => page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    })
    const { grants, external_ref } = await node.api.get('/consumers/{id}', { params: { id } })
    expect(grants.map(({ action }) => action).sort()).toEqual(['fail', 'flaky', 'slow'])
    expect(external_ref).toBe('crm-9')
  })

  test('is only read by a member', () =>
    during(tour.visit('light', MEMBER), async ({ page }) => {
      await page.goto(`/ui/w/default/customers/${acme}`)
      const greet = page.getByRole('checkbox', { name: 'greet' })
      await greet.first().waitFor()
      await expect.poll(() => greet.isDisabled()).toBe(true)
      for (const name of ['Save', 'Edit', 'Disable', 'Delete']) {
        await expect.poll(() => page.getByRole('button', { name }).count()).toBe(0)
      }
    }))
})

test('usage is added up by customer and day', { timeout: 120_000 }, async () => {
  const params = { id: acme }
  const { key } = await node.api.post('/consumers/{id}/keys', { params, body: { label: 'usage' } })
  expect(await runWith(key, 'greet')).toBe(201)
  const runs = async () => (await node.api.get('/usage', { query: { customer_id: acme } })).items[0]
  await expect.poll(async () => (await runs())?.runs).toBe(1)
  await during(tour.visit('all', ADMIN), async ({ page, barriers }) => {
    await page.goto('/ui/w/default/billing?tab=usage')
    await page.getByRole('link', { name: 'Acme' }).waitFor()
    expect(await barriers()).toEqual([])
    await page.getByRole('link', { name: 'Acme' }).click()
    await page.getByRole('img', { name: /30일간 실행 1회 중 0회 실패/ }).waitFor()
    await page.locator('canvas').nth(1).waitFor()
    expect(await barriers()).toEqual([])
  })
})

test('a job of a customer names it, in the list and with a link on its page', {
  timeout: 120_000,
}, async () => {
  const params = { id: acme }
  const { key } = await node.api.post('/consumers/{id}/keys', { params, body: { label: 'names' } })
  expect(await runWith(key, 'greet')).toBe(201)
  await during(tour.visit('light', ADMIN), async ({ page }) => {
    await page.goto('/ui/w/default/jobs')
    const row = page.getByRole('row').filter({ hasText: 'sample/greet' }).first()
    await row.getByRole('cell', { name: 'Acme', exact: true }).waitFor()
    await row.getByRole('link').click()
    const facts = page.getByRole('region', { name: 'Details' })
    await facts.getByText('Customer Acme').waitFor()
    expect(await page.locator('main').textContent()).not.toContain(acme)
    await facts.getByRole('link', { name: 'Acme' }).click()
    await page.getByRole('heading', { level: 1, name: 'Acme' }).waitFor()
  })
})

test.each([
  ['customers', '', '[data-row-link]'],
  ['customer', '/ID', '[role=tabpanel] input'],
  ['customer-keys', '/ID?tab=keys', '[data-row-link]'],
] as const)(
  '%s keeps the manners in every look',
  { timeout: 180_000 },
  async (name, tail, ready) => {
    const path = `/ui/w/default/customers${tail.replace('ID', acme)}`
    expect(await lookAt(tour, { name, path, ready, who: ADMIN })).toEqual([])
  },
)
