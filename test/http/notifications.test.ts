/** Notifications: what is reported to whom, with real receivers over HTTP and SMTP [notifications 1 to 3]. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { SMTPServer } from 'smtp-server'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { CLI_ACTOR } from '#core/access/actor.ts'
import { createPostTo } from '#outbound/post-to.ts'
import { resolveHost } from '#outbound/resolve-host.ts'
import { createSendMail } from '#outbound/send-mail.ts'
import { signWebhook } from '#outbound/sign-webhook.ts'
import { createNotifyDuty } from '#scheduler/duties/send-notifications.ts'
import { guessBucket } from '#service/access/guess.ts'
import { createSending, type SendDeps, startDueNotifications } from '#service/notify/send-due.ts'
import { addMember } from '#service/people/manage-member.ts'
import { setVariable } from '#service/secrets/set-secret.ts'
import { createUser, createWorkspace } from '#service/workspaces/create-workspace.ts'
import { DatabaseError } from '#store/database.ts'
import { insertTest } from '#store/notifications.ts'
import { SQL_NOW, sql } from '#store/sql.ts'
import { claimJobs } from '../support/claim-jobs.ts'
import { completeJob } from '../support/complete-job.ts'
import { createTestApp, type TestApp, WS } from '../support/create-test-app.ts'
import { deployActions } from '../support/deploy-action.ts'
import { portOf } from '../support/port-of.ts'

type Received = Readonly<{ path: string; headers: IncomingHttpHeaders; body: string }>

/** Makes the attempts that are due, and waits for them. */
const sendDueNotifications = async (deps: SendDeps) => {
  const { attempts } = await startDueNotifications(deps, createSending())
  return Promise.all(attempts)
}

const IGNORED = (): void => undefined
const SILENT = { debug: IGNORED, info: IGNORED, warn: IGNORED, error: IGNORED }
const SECRET = `whsec_${Buffer.from('only for tests, 32 bytes of key!').toString('base64')}`
let app: TestApp
let token = ''
let receiver = ''
let sender: SendDeps
let status = 200
let received: Received[] = []
let mails: string[] = []

const server = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk: Buffer) => {
    body += chunk.toString('utf8')
  })
  request.on('end', () => {
    received.push({ path: request.url ?? '', headers: request.headers, body })
    response.writeHead(status).end()
  })
})
const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData: (stream, _session, done) => {
    let mail = ''
    stream.on('data', (chunk: Buffer) => {
      mail += chunk.toString('utf8')
    })
    stream.on('end', () => {
      mails.push(mail)
      done()
    })
  },
})

beforeAll(async () => {
  app = await createTestApp()
  token = await app.token(['*'])
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', () => resolve()))
  const port = portOf(server)
  const smtpPort = portOf(smtp.server)
  receiver = `http://127.0.0.1:${port}`
  sender = {
    ...app.deps,
    limits: { ...app.deps.limits, egressAllow: [`127.0.0.1:${port}`] },
    postTo: createPostTo({ resolve: resolveHost, isReserved: async () => false }),
    sendMail: createSendMail({
      url: `smtp://127.0.0.1:${smtpPort}`,
      from: 'svc <svc@example.com>',
    }),
    signWebhook,
    baseUrl: 'https://svc.example',
  }
  await deployActions(
    app.deps,
    [{ ws: WS, app: 'shop', key: 'ship', tag: 'ship' }],
    [
      { key: 'fails', steps: [{ key: 'a', action: 'ship' }] },
      {
        key: 'asks',
        steps: [
          {
            key: 'ok',
            kind: 'approval',
            approval: {
              title: 'Ship it?',
              description: 'Look first.',
              show: [{ label: 'Fixed', value: '3' }],
            },
          },
          { key: 'a', action: 'ship' },
          { key: 'again', kind: 'approval' },
        ],
      },
    ],
  )
  await setVariable(app.deps, {
    ws: WS,
    key: 'HOOK',
    value: SECRET,
    isSecret: true,
    actor: CLI_ACTOR,
  })
})
afterAll(async () => {
  server.close()
  await new Promise<void>((resolve) => smtp.close(() => resolve()))
  await app.close()
})
afterEach(async () => {
  status = 200
  received = []
  mails = []
  await app.deps.db.write([sql`DELETE FROM notifications`, sql`DELETE FROM guesses`])
})

