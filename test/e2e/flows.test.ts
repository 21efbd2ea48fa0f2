/** Flows as people use them: a node, an app that is deployed to it, the command line, and requests of a browser. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { packApp } from '../support/bundle-archive.ts'
import { PROGRAM } from '../support/svc-process.ts'
import { type Folder, LONG_LEASE, makeTemplate, type Node } from './durable-node.ts'

const MANIFEST = `key: desk
actions:
  - { key: ask, entrypoint: ask.ts }
  - { key: tell, entrypoint: tell.ts }
  - { key: seen, entrypoint: seen.ts }
  - { key: third, entrypoint: third.ts }
  - { key: fail, entrypoint: fail.ts }
  - { key: rest, entrypoint: rest.ts }
flows:
  - key: leave
    steps:
      - { key: ask, action: ask }
      - { key: ok, kind: approval, approval: { resumeForm: [{ key: note, label: Note, type: text, required: true }] } }
      - { key: tell, action: tell }
  - key: undone
    steps:
      - { key: seen, action: seen, undo: { action: seen } }
      - { key: rest, kind: sleep, forS: 60 }
  - key: failing
    steps: [{ key: fail, action: fail }]
    failureModule: { key: tell, action: rest, onCancel: true }
  - key: decided
    steps:
      - { key: ask, action: seen }
      - { key: ok, kind: approval, approval: { allowSelfApproval: true, resumeForm: [{ key: note, label: Note, type: text }] } }
      - { key: tell, action: seen }
  - key: hook
    steps: [{ key: seen, action: seen }]
  - key: tries
    steps: [{ key: third, action: third, retry: { maxAttempts: 3, delayMs: 0 } }]
webhooks:
  - { key: run, flow: hook, verify: { scheme: none }, input: json, respond: { waitS: 20 } }
  - { key: job, action: seen, verify: { scheme: none }, input: json, respond: { waitS: 20 } }
`
const APP = {
  'app.yaml': MANIFEST,
  'ask.ts':
    "export const main = (ctx) => ctx.approval.getResumeUrls({ approver: 'dora@partner.example' })\n",
  'tell.ts': `export const main = async (ctx) => ({
  resume: ctx.flow.resumeValue,
  input: ctx.input,
  links: await ctx.approval.getResumeUrls().catch((error) => error.message),
})
`,
  'fail.ts': "export const main = () => { throw new Error('no') }\n",
  'rest.ts':
    'export const main = (ctx) => new Promise((end) => ctx.signal.addEventListener("abort", end))\n',
  'third.ts': `export const main = ({ job }) => {
  if (job.attempt < 3) throw new Error('not yet')
  return job.attempt
}
`,
  'seen.ts':
    "export const main = ({ trigger, input }) => ({ kind: trigger.kind, raw: trigger.raw ?? null, sign: trigger.headers?.['X-Sign'] ?? null, input })\n",
}

let folder: Folder
let node: Node
beforeAll(async () => {
  folder = await makeTemplate()
  node = await folder.start({ env: LONG_LEASE })
  const form = new FormData()
  form.set('bundle', new Blob([new Uint8Array(await packApp(APP))]), 'app.tar.gz')
  const answer = await fetch(`${node.url}/api/w/default/deployments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${folder.token}` },
    body: form,
  })
  expect(answer.status).toBe(201)
})
afterAll(async () => {
  await node.process.stop()
  folder.remove()
})

/** Connections that the node closes meanwhile are noticed, so that the next request does not use one. */
const svc = async (...args: readonly string[]): Promise<string> => {
  const [command = '', ...program] = PROGRAM
  const { stdout } = await promisify(execFile)(command, [...program, ...args], {
    cwd: folder.path,
    env: { PATH: process.env.PATH, SVC_URL: node.url, SVC_TOKEN: folder.token, HOME: folder.path },
  })
  return stdout.trim()
}

