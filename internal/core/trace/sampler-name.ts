/** The samplers of OpenTelemetry that svc has, as OTEL_TRACES_SAMPLER names them. */
export const SAMPLER_NAMES = [
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
  'always_on',
  'always_off',
  'traceidratio',
] as const
export type SamplerName = (typeof SAMPLER_NAMES)[number]
