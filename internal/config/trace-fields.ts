import { z } from 'zod'
import { settingMeta, text } from './setting.ts'

/** Settings of the export of spans, under the names that OpenTelemetry has for them. */
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
}
