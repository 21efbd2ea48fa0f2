/** Public links: who may create them, what an anonymous visitor sees, and how often they can be used. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { sql } from '#store/sql.ts'
import { WS } from '../support/create-test-app.ts'
import { APP, type FlowCaller, openFlowCaller } from '../support/flow-caller.ts'

const LINKS = `/api/w/${WS}/flow-links`
const FORM = [
  { key: 'name', label: 'Your name', type: 'text', required: true },
  { key: 'mail', label: 'E-mail', type: 'email', required: true },
  { key: 'born', label: 'Born on', type: 'date', required: false },
  { key: 'size', label: 'Size', type: 'select', required: false, options: ['S', 'M'] },
  { key: 'age', label: 'Age', type: 'number', required: false },
  { key: 'agree', label: 'I agree', type: 'boolean', required: false },
]
const GOOD = 'name=Ada+%3Cb%3E&mail=ada%40example.com&born=1990-02-28&size=M&age=33&agree=true'
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }
const JSON_TYPE = { 'content-type': 'application/json' }
const JSON_ANSWER = { accept: 'application/json' }

const created = z.looseObject({ link_id: z.uuid(), url: z.url() })

let caller: FlowCaller
beforeAll(async () => {
  caller = await openFlowCaller({
    actions: { echo: (input) => input },
    flows: [
      {
        key: 'order',
        steps: [{ key: 'take', action: 'echo' }],
        inputSchema: { title: 'An order', description: 'We answer within a day.' },
      },
      {
        key: 'needs',
        steps: [{ key: 'take', action: 'echo' }],
        inputSchema: { type: 'object', required: ['name'] },
      },
      { key: 'asks', steps: [{ key: 'ok', kind: 'approval' }] },
      { key: 'nested', steps: [{ key: 'in', kind: 'subflow', subflow: 'asks' }] },
    ],
  })
})
afterAll(() => caller.app.close())

const make = async (json: object = { public_form: FORM }) => {
  const answer = await caller.call('POST', `${LINKS}/${APP}/order`, json)
  expect(answer.status).toBe(201)
  const { link_id, url } = created.parse(answer.json)
  const { pathname, search } = new URL(url)
  return { id: link_id, path: `${pathname}${search}`, token: search.slice(3) }
}
const open = (path: string) => caller.app.call('GET', path)
const KOREAN = { 'accept-language': 'ko-KR,ko;q=0.9' }
const send = (path: string, body: string) =>
  caller.app.call('POST', path, { body, headers: FORM_TYPE })

describe('a public link', () => {
  it('is created with a warning if its form does not ask for what the flow requires', async () => {
    const warned = await caller.call('POST', `${LINKS}/${APP}/needs`, {})
    expect(warned).toMatchObject({
      status: 201,
      json: {
        warnings: [
          {
            path: 'body.public_form',
            message: expect.stringContaining('The flow requires "name"'),
          },
        ],
      },
    })
    const asked = await caller.call('POST', `${LINKS}/${APP}/needs`, { public_form: FORM })
    expect(asked.json).not.toHaveProperty('warnings')
  })

  it('shows a form, starts the flow, and then its status alone', async () => {
    const { id, path } = await make()
    const page = await open(path)
    expect(page.status).toBe(200)
    for (const text of [
      'Your name',
      'type="email"',
      'type="date"',
      '<option>M</option>',
      'type="checkbox"',
    ]) {
      expect(page.text).toContain(text)
    }
    // the script that shows times in the reader's time zone
    expect(page.text.match(/<script/g)).toHaveLength(1)
    for (const text of ['An order', 'We answer within a day.', 'class="hint from"', '<time']) {
      expect(page.text).toContain(text)
    }
    const sent = await send(path, GOOD)
    expect(sent.status).toBe(303)
    const status = sent.headers.get('location') ?? ''
    const before = await open(status)
    expect(before.text).toContain('In progress')
    expect(before.text).toMatch(/class="hint from".*<time/s)
    expect(before.headers.get('refresh')).not.toBeNull()
    await caller.work()
    const after = await open(status)
    expect(after.text).toContain('Your request is done')
    expect(after.headers.get('refresh')).toBeNull()
    for (const secret of ['Ada', 'ada@example.com', 'take']) {
      expect(before.text + after.text).not.toContain(secret)
    }
    const { json } = await caller.call('GET', `/api/w/${WS}/flow-runs?limit=1`)
    expect(json).toMatchObject({
      items: [
        { created_by: `public:${id}`, permissioned_as: `public:${id}`, trigger_kind: 'public' },
      ],
    })
    const items = z.looseObject({ items: z.array(z.object({ id: z.string() })) }).parse(json).items
    expect((await caller.run(items[0]?.id ?? '')).input).toEqual({
      name: 'Ada <b>',
      mail: 'ada@example.com',
      born: '1990-02-28',
      size: 'M',
      age: 33,
      agree: true,
    })
  })

  it('speaks Korean to a browser that asks for it', async () => {
    const { path } = await make()
    const post = (body: string) =>
      caller.app.call('POST', path, { body, headers: { ...FORM_TYPE, ...KOREAN } })
    const page = await post('name=&mail=nobody&size=XL&age=x')
    expect(page.status).toBe(400)
    for (const text of [
      '<html lang="ko">',
      'role="alert">아래에 표시된 항목',
      'id="fault-name">필수 항목',
      'id="fault-mail">이메일 주소',
      'id="fault-size">다음 중 하나를 고르세요: S, M',
      'id="fault-age">숫자',
      '<button>보내기',
    ]) {
      expect(page.text).toContain(text)
    }
    const status = (await post(GOOD)).headers.get('location') ?? ''
    const read = async () => (await caller.app.call('GET', status, { headers: KOREAN })).text
    expect(await read()).toContain('처리 중')
    await caller.work()
    expect(await read()).toContain('요청이 처리되었습니다')
    const none = await caller.app.call('GET', '/api/flow/run?t=x', { headers: KOREAN })
    expect([none.status, none.text]).toEqual([404, expect.stringContaining('새 링크를 요청하세요')])
  })

  it('shows the form again with what was typed and what is wrong', async () => {
    const { path } = await make()
    const page = await send(
      path,
      'name=%22%3E%3Cscript%3E&mail=nobody&born=2026-02-30&size=XL&age=x',
    )
    expect(page.status).toBe(400)
    expect(page.text).toContain('must be an e-mail address')
    expect(page.text).toContain('must be a date')
    expect(page.text).toContain('must be one of S, M')
    expect(page.text).toContain('must be a number')
    expect(page.text).toContain('&quot;&gt;&lt;script&gt;')
    expect(page.text).not.toContain('"><script')
  })

  it('names a field that its form lacks, and starts nothing', async () => {
    const { path } = await make({ public_form: FORM, max_uses: 1 })
    const page = await send(path, `${GOOD}&nmae=Ada`)
    expect([page.status, page.text]).toEqual([400, expect.stringContaining('values.nmae')])
    const json = { name: 'A', mail: 'a@b.example', nmae: 'Ada' }
    expect((await caller.app.call('POST', path, { json })).status).toBe(400)
    expect((await send(path, GOOD)).status).toBe(303)
  })

  it('takes JSON of a program', async () => {
    const { path } = await make()
    const answer = await caller.app.call('POST', path, {
      json: { name: 'A', mail: 'a@b.example', agree: false },
    })
    expect(answer.status).toBe(201)
    await caller.work()
    expect((await caller.app.call('POST', path, { json: {} })).status).toBe(400)
  })

  it('takes no body that would keep the server busy, and starts nothing by it', async () => {
    const { path } = await make({ public_form: FORM, max_uses: 1 })
    const bodies: readonly (readonly [string, object, string])[] = [
      ['a&'.repeat(1_000), FORM_TYPE, 'malformed_form'],
      [`{"a":${'['.repeat(64)}${']'.repeat(64)}}`, JSON_TYPE, 'malformed_json'],
    ]
    for (const [body, headers, code] of bodies) {
      const answer = await caller.app.call('POST', path, {
        body,
        headers: { ...headers, ...JSON_ANSWER },
      })
      expect(answer).toMatchObject({ status: 400, json: { code } })
    }
    expect((await send(path, GOOD)).status).toBe(303)
  })

  it('starts exactly so many runs, however many ask at once', async () => {
    const { id, path } = await make({ max_uses: 5 })
    const answers = await Promise.all(Array.from({ length: 40 }, () => send(path, '')))
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 410)).toHaveLength(35)
    expect((await open(path)).status).toBe(410)
    const runs = await caller.app.deps.db.all(
      sql`SELECT id FROM flow_runs WHERE created_by = ${`public:${id}`}`,
    )
    expect(runs).toHaveLength(5)
    await caller.work()
  })

  it('stops at once when it is revoked or its time is over', async () => {
    const { id, path } = await make({})
    expect((await caller.call('DELETE', `${LINKS}/${id}`)).status).toBe(204)
    expect((await open(path)).status).toBe(410)
    expect((await send(path, '')).status).toBe(410)
    const other = await make({})
    await caller.app.deps.db.write([
      sql`UPDATE flow_links SET expires_at = 1 WHERE id = ${other.id}`,
    ])
    expect((await open(other.path)).status).toBe(410)
    expect((await send(other.path, '')).status).toBe(410)
  })

  it('is refused for a flow that asks for an approval, also below it', async () => {
    for (const flow of ['asks', 'nested']) {
      expect(await caller.call('POST', `${LINKS}/${APP}/${flow}`, {})).toMatchObject({
        status: 422,
        json: { code: 'flow_has_approval' },
      })
    }
    expect((await caller.call('POST', `${LINKS}/${APP}/none`, {})).status).toBe(404)
  })

  it('stops when its flow gets an approval, or goes', async () => {
    const { path } = await make({})
    for (const flow of [
      { key: 'order', steps: [{ key: 'ok', kind: 'approval' }] },
      { key: 'other', steps: [{ key: 'take', action: 'echo' }] },
    ]) {
      await caller.deploy([flow])
      expect((await open(path)).status).toBe(410)
      expect((await send(path, '')).status).toBe(410)
    }
    await caller.deploy([{ key: 'order', steps: [{ key: 'take', action: 'echo' }] }])
    expect((await send(path, '')).status).toBe(303)
    await caller.work()
  })

  it.each([
    [{ max_uses: 0 }],
    [{ max_uses: 100_001 }],
    [{ expires_in_days: 0 }],
    [{ expires_in_days: 366 }],
    [{ public_form: [{ key: 'a', label: 'A', type: 'file' }] }],
    [{ public_form: [{ key: 'a', label: 'A', type: 'select' }] }],
    [{ public_form: [{ key: 'a', label: 'A', type: 'select', options: [] }] }],
    [{ public_form: [FORM[0], FORM[0]] }],
    [{ other: 1 }],
  ])('is not made of %j', async (json) => {
    expect((await caller.call('POST', `${LINKS}/${APP}/order`, json)).status).toBe(400)
  })

  it('never shows its token again', async () => {
    const { id, token } = await make()
    const { text } = await caller.call('GET', LINKS)
    expect(text).toContain(id)
    expect(text).toContain('"public_form"')
    expect(text).not.toContain(token)
  })

  it('that was never made is not found', async () => {
    expect((await open('/api/flow/run?t=svcl_12345678_x')).status).toBe(404)
    expect((await open('/api/flow/run')).status).toBe(404)
    expect((await send('/api/flow/run?t=x', '')).status).toBe(404)
    expect((await open('/api/flow/status?t=x')).status).toBe(403)
  })
})
