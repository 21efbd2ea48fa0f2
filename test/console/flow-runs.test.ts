/** Flow runs and approvals in the console: followed, answered, canceled and started again, as a person does it. */
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { lookAt, openPage } from './browser.ts'
import { ADMIN, MEMBER } from './console-node.ts'
import { during } from './during.ts'
import { FLOW_APP } from './flow-sample.ts'
import { useConsole } from './use-console.ts'

let toured: string
let broken: string

const start = async (flow: string, body: unknown = {}): Promise<string> => {
  const params = { app: 'shop', flow }
  return (await node.api.post('/flows/run/{app}/{flow}', { params, body })).flow_run_id
}

/** Waits until the run has one of the given statuses. */
const until = async (id: string, wanted: readonly string[]): Promise<string> => {
  for await (const { event, data } of await node.api.get('/flow-runs/{id}/events', {
    params: { id },
  })) {
    if (event !== 'status' || typeof data !== 'object' || data === null) continue
    const found = wanted.find((status) => 'status' in data && data.status === status)
    if (found !== undefined) return found
  }
  throw new Error(`The run ended without being ${wanted.join(' or ')}.`)
}

const runToEnd = async (flow: string, body: unknown = {}): Promise<string> => {
  const id = await start(flow, body)
  await until(id, ['completed', 'failed'])
  return id
}

const waiting = async (flow: string, body: unknown = {}): Promise<string> => {
  const id = await start(flow, body)
  await until(id, ['waiting_approval'])
  return id
}

const { node, tour } = useConsole({
  app: FLOW_APP,
  fill: async () => {
    toured = await runToEnd('tour', { order: 7 })
    broken = await runToEnd('broken')
  },
})

