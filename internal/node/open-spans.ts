/** Sends spans of this node to an OpenTelemetry collector if one is configured. */
import type { Config } from '#config/schema.ts'
import { NO_SPANS, type Spans } from '#core/trace/spans.ts'
import { VERSION } from './version.ts'

/** The exporter is loaded only if it is needed, because that lengthens the start. */
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
