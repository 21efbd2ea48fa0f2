import {
  createConsumer,
  deleteConsumer,
  issueConsumerKey,
  replaceGrants,
  requireConsumer,
  revokeConsumerKey,
  updateConsumer,
} from '#service/customers/manage-consumer.ts'
import type { Deps } from '#service/deps.ts'
import { type ConsumerKey, listConsumerKeys } from '#store/credentials/consumer-keys.ts'
import { type Consumer, grantsContent, listConsumers } from '#store/credentials/consumers.ts'
import { answer, created, noContent, ok } from '../answer.ts'
import { consumerEndpoints } from '../endpoints/consumers.ts'
import { handlers } from '../handlers.ts'
import { readContentMatch, readVersion } from '../row-match.ts'
import { pageBefore, paginate } from '../schemas/page.ts'

const toConsumer = (row: Consumer) => ({ ...row, disabled: row.disabledAt !== null })

const toConsumerKey = (row: ConsumerKey) => ({ ...row, keyPrefix: row.prefix })

type ConsumerDeps = Pick<Deps, 'db' | 'newId' | 'randomBytes'>

export const consumerRoutes = handlers(consumerEndpoints, (deps: ConsumerDeps) => ({
  listConsumers: async ({ ws, query }) => {
    const rows = await listConsumers(deps.db, ws, pageBefore(query))
    return ok(paginate(rows.map(toConsumer), query.limit, ({ id }) => id))
  },
  createConsumer: async ({ ws, body, actor }) => {
    const request = { ws, name: body.name, externalRef: body.external_ref ?? null, actor }
    return created(toConsumer(await createConsumer(deps, request)))
  },
  getConsumer: async ({ ws, params: { id } }) => {
    const version = await readVersion(deps.db, grantsContent(ws, id))
    return answer(200, toConsumer(await requireConsumer(deps, ws, id)), version)
  },
  updateConsumer: async ({ ws, params: { id }, body, actor }) => {
    const changed = await updateConsumer(
      deps,
      { ws, id, actor },
      {
        ...(body.name === undefined ? {} : { name: body.name }),
        ...(body.external_ref === undefined ? {} : { externalRef: body.external_ref }),
        ...(body.disabled === undefined ? {} : { isDisabled: body.disabled }),
      },
    )
    return ok(toConsumer(changed))
  },
  deleteConsumer: async ({ ws, params: { id }, actor }) => {
    await deleteConsumer(deps, { ws, id, actor })
    return noContent()
  },
  setConsumerGrants: async ({ ws, params: { id }, body, actor, header }) => {
    const match = readContentMatch(header)
    return ok(toConsumer(await replaceGrants(deps, { ws, id, actor, match }, body.grants)))
  },
  listConsumerKeys: async ({ ws, params: { id }, query }) => {
    await requireConsumer(deps, ws, id)
    const rows = await listConsumerKeys(deps.db, { ws, id }, pageBefore(query))
    return ok(paginate(rows.map(toConsumerKey), query.limit, (row) => row.id))
  },
  createConsumerKey: async ({ ws, params: { id }, body, actor }) => {
    const request = { label: body.label, expiresInDays: body.expires_in_days ?? null }
    const issued = await issueConsumerKey(deps, { ws, id, actor }, request)
    return created({ ...toConsumerKey(issued.key), key: issued.text })
  },
  deleteConsumerKey: async ({ ws, params: { id, key_id }, actor }) =>
    ok(toConsumerKey(await revokeConsumerKey(deps, { ws, id, actor }, key_id))),
}))
