import type { ActionContext } from '@svc/sdk'

/** `failures`: how often the service is down before it answers. */
type Charge = { card: string; failures?: number }

/** Stands for the call of a service that is sometimes down. */
export const main = ({
  input,
  job,
}: {
  input: Charge
  job: Pick<ActionContext['job'], 'attempt'>
}) => {
  // final: the bank will not change its mind
  if (input.card === 'stolen') {
    throw Object.assign(new Error('The card was declined.'), { name: 'Declined' })
  }
  if (job.attempt <= (input.failures ?? 0)) throw new Error('The service is down.')
  return { charged: input.card, attempts: job.attempt }
}
