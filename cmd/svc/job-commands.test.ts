import process from 'node:process'
import { afterEach, expect, test, vi } from 'vitest'
import yargs from 'yargs'
import { serveCommands } from '../../test/support/command-target.ts'
import { command as flows } from './commands/flows.ts'
import { command as jobs } from './commands/jobs.ts'
import { command as open } from './commands/open.ts'
import { command as run } from './commands/run.ts'
import { command as webhooks } from './commands/webhooks.ts'
import { CommandFailed } from './exit.ts'

let isEnded = false
const polled = vi.fn<() => void>()
const JOB = '/api/w/default/jobs/j1'
const UUID = '01a1fd91-3d6b-770e-a570-5f660007cb1b'

const waiting = {
  id: 'j1',
  app: 'shop',
  action: 'slow',
  status: 'queued',
  attempt: 1,
  trigger_kind: 'api',
  created_by: 'ada@example.com',
  created_at: '2025-01-31T09:00:00Z',
  completed_at: null,
  duration_ms: null,
  worker: null,
  suspended: null,
  waiting_for: { reason: 'worker', detail: 'No worker is running.' },
  result: null,
}
let shown: object = waiting

const wait = {
  ...{ kind: 'event', status: 'success', attempts: 1, until: waiting.created_at },
  ...{ started_at: waiting.created_at, completed_at: waiting.created_at },
}
const steps = [
  { ...wait, name: 'came', timed_out: false },
  { ...wait, name: 'missed', timed_out: true },
  { ...wait, name: 'pay', status: 'running', error: { name: 'Declined', message: 'No\nfunds.' } },
]

/** The answers to the requests for a flow run, in their order. */
const runs = [
  { status: 'waiting_approval', current_step: { key: 'sign-off' }, result: null, error: null },
  { status: 'failed', current_step: null, result: null, error: { name: 'Oops' } },
  {
    ...{ status: 'running', current_step: { key: 'each' }, result: null, error: null },
    steps: [{ key: 'each', job_ids: ['a', 'b', 'c'] }],
  },
  { status: 'completed', current_step: null, result: 8, error: null },
]

/** A flow run that starts in ten minutes. */
const later = () => ({
  ...{ id: 'later', app: 'shop', flow: 'order', status: 'running', current_step: null },
  created_at: waiting.created_at,
  scheduled_for: new Date(Date.now() + 600_000).toISOString(),
  ...{ result: null, error: null, steps: [], event_waits: waits },
})

const step = { status: 'running', attempt: 1, execution_ms: null }
const loop = () => ({
  ...{ ...later(), id: 'loop', scheduled_for: null, event_waits: [] },
  steps: [
    { ...step, key: 'list', kind: 'action' },
    { ...step, key: 'each', kind: 'forloop', items: { total: 3_000, done: 1_250, failed: 2 } },
  ],
})

serveCommands(({ url = '' }, response) => {
  if (url === '/api/auth/me') response.end('{"workspace":"default","scopes":["*"]}')
  else if (url === `${JOB}/result`) {
    polled()
    response.end(JSON.stringify(isEnded ? { status: 'success', result: 7 } : { status: 'pending' }))
  } else if (url === `${JOB}/logs`) response.end('event: end\ndata: {}\n\n')
  else if (url === `${JOB}/events`) response.end()
  else if (url === `${JOB}/steps`) response.end(JSON.stringify({ items: steps }))
  else if (url === JOB) response.end(JSON.stringify(shown))
  else if (/shop\/order(?:$|\/deliveries)/.test(url)) response.end('{"flow_run_id":"r1"}')
  else if (url === '/api/w/default/flow-runs/r1') response.end(JSON.stringify(runs.shift()))
  else if (url === '/api/w/default/flow-runs/later') response.end(JSON.stringify(later()))
  else if (url === '/api/w/default/flow-runs/loop') response.end(JSON.stringify(loop()))
  else if (url === `/api/w/default/flow-runs/${UUID}`) response.end('{}')
  else response.end('{"job_id":"j1"}')
})

const { isTTY } = process.stderr
afterEach(() => {
  vi.restoreAllMocks()
  process.stderr.isTTY = isTTY
})

test('Ctrl-C during a run names the job, which goes on', async () => {
  const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never)
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const before = process.listeners('SIGINT')
  const ended = run.handler({ _: [], $0: 'svc', action: 'shop/slow', wait: true })
  await vi.waitFor(() => expect(polled).toHaveBeenCalled(), 10_000)
  for (const listener of process.listeners('SIGINT')) {
    if (!before.includes(listener)) listener('SIGINT')
  }
  expect(exit).toHaveBeenCalledExactlyOnceWith(130)
  expect(said).toHaveBeenCalledWith(expect.stringContaining('svc logs j1 -f'))
  isEnded = true
  await ended
  expect(process.listeners('SIGINT')).toEqual(before)
})

