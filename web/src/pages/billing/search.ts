/** `credit`: what was added and charged; `jobs`: a record of each job that ended, by app and customer. */
export type BillingSearch = Readonly<{ tab?: 'jobs'; app?: string; customer?: string }>

const text = (given: unknown): string | undefined =>
  typeof given === 'string' && given !== '' ? given.slice(0, 200) : undefined

export const readBillingSearch = (search: Record<string, unknown>): BillingSearch => {
  const app = text(search.app)
  const customer = text(search.customer)
  return {
    ...(search.tab === 'jobs' ? { tab: 'jobs' } : {}),
    ...(app === undefined ? {} : { app }),
    ...(customer === undefined ? {} : { customer }),
  }
}
