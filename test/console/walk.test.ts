/**
 * The work of a team with dist/svc in a browser: sign in, deploy from git, run and watch a job, a flow that a second person
 * approves, a schedule that fires, a token that works, a certificate that is parsed.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRepositoryFolder, type RepositoryFolder } from '../support/git-repository.ts'
import { sampleCertificate } from '../support/sample-certificate.ts'
import type { Visit } from './browser.ts'
import { ADMIN, MEMBER } from './console-node.ts'
import { during } from './during.ts'
import { useConsole } from './use-console.ts'

const BINARY = resolve(import.meta.dirname, '../../dist/svc')
const HOME = '/ui/w/default'
const PATIENT = { timeout: 180_000 }

const TEAM_APP = {
  'app.yaml': `key: team
actions:
  - key: count
    entrypoint: count.ts
    inputSchema:
      type: object
      required: [until]
      properties:
        until: { type: integer, title: Until }
flows:
  - key: release
    steps:
      - { key: build, action: count, input: { until: 2 } }
      - key: check
        kind: branchone
        branches:
          - { key: thorough, condition: results.build.counted > 9, action: count, input: { until: 3 } }
          - { key: quick, action: count, input: { until: 1 } }
      - { key: decide, kind: approval }
      - { key: publish, action: count, input: { until: 1 } }
`,
  'count.ts': `export const main = async (ctx) => {
  for (let n = 1; n <= ctx.input.until; n += 1) {
    ctx.log('counted to', n)
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
  return { counted: ctx.input.until }
}
`,
}

let repositories: RepositoryFolder
const folder = mkdtempSync(join(tmpdir(), 'svc-walk-'))

beforeAll(async () => {
  repositories = openRepositoryFolder()
  repositories.create('team').commit(TEAM_APP)
})
afterAll(async () => {
  repositories?.remove()
  rmSync(folder, { recursive: true, force: true })
})
const { node, tour } = useConsole({
  settings: () => ({ SVC_GIT_LOCAL_ROOTS: repositories.root }),
  program: [BINARY],
  app: null,
})

/** Saves a screenshot of the page, which must have no barriers. */
const see = async ({ picture, barriers }: Visit, name: string): Promise<void> => {
  await picture(`walk-${name}`)
  expect(await barriers()).toEqual([])
}

