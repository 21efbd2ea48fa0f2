import { tagName } from '#core/placement/tag-name.ts'
import { empty, json, problem } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import { action, app, appDetail, deployment } from '../schemas/apps.ts'
import { pageOf, pageQuery, shortListQuery } from '../schemas/page.ts'
import { z } from '../schemas/z.ts'

const unknownApp = { 404: problem('Unknown app') }

export const appEndpoints = {
  listApps: endpoint({
    method: 'get',
    path: '/apps',
    in: 'workspace',
    admits: ['apps:read'],
    tag: 'Apps',
    summary: 'Apps, by key',
    query: pageQuery,
    answers: { 200: json('A page', pageOf(app)) },
  }),
  createApp: endpoint({
    method: 'post',
    path: '/apps',
    in: 'workspace',
    admits: ['deployments:write'],
    tag: 'Apps',
    summary: 'Make an empty app',
    body: z.strictObject({ key: z.string(), name: z.string().min(1).max(200) }),
    answers: { 201: json('Created', app), 409: problem('It exists') },
  }),
  getApp: endpoint({
    method: 'get',
    path: '/apps/{app}',
    in: 'workspace',
    admits: ['apps:read'],
    tag: 'Apps',
    summary: 'An app, with its host names and how each is proved',
    answers: { 200: json('The app', appDetail), ...unknownApp },
  }),
  deleteApp: endpoint({
    method: 'delete',
    path: '/apps/{app}',
    in: 'workspace',
    admits: ['deployments:write'],
    tag: 'Apps',
    summary: 'Delete an app; queued jobs keep what they pinned',
    answers: { 204: empty('Deleted'), ...unknownApp },
  }),
  listAppHistory: endpoint({
    method: 'get',
    path: '/apps/{app}/history',
    in: 'workspace',
    admits: ['apps:read'],
    tag: 'Apps',
    summary: 'Deployments of an app, newest first',
    query: pageQuery,
    answers: { 200: json('A page', pageOf(deployment)), ...unknownApp },
  }),
  listAppActions: endpoint({
    method: 'get',
    path: '/apps/{app}/actions',
    in: 'workspace',
    admits: ['apps:read'],
    tag: 'Apps',
    summary: 'Actions of the current deployment',
    query: shortListQuery,
    answers: { 200: json('All actions', pageOf(action)), ...unknownApp },
  }),
  updateAppAction: endpoint({
    method: 'patch',
    path: '/apps/{app}/actions/{action}',
    in: 'workspace',
    admits: ['apps:write'],
    tag: 'Apps',
    summary: 'Send the jobs of an action to workers of another tag',
    body: z.strictObject({
      tag_override: tagName.nullable(),
    }),
    answers: { 200: json('The action', action), 404: problem('Unknown app or action') },
  }),
}
