/** Code and secrets: git sources, drafts and variables, as a person uses them, with a real node. */
import type { Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openRepositoryFolder, type RepositoryFolder } from '../support/git-repository.ts'
import { lookAt, openPage, type Visit } from './browser.ts'
import { ADMIN, MEMBER } from './console-node.ts'
import { during } from './during.ts'
import { useConsole } from './use-console.ts'

const PATIENT = { timeout: 240_000 }
const HOME = '/ui/w/default'

const SHOP_APP = {
  'app.yaml': 'key: shop\nactions:\n  - { key: sell, entrypoint: sell.ts, timeoutS: 20 }\n',
  'sell.ts': 'export const main = () => 1\n',
}

let repositories: RepositoryFolder

beforeAll(async () => {
  repositories = openRepositoryFolder()
  repositories.create('shop').commit(SHOP_APP)
  repositories.create('bad').commit({ 'app.yaml': 'key: bad\nactions:\n  - { key: x }\n' })
})
afterAll(() => void repositories?.remove())
const { node, tour } = useConsole({
  settings: () => ({ SVC_GIT_LOCAL_ROOTS: repositories.root }),
  app: null,
})

const asAdmin = (act: (visit: Visit) => Promise<void>, expected?: RegExp): Promise<void> =>
  during(tour.visit('light', ADMIN), act, expected)
const asMember = (act: (visit: Visit) => Promise<void>): Promise<void> =>
  during(tour.visit('light', MEMBER), act)

const look = async (name: string, path: string, ready: string): Promise<void> =>
  expect(await lookAt(tour, { name, path: `${HOME}${path}`, ready, who: ADMIN })).toEqual([])

/** Everything that the browser stores for the page. */
const kept = (page: Visit['page']): Promise<unknown> =>
  page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')

describe('a git source', PATIENT, () => {
  test('teaches what it is where there is none, in every look', () =>
    look('git-empty', '/git-sources', 'main h2'))

  test('is connected after a check of its repository, synced, changed and deleted', () =>
    asAdmin(async ({ page, barriers, picture }) => {
      await openPage(page, `${HOME}/git-sources`)
      await page.getByRole('button', { name: 'Connect a repository' }).first().click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Address').fill(`${repositories.root}/shop`)
      // the name is filled in automatically
      await expect
        .poll(() => dialog.getByRole('textbox', { name: 'Name' }).inputValue())
        .toBe('shop')
      await page.reload()
      await expect
        .poll(() => dialog.getByLabel('Address').inputValue())
        .toBe(`${repositories.root}/shop`)
      await dialog.getByRole('button', { name: 'Test connection' }).click()
      await dialog.getByText('Connected: 1 branch.').first().waitFor()
      await expect.poll(() => dialog.getByLabel('Branch').inputValue()).toBe('main')
      expect(await barriers()).toEqual([])
      await picture('git-form')
      await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
      await page.getByRole('heading', { level: 1, name: 'shop' }).first().waitFor()
      await page.getByRole('button', { name: 'Sync now' }).click()
      await page.getByText('Synced: 1 app').first().waitFor()
      await page
        .getByRole('main')
        .getByRole('link', { name: 'shop', exact: true })
        .first()
        .waitFor()

      await page.getByRole('button', { name: 'Edit' }).click()
      await dialog.getByLabel('Automatic sync').selectOption('300')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await page.getByText('every 5m').first().waitFor()

      await openPage(page, `${HOME}/apps/shop?tab=source`)
      await page.getByText('Deployed from git:').first().waitFor()
      await page.getByRole('tabpanel').getByRole('link', { name: 'shop' }).click()
      await page.getByRole('button', { name: 'Delete' }).click()
      await dialog.getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('heading', { name: 'No git sources yet' }).first().waitFor()
    }))

  test('shows every fault with its place', () =>
    asAdmin(async ({ page, barriers, picture }) => {
      const { id } = await node.api.post('/git-sources', {
        body: { name: 'bad', url: `${repositories.root}/bad` },
      })
      await openPage(page, `${HOME}/git-sources/${id}`)
      await page.getByRole('button', { name: 'Sync now' }).click()
      await page.getByRole('heading', { name: 'Sync failed' }).first().waitFor()
      await page
        .getByText(/^app\.yaml:3:\d+ actions\[0\]\.entrypoint$/)
        .first()
        .waitFor()
      expect(await barriers()).toEqual([])
      await picture('git-fault')
      await openPage(page, `${HOME}/git-sources`)
      await page.getByText('Failing').first().waitFor()
    }, /422/))

  test('takes a token that the browser keeps nowhere', () =>
    asAdmin(async ({ page }) => {
      await openPage(page, `${HOME}/git-sources?form=new`)
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Address').fill('https://example.com/team/private.git')
      await dialog.getByLabel('Credentials').selectOption('token')
      const token = dialog.getByLabel('Token')
      await token.fill('top-secret-token')
      expect(await token.getAttribute('type')).toBe('password')
      expect(await kept(page)).toContain('private.git')
      expect(await kept(page)).not.toContain('top-secret-token')
      await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
      await page.getByText('stored, never shown').first().waitFor()
      expect(await page.content()).not.toContain('top-secret-token')
      await page.getByRole('button', { name: 'Edit' }).click()
      await expect.poll(() => dialog.getByLabel('Credentials').inputValue()).toBe('keep')
      // they are never sent to another address
      await dialog.getByLabel('Address').fill('https://example.com/other.git')
      await dialog.getByText('Stored credentials are not kept').first().waitFor()
      await expect.poll(() => dialog.getByLabel('Credentials').inputValue()).toBe('none')
    }))

  test('is only looked at by a member', () =>
    asMember(async ({ page }) => {
      await openPage(page, `${HOME}/git-sources`)
      await page.getByRole('link', { name: 'bad' }).click()
      await page.getByText('Last sync failed').first().waitFor()
      await expect.poll(() => page.getByRole('button', { name: 'Sync now' }).count()).toBe(0)
      await expect.poll(() => page.getByRole('button', { name: 'Edit' }).count()).toBe(0)
    }))
})

