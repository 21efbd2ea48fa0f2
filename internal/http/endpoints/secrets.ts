import { empty, json, otherVersion, problem } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import { pageOf, shortListQuery } from '../schemas/page.ts'
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

export const secretEndpoints = {
  listVariables: endpoint({
    method: 'get',
    path: '/variables',
    in: 'workspace',
    admits: ['variables:read'],
    tag: 'Variables',
    summary: 'Variables; values of secret ones never',
    query: shortListQuery,
    answers: { 200: json('All variables', pageOf(variable)) },
  }),
  createVariable: endpoint({
    method: 'post',
    path: '/variables',
    in: 'workspace',
    admits: ['variables:write'],
    tag: 'Variables',
    isConditional: 'also_on_absence',
    summary: 'Set a variable',
    body: newVariable,
    answers: {
      201: json('Set', variable),
      400: problem('Bad key'),
      409: problem('The workspace has the most variables that it can have (`variables_full`)'),
      ...otherVersion('The variable'),
    },
  }),
  setVariable: endpoint({
    method: 'put',
    path: '/variables/{key}',
    in: 'workspace',
    admits: ['variables:write'],
    tag: 'Variables',
    isConditional: 'also_on_absence',
    summary: 'Set a variable',
    body: variableValue.extend({
      key: z.string().optional().describe('if given, the key of the path'),
    }),
    answers: {
      200: json('Set', variable),
      400: problem('Bad key, or one that is not that of the path'),
      409: problem('The workspace has the most variables that it can have (`variables_full`)'),
      ...otherVersion('The variable'),
    },
  }),
  deleteVariable: endpoint({
    method: 'delete',
    path: '/variables/{key}',
    in: 'workspace',
    admits: ['variables:write'],
    tag: 'Variables',
    isConditional: true,
    summary: 'Delete a variable',
    answers: {
      204: empty('Deleted'),
      404: problem('Unknown key'),
      ...otherVersion('The variable'),
    },
  }),
  listResources: endpoint({
    method: 'get',
    path: '/resources',
    in: 'workspace',
    admits: ['resources:read'],
    tag: 'Resources',
    summary: 'Resources, without their values',
    query: shortListQuery,
    answers: { 200: json('All resources', pageOf(resource)) },
  }),
  createResource: endpoint({
    method: 'post',
    path: '/resources',
    in: 'workspace',
    admits: ['resources:write'],
    tag: 'Resources',
    isConditional: 'also_on_absence',
    summary: 'Set a resource',
    body: newResource,
    answers: {
      201: json('Set', resource),
      400: problem('Bad key'),
      409: problem('The workspace has the most resources that it can have (`resources_full`)'),
      ...otherVersion('The resource'),
    },
  }),
  deleteResource: endpoint({
    method: 'delete',
    path: '/resources/{key}',
    in: 'workspace',
    admits: ['resources:write'],
    tag: 'Resources',
    isConditional: true,
    summary: 'Delete a resource',
    answers: {
      204: empty('Deleted'),
      404: problem('Unknown key'),
      ...otherVersion('The resource'),
    },
  }),
}
