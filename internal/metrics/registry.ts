/**
 * Counters and histograms in Prometheus' text format. Each node has one registry, created by the composition root.
 *
 * It guarantees: a bounded number of series, because labels contain only route templates, statuses and names from this
 * source, never an id or path of a request.
 */

import { performance } from 'node:perf_hooks'
import process from 'node:process'
import { setTimeout } from 'node:timers'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { SECOND_MS } from '#core/time-units.ts'

export interface Metrics {
  /** Counts an attempt. @param status success, failure, canceled, or why it did not complete: retry, lost, handed_back */
  jobEnded(status: string, durationMs: number): void
  /** Counts a request. @param route the template, for example `/api/w/:ws/jobs/:id` */
  requestEnded(route: string, status: number, durationMs: number): void
  /** Registers the number of jobs that run here; called at each scrape. */
  watchRunning(count: () => number): void
  /** Registers the queue's depth; called at each scrape. */
  watchQueue(count: () => Promise<readonly QueueDepth[]>): void
  /** Registers whether each further database answers; called at each scrape. */
  watchCells(health: () => Promise<CellHealth | undefined>): void
  /** Registers the network traffic of jobs; called at each scrape. */
  watchEgress(totals: () => EgressTotals): void
  /** Returns Prometheus text, version 0.0.4. */
  render(): Promise<string>
  readonly contentType: string
}

export type QueueDepth = Readonly<{ tag: string; count: number; oldestAgeMs: number }>

/** By cell name. The operator chooses the names, so there are few. */
export type CellHealth = Readonly<Record<string, 'ok' | 'unavailable'>>

export type EgressTotals = Readonly<{
  opened: number
  refused: number
  failed: number
  bytesOut: number
  bytesIn: number
}>

const SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60, 600]
const US_PER_S = 1_000_000

type Registers = Readonly<{ registers: Registry[] }>

const LOOP_SAMPLE_MS = 20
/** An idle node wakes less often. A block longer than this interval is still always observed. */
const LOOP_IDLE_SAMPLE_MS = 100
/** The loop counts as idle if it was busy for less than this share of the time since the last sample. */
const IDLE_UTILIZATION = 0.05
const LOOP_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** Measures how late a timer fires, which is how long any work in this process waits for the event loop. */
const addEventLoopDelay = ({ registers }: Registers): void => {
  const seconds = new Histogram({
    name: 'svc_event_loop_delay_seconds',
    help: 'How long the event loop of this node was blocked, sampled every 20 ms, every 100 ms while idle.',
    buckets: LOOP_SECONDS,
    registers,
  })
  let used = performance.eventLoopUtilization()
  const measureIn = (ms: number): void => {
    const due = performance.now() + ms
    const measure = (): void => {
      seconds.observe(Math.max(0, performance.now() - due) / SECOND_MS)
      const now = performance.eventLoopUtilization()
      const { utilization } = performance.eventLoopUtilization(now, used)
      used = now
      measureIn(utilization < IDLE_UTILIZATION ? LOOP_IDLE_SAMPLE_MS : LOOP_SAMPLE_MS)
    }
    setTimeout(measure, ms).unref()
  }
  measureIn(LOOP_SAMPLE_MS)
}

/** Adds process metrics with the names that common Prometheus dashboards use. */
const addProcess = ({ registers }: Registers, version: string): void => {
  new Gauge({ name: 'svc_build_info', help: 'Always 1.', labelNames: ['version'], registers })
    .labels({ version })
    .set(1)
  new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Resident memory of this node.',
    registers,
    collect() {
      this.set(process.memoryUsage().rss)
    },
  })
  new Gauge({
    name: 'process_cpu_seconds_total',
    help: 'CPU time of this node, user and system.',
    registers,
    collect() {
      const { user, system } = process.cpuUsage()
      this.set((user + system) / US_PER_S)
    },
  })
  new Gauge({ name: 'process_start_time_seconds', help: 'When this node started.', registers }).set(
    Math.round(Date.now() / SECOND_MS - process.uptime()),
  )
}

const addJobs = ({ registers }: Registers): Pick<Metrics, 'jobEnded'> => {
  const ended = new Counter({
    name: 'svc_jobs_ended_total',
    help: 'Attempts of jobs that ended on this node, by status.',
    labelNames: ['status'],
    registers,
  })
  const seconds = new Histogram({
    name: 'svc_job_duration_seconds',
    help: 'How long attempts of jobs took.',
    buckets: SECONDS,
    registers,
  })
  return {
    jobEnded: (status, durationMs) => {
      ended.inc({ status })
      seconds.observe(durationMs / SECOND_MS)
    },
  }
}