const notify = async (rules: readonly unknown[]): Promise<void> => {
  const answer = await app.call('PATCH', `/api/w/${WS}/workspace`, {
    token,
    json: { notify: rules },
  })
  expect(answer).toMatchObject({ status: 200, json: { notify: rules } })
}
const run = async (path: string): Promise<void> => {
  expect((await app.call('POST', `/api/w/${WS}/${path}`, { token, json: {} })).status).toBe(201)
}
const endNext = async (kind: 'failure' | 'success'): Promise<string> => {
  const request = { worker: 'w1', tags: ['ship'], limit: 1, leaseMs: 60_000 }
  const [job] = await claimJobs(app.deps, request)
  if (job === undefined) throw new Error('No job waits.')
  const error = { name: 'OutOfStock', message: 'none left' }
  const outcome =
    kind === 'failure'
      ? ({ kind, error, isFinal: true } as const)
      : ({ kind, resultJson: '1' } as const)
  await completeJob(app.deps, { job, outcome, retry: null, logs: [] })
  return job.id
}
const failJob = async (): Promise<string> => {
  await run('jobs/run/shop/ship')
  return endNext('failure')
}
const deliverySchema = z.object({
  items: z.array(z.looseObject({ id: z.string(), type: z.string(), status: z.string() })),
})
const deliveries = async () => {
  const answer = await app.call('GET', `/api/w/${WS}/notifications/deliveries`, { token })
  expect(answer.status).toBe(200)
  return deliverySchema.parse(answer.json).items
}

describe('the rules of a workspace', () => {
  it('are refused when a target or an event is unknown, and shortened for readers', async () => {
    for (const rule of [
      { on: ['x'], to: { email: 'a@example.com' } },
      { on: ['job_failed'], to: {} },
    ]) {
      const answer = await app.call('PATCH', `/api/w/${WS}/workspace`, {
        token,
        json: { notify: [rule] },
      })
      expect(answer.status).toBe(400)
    }
    await notify([{ on: ['job_failed'], to: { slack: 'https://hooks.slack.example/T/secret' } }])
    await createUser(app.deps, { email: 'ada@example.com', password: null, isSuperAdmin: false })
    await addMember(app.deps, { ws: WS, email: 'ada@example.com', role: 'member' })
    const reader = await app.token(['workspace:read'], { email: 'ada@example.com' })
    const read = await app.call('GET', `/api/w/${WS}/workspace`, { token: reader })
    expect(read.text).not.toContain('secret')
    expect(read).toMatchObject({
      json: { notify: [{ to: { slack: 'https://hooks.slack.example' } }] },
    })
  })

  it('write nothing where no rule wants the event', async () => {
    await notify([{ on: ['flow_failed'], to: { email: 'a@example.com' } }])
    await failJob()
    expect(await deliveries()).toEqual([])
    await notify([])
    await run('flows/run/shop/fails')
    await endNext('failure')
    expect(await deliveries()).toEqual([])
  })
})

describe('a trial of a draft', () => {
  it('sends no notification of its failures, and of no approval', async () => {
    await notify([
      { on: ['job_failed', 'flow_failed', 'approval_waiting'], to: { email: 'a@example.com' } },
    ])
    const approval = [{ key: 'asks', steps: [{ key: 'ok', kind: 'approval' }] }]
    const failing = [{ key: 'fails', steps: [{ key: 'a', action: 'ship' }] }]
    const trial = { ws: WS, app: 'shop--try-0123abcd', key: 'ship', tag: 'ship' }
    await deployActions(app.deps, [trial], [...approval, ...failing])
    await run(`jobs/run/${trial.app}/ship`)
    await endNext('failure')
    await run(`flows/run/${trial.app}/fails`)
    await endNext('failure')
    await run(`flows/run/${trial.app}/asks`)
    expect(await deliveries()).toEqual([])
    // a failure of the app itself is reported
    await failJob()
    expect(await deliveries()).toHaveLength(1)
  })
})

