/** Counters and times in Prometheus' text form. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client'

export interface Metrics {
  jobEnded(status: string, durationMs: number): void
  requestEnded(route: string, status: number, durationMs: number): void
  /** Asked at each scrape. */
  watchRunning(count: () => number): void
  render(): Promise<string>
  readonly contentType: string
}

const SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60, 600] as const

export const createMetrics = (): Metrics => {
  const registry = new Registry()
  const registers = [registry]
  const jobs = new Counter({
    name: 'svc_jobs_ended_total',
    help: 'Runs of jobs that ended on this node, by how.',
    labelNames: ['status'],
    registers,
  })
  const jobSeconds = new Histogram({
    name: 'svc_job_duration_seconds',
    help: 'How long runs of jobs took.',
    buckets: [...SECONDS],
    registers,
  })
  const requests = new Counter({
    name: 'svc_http_requests_total',
    help: 'Requests answered by this node.',
    labelNames: ['route', 'status'],
    registers,
  })
  const requestSeconds = new Histogram({
    name: 'svc_http_request_duration_seconds',
    help: 'How long requests took.',
    labelNames: ['route'],
    buckets: [...SECONDS],
    registers,
  })
  return {
    contentType: registry.contentType,
    jobEnded: (status, durationMs) => {
      jobs.inc({ status })
      jobSeconds.observe(durationMs / 1_000)
    },
    requestEnded: (route, status, durationMs) => {
      requests.inc({ route, status })
      requestSeconds.observe({ route }, durationMs / 1_000)
    },
    watchRunning: (count) => {
      new Gauge({
        name: 'svc_jobs_running',
        help: 'Jobs that run on this node now.',
        registers,
        collect() {
          this.set(count())
        },
      })
    },
    render: () => registry.metrics(),
  }
}
