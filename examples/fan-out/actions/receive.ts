import type { ActionContext } from '@svc/sdk'

type Orders = { orders: { id: string; isGift?: boolean }[] }

/** What it uses of `ctx`, so that a test can hand it that much. */
type Context = Pick<ActionContext<Orders>, 'input' | 'run' | 'startFlow' | 'log'>

/** Answers which jobs it has started, and does not wait for them. */
export const main = async ({ input, run, startFlow, log }: Context) => {
  const jobs: string[] = []
  for (const order of input.orders) {
    // gifts wait a minute, so that the buyer may still change the card
    const { jobId } = await run('ship', { order }, order.isGift ? { delayS: 60 } : {})
    jobs.push(jobId)
  }
  log(`Started ${jobs.length} jobs.`)
  // starts once a day, however many batches arrive
  const day = new Date().toISOString().slice(0, 10)
  const { flowRunId } = await startFlow('report', { day }, { idempotencyKey: `report ${day}` })
  return { jobs, flowRunId }
}
