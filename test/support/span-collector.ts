/** A collector of OpenTelemetry on this machine. It keeps the spans that it receives by OTLP over HTTP. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { z } from 'zod'

const span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  startTimeUnixNano: z.string(),
  endTimeUnixNano: z.string(),
  attributes: z.array(z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) })),
  status: z.looseObject({ code: z.number().optional() }),
})
const request = z.object({
  resourceSpans: z.array(
    z.looseObject({ scopeSpans: z.array(z.looseObject({ spans: z.array(span) })) }),
  ),
})
export type Span = z.infer<typeof span>

export type SpanCollector = Readonly<{
  /** Value for OTEL_EXPORTER_OTLP_ENDPOINT. */
  endpoint: string
  spans: Span[]
  /** The header `x-secret` of each request. */
  secrets: (string | undefined)[]
  close: () => void
}>

export const startSpanCollector = async (): Promise<SpanCollector> => {
  const spans: Span[] = []
  const secrets: (string | undefined)[] = []
  const server = createServer(async (incoming, response) => {
    secrets.push(incoming.headers['x-secret']?.toString())
    const received = request.parse(JSON.parse(await text(incoming)))
    for (const { scopeSpans } of received.resourceSpans) {
      for (const each of scopeSpans) spans.push(...each.spans)
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('It does not listen.')
  const endpoint = `http://127.0.0.1:${address.port}`
  return { endpoint, spans, secrets, close: () => server.close() }
}
