/** The ways between a job and what it calls. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openPage, openTour, type Tour } from './browser.ts'
import { ADMIN, type ConsoleNode, SAMPLE_APP, startConsoleNode } from './console-node.ts'
import { during } from './during.ts'
import { FLOW_APP } from './flow-sample.ts'

const PATIENT = { timeout: 120_000 }
const HOME = '/ui/w/default'
const CALLER = {
  'app.yaml': `key: caller
actions:
  - { key: failing, entrypoint: failing.ts }
  - { key: pays, entrypoint: pays.ts }
`,
  'failing.ts': `export const main = (ctx) => ctx.callFlow('close', 'shop/broken')\n`,
  'pays.ts': `export const main = (ctx) => ctx.call('invoice', 'shop/fail', {})\n`,
}

let node: ConsoleNode
let tour: Tour

const run = async (app: string, action: string): Promise<string> => {
  const params = { app, action }
  const { job_id: id } = await node.api.post('/jobs/run/{app}/{action}', { params, body: {} })
  return id
}

const runToFailure = async (action: string): Promise<string> => {
  const id = await run('caller', action)
  const read = () => node.api.get('/jobs/{id}', { params: { id } })
  await vi.waitFor(async () => expect((await read()).status).toBe('failure'), 60_000)
  return id
}

beforeAll(async () => {
  node = await startConsoleNode()
  for (const files of [SAMPLE_APP, FLOW_APP, CALLER]) await node.deploy(files)
  tour = await openTour(node)
}, 180_000)

afterAll(async () => {
  await tour?.close()
  await node?.stop()
})

test('a job leads to the flow run that it waits for, and the run back to the job', PATIENT, () =>
  during(tour.visit('light', ADMIN), async ({ page, barriers }) => {
    const id = await run('sample', 'calls')
    await openPage(page, `${HOME}/jobs/${id}`)
    await page.getByRole('link', { name: 'Waits for the flow run of step both' }).click()
    await page.waitForURL(/\/flow-runs\/[\da-f-]{36}/)
    const caller = page.getByRole('link', { name: 'Job sample/calls', exact: true })
    await caller.waitFor()
    expect(await barriers()).toEqual([])
    // a job of the run names the run, and a step of it
    await page.getByRole('button', { name: /^first/ }).click()
    await page.getByRole('region', { name: 'first' }).getByRole('link', { name: 'greet' }).click()
    await page.getByRole('heading', { level: 1, name: 'sample/greet' }).waitFor()
    await page.getByRole('link', { name: 'Flow run sample/pair' }).click()
    await page.waitForURL(/\/flow-runs\/[\da-f-]{36}\?step=first$/)
    await caller.click()
    await page.waitForURL((url) => url.pathname.endsWith(`/jobs/${id}`))
    await page.getByRole('heading', { level: 1, name: 'sample/calls' }).waitFor()
  }),
)

test('a job that failed by a call leads to the failed flow run or job', PATIENT, () =>
  during(tour.visit('light', ADMIN), async ({ page, barriers }) => {
    const [failing, pays] = [await runToFailure('failing'), await runToFailure('pays')]
    await openPage(page, `${HOME}/jobs/${failing}`)
    await page.getByRole('link', { name: 'Open the failed flow run' }).click()
    await page.getByRole('heading', { level: 1, name: 'shop/broken' }).waitFor()
    await openPage(page, `${HOME}/jobs/${pays}`)
    await page.getByRole('link', { name: 'Open the failed job' }).waitFor()
    expect(await barriers()).toEqual([])
    await page.getByRole('link', { name: 'Open the failed job' }).click()
    await page.getByRole('heading', { level: 1, name: 'shop/fail' }).waitFor()
    await page.getByRole('link', { name: 'Job caller/pays', exact: true }).click()
    await page.waitForURL((url) => url.pathname.endsWith(`/jobs/${pays}`))
    // the failure of its own code leads nowhere else
    const own = await node.runToEnd('fail', {})
    await openPage(page, `${HOME}/jobs/${own}`)
    await page.getByText('It went wrong on purpose.', { exact: true }).first().waitFor()
    expect(await page.getByRole('link', { name: /^Open the failed/ }).count()).toBe(0)
  }),
)
