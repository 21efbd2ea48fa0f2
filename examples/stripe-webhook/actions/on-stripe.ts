import type { ActionContext } from '@svc/sdk'

type Event = { id: string; type: string; data: { object: { id: string; amount_total?: number } } }

/** What it uses of `ctx`, so that a test can hand it that much. */
type Context = Pick<ActionContext<Event>, 'input' | 'run' | 'log'>

/** Runs after svc has answered Stripe, so it may take its time. */
export const main = async ({ input, run, log }: Context) => {
  const { type, data } = input
  if (type !== 'checkout.session.completed') {
    log(`Ignored ${type}.`)
    return { started: null }
  }
  const { id, amount_total: cents = 0 } = data.object
  // one order is fulfilled once, whatever other events name it
  const { jobId } = await run('fulfil', { order: id, cents }, { idempotencyKey: `order ${id}` })
  return { started: jobId }
}
