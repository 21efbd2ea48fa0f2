/**
 * GET, POST          /api/w/{ws}/consumers
 * GET, PATCH, DELETE /api/w/{ws}/consumers/{id}
 * PUT                /api/w/{ws}/consumers/{id}/grants
 * GET, POST          /api/w/{ws}/consumers/{id}/keys
 * DELETE             /api/w/{ws}/consumers/{id}/keys/{key_id}
 */
import { limit } from '#core/limit.ts'
import type { Deps } from '#service/deps.ts'
import {
  createConsumer,
  deleteConsumer,
  issueConsumerKey,
  replaceGrants,
  requireConsumer,
  revokeConsumerKey,
  updateConsumer,
} from '#service/manage-consumer.ts'
import { listConsumerKeys } from '#store/consumer-keys.ts'
import { listConsumers } from '#store/consumers.ts'
import { problem, type Route, reply, route } from '../route.ts'
import {
  consumer,
  consumerKey,
  createdConsumerKey,
  grant,
  toWireConsumer,
  toWireConsumerKey,
} from '../schemas/consumers.ts'
import { decodeCursor, pageOf, pageQuery, toPage } from '../schemas/page.ts'
import { z } from '../schemas/z.ts'

const MAX_GRANTS = limit('workspace.grants', 1_000, 'items', 'Grants of a customer.')

const name = z.string().min(1).max(200)
const externalRef = z.string().max(200)

const idParams = z.object({ ws: z.string(), id: z.string() })
const unknownId = { 404: problem('Unknown id') }
const tag = 'Customers'

type ConsumerDeps = Pick<Deps, 'db' | 'newId' | 'randomBytes'>

export const consumerRoutes = (deps: ConsumerDeps): readonly Route[] => [
  route({
    method: 'get',
    path: '/api/w/{ws}/consumers',
    operationId: 'listConsumers',
    scope: 'consumers:read',
    tag,
    summary: 'Customers with their grants, newest first',
    query: pageQuery,
    responses: { 200: { description: 'A page', schema: pageOf(consumer) } },
    handler: async ({ ws, query: { limit, cursor } }) => {
      const page = { beforeId: decodeCursor(cursor), limit: limit + 1 }
      const rows = await listConsumers(deps.db, ws, page)
      return reply(200, toPage(rows, limit, { toItem: toWireConsumer, keyOf: ({ id }) => id }))
    },
  }),
  route({
    method: 'post',
    path: '/api/w/{ws}/consumers',
    operationId: 'createConsumer',
    scope: 'consumers:write',
    tag,
    summary: 'Add a customer; it may run nothing until it is granted something',
    body: z.strictObject({ name, external_ref: externalRef.nullish() }),
    responses: { 201: { description: 'Added', schema: consumer } },
    handler: async ({ ws, body, actor }) => {
      const request = { ws, name: body.name, externalRef: body.external_ref ?? null, actor }
      return reply(201, toWireConsumer(await createConsumer(deps, request)))
    },
  }),
  route({
    method: 'get',
    path: '/api/w/{ws}/consumers/{id}',
    operationId: 'getConsumer',
    scope: 'consumers:read',
    tag,
    summary: 'A customer with its grants',
    params: idParams,
    responses: { 200: { description: 'The customer', schema: consumer }, ...unknownId },
    handler: async ({ ws, params }) =>
      reply(200, toWireConsumer(await requireConsumer(deps, ws, params.id))),
  }),
  ...changeRoutes(deps),
  ...keyRoutes(deps),
]

