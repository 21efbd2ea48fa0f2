/**
 * Two tabs change the same thing. The second learns of the first, keeps what was typed, and may overwrite it. After the first
 * test, the API changes what another tab would, with the same requests.
 */
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage } from './browser.ts'
import { ADMIN } from './console-node.ts'
import { during } from './during.ts'
import { useConsole } from './use-console.ts'

const HOME = '/ui/w/default'

const { node, tour } = useConsole()

const twoTabs = (act: (first: Page, second: Page) => Promise<void>): Promise<void> =>
  during(
    tour.visit('light', ADMIN),
    ({ page: first }) =>
      during(tour.visit('light', ADMIN), ({ page: second }) => act(first, second), /412/),
    /412/,
  )

const inTab = (act: (tab: Page) => Promise<void>): Promise<void> =>
  during(tour.visit('light', ADMIN), ({ page }) => act(page), /412/)

const setVariable = (key: string, value: string): Promise<unknown> =>
  node.api.put('/variables/{key}', { params: { key }, body: { value, secret: false } })
const savedValue = async (key: string): Promise<string | undefined> =>
  (await node.api.get('/variables')).items.find((item) => item.key === key)?.value

const openVariable = async (page: Page, key: string): Promise<void> => {
  await openPage(page, `${HOME}/variables`)
  await page.getByRole('button', { name: `Replace: ${key}` }).click()
}
const dialogOf = (page: Page) => page.getByRole('dialog')
const typeValue = (page: Page, value: string): Promise<void> =>
  dialogOf(page).getByLabel('Value').fill(value)
const pressIn = (dialog: Locator, name: string): Promise<void> =>
  dialog.getByRole('button', { name, exact: true }).click()
const press = (page: Page, name: string): Promise<void> => pressIn(dialogOf(page), name)

test(
  'of two tabs that replace a variable, the second sees the value of the first',
  { timeout: 120_000 },
  () =>
    twoTabs(async (first, second) => {
      await setVariable('REGION', 'seoul')
      for (const tab of [first, second]) await openVariable(tab, 'REGION')
      await typeValue(first, 'busan')
      await typeValue(second, 'tokyo')
      await press(first, 'Save')
      await dialogOf(first).waitFor({ state: 'hidden' })
      await press(second, 'Save')
      const notice = dialogOf(second).getByRole('alert', { name: 'Changed since you opened it' })
      await notice.getByText('busan').waitFor()
      await notice.getByText(ADMIN.email).waitFor()
      expect(await dialogOf(second).getByLabel('Value').inputValue()).toBe('tokyo')
      expect(await savedValue('REGION')).toBe('busan')
      await press(second, 'Overwrite')
      await dialogOf(second).waitFor({ state: 'hidden' })
      expect(await savedValue('REGION')).toBe('tokyo')
    }),
)

test(
  'a variable that was deleted meanwhile is created only by a second press',
  { timeout: 120_000 },
  () =>
    inTab(async (second) => {
      await setVariable('GONE', 'old')
      await openVariable(second, 'GONE')
      await typeValue(second, 'new')
      await node.api.delete('/variables/{key}', { params: { key: 'GONE' } })
      await press(second, 'Save')
      await dialogOf(second).getByRole('alert', { name: 'Deleted since you opened it' }).waitFor()
      expect(await savedValue('GONE')).toBeUndefined()
      await press(second, 'Save')
      await dialogOf(second).waitFor({ state: 'hidden' })
      expect(await savedValue('GONE')).toBe('new')
    }),
)

test(
  'a new variable does not replace one that another tab has created meanwhile',
  { timeout: 120_000 },
  () =>
    inTab(async (second) => {
      await openPage(second, `${HOME}/variables`)
      await second.getByRole('button', { name: 'New variable' }).first().click()
      await dialogOf(second).getByLabel('Key').fill('FRESH')
      await typeValue(second, 'mine')
      await setVariable('FRESH', 'theirs')
      await press(second, 'Save')
      await dialogOf(second).getByText('This key exists.').waitFor()
      expect(await savedValue('FRESH')).toBe('theirs')
    }),
)

test(
  'a schedule keeps the changes of both tabs, and of one field asks first',
  { timeout: 120_000 },
  () =>
    inTab(async (second) => {
      const target = { app_key: 'sample', action_key: 'greet', input: { name: 'Ada' } }
      const { id } = await node.api.post('/schedules', { body: { ...target, cron: '0 9 * * *' } })
      const params = { id }
      const read = () => node.api.get('/schedules/{id}', { params })
      const save = (name: string) => second.getByRole('button', { name, exact: true }).click()
      const openForm = async (cron: string): Promise<void> => {
        await openPage(second, `${HOME}/schedules/${id}/edit`)
        await second.getByLabel('Cron expression').fill(cron)
      }
      await openForm('0 8 * * *')
      await node.api.patch('/schedules/{id}', { params, body: { timezone: 'Asia/Seoul' } })
      await save('Save')
      await second.waitForURL(new RegExp(`${id}$`))
      expect(await read()).toMatchObject({ cron: '0 8 * * *', timezone: 'Asia/Seoul' })

      await openForm('0 7 * * *')
      await node.api.patch('/schedules/{id}', { params, body: { cron: '0 6 * * *' } })
      await save('Save')
      const notice = second.getByRole('alert', { name: 'Changed since you opened it' })
      await notice.getByText('0 6 * * *').waitFor()
      expect(await second.getByLabel('Cron expression').inputValue()).toBe('0 7 * * *')
      expect(await read()).toMatchObject({ cron: '0 6 * * *' })
      await save('Overwrite')
      await second.waitForURL(new RegExp(`${id}$`))
      expect(await read()).toMatchObject({ cron: '0 7 * * *' })
    }),
)

test(
  'a git source keeps the changes of both tabs, and of one field asks first',
  { timeout: 120_000 },
  () =>
    inTab(async (second) => {
      const url = 'https://git.example.com/team/shop.git'
      const { id } = await node.api.post('/git-sources', { body: { name: 'shop', url } })
      const params = { id }
      const read = () => node.api.get('/git-sources/{id}', { params })
      // a message about what was saved before is a dialog too
      const dialog = second.getByRole('dialog', { name: 'Edit shop' })
      const openForm = async (branch: string): Promise<void> => {
        await openPage(second, `${HOME}/git-sources/${id}`)
        await second.getByRole('button', { name: 'Edit' }).click()
        await dialog.getByLabel('Branch').fill(branch)
      }
      await openForm('mine')
      await node.api.patch('/git-sources/{id}', { params, body: { path: 'apps' } })
      await pressIn(dialog, 'Save')
      await dialog.waitFor({ state: 'hidden' })
      expect(await read()).toMatchObject({ branch: 'mine', path: 'apps' })

      await openForm('mine-again')
      await node.api.patch('/git-sources/{id}', { params, body: { branch: 'theirs' } })
      await pressIn(dialog, 'Save')
      const notice = dialog.getByRole('alert', { name: 'Changed since you opened it' })
      await notice.getByText('theirs').waitFor()
      expect(await dialog.getByLabel('Branch').inputValue()).toBe('mine-again')
      expect(await read()).toMatchObject({ branch: 'theirs' })
      await pressIn(dialog, 'Overwrite')
      await dialog.waitFor({ state: 'hidden' })
      expect(await read()).toMatchObject({ branch: 'mine-again' })
    }),
)
