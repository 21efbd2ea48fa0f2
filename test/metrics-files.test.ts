/** The dashboard and the alert rules of docs/grafana use only metrics and labels that a node exports. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { createMetrics } from '#metrics/registry.ts'

const FOLDER = join(import.meta.dirname, '../docs/grafana')
const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8')

const dashboard = z
  .looseObject({
    panels: z.array(z.looseObject({ targets: z.array(z.looseObject({ expr: z.string() })) })),
  })
  .parse(JSON.parse(read('dashboard.json')))
const rules = z
  .looseObject({
    groups: z.array(
      z.object({
        name: z.string(),
        rules: z.array(z.looseObject({ alert: z.string(), expr: z.string(), for: z.string() })),
      }),
    ),
  })
  .parse(parse(read('alerts.yaml')))

const EXPRESSIONS = [
  ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ...rules.groups.flatMap((group) => group.rules.map(({ expr }) => expr)),
]

/** Labels that Prometheus adds when it scrapes a node, and the label of a histogram's buckets. */
const ADDED = ['job', 'instance', 'le']
/** Metrics that Prometheus itself makes. */
const OF_PROMETHEUS = ['up']

/** Label names by metric, as a scrape of a node returns them. */
const known = new Map<string, ReadonlySet<string>>()

beforeAll(async () => {
  const metrics = createMetrics('1.0.0')
  metrics.jobEnded('success', 1)
  metrics.requestEnded('/healthz', 200, 1)
  metrics.watchRunning(() => 1)
  metrics.watchEgress(() => ({ opened: 1, refused: 1, failed: 1, bytesOut: 1, bytesIn: 1 }))
  metrics.watchQueue(async () => [{ tag: 'default', count: 1, oldestAgeMs: 1 }])
  for (const [, name = '', labels = ''] of (await metrics.render()).matchAll(
    /^(\w+)(?:\{(.*)\})? /gm,
  )) {
    known.set(name, new Set([...labels.matchAll(/(\w+)="/g)].map(([, label = '']) => label)))
  }
})

const metricsOf = (expression: string): readonly string[] =>
  [...expression.matchAll(/\b(svc_\w+|process_\w+|up)\b/g)].map(([name]) => name)
const labelsOf = (expression: string): readonly string[] => [
  ...[...expression.matchAll(/by \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(/,\s*/)),
  ...[...expression.matchAll(/(\w+)=~?"/g)].map(([, name = '']) => name),
]

describe.each(EXPRESSIONS)('%s', (expression) => {
  test('names metrics that a node has, with their labels', () => {
    const names = metricsOf(expression)
    expect(names.length).toBeGreaterThan(0)
    const labels = new Set(ADDED)
    for (const name of names.filter((each) => !OF_PROMETHEUS.includes(each))) {
      expect([...known.keys()]).toContain(name)
      for (const label of known.get(name) ?? []) labels.add(label)
    }
    for (const label of labelsOf(expression)) expect([...labels]).toContain(label)
  })
})
