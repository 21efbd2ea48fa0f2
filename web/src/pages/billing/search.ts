import { defined, oneOf, type Span, textParam } from '../../kit/search.ts'

export const USAGE_SPANS = ['7d', '30d', '90d'] as const satisfies readonly Span[]

/**
 * `tab`: `jobs` for a record of each ended job by app and customer, `usage`
 * for the usage of each customer, otherwise the transactions.
 */
export const readBillingSearch = ({ tab, app, customer, span }: Record<string, unknown>) =>
  defined({
    tab: oneOf(['jobs', 'usage'], tab),
    app: textParam(app),
    customer: textParam(customer),
    span: oneOf(USAGE_SPANS, span),
  })
