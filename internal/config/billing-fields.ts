import { oneOf, settingMeta, whole } from './setting.ts'

/** Settings of parser billing. */
export const billingFields = {
  billing: oneOf('prepaid', 'off').default('prepaid').register(settingMeta, {
    env: 'SVC_BILLING',
    sentence:
      'prepaid: parser calls are charged to the balance of the workspace; off: they are only recorded.',
  }),
  priceRegistryWon: whole(0, 1_000_000_000).default(1_000).register(settingMeta, {
    env: 'SVC_PRICE_REGISTRY_WON',
    sentence: 'Price of a parsed registry certificate, in won.',
  }),
  priceAccuracyWon: whole(0, 1_000_000_000).default(500).register(settingMeta, {
    env: 'SVC_PRICE_ACCURACY_WON',
    sentence: 'Additional price of high accuracy in a workflow call, in won.',
  }),
}
