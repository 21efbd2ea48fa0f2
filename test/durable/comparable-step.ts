/** Durable steps as they are compared between two runners. */
import type { TestedStep } from '../../sdk/testing.ts'

export type Step = Pick<TestedStep, 'name' | 'kind' | 'status' | 'tries' | 'value' | 'error'>

/** Ids, times and random numbers are different in each run. */
const ID = /^(?:event|action|flow)-|^[\da-f]{8}-[\da-f-]{27}$/
const isOfRun = (key: string, value: unknown): boolean =>
  key === 'at' ||
  (typeof value === 'string' && ID.test(value)) ||
  (typeof value === 'number' && (!Number.isInteger(value) || value > 1e12))

const withoutIds = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value ?? null), (key, inner) => (isOfRun(key, inner) ? null : inner))

/** Removes what differs between two runs of the same program. */
export const toStep = ({ name, kind, status, tries, value, error }: Step): Step => ({
  ...{ name, kind, status },
  // only the function of a step is tried
  tries: kind === 'step' ? tries : 1,
  value: withoutIds(value),
  // the test names its own remedy
  error: error && {
    name: error.name,
    message: error.message.replace(/^((?:Action|Flow) "\w+").*/, '$1'),
  },
})