const run = z.looseObject({
  status: z.string(),
  trigger_kind: z.string(),
  result: z.json(),
  steps: z.array(z.looseObject({ result: z.json() })),
})

const until = async (id: string, status: string) => {
  for (let tries = 0; tries < 200; tries += 1) {
    const seen = run.parse(JSON.parse(await svc('flows', 'show', id, '--json')))
    if (seen.status === status) return seen
    await sleep(50)
  }
  throw new Error(`The run never was ${status}.`)
}

/** Sends a `Host` header of the caller's choice, which fetch does not allow. */
const post = async (path: string, headers: Readonly<Record<string, string>>): Promise<string> => {
  const sent = request(`${node.url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${folder.token}`,
      'content-type': 'application/json',
      ...headers,
    },
  })
  sent.end('{}')
  const [response]: IncomingMessage[] = await once(sent, 'response')
  return response === undefined ? '' : text(response)
}

describe('a flow', () => {
  it('is answered by a link that its own action has made, on a page without a script', async () => {
    const id = await svc('flows', 'run', 'desk/leave', '--input', '{"days":3}')
    const waiting = await until(id, 'waiting_approval')
    const links = z.object({ approvalPage: z.url(), approve: z.url(), reject: z.url() })
    const { approvalPage, approve } = links.parse(waiting.steps[0]?.result)
    expect(approvalPage.startsWith(`${node.url}/api/flow/approval?t=`)).toBe(true)
    const page = await (await fetch(approvalPage)).text()
    expect(page).toContain('dora@partner.example')
    expect(page).toContain('name="note"')
    const sent = await fetch(approve, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'note=have+fun',
    })
    expect(sent.status).toBe(200)
    expect((await until(id, 'completed')).result).toEqual({
      resume: { note: 'have fun' },
      input: { note: 'have fun' },
      links: expect.stringContaining('just before an approval step'),
    })
    expect(await svc('flows', 'show', id)).toMatch(
      /desk\/leave {2}completed[\s\S]*ok +approval +success/,
    )
  })

  it('gives out no link to a host that its starter has made up', async () => {
    const started = await post('/api/w/default/flows/run/desk/leave', { host: 'evil.example' })
    const { flow_run_id: id } = z.object({ flow_run_id: z.string() }).parse(JSON.parse(started))
    const waiting = await until(id, 'waiting_approval')
    const links = JSON.stringify(waiting.steps[0]?.result)
    expect(links).toContain(`${node.url}/api/flow/approval?t=`)
    expect(links).not.toContain('evil.example')
  })

  it('is canceled by the command line, which states that undo steps follow', async () => {
    const id = await svc('flows', 'run', 'desk/undone')
    await expect
      .poll(() => svc('flows', 'show', id), { timeout: 20_000 })
      .toMatch(/seen +action +success/)
    const said = `The run is being canceled. It ends after its undo actions and failure module: svc flows show ${id}`
    expect(await svc('flows', 'cancel', id)).toBe(said)
    await expect.poll(() => svc('flows', 'show', id), { timeout: 20_000 }).toMatch(/ {2}canceled/)
  })

  it('that is failing stays so when it is canceled, and the command line states that', async () => {
    const id = await svc('flows', 'run', 'desk/failing')
    await expect
      .poll(() => svc('flows', 'show', id), { timeout: 20_000 })
      .toMatch(/running {2}will be failed[\s\S]*tell +failure_module +running/)
    const said = `The run had already failed and stays so. It ends after its undo actions and failure module: svc flows show ${id}`
    expect(await svc('flows', 'cancel', id)).toBe(said)
    const shown = z
      .looseObject({ steps: z.array(z.looseObject({ job_ids: z.array(z.string()) })) })
      .parse(JSON.parse(await svc('flows', 'show', id, '--json')))
    await svc('jobs', 'cancel', shown.steps.at(-1)?.job_ids[0] ?? '')
    await expect.poll(() => svc('flows', 'show', id), { timeout: 20_000 }).toMatch(/ {2}failed/)
  })

  it('is approved, rejected and restarted by the command line', async () => {
    const id = await svc('flows', 'run', 'desk/decided')
    await until(id, 'waiting_approval')
    await expect(svc('flows', 'approve', id, '--step', 'other')).rejects.toThrow(
      /waits at step "ok"/,
    )
    expect(
      await svc('flows', 'approve', id, '--step', 'ok', '--values', '{"note":"fine"}'),
    ).toMatch(/^The run is (?:running at tell: svc flows show .+|completed\.)$/)
    expect((await until(id, 'completed')).result).toMatchObject({ input: { note: 'fine' } })
    const again = await svc('flows', 'restart', id, '--from', 'ok', '--latest')
    await until(again, 'waiting_approval')
    expect(await svc('flows', 'reject', again, '--reason', 'too late')).toBe('The run is failed.')
    expect(await svc('flows', 'show', again)).toContain('too late')
  })

  it('is drawn, listed and canceled by the command line', async () => {
    const id = await svc('flows', 'run', 'desk/leave')
    expect(await svc('flows', 'cancel', id, '--reason', 'a mistake')).toBe('The run is canceled.')
    expect(await svc('flows', 'show', id)).toMatch(/desk\/leave {2}canceled/)
    expect(await svc('flows', 'graph', 'desk/leave')).toMatch(
      /^flowchart TD[\s\S]*\{\{"ok · approval"\}\}/,
    )
    expect(await svc('flows')).toMatch(/desk\/leave +ask → ok → tell/)
    expect(await svc('flows', 'runs', '--limit', '1')).toContain('desk/leave')
  })

  it('counts the attempts of a step over its jobs', async () => {
    const id = await svc('flows', 'run', 'desk/tries')
    expect((await until(id, 'completed')).result).toBe(3)
  })

  it.each(['run', 'job'])('gets JSON and its text as sent from the webhook %s', async (key) => {
    const raw = '{ "n": 1.50, "of": [] }'
    const answer = await fetch(`${node.url}/hook/default/desk/${key}`, {
      method: 'POST',
      body: raw,
      headers: { 'x-sign': 's' },
    })
    expect(await answer.json()).toEqual({
      kind: 'webhook',
      raw,
      sign: 's',
      input: { n: 1.5, of: [] },
    })
  })

  it('is started by a webhook and by a schedule, and its jobs know by which', async () => {
    const call = (path: string, init: RequestInit = {}) =>
      fetch(`${node.url}/api/w/default${path}`, {
        method: 'POST',
        ...init,
        headers: { authorization: `Bearer ${folder.token}`, ...init.headers },
      })
    const started = z.object({ flow_run_id: z.string() })
    const hook = await call('/flows/webhook/desk/hook', { body: 'a=1', headers: { 'x-sign': 's' } })
    const { flow_run_id } = started.parse(await hook.json())
    expect((await until(flow_run_id, 'completed')).result).toEqual({
      kind: 'webhook',
      raw: 'a=1',
      sign: 's',
      input: 'a=1',
    })
    const schedule = await call('/schedules', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        app_key: 'desk',
        flow_key: 'hook',
        cron: '@every 1s',
        input: { n: 1 },
      }),
    })
    expect(schedule.status).toBe(201)
    const made = z.looseObject({ id: z.string() }).parse(await schedule.json())
    const lastRun = z.looseObject({ last_flow_run_id: z.string() })
    const { last_flow_run_id } = await vi.waitFor(
      async () =>
        lastRun.parse(await (await call(`/schedules/${made.id}`, { method: 'GET' })).json()),
      { timeout: 30_000, interval: 100 },
    )
    const fired = await until(last_flow_run_id, 'completed')
    expect(fired).toMatchObject({
      trigger_kind: 'schedule',
      result: { kind: 'schedule', raw: null, input: { n: 1 } },
    })
    await call(`/schedules/${made.id}`, { method: 'DELETE' })
  })
})