function changeRoutes(deps: ConsumerDeps): readonly Route[] {
  return [
    route({
      method: 'patch',
      path: '/api/w/{ws}/consumers/{id}',
      operationId: 'updateConsumer',
      scope: 'consumers:write',
      tag,
      summary: 'Change a customer; `disabled` cuts its keys off at once',
      params: idParams,
      body: z.strictObject({
        name: name.optional(),
        external_ref: externalRef.nullish(),
        disabled: z.boolean().optional(),
      }),
      responses: { 200: { description: 'Changed', schema: consumer }, ...unknownId },
      handler: async ({ ws, params: { id }, body, actor }) => {
        const changed = await updateConsumer(
          deps,
          { ws, id, actor },
          {
            ...(body.name === undefined ? {} : { name: body.name }),
            ...(body.external_ref === undefined ? {} : { externalRef: body.external_ref }),
            ...(body.disabled === undefined ? {} : { isDisabled: body.disabled }),
          },
        )
        return reply(200, toWireConsumer(changed))
      },
    }),
    route({
      method: 'delete',
      path: '/api/w/{ws}/consumers/{id}',
      operationId: 'deleteConsumer',
      scope: 'consumers:write',
      tag,
      summary: 'Delete a customer with its keys and grants; its jobs and billing records stay',
      params: idParams,
      responses: { 204: { description: 'Deleted' }, ...unknownId },
      handler: async ({ ws, params: { id }, actor }) => {
        await deleteConsumer(deps, { ws, id, actor })
        return reply(204)
      },
    }),
    route({
      method: 'put',
      path: '/api/w/{ws}/consumers/{id}/grants',
      operationId: 'setConsumerGrants',
      scope: 'consumers:write',
      tag,
      summary: 'Replace what a customer may run, in one step',
      params: idParams,
      body: z.strictObject({ grants: z.array(grant).max(MAX_GRANTS) }),
      responses: {
        200: { description: 'The customer', schema: consumer },
        422: problem('An action that is not deployed, each in `details`'),
        ...unknownId,
      },
      handler: async ({ ws, params: { id }, body, actor }) =>
        reply(200, toWireConsumer(await replaceGrants(deps, { ws, id, actor }, body.grants))),
    }),
  ]
}

function keyRoutes(deps: ConsumerDeps): readonly Route[] {
  return [
    route({
      method: 'get',
      path: '/api/w/{ws}/consumers/{id}/keys',
      operationId: 'listConsumerKeys',
      scope: 'consumers:read',
      tag,
      summary: 'Keys of a customer, newest first',
      params: idParams,
      responses: { 200: { description: 'All keys', schema: pageOf(consumerKey) }, ...unknownId },
      handler: async ({ ws, params: { id } }) => {
        await requireConsumer(deps, ws, id)
        const rows = await listConsumerKeys(deps.db, ws, id)
        return reply(200, {
          items: rows.map(toWireConsumerKey),
          pagination: { next_cursor: null },
        })
      },
    }),
    route({
      method: 'post',
      path: '/api/w/{ws}/consumers/{id}/keys',
      operationId: 'createConsumerKey',
      scope: 'consumers:write',
      tag,
      summary: 'Issue a customer key',
      params: idParams,
      body: z.strictObject({
        label: z.string().min(1).max(200),
        expires_in_days: z.int().min(1).max(3_650).optional(),
      }),
      responses: {
        201: { description: 'The raw key, this once', schema: createdConsumerKey },
        ...unknownId,
      },
      handler: async ({ ws, params: { id }, body, actor }) => {
        const request = { label: body.label, expiresInDays: body.expires_in_days ?? null }
        const issued = await issueConsumerKey(deps, { ws, id, actor }, request)
        return reply(201, { ...toWireConsumerKey(issued.key), key: issued.text })
      },
    }),
    route({
      method: 'delete',
      path: '/api/w/{ws}/consumers/{id}/keys/{key_id}',
      operationId: 'deleteConsumerKey',
      scope: 'consumers:write',
      tag,
      summary: 'Revoke a customer key, at once',
      params: idParams.extend({ key_id: z.string() }),
      responses: { 200: { description: 'The revoked key', schema: consumerKey }, ...unknownId },
      handler: async ({ ws, params: { id, key_id }, actor }) =>
        reply(200, toWireConsumerKey(await revokeConsumerKey(deps, { ws, id, actor }, key_id))),
    }),
  ]
}
