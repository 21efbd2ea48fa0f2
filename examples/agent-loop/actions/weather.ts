import type { ActionContext } from '@svc/sdk'

/** A real tool would ask a service. */
export const main = ({ input }: ActionContext<{ city: string }>) => ({
  city: input.city,
  celsius: input.city === 'Seoul' ? 3 : 20,
})