test('a person signs in and deploys an app from git', PATIENT, () =>
  during(tour.visit('light', null), async (visit) => {
    const { page } = visit
    await page.goto('/')
    await page.getByLabel('E-mail').fill(ADMIN.email)
    await page.getByLabel('Password').fill(ADMIN.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).first().waitFor()
    await see(visit, 'empty')
    await page.goto(`${HOME}/git-sources`)
    await page.getByRole('button', { name: 'Connect a repository' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Address').fill(`${repositories.root}/team`)
    await dialog.getByRole('button', { name: 'Test connection' }).click()
    await dialog.getByText('Connected: 1 branch.').first().waitFor()
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByRole('button', { name: 'Sync now' }).click()
    await page.getByText('Synced: 1 app').first().waitFor()
    await see(visit, 'git-source')
  }),
)

test('runs an action with the form of its schema and reads its log as it is written', PATIENT, () =>
  during(tour.visit('dark', ADMIN), async (visit) => {
    const { page } = visit
    await page.goto(`${HOME}/apps/team/actions/count`)
    await page.getByLabel('Until').fill('12')
    await page.getByRole('button', { name: 'Run now' }).click()
    await page.getByRole('tab', { name: 'Log' }).click()
    // long before the job ends
    await page.getByText('counted to 2', { exact: true }).first().waitFor()
    await page.getByText('counted to 12', { exact: true }).first().waitFor()
    await page.getByText('Success').first().waitFor()
    await see(visit, 'job')
  }),
)

test('starts a flow that a second person approves, on a phone', PATIENT, async () => {
  const params = { app: 'team', flow: 'release' }
  const { flow_run_id: id } = await node.api.post('/flows/run/{app}/{flow}', { params, body: {} })
  await during(tour.visit('light', ADMIN), async ({ page }) => {
    await page.goto(`${HOME}/flow-runs/${id}`)
    await page.getByText('You requested this run').first().waitFor()
  })
  await during(tour.visit('phone', MEMBER), async (visit) => {
    const { page } = visit
    await page.goto(`${HOME}/approvals`)
    const card = page.getByRole('article').filter({ has: page.locator(`a[href*="${id}"]`) })
    await card.getByRole('button', { name: 'Approve' }).first().waitFor()
    await see(visit, 'approval')
    await card.getByRole('button', { name: 'Approve' }).click()
    await expect.poll(() => card.count()).toBe(0)
  })
  await during(tour.visit('light', ADMIN), async (visit) => {
    const { page } = visit
    await page.goto(`${HOME}/flow-runs/${id}`)
    await page.getByText('Completed').first().waitFor()
    const graph = page.getByRole('application', { name: 'Graph of the flow' })
    await graph.getByRole('button', { name: /^thorough.*Not taken/ }).waitFor()
    await graph.getByRole('button', { name: /^quick.*Success/ }).waitFor()
    await see(visit, 'flow-run')
  })
})

test('makes a schedule and sees it fire', PATIENT, () =>
  during(tour.visit('light', ADMIN), async (visit) => {
    const { page } = visit
    await page.goto(`${HOME}/schedules`)
    await page.getByRole('link', { name: 'New schedule' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'New schedule' }).first().waitFor()
    await page.getByLabel('App', { exact: false }).selectOption('team')
    await page.getByLabel('Action').selectOption('count')
    await page.getByLabel('Until').fill('1')
    await page.getByLabel('Cron expression').fill('@every 1s')
    await page.getByRole('button', { name: 'Create schedule' }).click()
    await page
      .getByRole('button', { name: /[1-9]\d* fired, 0 skipped/ })
      .first()
      .waitFor()
    await see(visit, 'schedule')
    const { items } = await node.api.get('/schedules')
    for (const { id } of items) await node.api.delete('/schedules/{id}', { params: { id } })
  }),
)

test('issues a token, and uses it', PATIENT, () =>
  during(tour.visit('korean', ADMIN), async (visit) => {
    const { page } = visit
    await page.goto(`${HOME}/tokens`)
    await page.getByRole('button', { name: '새 토큰' }).click()
    await see(visit, 'token')
    const form = page.getByRole('dialog')
    await form.getByRole('textbox').first().fill('노트북')
    await form.getByRole('checkbox', { name: 'jobs:run' }).check()
    await form.locator('button[type=submit]').click()
    const token = (await page.getByText(/^svc_\w{40,}$/).textContent()) ?? ''
    const answer = await fetch(`${node.url}/api/w/default/jobs/run/team/count/wait`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{"until":1}',
    })
    expect([answer.status, await answer.json()]).toEqual([200, expect.anything()])
  }),
)

test('has a certificate read', PATIENT, () =>
  during(tour.visit('light', ADMIN), async (visit) => {
    const { page } = visit
    const certificate = join(folder, 'certificate.pdf')
    writeFileSync(certificate, sampleCertificate())
    await page.goto(`${HOME}/api-keys`)
    await page.getByRole('button', { name: 'New API key' }).first().click()
    await page.getByLabel('Name').fill('playground')
    await page.getByRole('button', { name: 'Create API key' }).click()
    await page.getByRole('button', { name: 'Try it with a certificate' }).click()
    await page.locator('input[type=file]').setInputFiles(certificate)
    await page.getByText('1번등기명의인표시변경').first().waitFor()
    await page.locator('canvas').first().waitFor()
    await see(visit, 'certificate')
  }),
)

test('sees in one list what has run', PATIENT, async () => {
  const params = { app: 'team', action: 'count' }
  for (const until of [1, 2, 3]) {
    await node.api.fetch(`/api/w/default/jobs/run/${params.app}/${params.action}/wait`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ until }),
    })
  }
  await node.api.post('/jobs/run/{app}/{action}', { params, body: { until: 200 } })
  await during(tour.visit('light', ADMIN), async (visit) => {
    const { page } = visit
    await page.goto(`${HOME}/jobs`)
    await page.getByRole('row').filter({ hasText: 'Running' }).first().waitFor()
    await see(visit, 'jobs')
  })
})
