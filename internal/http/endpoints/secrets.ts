import { empty, json, problem } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import { jsonValue, z } from '../schemas/z.ts'
import { time } from '../wire.ts'

const variable = z
  .object({
    key: z.string(),
    secret: z.boolean(),
    value: z.string().optional().describe('never for secret variables'),
    updated_by: z.string(),
    updated_at: time,
  })
  .openapi('Variable')

const resource = z
  .object({
    key: z.string(),
    type: z.string(),
    updated_by: z.string(),
    updated_at: time,
  })
  .openapi('Resource')

const variableValue = z.strictObject({ value: z.string(), secret: z.boolean().default(true) })

const newVariable = variableValue.extend({ key: z.string() })

const newResource = z.strictObject({
  key: z.string(),
  type: z.string().min(1).max(64),
  value: jsonValue,
})

/** A short list that always fits one page, in the form of every list. */
const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), pagination: z.object({ next_cursor: z.null() }) })

export const secretEndpoints = {
  listVariables: endpoint({
    method: 'get',
    path: '/variables',
    in: 'workspace',
    admits: ['variables:read'],
    tag: 'Variables',
    summary: 'Variables; values of secret ones never',
    answers: { 200: json('All variables', listOf(variable)) },
  }),
  createVariable: endpoint({
    method: 'post',
    path: '/variables',
    in: 'workspace',
    admits: ['variables:write'],
    tag: 'Variables',
    summary: 'Set a variable',
    body: newVariable,
    answers: { 201: json('Set', variable), 400: problem('Bad key') },
  }),
  setVariable: endpoint({
    method: 'put',
    path: '/variables/{key}',
    in: 'workspace',
    admits: ['variables:write'],
    tag: 'Variables',
    summary: 'Set a variable',
    body: variableValue,
    answers: { 200: json('Set', variable), 400: problem('Bad key') },
  }),
  deleteVariable: endpoint({
    method: 'delete',
    path: '/variables/{key}',
    in: 'workspace',
    admits: ['variables:write'],
    tag: 'Variables',
    summary: 'Delete a variable',
    answers: { 204: empty('Deleted'), 404: problem('Unknown key') },
  }),
  listResources: endpoint({
    method: 'get',
    path: '/resources',
    in: 'workspace',
    admits: ['resources:read'],
    tag: 'Resources',
    summary: 'Resources, without their values',
    answers: { 200: json('All resources', listOf(resource)) },
  }),
  createResource: endpoint({
    method: 'post',
    path: '/resources',
    in: 'workspace',
    admits: ['resources:write'],
    tag: 'Resources',
    summary: 'Set a resource',
    body: newResource,
    answers: { 201: json('Set', resource), 400: problem('Bad key') },
  }),
  deleteResource: endpoint({
    method: 'delete',
    path: '/resources/{key}',
    in: 'workspace',
    admits: ['resources:write'],
    tag: 'Resources',
    summary: 'Delete a resource',
    answers: { 204: empty('Deleted'), 404: problem('Unknown key') },
  }),
}
