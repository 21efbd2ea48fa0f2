/**
 * Exports spans over OTLP/HTTP. It is loaded only if an endpoint is configured. If the collector is slow or unreachable, only
 * spans are lost: at most 2,048 wait, and further ones are dropped.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, type ReadableSpan } from '@opentelemetry/sdk-trace-base'
import type { Span, Spans } from '#core/trace/spans.ts'
import { childOf, idsOf, withSampled } from '#core/trace/traceparent.ts'
import { createSampler, type SamplerOptions } from './sampler.ts'

export type OtlpOptions = Readonly<{
  /** The base address, as in OTEL_EXPORTER_OTLP_ENDPOINT. */
  endpoint: string
  serviceName: string
  version: string
  sampler: SamplerOptions
  /** Called when the collector has refused spans, or has not answered after retries. They are lost. */
  onLost: (reason: string) => void
}>

type SpanExporter = ConstructorParameters<typeof BatchSpanProcessor>[0]

/** The library passes over failures. It gives no body of an answer here, because a collector may repeat the headers in it. */
const withReasons = (exporter: SpanExporter, onLost: OtlpOptions['onLost']): SpanExporter => ({
  export: (spans, done) =>
    exporter.export(spans, (result) => {
      if (result.error !== undefined) onLost(reasonOf(result.error))
      done(result)
    }),
  shutdown: () => exporter.shutdown(),
})

const reasonOf = (error: Error & { code?: unknown }): string =>
  typeof error.code === 'number'
    ? `The collector answers ${error.code}.`
    : error.message || 'The collector does not answer.'

const KINDS = {
  server: SpanKind.SERVER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const

/** Converts milliseconds to seconds and nanoseconds. */
const toHrTime = (ms: number): [number, number] => {
  const seconds = Math.floor(ms / 1_000)
  return [seconds, Math.round((ms - seconds * 1_000) * 1_000_000)]
}

const toContext = (traceparent: string, isRemote: boolean) => {
  const { trace: traceId, span: spanId } = idsOf(traceparent)
  return { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote }
}

/** Opens the exporter; it reads OTEL_EXPORTER_OTLP_HEADERS itself. */
export const openOtlpSpans = ({
  endpoint,
  serviceName,
  version,
  sampler,
  onLost,
}: OtlpOptions): Spans => {
  const sample = createSampler(sampler)
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`
  const processor = new BatchSpanProcessor(withReasons(new OTLPTraceExporter({ url }), onLost))
  const resource = resourceFromAttributes({
    'service.name': serviceName,
    'service.version': version,
  })
  const toReadable = (span: Span): ReadableSpan => ({
    name: span.name,
    kind: KINDS[span.kind],
    spanContext: () => toContext(span.traceparent, false),
    ...(span.parent === null ? {} : { parentSpanContext: toContext(span.parent, true) }),
    startTime: toHrTime(span.startedAt),
    endTime: toHrTime(Math.max(span.endedAt, span.startedAt)),
    duration: toHrTime(Math.max(span.endedAt - span.startedAt, 0)),
    status: { code: span.isError ? SpanStatusCode.ERROR : SpanStatusCode.UNSET },
    attributes: { ...span.attributes },
    links: [],
    events: [],
    ended: true,
    resource,
    instrumentationScope: { name: 'svc', version },
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  })
  return {
    isOn: true,
    child: (parent) => {
      const own = childOf(parent, (bytes) => randomBytes(bytes).toString('hex'))
      return withSampled(own, sample(own, parent))
    },
    record: (span) => {
      if (idsOf(span.traceparent).isSampled) processor.onEnd(toReadable(span))
    },
    // a collector that does not answer must not delay the end of the process
    stop: () =>
      Promise.race([
        processor.shutdown().catch(() => undefined),
        setTimeout(2_000, undefined, { ref: false }),
      ]),
  }
}