const printed = async (act: () => unknown): Promise<string> => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  await act()
  return write.mock.calls.map(([text]) => String(text)).join('')
}
const show = (): Promise<string> =>
  printed(() =>
    yargs(['show', 'j1'])
      .command({ command: '$0', describe: '', ...jobs })
      .parseAsync(),
  )

test('jobs show states why a job waits, and has no result before its end', async () => {
  expect(await show()).toBe(`shop/slow  queued  attempt 1
created 2025-01-31T09:00:00Z by ada@example.com (api)
No worker is running.
`)
})

test('jobs steps shows which wait for an event timed out, and why a step failed', async () => {
  const text = await printed(() =>
    yargs(['steps', 'j1'])
      .command({ command: '$0', describe: '', ...jobs })
      .parseAsync(),
  )
  expect(text).toMatch(/came +event +success[\s\S]*missed +event +timed_out/)
  expect(text).toMatch(/pay .* Declined: No funds\.$/m)
})

test('jobs show --json prints the response of the server as it is', async () => {
  const text = await printed(() =>
    yargs(['show', 'j1', '--json'])
      .command({ command: '$0', describe: '', ...jobs })
      .parseAsync(),
  )
  expect(JSON.parse(text)).toEqual(waiting)
})

test('jobs show has the duration, the worker and the result of an ended job', async () => {
  const ended = { status: 'success', worker: 'vm', duration_ms: 12, waiting_for: null, result: 7 }
  shown = { ...waiting, ...ended, completed_at: waiting.created_at }
  expect(await show()).toContain('(api), ran 12 ms on vm\n7\n')
})

test('jobs show names no worker and no duration of a job that was canceled before it started', async () => {
  const ended = { status: 'canceled', worker: null, duration_ms: 0, waiting_for: null, result: 7 }
  shown = { ...waiting, ...ended, completed_at: waiting.created_at }
  expect(await show()).toContain('(api)\n7\n')
})

test('flows run --wait shows what a run waits for, and fails when the run has failed', async () => {
  process.stderr.isTTY = true
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const text = await printed(async () => {
    const parser = yargs(['run', 'shop/order', '--wait']).fail(false).exitProcess(false)
    const waited = parser.command({ command: '$0', describe: '', ...flows }).parseAsync()
    await expect(waited).rejects.toThrow(CommandFailed)
  })
  expect(said).toHaveBeenCalledWith('waiting_approval  sign-off\n')
  expect(text).toBe('failed  {"name":"Oops"}\n')
  expect(said).toHaveBeenCalledWith('See more: svc flows show r1\n')
})

test('webhooks replay --wait prints the result of the job or flow run', async () => {
  process.stderr.isTTY = true
  const replay = (webhook: string) =>
    yargs(['replay', webhook, UUID, '--wait'])
      .command({ command: '$0', describe: '', ...webhooks })
      .parseAsync()
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const text = await printed(async () => {
    await replay('shop/paid')
    await replay('shop/order')
  })
  // a loop shows how far it is
  expect(said).toHaveBeenCalledWith('running  each  3 jobs so far\n')
  expect(text).toBe('success  7\ncompleted  8\n')
})

test('flows show states when a run starts', async () => {
  const text = await printed(() =>
    yargs(['show', 'later'])
      .command({ command: '$0', describe: '', ...flows })
      .parseAsync(),
  )
  expect(text).toMatch(/^shop\/order {2}running {2}starts in (?:9|10) minutes\n/)
})

test('open finds the page of a flow run by its id', async () => {
  const text = await printed(() => open.handler({ _: [], $0: 'svc', page: UUID, print: true }))
  expect(text).toContain(`/ui/w/default/flow-runs/${UUID}`)
})

const waits = [
  { step: 'go', name: 'go.now', key: null, until: '2025-02-01T09:00:00Z' },
  { step: 'paid', name: 'order.paid', key: 'o1', until: null },
]
const listed = `event go.now, without a key, until 2025-02-01T09:00:00Z
event order.paid, key "o1", until it comes
`

test('jobs show lists the events that a job waits for, also those without a key', async () => {
  shown = { ...waiting, waiting_for: null, event_waits: waits }
  expect(await show()).toContain(listed)
})

test('flows show counts the items of a loop', async () => {
  const text = await printed(() =>
    yargs(['show', 'loop'])
      .command({ command: '$0', describe: '', ...flows })
      .parseAsync(),
  )
  expect(text).toMatch(/STEP +KIND +STATUS +ATTEMPT +MS +ITEMS *\n/)
  expect(text).toMatch(/^list .* –$/m)
  expect(text).toMatch(/^each .* 1,250 of 3,000, 2 failed$/m)
})

test('flows show lists the events that a run waits for', async () => {
  const text = await printed(() =>
    yargs(['show', 'later'])
      .command({ command: '$0', describe: '', ...flows })
      .parseAsync(),
  )
  expect(text).toContain(listed)
})
