import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { openOtlpSpans } from './otlp-exporter.ts'

test('spans that the collector refuses are reported, without the text of its answer', async () => {
  const server = createServer((_, response) => response.writeHead(400).end('a secret header'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const reasons: string[] = []
  const spans = openOtlpSpans({
    endpoint: `http://127.0.0.1:${port}`,
    serviceName: 'svc',
    version: '1',
    sampler: { name: 'always_on', ratio: 1 },
    onLost: (reason) => void reasons.push(reason),
  })
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
  const [name, kind, startedAt, endedAt] = ['GET /healthz', 'server' as const, 1, 2]
  spans.record({
    name,
    kind,
    traceparent,
    parent: null,
    startedAt,
    endedAt,
    isError: false,
    attributes: {},
  })
  await spans.stop()
  expect(reasons).toEqual(['The collector answers 400.'])
  server.close()
})
