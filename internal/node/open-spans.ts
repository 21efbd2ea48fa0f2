/** Spans of this node go to an OpenTelemetry collector where one is configured. */
import type { Config } from '#config/schema.ts'
import { NO_SPANS, type Spans } from '#core/trace/spans.ts'
import { VERSION } from './version.ts'

/** The exporter is loaded only where it is needed: it takes a part of the start. */
export const openSpans = async (config: Config): Promise<Spans> => {
  if (config.otlpEndpoint === undefined) return NO_SPANS
  const { openOtlpSpans } = await import('#outbound/otlp-exporter.ts')
  return openOtlpSpans({
    endpoint: config.otlpEndpoint,
    serviceName: config.otelServiceName,
    version: VERSION,
    sampler: { name: config.otelSampler, ratio: config.otelSamplerRatio },
  })
}
