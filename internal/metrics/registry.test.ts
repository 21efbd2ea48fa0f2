import { expect, test } from 'vitest'
import { createMetrics } from './registry.ts'

test('jobs and requests are counted and timed in seconds', async () => {
  const metrics = createMetrics('1.2.3')
  metrics.jobEnded('success', 20)
  metrics.jobEnded('success', 2_000)
  metrics.requestEnded('/api/w/:ws/jobs/:id', 404, 3)
  const text = await metrics.render()
  expect(text).toContain('svc_jobs_ended_total{status="success"} 2')
  expect(text).toContain('svc_job_duration_seconds_sum 2.02')
  expect(text).toContain('svc_http_requests_total{route="/api/w/:ws/jobs/:id",status="404"} 1')
  expect(text).toContain('svc_build_info{version="1.2.3"} 1')
  expect(metrics.contentType).toContain('text/plain')
})

test('running jobs are counted at each scrape', async () => {
  const metrics = createMetrics('1.2.3')
  let running = 1
  metrics.watchRunning(() => running)
  expect(await metrics.render()).toContain('svc_jobs_running 1')
  running = 3
  expect(await metrics.render()).toContain('svc_jobs_running 3')
})

test('two nodes in one process share nothing', async () => {
  const [first, second] = [createMetrics('1.2.3'), createMetrics('1.2.3')]
  first.jobEnded('failure', 1)
  expect(await second.render()).not.toContain('status="failure"')
})

test('network traffic of jobs is read at each scrape', async () => {
  const metrics = createMetrics('1.0.0')
  const totals = { opened: 1, refused: 2, failed: 0, bytesOut: 10, bytesIn: 20 }
  metrics.watchEgress(() => totals)
  await metrics.render()
  totals.refused = 5
  const text = await metrics.render()
  expect(text).toContain('svc_egress_connections_total{result="refused"} 5')
  expect(text).toContain('svc_egress_bytes_total{direction="in"} 20')
})

test('a blocked event loop shows in its histogram', async () => {
  const metrics = createMetrics('1.0.0')
  const countUpTo = async (bucket: string): Promise<number> => {
    const line = new RegExp(`svc_event_loop_delay_seconds_bucket\\{le="${bucket}"\\} (\\d+)`)
    return Number(line.exec(await metrics.render())?.[1])
  }
  expect(await countUpTo('5')).toBe(0)
  const until = performance.now() + 150
  while (performance.now() < until);
  await expect.poll(() => countUpTo('5')).toBeGreaterThan(0)
  expect((await countUpTo('5')) - (await countUpTo('0.1'))).toBe(1)
})
