import type { ActionContext } from '@svc/sdk'

type Shipment = { order?: { id: string } }

export const main = ({ input, job }: ActionContext<Shipment>) => ({
  shipped: input.order?.id ?? null,
  attempt: job.attempt,
})
