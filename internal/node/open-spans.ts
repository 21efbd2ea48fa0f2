/** Sends spans of this node to an OpenTelemetry collector if one is configured. */
import type { Config } from '#config/schema.ts'
import { createRepeatCount } from '#core/repeat-count.ts'
import { NO_SPANS, type Spans } from '#core/trace/spans.ts'
import { createLogger } from '#log/logtape.ts'
import { VERSION } from './version.ts'

/** The exporter is loaded only if it is needed, because that lengthens the start. */
export const openSpans = async (config: Config): Promise<Spans> => {
  if (config.otlpEndpoint === undefined) return NO_SPANS
  const { openOtlpSpans } = await import('#outbound/otlp-exporter.ts')
  const log = createLogger('traces')
  const countLost = createRepeatCount(() => performance.now())
  return openOtlpSpans({
    endpoint: config.otlpEndpoint,
    serviceName: config.otelServiceName,
    version: VERSION,
    onLost: (reason) => {
      const times = countLost(reason)
      if (times !== null) log.warn('Spans were not sent to the collector.', { reason, times })
    },
    sampler: { name: config.otelSampler, ratio: config.otelSamplerRatio },
  })
}