describe('a webhook', () => {
  it('is signed as Standard Webhooks, and its delivery is on record', async () => {
    await notify([
      { on: ['job_failed'], to: { webhook: `${receiver}/hook?key=hidden`, secret: 'HOOK' } },
    ])
    const id = await failJob()
    await sendDueNotifications(sender)
    const [hook] = received
    expect(hook?.path).toBe('/hook?key=hidden')
    const headers = Object.fromEntries(
      ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [
        name,
        String(hook?.headers[name]),
      ]),
    )
    expect(new Webhook(SECRET).verify(hook?.body ?? '', headers)).toMatchObject({
      type: 'job_failed',
      timestamp: expect.stringMatching(/Z$/),
      data: {
        workspace: WS,
        job_id: id,
        app: 'shop',
        action: 'ship',
        error: { name: 'OutOfStock', message: 'none left' },
        url: `https://svc.example/ui/w/${WS}/jobs/${id}`,
      },
    })
    const [delivery] = await deliveries()
    expect(delivery).toMatchObject({
      type: 'job_failed',
      subject: id,
      status: 'delivered',
      attempts: 1,
      last_status: 200,
      target: { kind: 'webhook', address: receiver },
    })
    expect(JSON.stringify(delivery)).not.toContain('hidden')
  })

  it('is sent again after 5 s with the same id, by one of several nodes', async () => {
    await notify([{ on: ['job_failed'], to: { webhook: receiver, secret: 'HOOK' } }])
    await failJob()
    status = 500
    await Promise.all([sendDueNotifications(sender), sendDueNotifications(sender)])
    expect(received).toHaveLength(1)
    const [waiting] = await deliveries()
    expect(waiting).toMatchObject({
      status: 'pending',
      attempts: 1,
      last_status: 500,
      last_error: 'It answered 500.',
    })
    const waitMs = Date.parse(String(waiting?.next_attempt_at)) - Date.now()
    expect(waitMs).toBeGreaterThan(3_000)
    expect(waitMs).toBeLessThanOrEqual(5_000)
    await sendDueNotifications(sender)
    expect(received).toHaveLength(1)
    status = 204
    await app.deps.db.write([sql`UPDATE notifications SET next_at = 1`])
    await sendDueNotifications(sender)
    expect(received.map(({ headers }) => headers['webhook-id'])).toEqual([
      received[0]?.headers['webhook-id'],
      received[0]?.headers['webhook-id'],
    ])
    expect(await deliveries()).toMatchObject([
      { status: 'delivered', attempts: 2, last_status: 204 },
    ])
  })

  it('stays undecided while its outcome cannot be written', async () => {
    await notify([{ on: ['job_failed'], to: { webhook: receiver } }])
    await failJob()
    const { db } = sender
    let writes = 0
    const write: typeof db.write = async (batch, options) => {
      writes += 1
      if (writes === 2) throw new DatabaseError('Away.', { kind: 'unavailable', outcome: 'none' })
      return db.write(batch, options)
    }
    const sent = sendDueNotifications({ ...sender, db: { ...db, write } })
    await expect(sent).rejects.toThrow('Away.')
    expect(received).toHaveLength(1)
    expect(await deliveries()).toMatchObject([
      { status: 'pending', attempts: 1, last_status: null, last_error: null },
    ])
  })

  it('is not sent again when its outcome is written once the database is back', async () => {
    await notify([{ on: ['job_failed'], to: { webhook: receiver } }])
    await failJob()
    const { db } = sender
    let isAway = false
    const write: typeof db.write = async (batch, options) => {
      if (isAway) throw new DatabaseError('Away.', { kind: 'unavailable', outcome: 'none' })
      return db.write(batch, options)
    }
    const postTo: SendDeps['postTo'] = async (post) => {
      isAway = true
      return sender.postTo(post)
    }
    const log = { ...SILENT, warn: (message: string) => void warnings.push(message) }
    const warnings: string[] = []
    const duty = createNotifyDuty({ ...sender, db: { ...db, write }, postTo, log })
    const turn = () => duty.runOnce(new AbortController().signal)
    await turn()
    await duty.settled?.()
    expect(await turn()).toBe(1_000)
    expect(warnings).toHaveLength(2)
    isAway = false
    await app.deps.db.write([sql`UPDATE notifications SET next_at = 1`])
    await turn()
    await duty.settled?.()
    expect(received).toHaveLength(1)
    expect(await deliveries()).toMatchObject([{ status: 'delivered', attempts: 1 }])
  })

  it('is not looked for all the time while the database takes no writes', async () => {
    const { db } = sender
    const full = new DatabaseError('Full.', { kind: 'other', outcome: 'none' })
    const due = Array.from({ length: 30 }, (_, id) =>
      insertTest(WS, { id: String(id), target: { webhook: receiver } }),
    )
    await db.write(due)
    let wanted = 0
    const duty = createNotifyDuty({
      ...sender,
      db: { ...db, write: () => Promise.reject(full) },
      log: SILENT,
    })
    duty.onWanted?.(() => {
      wanted += 1
    })
    await expect(duty.runOnce(new AbortController().signal)).rejects.toBe(full)
    await duty.settled?.()
    expect(wanted).toBe(0)
  })

  it('fails for good after the last attempt', async () => {
    await notify([{ on: ['job_failed'], to: { webhook: receiver } }])
    await failJob()
    status = 410
    await app.deps.db.write([sql`UPDATE notifications SET attempts = 10`])
    await sendDueNotifications(sender)
    expect(await deliveries()).toMatchObject([
      { status: 'failed', attempts: 11, next_attempt_at: null },
    ])
  })

  it('that a rule no longer names gets nothing more, and a test still arrives', async () => {
    const rule = { on: ['job_failed'], to: { webhook: receiver, secret: 'HOOK' } }
    await notify([rule])
    await failJob()
    status = 500
    await sendDueNotifications(sender)
    expect(received).toHaveLength(1)
    status = 200
    await notify([{ ...rule, on: ['flow_failed'] }])
    await app.deps.db.write([
      sql`UPDATE notifications SET next_at = 1`,
      insertTest(WS, { id: 'one', target: { webhook: receiver } }),
    ])
    await sendDueNotifications(sender)
    expect(received.map(({ body }) => JSON.parse(body).type)).toEqual(['job_failed', 'test'])
    const left = (await deliveries()).find(({ type }) => type === 'job_failed')
    expect(left).toMatchObject({ status: 'failed', attempts: 2, next_attempt_at: null })
    expect(left?.last_error).toContain('no longer')
  })

  it('whose rule names another secret gets the notifications of before', async () => {
    await notify([{ on: ['job_failed'], to: { webhook: receiver } }])
    await failJob()
    await notify([{ on: ['job_failed'], to: { webhook: receiver, secret: 'HOOK' } }])
    await sendDueNotifications(sender)
    expect(received).toHaveLength(1)
  })

  it('reaches no private address without a grant, and names what grants it', async () => {
    await notify([{ on: ['job_failed'], to: { webhook: receiver } }])
    await failJob()
    await sendDueNotifications({ ...sender, limits: app.deps.limits })
    expect(received).toEqual([])
    const [refused] = await deliveries()
    expect(refused?.last_error).toContain('SVC_EGRESS_ALLOW')
    const own = { resolve: resolveHost, isReserved: async () => true }
    await app.deps.db.write([sql`UPDATE notifications SET next_at = 1`])
    await sendDueNotifications({ ...sender, postTo: createPostTo(own) })
    expect(received).toEqual([])
    expect((await deliveries())[0]?.last_error).toContain('never open')
  })

  it('does not wait for the backlog of another workspace', async () => {
    await createWorkspace(app.deps, { id: 'other', name: 'Other' })
    const target = { slack: `${receiver}/T/B` }
    const { db } = app.deps
    const ids = Array.from({ length: 60 }, (_, at) => String(at))
    await db.write([
      ...ids.map((id) => insertTest(WS, { id, target })),
      sql`UPDATE notifications SET next_at = next_at - 1000`,
      insertTest('other', { id: 'only', target }),
    ])
    const sent = await sendDueNotifications(sender)
    expect(sent).toHaveLength(11)
    expect(sent.map(({ notification }) => notification.ws)).toContain('other')
  })

  it('does not wait for receivers of another workspace that do not answer', async () => {
    const { db } = app.deps
    const slow = Array.from({ length: 60 }, (_, at) =>
      insertTest(WS, { id: String(at), target: { webhook: `${receiver}/slow` } }),
    )
    await db.write([...slow, sql`UPDATE notifications SET next_at = next_at - 1000`])
    const { promise, resolve } = Promise.withResolvers<number>()
    let open = 0
    const postTo: SendDeps['postTo'] = (post) => {
      if (!post.url.endsWith('/slow')) return sender.postTo(post)
      open += 1
      return promise
    }
    const duty = createNotifyDuty({ ...sender, postTo, log: SILENT })
    let wanted = 0
    const end = duty.onWanted?.(() => {
      wanted += 1
    })
    const turn = () => duty.runOnce(new AbortController().signal)
    await turn()
    await expect.poll(() => open).toBe(10)
    await db.write([insertTest('other', { id: 'next', target: { webhook: receiver } })])
    await turn()
    await expect.poll(() => received.length).toBe(1)
    expect(open).toBe(10)
    // their workspace goes on when half of its attempts are over
    wanted = 0
    resolve(200)
    await duty.settled?.()
    expect(wanted).toBeGreaterThan(0)
    await turn()
    await duty.settled?.()
    expect(open).toBe(20)
    end?.()
  })

  it('names the variable that is missing', async () => {
    await notify([{ on: ['job_failed'], to: { webhook: receiver, secret: 'MISSING' } }])
    await failJob()
    await sendDueNotifications(sender)
    expect(received).toEqual([])
    expect(await deliveries()).toMatchObject([{ last_error: 'The variable MISSING is not set.' }])
  })
})

