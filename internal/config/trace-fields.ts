import { z } from 'zod'
import { SAMPLER_NAMES } from '#core/trace/sampler-name.ts'
import { oneOf, settingMeta, text } from './setting.ts'

/** Settings of the export of spans, with the names that OpenTelemetry uses. */
export const traceFields = {
  otlpEndpoint: z
    .url({ protocol: /^https?$/, error: 'must be http://… or https://…' })
    .optional()
    .register(settingMeta, {
      env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
      defaultText: 'nothing is exported',
      sentence:
        'OpenTelemetry collector for spans, for example http://127.0.0.1:4318. OTEL_EXPORTER_OTLP_HEADERS goes with each request.',
    }),
  otelServiceName: text.default('svc').register(settingMeta, {
    env: 'OTEL_SERVICE_NAME',
    sentence: 'Name of this service in its spans.',
  }),
  otelSampler: oneOf(...SAMPLER_NAMES)
    .default('parentbased_always_on')
    .register(settingMeta, {
      env: 'OTEL_TRACES_SAMPLER',
      sentence: `Which traces are exported: ${SAMPLER_NAMES.join(', ')}.`,
    }),
  otelSamplerRatio: z.coerce
    .number('must be a number from 0 to 1')
    .min(0, 'must be at least 0')
    .max(1, 'must be at most 1')
    .default(1)
    .register(settingMeta, {
      env: 'OTEL_TRACES_SAMPLER_ARG',
      sentence: 'Share of the traces that a sampler by traceidratio takes; 1 takes all.',
    }),
}