describe('a flow run', { timeout: 180_000 }, () => {
  test('that waits for the end of another one is queued', () =>
    during(tour.visit('light', ADMIN), async ({ page }) => {
      const first = await waiting('lock', { place: 'prod' })
      const second = await start('lock', { place: 'prod' })
      await page.goto('/ui/w/default/flow-runs?flow=lock')
      await page
        .getByRole('row', { name: /Queued/ })
        .getByRole('link')
        .first()
        .click()
      await page.getByText('Begins when a run of its concurrency key ends.').waitFor()
      expect(page.url()).toContain(second)
      await node.api.post('/flow-runs/{id}/cancel', { params: { id: first }, body: {} })
      // the page follows the run
      await page.getByText('Waiting for approval').first().waitFor()
      await openPage(page, '/ui/w/default/flows/shop/lock')
      await page.getByText(/1 at once per .+input\.place/).waitFor()
      await node.api.post('/flow-runs/{id}/cancel', { params: { id: second }, body: {} })
    }))

  test('is a graph whose steps are walked by Tab and open by Enter', () =>
    during(tour.visit('light', ADMIN), async ({ page, barriers }) => {
      await page.goto(`/ui/w/default/flow-runs/${toured}`)
      const graph = page.getByRole('application', { name: 'Graph of the flow' })
      await graph.getByRole('button', { name: /^look/ }).focus()
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'pick' }).first().waitFor()
      expect(page.url()).toContain('step=pick')
      // the input of the step, and its job
      await page.getByRole('region', { name: 'pick' }).getByRole('link', { name: 'pay' }).click()
      await page.getByRole('heading', { level: 1, name: 'shop/pay' }).first().waitFor()
      // and from the job back to its run, at the same step
      await page.getByRole('link', { name: /^[0-9a-f]{8}, step pick$/ }).click()
      await page.getByRole('heading', { name: 'pick' }).first().waitFor()
      expect(await barriers()).toEqual([])
    }))

  test('shows which arm was taken, and steps back from what was left aside', () =>
    during(tour.visit('light', ADMIN), async ({ page, barriers, picture }) => {
      await page.goto(`/ui/w/default/flow-runs/${toured}`)
      const graph = page.getByRole('application', { name: 'Graph of the flow' })
      await graph.getByRole('button', { name: /^large.*Success/ }).waitFor()
      const passed = graph.getByRole('button', { name: /^small.*Not taken/ })
      await passed.waitFor()
      expect(await passed.getAttribute('data-aside')).toBe('not_taken')
      await graph.getByRole('button', { name: /^letter.*Success/ }).waitFor()
      await graph.getByRole('button', { name: /^unless.*Skipped/ }).waitFor()
      // the two edges of the arm that was not taken
      expect(await graph.locator('.react-flow__edge[class*=aside]').count()).toBe(2)
      expect(await barriers()).toEqual([])
      await picture('flow-arms')
      await page.getByRole('tab', { name: 'Timeline' }).click()
      await page.getByRole('button', { name: /^pick\s*Success · took large/ }).waitFor()
      await openPage(page, `/ui/w/default/flow-runs/${broken}`)
      await graph.getByRole('button', { name: /^never.*Not reached/ }).waitFor()
    }))

  test('names an undo by the step that it undoes', () =>
    during(tour.visit('all', ADMIN), async ({ page }) => {
      await page.goto(`/ui/w/default/flow-runs/${await runToEnd('undone')}`)
      await page.getByRole('button', { name: /^되돌리기: look\s*성공/ }).click()
      await page.getByRole('heading', { name: '되돌리기: look' }).waitFor()
    }))

  test('is a timeline too, which leads to the run of its subflow and from there to its jobs', () =>
    during(tour.visit('phone', ADMIN), async ({ page }) => {
      await page.goto(`/ui/w/default/flow-runs/${toured}`)
      await page
        .getByRole('button', { name: /^unless\s*Skipped/ })
        .first()
        .waitFor()
      await page.getByRole('button', { name: /^inner\s*Success/ }).click()
      await page.getByRole('region', { name: 'inner' }).getByRole('link').click()
      await page.getByRole('heading', { level: 1, name: 'shop/small' }).first().waitFor()
      await page.getByText('Parent flow').first().waitFor()
    }))

  test('shows why it failed, at which step, and starts again from there as a new run', () =>
    during(tour.visit('light', ADMIN), async ({ page }) => {
      await page.goto(`/ui/w/default/flow-runs/${broken}`)
      await page.getByText('The order is closed.').first().waitFor()
      // one click leads to the job and its error, the next to the line of code
      await page.getByRole('link', { name: 'Open the failed job fail' }).click()
      await page
        .getByRole('link', { name: /^fail\.ts:1/ })
        .first()
        .click()
      await page.locator('.cm-marked').getByText('RangeError').waitFor()
      await openPage(page, `/ui/w/default/flow-runs/${broken}`)
      await page.getByRole('button', { name: 'Failed at burst' }).click()
      await page.getByRole('button', { name: 'Restart from here' }).click()
      const dialog = page.getByRole('dialog')
      await expect.poll(() => dialog.getByLabel('From step').inputValue()).toBe('burst')
      await expect
        .poll(() => dialog.getByLabel('From step').locator('option').allTextContents())
        .toEqual(['look', 'burst'])
      await dialog.getByRole('button', { name: 'Start' }).click()
      await page.waitForURL((url) => !url.pathname.endsWith(broken))
      await page.getByText('Original run').first().waitFor()
      await page.getByText('The order is closed.').first().waitFor()
    }))

  test('is compared with another run of its flow, step by step', async () => {
    const other = await runToEnd('tour', { order: 8 })
    await during(tour.visit('light', ADMIN), async ({ page }) => {
      await page.goto(`/ui/w/default/flow-runs/${other}`)
      await page.getByRole('button', { name: 'Compare' }).click()
      await page.getByRole('dialog').locator(`a[href*="${toured}"]`).click()
      await page.getByRole('heading', { level: 1, name: 'Compare runs' }).waitFor()
      const input = page.getByRole('region', { name: 'Differences in Input' })
      await input.getByText('"order": 7').waitFor()
      await input.getByText('"order": 8').waitFor()
      await page.getByRole('region', { name: 'Differences in look' }).waitFor()
      await page.getByRole('row', { name: /^unless Skipped Skipped/ }).waitFor()
      await page.getByRole('link', { name: 'Swap' }).click()
      await page.waitForURL(`**/flow-runs/${other}/compare/${toured}`)
    })
  })

  test('is run again with the same input, in a form of what its steps refer to', () =>
    during(tour.visit('light', ADMIN), async ({ page, barriers }) => {
      await page.goto(`/ui/w/default/flow-runs/${toured}`)
      await page.getByRole('button', { name: 'Run again' }).click()
      const order = page.getByLabel('Order')
      await expect.poll(() => order.inputValue()).toBe('7')
      await order.fill('8')
      expect(await barriers()).toEqual([])
      await page.getByRole('button', { name: 'Start', exact: true }).click()
      await page.waitForURL((url) => !url.pathname.endsWith(toured))
      await page
        .getByRole('button', { name: /unless/ })
        .getByText('Skipped')
        .waitFor({
          state: 'attached',
        })
      await page.getByText('Completed').first().waitFor()
    }))

  test('is followed while it runs, and canceled after a question', () =>
    during(tour.visit('light', ADMIN), async ({ page }) => {
      const id = await start('long')
      await page.goto(`/ui/w/default/flow-runs/${id}`)
      await page.locator('[data-status=running]').first().waitFor()
      await page.getByRole('button', { name: 'Cancel run' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel run' }).click()
      await page.locator('[data-status=canceled]').first().waitFor()
      await expect.poll(() => page.getByRole('button', { name: 'Cancel run' }).count()).toBe(0)
    }))

  test('counts the items of a loop as they end', () =>
    during(tour.visit('light', ADMIN), async ({ page }) => {
      const id = await start('crowd')
      await page.goto(`/ui/w/default/flow-runs/${id}`)
      const graph = page.getByRole('application', { name: 'Graph of the flow' })
      await graph
        .getByText(/[1-9]\d*\/60$/)
        .first()
        .waitFor()
      await page.getByRole('tab', { name: 'Timeline' }).click()
      await page
        .getByText(/[1-9]\d* of 60 done/)
        .first()
        .waitFor()
      await node.api.post('/flow-runs/{id}/cancel', { params: { id }, body: {} })
      await page
        .getByRole('button', { name: /^each\s*Canceled/ })
        .first()
        .waitFor()
    }))

  test('that waits for an event shows it, in another tone than work, and goes on when it is sent', () =>
    during(tour.visit('light', ADMIN), async ({ page, barriers }) => {
      await openPage(
        page,
        `/ui/w/default/flow-runs/${await start('paid', { order: 'A-1' })}?view=timeline`,
      )
      const card = page.getByRole('region', { name: 'Waits for an event' })
      await card.getByText('A-1').waitFor()
      await page.locator('[data-kind=wait][style]').nth(1).waitFor()
      expect(await page.locator('[data-kind=run][style]').count()).toBe(0)
      expect(await barriers()).toEqual([])
      await card.getByRole('button', { name: 'Send event' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('with the key A-1').waitFor()
      await dialog.getByRole('button', { name: 'Send event' }).click()
      await page.getByText('Event sent to 1 receiver').first().waitFor()
      await page.getByText('Completed').first().waitFor()
      await expect.poll(() => card.count()).toBe(0)
    }))

  test('of another person offers a member no cancel', () =>
    during(tour.visit('light', MEMBER), async ({ page }) => {
      const id = await waiting('refund', { order: 3 })
      await page.goto(`/ui/w/default/flow-runs/${id}?step=look`)
      await page
        .getByText('Only admins and the person who started the run can see')
        .first()
        .waitFor()
      await expect.poll(() => page.getByRole('button', { name: 'Cancel run' }).count()).toBe(0)
    }))

  test('is found in the list by its status', () =>
    during(tour.visit('light', ADMIN), async ({ page }) => {
      await page.goto('/ui/w/default/flow-runs')
      await page.getByLabel('Status').selectOption('failed')
      await page.waitForURL(/status=failed/)
      await page.getByRole('link', { name: 'shop/broken' }).first().waitFor()
      await expect.poll(() => page.getByRole('link', { name: 'shop/tour' }).count()).toBe(0)
      await page.getByRole('link', { name: 'shop/broken' }).last().click()
      await page.getByRole('heading', { level: 1, name: 'shop/broken' }).first().waitFor()
    }))
})

describe('the list of jobs', { timeout: 180_000 }, () => {
  test('shows a flow run as one row, which opens and closes by mouse and keys', () =>
    during(tour.visit('light', ADMIN), async ({ page, barriers, picture }) => {
      await page.goto('/ui/w/default/jobs?app=shop')
      const run = page.getByRole('row').filter({ has: page.locator(`a[href$="${toured}"]`) })
      await run.getByText('9 jobs').waitFor()
      const jobs = page.getByRole('link', { name: 'shop/find' })
      const hidden = await jobs.count()
      await run.getByRole('button', { name: 'Jobs of shop/tour' }).click()
      await expect.poll(() => jobs.count()).toBe(hidden + 1)
      expect(await barriers()).toEqual([])
      await picture('jobs-of-run')
      await run.getByRole('link').focus()
      await page.keyboard.press('ArrowLeft')
      await expect.poll(() => jobs.count()).toBe(hidden)
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('j')
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/jobs\/[0-9a-f-]{36}/)
    }))

  test('shows failed runs among the failures, and the jobs of runs one by one', () =>
    during(tour.visit('all', ADMIN), async ({ page, barriers }) => {
      await page.goto('/ui/w/default/jobs?status=failure')
      await page.getByRole('link', { name: 'shop/broken' }).first().waitFor()
      expect(await page.getByRole('link', { name: 'shop/fail', exact: true }).count()).toBe(0)
      expect(await barriers()).toEqual([])
      await page.getByLabel('플로우 작업').selectOption('each')
      await page.getByRole('link', { name: 'shop/fail', exact: true }).first().waitFor()
      expect(await page.getByRole('link', { name: 'shop/broken' }).count()).toBe(0)
      await openPage(page, `/ui/w/default/jobs?run=${broken}`)
      await expect.poll(() => page.locator('[data-row-link]').count()).toBe(3)
    }))
})

describe('failed runs', { timeout: 180_000 }, () => {
  const FAILED = '/ui/w/default/flow-runs?status=failed&dismissed=no'

  test('that were selected are dismissed, with undo, and say so on their page', () =>
    during(tour.visit('light', ADMIN), async ({ page, barriers, picture }) => {
      const id = await runToEnd('broken')
      await page.goto('/ui/w/default/flow-runs')
      await page.getByRole('link', { name: 'Failed', exact: true }).click()
      await page.waitForURL(/flow-runs\?status=failed&dismissed=no$/)
      const boxes = page.getByRole('checkbox', { name: 'Select shop/broken' })
      await boxes.nth(1).waitFor()
      const count = await boxes.count()
      const top = (await boxes.first().boundingBox())?.y
      await boxes.first().check()
      await page.getByText('1 selected').waitFor()
      // the list does not move under the pointer
      expect((await boxes.first().boundingBox())?.y).toBe(top)
      expect(await barriers()).toEqual([])
      await picture('flow-runs-selected')
      await page.getByRole('button', { name: 'Dismiss', exact: true }).click()
      await page.getByText('1 flow run dismissed').waitFor()
      await expect.poll(() => boxes.count()).toBe(count - 1)
      await expect.poll(() => page.getByText(/selected$/).count()).toBe(0)
      await openPage(page, `/ui/w/default/flow-runs/${id}`)
      const facts = page.getByRole('region', { name: 'Details' })
      await facts.getByText('Dismissed').waitFor()
      await page.getByRole('button', { name: 'Put back' }).click()
      await page.getByRole('button', { name: 'Dismiss', exact: true }).waitFor()
      await expect.poll(() => facts.getByText('Dismissed').count()).toBe(0)
      await openPage(page, FAILED)
      await expect.poll(() => boxes.count()).toBe(count)
      await boxes.first().check()
      await page.getByRole('button', { name: 'Dismiss', exact: true }).click()
      await expect.poll(() => boxes.count()).toBe(count - 1)
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText('1 flow run put back').waitFor()
      await expect.poll(() => boxes.count()).toBe(count)
    }))

  test('that were selected are replayed, and what then runs is canceled', () =>
    during(tour.visit('light', ADMIN), async ({ page, barriers }) => {
      await start('long')
      await start('long')
      await page.goto('/ui/w/default/flow-runs?flow=long&status=open')
      const boxes = page.getByRole('checkbox', { name: 'Select shop/long' })
      const dialog = page.getByRole('dialog')
      for (const [status, button] of [
        ['open', 'Cancel runs'],
        ['canceled', 'Replay'],
        ['open', 'Cancel runs'],
      ] as const) {
        await page.getByLabel('Status').selectOption(status)
        // the newest two, which this test has started
        await boxes.nth(1).waitFor()
        await boxes.nth(0).check()
        await boxes.nth(1).check()
        await page.getByRole('button', { name: button }).click()
        await dialog.getByText('2 runs.').waitFor()
        expect(await barriers()).toEqual([])
        await dialog.getByRole('button', { name: button }).click()
        await dialog.getByText(/^2 of 2 done\.\s*$/).waitFor()
        await dialog.getByRole('button', { name: 'Close' }).last().click()
      }
    }))

  test('leave a list that explains what appears there, once all are dismissed', () =>
    during(tour.visit('all', ADMIN), async ({ page, barriers }) => {
      await page.goto(FAILED)
      await page.getByRole('checkbox', { name: 'shop/broken 선택' }).first().waitFor()
      await page.getByRole('checkbox', { name: '표시된 행 모두 선택' }).check()
      await page.getByRole('button', { name: '처리 완료로 표시' }).click()
      await page.getByRole('heading', { name: '실패한 실행이 없습니다' }).waitFor()
      expect(await barriers()).toEqual([])
      // the words differ from those for canceling a run
      await page.getByRole('button', { name: '되돌리기' }).click()
      await page.getByRole('checkbox', { name: 'shop/broken 선택' }).first().waitFor()
    }))
})

describe('an approval', { timeout: 180_000 }, () => {
  test('is given on a phone, after what is required was filled in, and the run goes on', () =>
    during(tour.visit('phone', MEMBER), async ({ page, barriers, picture }) => {
      await waiting('refund', { order: 40 })
      const id = await waiting('refund', { order: 41 })
      await page.goto('/ui/w/default/approvals')
      const card = page.getByRole('article').filter({ has: page.locator(`a[href*="${id}"]`) })
      await card.getByText('in 24').first().waitFor()
      await card.getByRole('button', { name: 'Review and answer' }).click()
      // the approver sees earlier results before approving
      await card.getByText('25000').first().waitFor()
      await card.getByRole('button', { name: 'Approve' }).click()
      await card.getByText('This field is required.').first().waitFor()
      await card.getByLabel('Comment').fill('Fine by me')
      await card.getByLabel('Amount').fill('12.5')
      await card.getByLabel('How').selectOption({ label: 'card' })
      await picture('approval')
      expect(await barriers()).toEqual([])
      // a reload loses nothing
      await page.reload()
      await card.getByLabel('Comment').first().waitFor()
      await expect.poll(() => card.getByLabel('Comment').inputValue()).toBe('Fine by me')
      await card.getByRole('button', { name: 'Approve' }).click()
      await page.getByText('Approved').first().waitFor()
      await expect.poll(() => card.count()).toBe(0)
      await until(id, ['completed'])
      const run = await node.api.get('/flow-runs/{id}', { params: { id } })
      expect(run.steps[1]?.result).toEqual({ comment: 'Fine by me', amount: 12.5, how: 'card' })
    }))

  test('is refused if its amount is not a number, and stays open when another arrives', () =>
    during(
      tour.visit('light', MEMBER),
      async ({ page }) => {
        const { items } = await node.api.get('/approvals', { query: { mine: 'false' } })
        await Promise.all(
          items.map(({ flow_run_id: id }) =>
            node.api.post('/flow-runs/{id}/cancel', { params: { id }, body: {} }),
          ),
        )
        const id = await waiting('refund', { order: 46 })
        await page.goto('/ui/w/default/approvals')
        const card = page.getByRole('article').filter({ has: page.locator(`a[href*="${id}"]`) })
        await card.getByLabel('Comment').fill('Fine by me')
        const other = await waiting('refund', { order: 47 })
        await page.locator(`a[href*="${other}"]`).first().waitFor()
        await card.getByLabel('Amount').pressSequentially('1,000')
        await card.getByText('Enter a number.').first().waitFor()
        await card.getByRole('button', { name: 'Approve' }).click()
        await card.getByText('Could not').first().waitFor()
        await card.getByLabel('Amount').fill('1000')
        await card.getByRole('button', { name: 'Approve' }).press('Enter')
        await until(id, ['completed'])
        // the focus is not lost with the card
        await page.locator('h1:focus').waitFor()
        const run = await node.api.get('/flow-runs/{id}', { params: { id } })
        expect(run.steps[1]?.result).toEqual({ comment: 'Fine by me', amount: 1_000 })
      },
      // the amount is wrong at first
      /400/,
    ))

  test('is rejected with a reason, which the run then shows', () =>
    during(tour.visit('light', MEMBER), async ({ page }) => {
      const id = await waiting('refund', { order: 42 })
      await page.goto(`/ui/w/default/flow-runs/${id}`)
      await page.getByRole('button', { name: 'Reject' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Reason').fill('Too late')
      await dialog.getByRole('button', { name: 'Reject' }).click()
      await page.getByText('ApprovalRejected', { exact: true }).first().waitFor()
      await page.getByRole('button', { name: 'Failed at decide' }).click()
      await page.getByText('“Too late”').first().waitFor()
    }))

  test('counts in the menu for those who may answer it, until it is answered', () =>
    during(tour.visit('light', MEMBER), async ({ page, barriers }) => {
      await waiting('refund', { order: 44 })
      const id = await waiting('refund', { order: 45 })
      await page.goto(`/ui/w/default/flow-runs/${id}`)
      const link = page.getByRole('navigation').getByRole('link', { name: /waiting for you$/ })
      const before = Number((await link.textContent())?.replace('Approvals', ''))
      expect(before).toBeGreaterThan(1)
      expect(await barriers()).toEqual([])
      await page.getByRole('button', { name: 'Reject' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
      await expect.poll(() => link.textContent()).toBe(`Approvals${before - 1}`)
    }))

  test('is not offered to the requester of the run, with the reason', () =>
    during(tour.visit('light', ADMIN), async ({ page, barriers }) => {
      const id = await waiting('refund', { order: 43 })
      await page.goto(`/ui/w/default/flow-runs/${id}`)
      await page.getByText('You requested this run').first().waitFor()
      await expect.poll(() => page.getByRole('button', { name: 'Approve' }).count()).toBe(0)
      expect(await barriers()).toEqual([])
      await openPage(page, '/ui/w/default/approvals')
      await page.getByRole('heading', { name: 'Nothing to approve' }).first().waitFor()
      await page.getByText(/^(1 run waits|[1-9]\d*\+? runs wait) for the answers? of/).waitFor()
      await expect.poll(() => page.getByRole('link', { name: /waiting for you/ }).count()).toBe(0)
      await page.getByLabel('Show').selectOption('all')
      await page.locator(`a[href*="${id}"]`).first().waitFor()
    }))

  test('that needs two people counts each once', () =>
    during(tour.visit('light', MEMBER), async ({ page }) => {
      const id = await waiting('twice')
      await page.goto(`/ui/w/default/flow-runs/${id}`)
      await page.getByText('0 of 2').first().waitFor()
      await page.getByRole('button', { name: 'Approve' }).click()
      await page.getByText('Approved. More approvals are needed').first().waitFor()
      await page.getByText('1 of 2').first().waitFor()
      await page.getByText('You have already answered. Each person answers once.').first().waitFor()
    }))
})

const PARTNER_APP = {
  'app.yaml': `key: partner
actions: [{ key: links, entrypoint: links.ts }]
flows:
  - key: ask
    steps:
      - { key: links, action: links }
      - { key: decide, kind: approval }
`,
  'links.ts': `export const main = (ctx) => ctx.approval.getResumeUrls({ approver: 'dora@partner.example' })\n`,
}

test("the page of an approval link shows the reader's time, and can be answered", {
  timeout: 120_000,
}, async () => {
  await node.deploy(PARTNER_APP)
  const params = { app: 'partner', flow: 'ask' }
  const { flow_run_id: id } = await node.api.post('/flows/run/{app}/{flow}', { params, body: {} })
  await until(id, ['waiting_approval'])
  const run = await node.api.get('/flow-runs/{id}', { params: { id } })
  const links = z.looseObject({ approvalPage: z.url() }).parse(run.steps[0]?.result)
  await during(tour.visit('all', null), async ({ page, barriers, picture }) => {
    await page.goto(links.approvalPage)
    // Seoul is nine hours ahead of the server's UTC
    const shown = new Intl.DateTimeFormat('ko', {
      dateStyle: 'medium',
      timeStyle: 'short',
      timeZone: 'Asia/Seoul',
    }).format(new Date(run.created_at))
    await page.getByText(shown).waitFor()
    expect(await barriers()).toEqual([])
    await picture('approval-page')
    await page.getByRole('button', { name: '승인' }).click()
    await page.getByRole('heading', { name: '승인했습니다' }).waitFor()
    expect(await barriers()).toEqual([])
  })
  await until(id, ['completed'])
})

test('the list of flow runs and a run keep the manners in every look', {
  timeout: 240_000,
}, async () => {
  const list = { name: 'flow-runs', path: '/ui/w/default/flow-runs', ready: '[data-row-link]' }
  expect(await lookAt(tour, { ...list, who: ADMIN })).toEqual([])
  const path = `/ui/w/default/flow-runs/${broken}?step=burst`
  const run = { name: 'flow-run', path, ready: 'button[aria-pressed]', who: ADMIN }
  expect(await lookAt(tour, run)).toEqual([])
})

test('approvals keep the manners in every look', { timeout: 240_000 }, async () => {
  await waiting('refund', { order: 50 })
  const path = '/ui/w/default/approvals'
  expect(await lookAt(tour, { name: 'approvals', path, ready: 'article', who: MEMBER })).toEqual([])
})