describe('Slack', () => {
  it('gets failed flows, and each approval that waits', async () => {
    await notify([
      { on: ['flow_failed', 'approval_waiting', 'job_failed'], to: { slack: `${receiver}/T/B` } },
    ])
    await run('flows/run/shop/fails')
    await endNext('failure')
    await sendDueNotifications(sender)
    // the flow reports the failure of its jobs
    expect(received.map(({ body }) => JSON.parse(body))).toEqual([
      {
        text: expect.stringMatching(
          /^\*\[default\] Flow shop\/fails failed\*\nOutOfStock: none left\n/,
        ),
      },
    ])
    received = []
    const started = await app.call('POST', `/api/w/${WS}/flows/run/shop/asks`, { token, json: {} })
    const { flow_run_id: id } = z.object({ flow_run_id: z.uuid() }).parse(started.json)
    await sendDueNotifications(sender)
    expect(received.map(({ body }) => JSON.parse(body))).toEqual([
      {
        text: expect.stringMatching(
          /^\*\[default\] Approval: Ship it\?\*\nLook first\.\nFixed: 3\n<https:/,
        ),
      },
    ])
    const other = { email: 'bea@example.com' }
    await createUser(app.deps, { ...other, password: null, isSuperAdmin: false })
    await addMember(app.deps, { ws: WS, ...other, role: 'admin' })
    const approver = await app.token(['*'], other)
    const approve = await app.call('POST', `/api/w/${WS}/flow-runs/${id}/approve`, {
      token: approver,
      json: {},
    })
    expect(approve.status).toBe(200)
    await endNext('success')
    await sendDueNotifications(sender)
    expect(received).toHaveLength(2)
    expect((await deliveries()).map(({ type }) => type)).toEqual([
      'approval_waiting',
      'approval_waiting',
      'flow_failed',
    ])
  })
})

