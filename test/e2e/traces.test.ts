/** Spans as an OpenTelemetry collector receives them, from a server and a worker in separate processes [jobs 19]. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Span, type SpanCollector, startSpanCollector } from '../support/span-collector.ts'
import { type Folder, LONG_LEASE, makeTemplate, untilAllEnded, withCopyOf } from './durable-node.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const CALLER = 'b7ad6b7169203331'

let template: Folder
let collector: SpanCollector
beforeAll(async () => {
  template = await makeTemplate()
  collector = await startSpanCollector()
})
afterAll(() => {
  template.remove()
  collector.close()
})

const envTo = (endpoint: string) => ({
  ...LONG_LEASE,
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  OTEL_EXPORTER_OTLP_HEADERS: 'x-secret=only-for-the-collector',
  OTEL_BSP_SCHEDULE_DELAY: '100',
})
const post = async (url: string, { token }: Folder, path: string, input: object) => {
  const answer = await fetch(`${url}/api/w/default/${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      traceparent: `00-${TRACE}-${CALLER}-01`,
    },
    body: JSON.stringify(input),
  })
  expect(answer.status).toBe(201)
}

const named = (start: string): readonly Span[] =>
  collector.spans.filter(({ name }) => name.startsWith(start))
const oneOf = (start: string): Span => {
  const [first, ...more] = named(start)
  if (first === undefined || more.length > 0) throw new Error(`${named(start).length} of ${start}`)
  return first
}

test('one trace leads from the request over queue, attempts and steps to the flow', async () => {
  await withCopyOf(template, async (folder) => {
    const { spans, secrets } = collector
    const env = envTo(collector.endpoint)
    const server = await folder.start({ args: ['server'], env })
    const scheduler = await folder.start({ args: ['scheduler'], env })
    const worker = await folder.start({ args: ['worker'], env })
    try {
      await post(server.url, folder, 'jobs/run/crash/durable', { id: 1 })
      await post(server.url, folder, 'flows/run/crash/short', { id: 2 })
      await untilAllEnded(folder)
    } finally {
      // a node that stops sends its remaining spans
      for (const node of [worker, scheduler, server]) await node.process.stop()
    }
    await vi.waitFor(() => expect(named('flow ')).toHaveLength(1), { timeout: 20_000 })
    expect(new Set(spans.map(({ traceId }) => traceId))).toContain(TRACE)
    const ran = oneOf('request POST /api/w/{ws}/jobs/run/')
    expect(ran).toMatchObject({ traceId: TRACE, parentSpanId: CALLER })
    const attempts = named('attempt crash/durable')
    // before its sleep and after it; on a busy machine a lease may be lost in between
    expect(attempts.length).toBeGreaterThanOrEqual(2)
    expect(named('attempt crash/quick').length).toBeGreaterThanOrEqual(2)
    for (const attempt of attempts) {
      expect(attempt).toMatchObject({ traceId: TRACE, parentSpanId: ran.spanId })
      const number = attempt.attributes.find(({ key }) => key === 'svc.attempt')
      expect(Number(number?.value.intValue)).toBeLessThan(100)
    }
    for (const queue of named('queue crash/durable')) {
      expect(queue).toMatchObject({ traceId: TRACE, parentSpanId: ran.spanId })
    }
    const flow = oneOf('flow crash/short')
    const started = oneOf('request POST /api/w/{ws}/flows/run/')
    expect(flow).toMatchObject({ traceId: TRACE, parentSpanId: started.spanId })
    for (const child of [
      ...named('attempt crash/quick'),
      ...named('step one'),
      ...named('step two'),
    ]) {
      expect(child).toMatchObject({ traceId: TRACE, parentSpanId: flow.spanId })
    }
    expect(named('step ').map(({ name }) => name)).toEqual(
      expect.arrayContaining(['step read', 'step pause', 'step write', 'step one', 'step two']),
    )
    for (const { startTimeUnixNano, endTimeUnixNano } of spans) {
      expect(BigInt(endTimeUnixNano) >= BigInt(startTimeUnixNano)).toBe(true)
    }
    expect(new Set(secrets)).toEqual(new Set(['only-for-the-collector']))
    expect(JSON.stringify(spans)).not.toContain(folder.token)
  })
}, 90_000)

test('a sampler by name decides what is exported', async () => {
  await withCopyOf(template, async (folder) => {
    const env = { ...envTo(collector.endpoint), OTEL_TRACES_SAMPLER: 'always_off' }
    const before = collector.spans.length
    const node = await folder.start({ env })
    await post(node.url, folder, 'jobs/run/crash/quick', { id: 1 })
    await untilAllEnded(folder)
    expect(await node.process.stop()).toBe(0)
    expect(collector.spans.length).toBe(before)
    const wrong = folder.launch({ env: { ...env, OTEL_TRACES_SAMPLER: 'some' } })
    await wrong.untilSaid(/OTEL_TRACES_SAMPLER.*must be one of parentbased_always_on/)
    expect(await wrong.ended).not.toBe(0)
  })
}, 60_000)

test('a collector that is away delays no job and no stop', async () => {
  await withCopyOf(template, async (folder) => {
    const node = await folder.start({ env: envTo('http://127.0.0.1:9') })
    const before = performance.now()
    for (let id = 0; id < 20; id += 1) await post(node.url, folder, 'jobs/run/crash/quick', { id })
    await untilAllEnded(folder)
    expect(performance.now() - before).toBeLessThan(20_000)
    const stopping = performance.now()
    expect(await node.process.stop()).toBe(0)
    expect(performance.now() - stopping).toBeLessThan(10_000)
  })
}, 60_000)