describe('a draft', PATIENT, () => {
  test('is begun, written, checked, corrected and deployed', () =>
    asAdmin(async ({ page, barriers, picture }) => {
      await openPage(page, `${HOME}/drafts`)
      await page.getByRole('button', { name: 'New draft' }).first().click()
      await page.locator('input:focus').waitFor()
      await page.keyboard.type('notes')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'hello.ts' }).click()
      const editor = page.locator('.cm-content')
      await editor.getByText('Hello,').first().waitFor()
      await editor.click()
      await page.keyboard.press('Control+a')
      await page.keyboard.type('export const main = () => {\nconst = 1\n}\n')
      await page.getByText('1 unsaved file').first().waitFor()

      // a reload loses nothing of it
      await page.reload()
      await editor.getByText('const = 1').first().waitFor()
      await page.getByText('1 unsaved file').first().waitFor()

      // a fault links to its line
      await page.getByRole('button', { name: 'app.yaml' }).click()
      await page.getByRole('button', { name: 'Check' }).click()
      await page.getByText('1 problem').first().waitFor()
      await picture('draft-fault')
      expect(await barriers()).toEqual([])
      await page.getByRole('button', { name: /^actions\/hello\.ts:2:/ }).click()
      await editor.getByText('const = 1').first().waitFor()
      await page.keyboard.press('Home')
      await page.keyboard.type('//')
      await editor.getByText('//').first().waitFor()
      await page.keyboard.press('Control+s')
      await expect.poll(() => page.getByText('1 unsaved file').count()).toBe(0)
      await page.getByRole('button', { name: 'Check' }).click()
      await page.getByText('No problems found. This draft can be deployed.').first().waitFor()

      await page.getByRole('button', { name: 'Deploy' }).click()
      await page.getByRole('dialog').getByLabel('Message').fill('First words')
      await page.getByRole('region', { name: 'Changes', exact: true }).first().waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'notes' }).first().waitFor()
      await page.getByRole('tab', { name: 'Deployments' }).click()
      await page.getByText('First words').first().waitFor()
    }))

  test('is completed and explained: app.yaml from its schema, ctx from the SDK', () =>
    asAdmin(async ({ page, faults, barriers, picture }) => {
      const files = {
        'app.yaml': 'key: typed\nactions:\n  - key: one\n    entrypoint: one.ts\n',
        'one.ts': 'export const main = (ctx) => {\n\n}\n',
      }
      await node.api.put('/drafts/{app}', { params: { app: 'typed' }, body: { files } })
      const loaded = page.waitForResponse(/app\.json$/)
      await page.goto(`${HOME}/drafts/typed`)
      await loaded
      const editor = page.locator('.cm-content')
      // keys are highlighted
      await editor.locator('span', { hasText: /^entrypoint$/ }).waitFor()
      await editor.click()
      await page.keyboard.press('Control+End')
      await page.keyboard.type('    timeo')
      await page.getByRole('option', { name: /^timeoutS/ }).waitFor()
      await picture('draft-completion')
      expect(await barriers()).toEqual([])
      await page.keyboard.press('Enter')
      await editor.getByText('timeoutS: ').waitFor()
      await editor.getByText('entrypoint').hover()
      await page.locator('.cm-explanation').getByText('entrypoint').waitFor()

      await page.getByRole('button', { name: 'one.ts' }).click()
      await editor.getByText('export').first().click()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.type('  ctx.state.')
      await page.getByRole('option', { name: /^update/ }).waitFor()
      await page.keyboard.type('up')
      await page.keyboard.press('Enter')
      await editor.getByText('ctx.state.update').waitFor()
      expect(faults).toEqual([])
    }))

  test('of a deployed app begins with what runs, and shows what deploying it would remove', () =>
    asAdmin(async ({ page, barriers, picture }) => {
      const files = {
        'app.yaml':
          'key: running\nactions:\n  - { key: one, entrypoint: one.ts }\n  - { key: two, entrypoint: one.ts }\n',
        'one.ts': 'export const main = () => "what runs now"\n',
      }
      const at = { params: { app: 'running' } }
      await node.api.put('/drafts/{app}', { ...at, body: { files } })
      await node.api.post('/drafts/{app}/deploy', { ...at, body: {} })
      await node.api.delete('/drafts/{app}', at)

      await openPage(page, `${HOME}/drafts`)
      await page.getByRole('button', { name: 'New draft' }).first().click()
      await page.locator('input:focus').waitFor()
      await page.keyboard.type('running')
      await page.getByText('The draft starts with its current files').first().waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'one.ts' }).click()
      await page.locator('.cm-content').getByText('what runs now').first().waitFor()

      await page.getByRole('button', { name: 'app.yaml' }).click()
      await page.locator('.cm-content').getByText('key: two').first().waitFor()
      const shorter = { ...files, 'app.yaml': files['app.yaml'].replace(/ +- { key: two.*\n/, '') }
      await node.api.put('/drafts/{app}', { ...at, body: { files: shorter } })
      await page.reload()
      await page.getByRole('button', { name: 'Deploy' }).click()
      const changes = page.getByRole('dialog').getByRole('region', { name: 'Changes', exact: true })
      await changes.getByText('two').first().waitFor()
      expect(await changes.textContent()).toMatch(/action two removed/)
      // the same by file
      const dialog = page.getByRole('dialog')
      const changed = dialog.getByRole('region', { name: '1 changed file' })
      await changed.getByText('+0').first().waitFor()
      await changed.getByText('−1').first().waitFor()
      const diff = dialog.getByRole('region', { name: 'Changes in app.yaml' })
      await diff.locator('[data-kind=removed]').getByText('key: two').first().waitFor()
      await picture('draft-removes')
      expect(await barriers()).toEqual([])
      // a removal needs a confirmation, by keyboard too
      const send = dialog.getByRole('button', { name: 'Deploy and remove' })
      expect(await send.isDisabled()).toBe(true)
      await dialog.getByLabel('Yes, remove the item that is marked as removed').focus()
      await page.keyboard.press('Space')
      await send.click()
      await page.getByRole('heading', { level: 1, name: 'running' }).first().waitFor()
    }))

  test('shows the plan file by file, long files closed, in every look', async () => {
    const key = { params: { app: 'plan' } }
    const lines = Array.from({ length: 300 }, (_, at) => `export const n${at} = ${at}`)
    const manifest = 'key: plan\nactions:\n  - { key: one, entrypoint: one.ts }\n'
    const files = {
      'app.yaml': manifest,
      'one.ts': 'export const main = () => {\n  return "before"\n}\n',
      'old.ts': 'export const old = true\n',
      'long.ts': `${lines.join('\n')}\n`,
    }
    await node.api.put('/drafts/{app}', { ...key, body: { files } })
    await node.api.post('/drafts/{app}/deploy', { ...key, body: {} })
    const { 'old.ts': _, ...rest } = files
    const changed = {
      ...rest,
      'one.ts': files['one.ts'].replace('before', 'after'),
      'new.ts': 'export const isNew = true\n',
      'long.ts': lines.map((line) => `${line}0\n`).join(''),
    }
    await node.api.put('/drafts/{app}', { ...key, body: { files: changed } })
    for (const look of ['light', 'all'] as const) {
      await during(tour.visit(look, ADMIN), async ({ page, barriers, picture }) => {
        await openPage(page, `${HOME}/drafts/plan`)
        await page.getByRole('button', { name: /^(?:Deploy|배포)$/ }).click()
        const dialog = page.getByRole('dialog')
        await dialog.locator('summary', { hasText: 'one.ts' }).first().waitFor()
        const shown = await dialog.locator('summary code').allTextContents()
        expect(shown).toEqual(['long.ts', 'new.ts', 'old.ts', 'one.ts'])
        await dialog.locator('[data-kind=added]').getByText('"after"').first().waitFor()
        await dialog.locator('[data-kind=removed]').getByText('"before"').first().waitFor()
        const isOpen = (path: string) =>
          dialog.locator('details', { hasText: path }).getAttribute('open')
        expect(await isOpen('long.ts')).toBe(null)
        expect(await isOpen('old.ts')).toBe('')
        await picture('draft-plan')
        expect(await barriers()).toEqual([])
        await dialog.locator('summary', { hasText: 'long.ts' }).focus()
        await page.keyboard.press('Enter')
        await dialog.getByText('export const n299 = 2990').first().waitFor()
        const isWide: unknown = await page.evaluate(
          'document.documentElement.scrollWidth > document.documentElement.clientWidth',
        )
        expect(isWide).toBe(false)
      })
    }
  })

  test('is tried before it is saved, and its log, result and error are next to the code', async () => {
    const at = { params: { app: 'trial' } }
    const files = {
      'app.yaml':
        'key: trial\nactions:\n  - key: greet\n    entrypoint: greet.ts\n    inputSchema: { type: object, required: [name], properties: { name: { type: string, title: Name } } }\n',
      'greet.ts': 'export const main = (ctx) => "saved"\n',
    }
    await node.api.put('/drafts/{app}', { ...at, body: { files } })
    const typed = 'export const main = (ctx) => { ctx.log("tried"); return "Hi " + ctx.input.name }'
    await asAdmin(async ({ page, barriers, picture }) => {
      await openPage(page, `${HOME}/drafts/trial?file=greet.ts`)
      await page.locator('.cm-content').click()
      await page.keyboard.press('Control+A')
      await page.keyboard.insertText(typed)
      await page.getByRole('button', { name: 'Try it' }).focus()
      await page.keyboard.press('Enter')
      const panel = page.getByRole('region', { name: 'Try it' })
      await panel.getByLabel('Name').fill('Ada')
      await page.keyboard.press('Control+Enter')
      await panel.getByRole('region', { name: 'Result' }).getByText('"Hi Ada"').first().waitFor()
      await panel.getByText('tried', { exact: true }).first().waitFor()
      await page.getByText('1 unsaved file').first().waitFor()
      await picture('draft-trial')
      expect(await barriers()).toEqual([])
      // an error links to its line
      await page.locator('.cm-content').click()
      await page.keyboard.press('Control+A')
      await page.keyboard.insertText(
        '\nexport const main = () => {\n  throw new RangeError("on trial")\n}\n',
      )
      await panel.getByRole('button', { name: 'Run' }).click()
      await panel.getByRole('region', { name: 'Error' }).getByText('on trial').first().waitFor()
      await panel
        .getByRole('button', { name: /greet\.ts:3/ })
        .first()
        .click()
      await picture('draft-trial-error')
      // faults of the code are listed as in a check
      await page.locator('.cm-content').click()
      await page.keyboard.press('Control+A')
      await page.keyboard.insertText('const = 1')
      await panel.getByRole('button', { name: 'Run' }).click()
      await panel.getByText('The draft has problems').first().waitFor()
      await page.getByRole('region', { name: 'Check' }).getByText('greet.ts:1').first().waitFor()
      const { items } = await node.api.get('/jobs', { query: { app: 'trial' } })
      expect(items).toEqual([])
      expect((await node.api.get('/drafts/{app}', at)).files).toEqual(files)
      const { items: apps } = await node.api.get('/apps')
      expect(apps.map(({ key }) => key).filter((key) => key.startsWith('trial'))).toEqual([])
      await page.getByRole('button', { name: 'Discard unsaved changes' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click()
      await panel.getByRole('button', { name: 'Run' }).click()
      await panel.getByRole('region', { name: 'Result' }).getByText('"saved"').first().waitFor()
      await panel.getByRole('link', { name: 'Open job' }).click()
      await page.getByText('Trial of a draft').first().waitFor()
    }, /422/)
    await during(tour.visit('all', ADMIN), async ({ page, barriers, picture }) => {
      await openPage(page, `${HOME}/drafts/trial?file=greet.ts`)
      await page.getByRole('button', { name: '시험 실행' }).click()
      const panel = page.getByRole('region', { name: '시험 실행' })
      await panel.getByLabel('Name').fill('Ada')
      await panel.getByRole('button', { name: '실행', exact: true }).click()
      await panel.getByRole('region', { name: '결과' }).getByText('"saved"').first().waitFor()
      await panel.scrollIntoViewIfNeeded()
      await picture('draft-trial')
      expect(await barriers()).toEqual([])
      const isWide: unknown = await page.evaluate(
        'document.documentElement.scrollWidth > document.documentElement.clientWidth',
      )
      expect(isWide).toBe(false)
    })
  })

  test('has a trial that is canceled where it was started', async () => {
    const files = {
      'app.yaml': 'key: endless\nactions:\n  - { key: wait, entrypoint: wait.ts }\n',
      'wait.ts':
        'export const main = () => new Promise((resolve) => setTimeout(resolve, 300_000))\n',
    }
    await node.api.put('/drafts/{app}', { params: { app: 'endless' }, body: { files } })
    await asAdmin(async ({ page }) => {
      await openPage(page, `${HOME}/drafts/endless?file=wait.ts`)
      await page.getByRole('button', { name: 'Try it' }).click()
      const panel = page.getByRole('region', { name: 'Try it' })
      // its end shows, also if it came before the first answer
      const answerLate = async (route: Route): Promise<void> => {
        const running = await route.fetch()
        const path = new URL(route.request().url()).pathname
        const params = { id: path.slice(-36) }
        await node.api.post('/jobs/{id}/cancel', { params, body: {} })
        await (await node.api.fetch(`${path}/events`)).text()
        await route.fulfill({ response: running })
      }
      await page.route(/\/jobs\/[\da-f-]{36}$/, answerLate, { times: 1 })
      await panel.getByRole('button', { name: 'Run' }).click()
      await panel.getByText('Canceled').first().waitFor()
      await panel.getByRole('button', { name: 'Run' }).click()
      await panel.getByRole('button', { name: 'Cancel job' }).click()
      await panel.getByText('Canceled').first().waitFor()
      expect(await panel.getByRole('button', { name: 'Cancel job' }).count()).toBe(0)
    })
  })

  test('is tried only by who may deploy', () =>
    asMember(async ({ page }) => {
      await openPage(page, `${HOME}/drafts/trial`)
      await page.getByRole('button', { name: 'Check' }).first().waitFor()
      expect(await page.getByRole('button', { name: 'Try it' }).count()).toBe(0)
    }))

  test('has files added, renamed, taken away, and brought back until it is saved', () =>
    asAdmin(async ({ page }) => {
      const files = { 'app.yaml': 'key: tree\n', 'a.ts': 'a' }
      await node.api.put('/drafts/{app}', { params: { app: 'tree' }, body: { files } })
      await openPage(page, `${HOME}/drafts/tree`)
      const tree = page.getByRole('navigation', { name: 'Files' })
      await tree.getByRole('button', { name: 'New file' }).click()
      await page.locator('input:focus').waitFor()
      await page.keyboard.type('lib/b.ts')
      await page.keyboard.press('Enter')
      await tree.getByText('lib', { exact: true }).first().waitFor()
      await tree.getByRole('button', { name: 'a.ts' }).click()
      await tree.getByRole('button', { name: 'Rename: a.ts' }).click()
      await page.getByRole('dialog').getByLabel('Path').fill('lib/a.ts')
      await page.keyboard.press('Enter')
      await tree.getByRole('button', { name: 'Delete: lib/a.ts' }).click()
      await page.getByRole('button', { name: 'Discard unsaved changes' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click()
      await tree.getByRole('button', { name: 'a.ts', exact: true }).first().waitFor()
      expect(await tree.getByText('lib', { exact: true }).count()).toBe(0)
    }))

  test('that another person saved meanwhile is not overwritten', () =>
    asAdmin(async ({ page }) => {
      const save = (text: string) =>
        node.api.put('/drafts/{app}', {
          params: { app: 'shared' },
          body: { files: { 'app.yaml': 'key: shared\n', 'theirs.ts': text } },
        })
      await save('one')
      await openPage(page, `${HOME}/drafts/shared`)
      const editor = page.locator('.cm-content')
      await editor.fill('key: shared\nname: Mine\n')
      await save('two')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByText('saved this draft in the meantime').first().waitFor()
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await expect.poll(() => page.getByText('1 unsaved file').count()).toBe(0)
      const { files } = await node.api.get('/drafts/{app}', { params: { app: 'shared' } })
      expect(files).toEqual({ 'app.yaml': 'key: shared\nname: Mine\n', 'theirs.ts': 'two' })
      await page.getByRole('button', { name: 'Delete draft' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete draft' }).click()
      await page.getByRole('heading', { level: 1, name: 'Drafts' }).first().waitFor()
      await expect.poll(() => page.getByRole('link', { name: 'shared' }).count()).toBe(0)
    }))

  test('replaces no file of another person unasked, even if the page has read it or the draft is deployed', () =>
    asAdmin(async ({ page }) => {
      const params = { app: 'both' }
      const save = (name: string) =>
        node.api.put('/drafts/{app}', {
          params,
          body: { files: { 'app.yaml': `key: both\nname: ${name}\n` } },
        })
      const warning = page.getByText('saved this draft in the meantime').first()
      await save('One')
      await openPage(page, `${HOME}/drafts/both`)
      await page.locator('.cm-content').fill('key: both\nname: Mine\n')
      await save('Two')
      // a window that gets the focus reads the draft again
      let isRead = false
      page.on('response', (answer) => {
        isRead ||= answer.url().endsWith('/drafts/both')
      })
      await expect
        .poll(async () => {
          await page.evaluate(`dispatchEvent(new Event('visibilitychange'))`)
          return isRead
        })
        .toBe(true)
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await warning.waitFor()
      await save('Three')
      await page.getByRole('button', { name: 'Deploy' }).click()
      await warning.waitFor()
      await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
      const { files } = await node.api.get('/drafts/{app}', { params })
      expect(files).toEqual({ 'app.yaml': 'key: both\nname: Three\n' })
      await node.api.delete('/drafts/{app}', { params })
    }))

  test('is written and checked by a member, who may not deploy it', () =>
    asMember(async ({ page }) => {
      await openPage(page, `${HOME}/drafts/tree`)
      await page.locator('.cm-content').fill('key: tree\nname: Tree\n')
      await page.getByRole('button', { name: 'Check' }).click()
      await page.getByText('No problems found. This draft can be deployed.').first().waitFor()
      await expect.poll(() => page.getByRole('button', { name: 'Deploy' }).count()).toBe(0)
    }))
})

describe('variables and resources', PATIENT, () => {
  test('teach their use where there are none, in every look', () =>
    look('variables-empty', '/variables', 'main h2'))

  test('are set, replaced and deleted; a secret is nowhere in the page', () =>
    asAdmin(async ({ page, barriers, picture }) => {
      await openPage(page, `${HOME}/variables`)
      await page.getByRole('button', { name: 'New variable' }).click()
      const dialog = page.getByRole('dialog')
      await page.locator('input:focus').waitFor()
      await page.keyboard.type('API_KEY')
      await dialog.getByLabel('Value').fill('hush-hush')
      expect(await barriers()).toEqual([])
      await picture('variable-form')
      await dialog.getByRole('button', { name: 'Save' }).click()
      const row = page.getByRole('row').filter({ hasText: 'API_KEY' })
      await row.getByText('hidden').first().waitFor()
      expect(await page.content()).not.toContain('hush-hush')
      expect(await kept(page)).not.toContain('hush-hush')

      await page.getByRole('button', { name: 'Replace: API_KEY' }).click()
      await expect.poll(() => dialog.getByLabel('Value').inputValue()).toBe('')
      await dialog.getByLabel('Secret: cannot').uncheck()
      await dialog.getByLabel('Value').fill('for all to see')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await row.getByText('for all to see').first().waitFor()

      await page.getByRole('button', { name: 'Delete: API_KEY' }).click()
      await dialog.getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('heading', { name: 'No variables yet' }).first().waitFor()
    }))

  test('hold JSON as a resource, which is checked before it is sent', () =>
    asAdmin(async ({ page }) => {
      await openPage(page, `${HOME}/variables?tab=resources`)
      await page.getByRole('button', { name: 'New resource' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Key').fill('orders_db')
      await dialog.getByRole('textbox', { name: 'Type' }).fill('postgres')
      await dialog.getByLabel('Value').fill('{"password":')
      await dialog.getByText('This is not valid JSON.').first().waitFor()
      await expect.poll(() => dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
      await dialog.getByLabel('Value').fill('{"password":"hush-hush"}')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await page
        .getByRole('row')
        .filter({ hasText: 'orders_db' })
        .getByText('postgres')
        .first()
        .waitFor()
      expect(await page.content()).not.toContain('hush-hush')
    }))

  test('are only looked at by a member', () =>
    asMember(async ({ page }) => {
      await openPage(page, `${HOME}/variables?tab=resources`)
      await page.getByText('orders_db').first().waitFor()
      await expect.poll(() => page.getByRole('button', { name: 'New resource' }).count()).toBe(0)
      await expect
        .poll(() => page.getByRole('button', { name: 'Delete: orders_db' }).count())
        .toBe(0)
    }))
})

describe('in every look', PATIENT, () => {
  beforeAll(async () => {
    const body = { value: 'https://example.com/a/path/that/goes/on/and/on/for/ever', secret: false }
    await node.api.put('/variables/{key}', { params: { key: 'BASE_URL' }, body })
    await node.api.put('/variables/{key}', { params: { key: 'KEY' }, body: { value: 'x' } })
  })

  test.each([
    ['git', '/git-sources', 'main [data-row-link]'],
    ['git-new', '/git-sources?form=new', '[role=dialog]'],
    ['drafts', '/drafts', 'main [data-row-link]'],
    ['draft', '/drafts/notes', 'main .cm-content'],
    ['draft-new', '/drafts?form=new', '[role=dialog]'],
    ['variables', '/variables', 'main td'],
    ['resources', '/variables?tab=resources', 'main td'],
  ])('%s keeps the manners', look)
})