const addRequests = ({ registers }: Registers): Pick<Metrics, 'requestEnded'> => {
  const requests = new Counter({
    name: 'svc_http_requests_total',
    help: 'Requests answered by this node.',
    labelNames: ['route', 'status'],
    registers,
  })
  const seconds = new Histogram({
    name: 'svc_http_request_duration_seconds',
    help: 'How long requests took.',
    labelNames: ['route'],
    buckets: SECONDS,
    registers,
  })
  return {
    requestEnded: (route, status, durationMs) => {
      requests.inc({ route, status })
      seconds.observe({ route }, durationMs / SECOND_MS)
    },
  }
}

/** Adds the depth and age of the queue, which an autoscaler can use to add workers. */
const watchQueue = (
  { registers }: Registers,
  count: () => Promise<readonly QueueDepth[]>,
): void => {
  // both gauges of a scrape share one count
  let underWay: Promise<readonly QueueDepth[]> | null = null
  const countOnce = (): Promise<readonly QueueDepth[]> => {
    underWay ??= count().finally(() => {
      underWay = null
    })
    return underWay
  }
  // `reset`, because a tag whose queue is empty is missing from the count and would keep its last value
  new Gauge({
    name: 'svc_queue_oldest_age_seconds',
    help: 'How long the oldest job of a tag has been due.',
    labelNames: ['tag'],
    registers,
    async collect() {
      const depths = await countOnce()
      this.reset()
      for (const { tag, oldestAgeMs } of depths) this.set({ tag }, oldestAgeMs / SECOND_MS)
    },
  })
  new Gauge({
    name: 'svc_queue_jobs',
    help: 'Jobs that could run now, by tag.',
    labelNames: ['tag'],
    registers,
    async collect() {
      const depths = await countOnce()
      this.reset()
      for (const { tag, count: jobs } of depths) this.set({ tag }, jobs)
    },
  })
}

/** Adds whether each further database answers this node. */
const watchCells = (
  { registers }: Registers,
  health: () => Promise<CellHealth | undefined>,
): void => {
  new Gauge({
    name: 'svc_cell_up',
    help: '1 while a database of SVC_CELLS answers this node, else 0.',
    labelNames: ['cell'],
    registers,
    async collect() {
      const cells = (await health()) ?? {}
      for (const [cell, state] of Object.entries(cells)) this.set({ cell }, state === 'ok' ? 1 : 0)
    },
  })
}

/** Adds the network traffic of jobs that goes through svc's egress proxy. */
const watchEgress = ({ registers }: Registers, totals: () => EgressTotals): void => {
  new Counter({
    name: 'svc_egress_connections_total',
    help: 'Connections that jobs requested, by result: opened, refused, failed.',
    labelNames: ['result'],
    registers,
    collect() {
      const { opened, refused, failed } = totals()
      this.reset()
      this.inc({ result: 'opened' }, opened)
      this.inc({ result: 'refused' }, refused)
      this.inc({ result: 'failed' }, failed)
    },
  })
  new Counter({
    name: 'svc_egress_bytes_total',
    help: 'Bytes that jobs sent (out) and received (in).',
    labelNames: ['direction'],
    registers,
    collect() {
      const { bytesOut, bytesIn } = totals()
      this.reset()
      this.inc({ direction: 'out' }, bytesOut)
      this.inc({ direction: 'in' }, bytesIn)
    },
  })
}

/** Creates the metrics of a node. @param version the version of svc, for svc_build_info */
export const createMetrics = (version: string): Metrics => {
  const registry = new Registry()
  const target: Registers = { registers: [registry] }
  addProcess(target, version)
  addEventLoopDelay(target)
  return {
    ...addJobs(target),
    ...addRequests(target),
    watchRunning: (count) => {
      new Gauge({
        name: 'svc_jobs_running',
        help: 'Jobs that run on this node now.',
        ...target,
        collect() {
          this.set(count())
        },
      })
    },
    watchEgress: (totals) => watchEgress(target, totals),
    watchQueue: (count) => watchQueue(target, count),
    watchCells: (health) => watchCells(target, health),
    render: () => registry.metrics(),
    contentType: registry.contentType,
  }
}
