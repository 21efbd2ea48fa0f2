/** Approval steps: who may answer, how often, which step, by which path; and how time and people affect a waiting run. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerApproval } from '#service/flows/answer-approval.ts'
import { endWaits } from '#service/flows/end-waits.ts'
import { addMember } from '#service/people/manage-member.ts'
import { createUser } from '#service/workspaces/create-workspace.ts'
import { sql } from '#store/sql.ts'
import { ADMIN, WS } from '../support/create-test-app.ts'
import { FLOW_RUNS, type FlowCaller, openFlowCaller, pathOf } from '../support/flow-caller.ts'
import { overtakenBy } from '../support/overtaken-by.ts'

const ref = (path: string): string => `\${${path}}`

const FORM = [
  { key: 'comment', label: 'Comment', type: 'textarea', required: true },
  { key: 'amount', label: 'Amount', type: 'number' },
  { key: 'kind', label: 'Kind', type: 'select', options: ['a', 'b'] },
  { key: 'sure', label: 'Sure', type: 'boolean' },
]

const approvalFlow = (key: string, approval: object, more: object = {}) => ({
  key,
  steps: [
    { key: 'ask', action: 'echo' },
    { key: 'ok', kind: 'approval', approval, ...more },
    { key: 'use', action: 'seen' },
  ],
})

let caller: FlowCaller
const tokens: Record<string, string> = {}
beforeAll(async () => {
  caller = await openFlowCaller({
    actions: {
      echo: (input) => input,
      seen: (input, { flowContext }) => ({ input, resume: flowContext.resumeValue ?? null }),
    },
    flows: [
      approvalFlow('bare', {}),
      approvalFlow('plain', { resumeForm: [{ key: 'note', label: 'Note', type: 'text' }] }),
      approvalFlow('own', { allowSelfApproval: true }),
      approvalFlow('form', { resumeForm: FORM }),
      approvalFlow('two', {
        requiredEvents: 2,
        resumeForm: ['a', 'b'].map((key) => ({ key, label: key, type: 'number' })),
      }),
      approvalFlow('shown', {
        title: `Refund ${ref('input.order')}`,
        description: 'Look at <b>both</b>.',
        show: [ref('results.ask.amount'), { label: 'Why', value: ref('input.why') }],
      }),
      approvalFlow('timed', { timeoutS: 60 }),
      approvalFlow('either', {}, { onReject: 'continue' }),
      approvalFlow('skipped', {}, { skipIf: 'results.ask.skip == true' }),
      {
        key: 'twice',
        steps: [
          { key: 'ask', action: 'echo' },
          {
            key: 'first',
            kind: 'approval',
            approval: { resumeForm: [{ key: 'by', label: 'By', type: 'text' }] },
          },
          { key: 'second', kind: 'approval' },
          {
            key: 'use',
            action: 'echo',
            input: { a: ref('results.first'), b: ref('results.second') },
          },
        ],
      },
      {
        key: 'handled',
        steps: [{ key: 'ok', kind: 'approval' }],
        failureModule: { key: 'tell', action: 'echo' },
      },
    ],
  })
  for (const email of ['bea@example.com', 'cem@example.com']) {
    await createUser(caller.app.deps, { email, password: null, isSuperAdmin: false })
    await addMember(caller.app.deps, { ws: WS, email, role: 'member' })
    tokens[email] = await caller.app.token(['flows:resume', 'flows:read'], { email })
  }
})
afterAll(() => caller.app.close())

const bea = () => ({ token: tokens['bea@example.com'] ?? '' })
const cem = () => ({ token: tokens['cem@example.com'] ?? '' })

const waiting = async (flow: string, input: unknown = { n: 1 }): Promise<string> => {
  const id = await caller.start(flow, input)
  await caller.work()
  expect((await caller.run(id)).status).toBe('waiting_approval')
  return id
}
const approve = (id: string, who: { token: string }, json: unknown = {}) =>
  caller.call('POST', `${FLOW_RUNS}/${id}/approve`, json, who)
const reject = (id: string, who: { token: string }, json: unknown = {}) =>
  caller.call('POST', `${FLOW_RUNS}/${id}/reject`, json, who)

describe('a run that waits', () => {
  it('makes no job, and goes on after an approval', async () => {
    const id = await waiting('plain')
    expect(await caller.claim()).toEqual([])
    const answer = await approve(id, bea(), { values: { note: 'fine' } })
    expect(answer.status).toBe(200)
    expect(answer.json).toMatchObject({ id, status: 'running' })
    await caller.work()
    const run = await caller.run(id)
    expect(run).toMatchObject({
      status: 'completed',
      result: { input: { note: 'fine' }, resume: { note: 'fine' } },
    })
    expect(run.steps[1]).toMatchObject({
      status: 'success',
      approvals: [{ approver: 'bea@example.com', decision: 'approve', via: 'api_token' }],
    })
  })

  it('fails by a rejection, with its author and reason; the failure module runs', async () => {
    const id = await waiting('handled')
    expect((await reject(id, bea(), { reason: 'too dear' })).status).toBe(200)
    await caller.work()
    expect(await caller.run(id)).toMatchObject({
      status: 'failed',
      error: { name: 'ApprovalRejected', message: 'Rejected by bea@example.com: too dear' },
      steps: [{ status: 'rejected' }, { key: 'tell', status: 'success' }],
    })
  })

  it('fails by a rejection with an empty reason, without a colon', async () => {
    const id = await waiting('handled')
    expect((await reject(id, bea(), { reason: ' ' })).status).toBe(200)
    await caller.work()
    expect(await caller.run(id)).toMatchObject({
      error: { message: 'Rejected by bea@example.com' },
      steps: [{ approvals: [{ reason: null }] }, {}],
    })
  })

  it('fails without an answer in time', async () => {
    const id = await waiting('timed')
    await endWaits(caller.app.deps)
    expect((await caller.run(id)).status).toBe('waiting_approval')
    await caller.app.deps.db.write([
      sql`UPDATE flow_runs SET wait_until = 1 WHERE ws = ${WS} AND id = ${id}`,
    ])
    const [one, two] = await Promise.all([endWaits(caller.app.deps), endWaits(caller.app.deps)])
    expect([...one.ended, ...two.ended]).toEqual([id])
    expect(await caller.run(id)).toMatchObject({
      status: 'failed',
      error: { name: 'ApprovalTimeout' },
      steps: [{}, { status: 'timed_out' }, {}],
    })
    expect((await approve(id, bea())).status).toBe(409)
  })

  it('is canceled, and takes no answer any more', async () => {
    const id = await waiting('handled')
    const canceled = await caller.call('POST', `${FLOW_RUNS}/${id}/cancel`, { reason: 'no need' })
    expect(canceled.json).toMatchObject({
      status: 'canceled',
      error: { name: 'Canceled', message: 'no need' },
      steps: [{ status: 'canceled' }],
    })
    expect((await approve(id, bea())).status).toBe(409)
    expect((await reject(id, bea())).status).toBe(409)
  })

  it('is not waited for where the step is skipped', async () => {
    const id = await caller.start('skipped', { skip: true })
    await caller.work()
    expect(await caller.run(id)).toMatchObject({
      status: 'completed',
      steps: [{}, { status: 'skipped' }, {}],
    })
  })
})

describe('an answer', () => {
  it('is refused early, late and twice', async () => {
    const id = await caller.start('plain')
    expect((await approve(id, bea())).status).toBe(409)
    await caller.work()
    expect((await approve(id, bea())).status).toBe(200)
    expect((await approve(id, bea())).status).toBe(409)
    await caller.work()
    expect((await approve(id, cem())).status).toBe(409)
    expect((await approve('019abcde-0000-7000-8000-000000000000', bea())).status).toBe(404)
  })

  it('of the requester is refused on every path unless the step allows it', async () => {
    const id = await caller.start('plain')
    const [job] = await caller.claim()
    if (job === undefined) throw new Error('No job.')
    const { approve: link } = await caller.links(job, ` ${ADMIN.toUpperCase()} `)
    await caller.perform(job)
    expect(await approve(id, { token: caller.token })).toMatchObject({
      status: 403,
      json: { code: 'self_approval' },
    })
    expect(await caller.app.call('POST', pathOf(link), { json: {} })).toMatchObject({
      status: 403,
      json: { code: 'self_approval' },
    })
    const own = await waiting('own')
    expect((await approve(own, { token: caller.token })).status).toBe(200)
    await caller.work()
  })

  it('of several people counts each person once', async () => {
    const id = await waiting('two')
    expect((await approve(id, bea(), { values: { a: 1, b: 1 } })).json).toMatchObject({
      status: 'waiting_approval',
    })
    expect(await approve(id, bea())).toMatchObject({
      status: 409,
      json: { code: 'answered_before' },
    })
    expect((await approve(id, cem(), { values: { b: 2 } })).json).toMatchObject({
      status: 'running',
    })
    await caller.work()
    expect((await caller.run(id)).steps[1]?.result).toEqual({ a: 1, b: 2 })
  })

  it('at once by two people is taken by one step and counted twice', async () => {
    const id = await waiting('two')
    const answers = await Promise.all([approve(id, bea()), approve(id, cem())])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    await caller.work()
    expect((await caller.run(id)).status).toBe('completed')
  })

  it('is never eaten by the next approval', async () => {
    const id = await waiting('twice')
    const step = 'first'
    const answers = await Promise.all([
      approve(id, bea(), { step, values: { by: 'bea' } }),
      approve(id, cem(), { step, values: { by: 'cem' } }),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const run = await caller.run(id)
    expect(run).toMatchObject({ status: 'waiting_approval', current_step: { key: 'second' } })
  })

  it('that names no step counts for the one that waited when it was given, and for no later one', async () => {
    const id = await waiting('twice')
    const deps = overtakenBy(caller.app.deps, async () => {
      expect((await approve(id, bea())).status).toBe(200)
    })
    const answer = { kind: 'approve', values: {} } as const
    const by = { approver: 'cem@example.com', via: 'session' } as const
    await expect(answerApproval(deps, { ws: WS, id, ...by, answer })).rejects.toMatchObject({
      kind: 'conflict',
      code: 'not_waiting',
    })
    expect(await caller.run(id)).toMatchObject({ current_step: { key: 'second' } })
    expect((await approve(id, cem())).status).toBe(200)
    await caller.work()
  })

  it.each([
    [{}, 'values.comment', 'must be filled in'],
    [{ comment: '' }, 'values.comment', 'must be filled in'],
    [{ comment: 1 }, 'values.comment', 'must be text'],
    [{ comment: 'x', amount: '3' }, 'values.amount', 'must be a number'],
    [{ comment: 'x', kind: 'c' }, 'values.kind', 'must be one of a, b'],
    [{ comment: 'x', sure: 'yes' }, 'values.sure', 'must be true or false'],
    [{ comment: 'x', other: 1 }, 'values.other', 'is not a field of this form'],
  ])('with the form %j is refused', async (values, path, message) => {
    const id = await waiting('form')
    expect(await approve(id, bea(), { values })).toMatchObject({
      status: 400,
      json: { code: 'bad_form', details: [{ path, message }] },
    })
    expect((await caller.run(id)).status).toBe('waiting_approval')
    await caller.call('POST', `${FLOW_RUNS}/${id}/cancel`)
  })

  it('with a value is refused where the step has no form', async () => {
    const id = await waiting('bare')
    expect(await approve(id, bea(), { values: { note: 'fine' } })).toMatchObject({
      status: 400,
      json: {
        code: 'bad_form',
        details: [{ path: 'values.note', message: 'is not expected: this step has no form' }],
      },
    })
    expect((await caller.run(id)).status).toBe('waiting_approval')
    expect((await approve(id, bea(), { values: {} })).status).toBe(200)
    await caller.work()
  })

  it('may be one of many at once: one outcome', async () => {
    const id = await waiting('plain')
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, () => approve(id, bea())),
      ...Array.from({ length: 10 }, () => reject(id, cem())),
      caller.call('POST', `${FLOW_RUNS}/${id}/cancel`),
    ])
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
    await caller.work()
    const run = await caller.run(id)
    expect(['completed', 'failed', 'canceled']).toContain(run.status)
    expect(run.steps[1]?.approvals?.length ?? 0).toBeLessThanOrEqual(1)
  })
})

describe('the list of what waits', () => {
  it('shows what waits for me', async () => {
    const id = await waiting('form')
    const list = async (who: { token: string }, mine = true) => {
      const { json } = await caller.call(
        'GET',
        `/api/w/${WS}/approvals?mine=${mine}`,
        undefined,
        who,
      )
      return JSON.stringify(json)
    }
    expect(await list(bea())).toContain(id)
    expect(await list({ token: caller.token })).not.toContain(id)
    expect(await list({ token: caller.token }, false)).toContain(id)
    await approve(id, bea(), { values: { comment: 'x' } })
    expect(await list(bea(), false)).not.toContain(id)
    await caller.work()
  })
})

describe('a link', () => {
  const asked = async (flow: string, approver?: string, input?: unknown) => {
    const id = await caller.start(flow, input)
    const [job] = await caller.claim()
    if (job === undefined) throw new Error('No job.')
    const links = await caller.links(job, approver)
    return { id, job, links }
  }
  const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }
  const open = (url: string) => caller.app.call('GET', pathOf(url))
  const send = (url: string, body: string) =>
    caller.app.call('POST', pathOf(url), { body, headers: FORM_TYPE })

  it('is for the action just before an approval alone', async () => {
    const id = await waiting('plain')
    await approve(id, bea())
    const [job] = await caller.claim()
    if (job === undefined) throw new Error('No job.')
    await expect(caller.links(job)).rejects.toThrow('just before an approval step')
    await caller.perform(job)
  })

  it('shows a page, and decides nothing by being opened', async () => {
    const { id, job, links } = await asked('form', 'dora@partner.example')
    expect((await open(links.approvalPage)).status).toBe(409)
    await caller.perform(job)
    for (const url of Object.values(links)) {
      for (let at = 0; at < 5; at += 1) {
        const page = await open(url)
        expect(page.status).toBe(200)
        expect(page.headers.get('content-type')).toContain('text/html')
      }
    }
    await caller.app.deps.db.write([sql`UPDATE workspaces SET name = 'Bank & Co' WHERE id = ${WS}`])
    const page = await open(links.approvalPage)
    expect(page.text).toContain('dora@partner.example')
    expect(page.text).toContain('Bank &amp; Co')
    expect(page.text).toContain('A flow waits for your answer.')
    // the browser shows it in its own time zone
    expect(page.text).toMatch(/<time datetime="\d{4}-/)
    expect(page.text).toContain('name="comment"')
    expect((await caller.run(id)).status).toBe('waiting_approval')
    const wrong = await send(links.approve, 'amount=many')
    expect(wrong.status).toBe(400)
    expect(wrong.text).toContain('must be filled in')
    expect(wrong.text).toContain('must be a number')
    const done = await send(links.approve, 'comment=fine&amount=3&sure=true&kind=')
    expect(done.status).toBe(200)
    expect(done.text).toContain('Approved')
    await caller.work()
    const run = await caller.run(id)
    expect(run.status).toBe('completed')
    expect(run.steps[1]).toMatchObject({
      result: { comment: 'fine', amount: 3, sure: true },
      approvals: [{ approver: 'dora@partner.example', via: 'link' }],
    })
    expect((await open(links.approve)).status).toBe(410)
    expect((await send(links.approve, 'comment=again')).status).toBe(410)
  })

  it('states that the run stops after a rejection only if it does', async () => {
    const stops = await asked('plain')
    await caller.perform(stops.job)
    expect((await open(stops.links.approvalPage)).text).toContain('stops if you reject')
    const goesOn = await asked('either')
    await caller.perform(goesOn.job)
    const { text } = await open(goesOn.links.approvalPage)
    expect(text).toContain('A flow waits for your answer and goes on with it.')
    expect(text).not.toContain('stops if you reject')
  })

  it('shows what the flow chooses, as text', async () => {
    const order = { order: 'o-1', amount: 12, why: '<script>' }
    const { id, job, links } = await asked('shown', 'dora@partner.example', order)
    await caller.perform(job)
    const shown = {
      title: 'Refund o-1',
      description: 'Look at <b>both</b>.',
      show: [
        { label: 'ask.amount', value: 12 },
        { label: 'Why', value: '<script>' },
      ],
    }
    expect((await caller.run(id)).steps[1]).toMatchObject({ shown })
    const list = await caller.call('GET', `/api/w/${WS}/approvals`, undefined, bea())
    expect(list.json).toMatchObject({
      items: expect.arrayContaining([expect.objectContaining({ flow_run_id: id, ...shown })]),
    })
    const { text } = await open(links.approvalPage)
    for (const part of ['Refund o-1', 'Look at &lt;b&gt;both', 'ask.amount', '&lt;script&gt;']) {
      expect(text).toContain(part)
    }
    const raw = await caller.app.deps.db.one(
      sql`SELECT shown FROM flow_steps WHERE run_id = ${id} AND shown IS NOT NULL`,
    )
    expect(raw?.shown).toMatch(/^v2\./)
    await approve(id, bea())
    await caller.work()
    // the data that was decided on stays with the run
    expect((await caller.run(id)).steps[1]).toMatchObject({ status: 'success', shown })
  })

  it('is listed with a note when what it shows cannot be read', async () => {
    const order = { order: 'o-3', amount: 1, why: 'x' }
    const [damaged, other] = [await waiting('shown', order), await waiting('shown', order)]
    await caller.app.deps.db.write([
      sql`UPDATE flow_steps SET shown = 'v2.AAAA' WHERE run_id = ${damaged} AND shown IS NOT NULL`,
    ])
    const list = await caller.call('GET', `/api/w/${WS}/approvals`, undefined, bea())
    expect(list).toMatchObject({
      status: 200,
      json: {
        items: expect.arrayContaining([
          expect.objectContaining({
            flow_run_id: damaged,
            title: null,
            description: 'What this step shows cannot be read. Look at the run before you decide.',
            show: [],
          }),
          expect.objectContaining({ flow_run_id: other, title: 'Refund o-3' }),
        ]),
      },
    })
  })

  it('fails where what it shows leads nowhere', async () => {
    const id = await caller.start('shown', { order: 'o-2' })
    await caller.work()
    const run = await caller.run(id)
    expect(run).toMatchObject({ status: 'failed', error: { name: 'MissingReference' } })
  })

  it('speaks Korean to a browser that asks for it', async () => {
    const { job, links } = await asked('form')
    const headers = { ...FORM_TYPE, 'accept-language': 'ko' }
    const ask = () => caller.app.call('GET', pathOf(links.approve), { headers })
    expect((await ask()).text).toContain('지금은 처리할 수 없습니다')
    await caller.perform(job)
    expect((await ask()).text).toMatch(/<html lang="ko">[\s\S]*승인이 필요합니다/)
    const body = 'comment=fine'
    const done = await caller.app.call('POST', pathOf(links.approve), { body, headers })
    expect(done.text).toContain('승인했습니다')
    expect((await ask()).text).toContain('이미 사용한 링크입니다')
    await caller.work()
  })

  it('takes JSON, and rejects', async () => {
    const { id, job, links } = await asked('plain')
    await caller.perform(job)
    const answer = await caller.app.call('POST', pathOf(links.reject), { json: { reason: 'no' } })
    expect(answer).toMatchObject({ status: 200, json: { decision: 'rejected' } })
    expect((await caller.run(id)).error).toMatchObject({ message: 'Rejected by external: no' })
    const again = await caller.app.call('POST', pathOf(links.approve), { json: {} })
    expect(again.status).toBe(410)
  })

  it('of a disabled member or account answers nothing until they are enabled', async () => {
    await createUser(caller.app.deps, { email: 'off@x.test', password: null, isSuperAdmin: false })
    await addMember(caller.app.deps, { ws: WS, email: 'off@x.test', role: 'member' })
    const { id, job, links } = await asked('plain', 'Off@x.test')
    await caller.perform(job)
    const set = async (path: string, disabled: boolean): Promise<void> => {
      expect((await caller.call('PATCH', path, { disabled })).status).toBe(200)
    }
    for (const path of [`/api/w/${WS}/members/off@x.test`, '/api/admin/users/off@x.test']) {
      await set(path, true)
      const refused = { status: 403, json: { code: 'account_disabled' } }
      expect(await caller.app.call('POST', pathOf(links.approve), { json: {} })).toMatchObject(
        refused,
      )
      expect((await open(links.approvalPage)).status).toBe(403)
      expect((await send(links.reject, '')).status).toBe(403)
      await set(path, false)
    }
    expect((await caller.run(id)).status).toBe('waiting_approval')
    expect((await send(links.approve, '')).status).toBe(200)
    await caller.work()
  })

  it.each([
    ['a member', `/api/w/${WS}/members/gone@x.test`],
    ['an account', '/api/admin/users/gone@x.test'],
  ])('of %s that was removed since the run started answers nothing', async (_, path) => {
    const { deps } = caller.app
    const join = async (): Promise<void> => {
      await createUser(deps, { email: 'gone@x.test', password: null, isSuperAdmin: false }).catch(
        () => undefined,
      )
      await addMember(deps, { ws: WS, email: 'gone@x.test', role: 'member' })
    }
    await join()
    const before = await asked('plain', 'Gone@x.test')
    await caller.perform(before.job)
    expect((await caller.call('DELETE', path)).status).toBe(204)
    const refused = { status: 403, json: { code: 'approver_removed' } }
    for (const link of [before.links.approve, before.links.reject]) {
      expect(await caller.app.call('POST', pathOf(link), { json: {} })).toMatchObject(refused)
    }
    const list = await caller.call('GET', `/api/w/${WS}/approvals?mine=false`)
    expect(list.text).toContain(before.id)
    // the app names them as a person from outside
    const after = await asked('plain', 'gone@x.test')
    await caller.perform(after.job)
    expect((await send(after.links.approve, '')).status).toBe(200)
    await join()
    expect((await send(before.links.approve, '')).status).toBe(200)
    await caller.call('DELETE', path)
    await caller.work()
  })

  it('refuses what a rejection does not take, and rejects nothing', async () => {
    const { id, job, links } = await asked('plain')
    await caller.perform(job)
    for (const json of [{ reson: 'no' }, { reason: 5 }, { reason: 'x'.repeat(1_001) }]) {
      const answer = await caller.app.call('POST', pathOf(links.reject), { json })
      expect(answer.status).toBe(400)
    }
    const page = await send(links.reject, 'reson=no')
    expect([page.status, page.text]).toEqual([400, expect.stringContaining('body.reson')])
    expect((await caller.run(id)).status).toBe('waiting_approval')
  })

  it('that was changed by one character is refused', async () => {
    const { job, links } = await asked('plain')
    await caller.perform(job)
    const url = links.approve
    const at = url.indexOf('?t=') + 3
    for (let place = at; place < url.length; place += 7) {
      const other = url[place] === 'A' ? 'B' : 'A'
      const changed = url.slice(0, place) + other + url.slice(place + 1)
      expect([place, (await open(changed)).status]).toEqual([place, 403])
      expect((await send(changed, '')).status).toBe(403)
    }
    expect((await caller.app.call('GET', '/api/flow/approval')).status).toBe(403)
  })

  it('of another purpose is refused', async () => {
    const { job, links } = await asked('plain')
    await caller.perform(job)
    const token = links.approve.split('?t=')[1]
    expect((await caller.app.call('GET', `/api/flow/status?t=${token}`)).status).toBe(403)
  })

  it('ends with its step', async () => {
    const { id, job, links } = await asked('plain', 'dora@partner.example')
    await caller.perform(job)
    await approve(id, bea())
    expect((await open(links.approvalPage)).status).toBe(410)
    expect((await send(links.approve, '')).status).toBe(410)
    await caller.work()
  })

  it('ends with its time', async () => {
    const { job, links } = await asked('timed')
    await caller.perform(job)
    const { db } = caller.app.deps
    const later = { ...db, now: async () => (await db.now()) + 2 * 86_400_000 }
    const { openLink } = await import('#service/flows/approval-link.ts')
    const text = decodeURIComponent(links.approve.split('?t=')[1] ?? '')
    const deps = { ...caller.app.deps, db: later }
    await expect(openLink(deps, text, 'approval')).rejects.toMatchObject({ kind: 'gone' })
  })
})
