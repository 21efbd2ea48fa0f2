import { defined, oneOf, textParam } from '../../kit/search.ts'

/** `tab`: `jobs` for a record of each job that ended, by app and customer; else the transactions. */
export const readBillingSearch = ({ tab, app, customer }: Record<string, unknown>) =>
  defined({
    tab: oneOf(['jobs'], tab),
    app: textParam(app),
    customer: textParam(customer),
  })