describe('an e-mail', () => {
  it('reports a schedule that was disabled', async () => {
    await notify([{ on: ['schedule_disabled'], to: { email: 'ops@example.com' } }])
    const json = { app_key: 'shop', action_key: 'ship', cron: '@every 1h' }
    const made = await app.call('POST', `/api/w/${WS}/schedules`, { token, json })
    expect(made.status).toBe(201)
    await app.deps.db.write([
      sql`UPDATE schedules SET enabled = 0, next_fire_at = NULL, disabled_reason = 'The action is gone.'`,
    ])
    await sendDueNotifications(sender)
    expect(mails).toHaveLength(1)
    expect(mails[0]).toMatch(/^To: ops@example\.com\r?$/m)
    expect(mails[0]).toContain('Subject: [default] Schedule of shop/ship was disabled')
    expect(mails[0]).toContain('The action is gone.')
  })

  it('needs a mail server', async () => {
    await notify([{ on: ['job_failed'], to: { email: 'ops@example.com' } }])
    await failJob()
    await sendDueNotifications({
      ...sender,
      sendMail: createSendMail({ url: undefined, from: undefined }),
    })
    expect((await deliveries())[0]?.last_error).toContain('SVC_SMTP_URL')
    // a mail that was not sent does not count
    expect(await app.deps.db.all(sql`SELECT 1 FROM guesses`)).toEqual([])
  })

  it('waits when the workspace has sent a thousand within a day', async () => {
    await notify([{ on: ['job_failed'], to: { email: 'ops@example.com' } }])
    const { db } = app.deps
    const ids = Array.from({ length: 999 }, (_, at) => String(at))
    await db.write([
      sql`INSERT INTO guesses (bucket, id, at) SELECT ${guessBucket('notify-mail', WS)}, value, ${SQL_NOW}
        FROM json_each(${JSON.stringify(ids)})`,
    ])
    for (let jobs = 0; jobs < 2; jobs += 1) await failJob()
    await sendDueNotifications(sender)
    expect(mails).toHaveLength(1)
    const waiting = (await deliveries()).find((each) => each.status === 'pending')
    expect(waiting?.last_error).toBe('The workspace has sent 1000 e-mails within a day.')
    await db.write([
      sql`DELETE FROM guesses`,
      sql`UPDATE notifications SET next_at = 1 WHERE next_at > 0`,
    ])
    await sendDueNotifications(sender)
    expect(mails).toHaveLength(2)
  })
})

