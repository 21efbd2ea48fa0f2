import { MAX_LIFETIME_DAYS } from '#core/access/lifetime.ts'
import { limit } from '#core/limit.ts'
import { empty, json, otherVersion, problem } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import { consumer, consumerKey, createdConsumerKey, grant } from '../schemas/consumers.ts'
import { pageOf, pageQuery } from '../schemas/page.ts'
import { z } from '../schemas/z.ts'

const MAX_GRANTS = limit('workspace.grants', 1_000, 'items', 'Grants of a customer.')

const name = z.string().min(1).max(200)

const externalRef = z.string().max(200)

const unknownId = { 404: problem('Unknown id') }

const tag = 'Customers'

export const consumerEndpoints = {
  listConsumers: endpoint({
    method: 'get',
    path: '/consumers',
    in: 'workspace',
    admits: ['consumers:read'],
    tag,
    summary: 'Customers with their grants, newest first',
    query: pageQuery,
    answers: { 200: json('A page', pageOf(consumer)) },
  }),
  createConsumer: endpoint({
    method: 'post',
    path: '/consumers',
    in: 'workspace',
    admits: ['consumers:write'],
    tag,
    summary: 'Add a customer; it may run nothing until it is granted something',
    body: z.strictObject({ name, external_ref: externalRef.nullish() }),
    answers: { 201: json('Added', consumer) },
  }),
  getConsumer: endpoint({
    method: 'get',
    path: '/consumers/{id}',
    in: 'workspace',
    admits: ['consumers:read'],
    tag,
    summary: 'A customer with its grants',
    answers: { 200: json('The customer', consumer), ...unknownId },
  }),
  updateConsumer: endpoint({
    method: 'patch',
    path: '/consumers/{id}',
    in: 'workspace',
    admits: ['consumers:write'],
    tag,
    summary: 'Change a customer; `disabled` cuts its keys off at once',
    body: z.strictObject({
      name: name.optional(),
      external_ref: externalRef.nullish(),
      disabled: z.boolean().optional(),
    }),
    answers: { 200: json('Changed', consumer), ...unknownId },
  }),
  deleteConsumer: endpoint({
    method: 'delete',
    path: '/consumers/{id}',
    in: 'workspace',
    admits: ['consumers:write'],
    tag,
    summary: 'Delete a customer with its keys and grants; its jobs and billing records stay',
    answers: { 204: empty('Deleted'), ...unknownId },
  }),
  setConsumerGrants: endpoint({
    method: 'put',
    path: '/consumers/{id}/grants',
    in: 'workspace',
    admits: ['consumers:write'],
    tag,
    isConditional: true,
    summary: 'Replace what a customer may run, in one step',
    body: z.strictObject({ grants: z.array(grant).max(MAX_GRANTS) }),
    answers: {
      200: json('The customer', consumer),
      422: problem('An action that is not deployed, each in `details`'),
      ...unknownId,
      ...otherVersion('The grants'),
    },
  }),
  listConsumerKeys: endpoint({
    method: 'get',
    path: '/consumers/{id}/keys',
    in: 'workspace',
    admits: ['consumers:read'],
    tag,
    summary: 'Keys of a customer, newest first',
    query: pageQuery,
    answers: { 200: json('A page', pageOf(consumerKey)), ...unknownId },
  }),
  createConsumerKey: endpoint({
    method: 'post',
    path: '/consumers/{id}/keys',
    in: 'workspace',
    admits: ['consumers:write'],
    tag,
    summary: 'Issue a customer key',
    body: z.strictObject({
      label: z.string().min(1).max(200),
      expires_in_days: z.int().min(1).max(MAX_LIFETIME_DAYS).optional(),
    }),
    answers: { 201: json('The raw key, shown only once', createdConsumerKey), ...unknownId },
  }),
  deleteConsumerKey: endpoint({
    method: 'delete',
    path: '/consumers/{id}/keys/{key_id}',
    in: 'workspace',
    admits: ['consumers:write'],
    tag,
    summary: 'Revoke a customer key, at once',
    answers: { 200: json('The revoked key', consumerKey), ...unknownId },
  }),
}