describe('a test', () => {
  it('goes the way of every notification', async () => {
    const path = `/api/w/${WS}/notifications/test`
    const reader = await app.token(['workspace:read'])
    const json = { to: { webhook: receiver } }
    expect((await app.call('POST', path, { token: reader, json })).status).toBe(403)
    expect((await app.call('POST', path, { token, json })).status).toBe(202)
    await sendDueNotifications(sender)
    expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({
      type: 'test',
      data: { workspace: WS },
    })
    const pages = await app.call('GET', `/api/w/${WS}/notifications/deliveries?limit=1`, { token })
    expect(pages).toMatchObject({ json: { items: [{ type: 'test', status: 'delivered' }] } })
  })

  it('is refused after five within a minute, however many come at once', async () => {
    const json = { to: { email: 'a@example.com' } }
    const send = () => app.call('POST', `/api/w/${WS}/notifications/test`, { token, json })
    const answers = await Promise.all(Array.from({ length: 8 }, send))
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(5)
    const refused = answers.find((each) => each.status === 429)
    expect(refused).toMatchObject({ json: { code: 'too_many_tests' } })
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(50)
    expect(await deliveries()).toHaveLength(5)
    await app.deps.db.write([sql`UPDATE guesses SET at = at - 60000`])
    expect((await send()).status).toBe(202)
  })
})
