import { parseEgressGrant } from '#core/network/egress-grant.ts'
import { MAX_RULES, notifyRule } from '#core/notify/rule.ts'
import { tagName } from '#core/placement/tag-name.ts'
import { SECTIONS } from '#core/sections.ts'
import { WORKSPACE_ID_RULE } from '#core/workspace-id.ts'
import { json, otherVersion, problem } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import { pageOf, pageQuery } from '../schemas/page.ts'
import { z } from '../schemas/z.ts'
import { time } from '../wire.ts'

const name = z.string().min(1).max(200)

const actionKey = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,62}\/[\w-]{1,64}$/, 'must have the form app/action')

const hiddenSections = z
  .array(z.enum(SECTIONS))
  .max(100)
  .describe('sections that the console leaves out of its side bar')

const workspace = z
  .object({
    id: z.string(),
    name: z.string(),
    default_tag: z.string().describe('of jobs whose action names none'),
    error_handler: z.string().nullable().describe('app/action'),
    suspended: z.boolean().describe('paid calls are refused'),
    max_running: z
      .int()
      .nullable()
      .describe(
        'jobs that may run at once; 0: any number, null: the value of SVC_WORKSPACE_MAX_RUNNING',
      ),
    allowed_tags: z.array(z.string()).nullable().describe('tags that its jobs may have; null: any'),
    egress_allow: z
      .array(z.string())
      .nullable()
      .describe(
        'private destinations that its jobs may reach in addition to those of the instance',
      ),
    notify: z
      .array(notifyRule)
      .describe(
        'which events are reported to whom; addresses of webhooks and Slack are shortened for callers without workspace:write',
      ),
    hidden_sections: hiddenSections,
    created_at: time,
    cell: z
      .string()
      .optional()
      .describe('the database that has it, where the instance has several; home: the first one'),
  })
  .openapi('Workspace')

const egressGrant = z
  .string()
  .max(300, { abort: true })
  .refine((text) => parseEgressGrant(text) !== null, {
    message: 'must be host[:port], 10.1.0.0/16[:port] or [fd12::/16][:port]',
  })

const usage = z
  .object({
    stored_bytes: z
      .int()
      .describe(
        'inputs, results, logs, durable steps, events, flow data, state, function logs, drafts and pushed repositories',
      ),
    max_stored_bytes: z.int().nullable().describe('new work is refused beyond; null: no limit'),
    measured_at: time.describe('the figure may be a few minutes old'),
  })
  .openapi('WorkspaceUsage')

export const workspaceEndpoints = {
  getWorkspace: endpoint({
    method: 'get',
    path: '/workspace',
    in: 'workspace',
    admits: ['workspace:read'],
    tag: 'Workspace',
    summary: 'The workspace and its settings',
    answers: { 200: json('The workspace', workspace) },
  }),
  updateWorkspace: endpoint({
    method: 'patch',
    path: '/workspace',
    in: 'workspace',
    admits: ['workspace:write'],
    tag: 'Workspace',
    isConditional: true,
    summary: 'Change settings; what is left out stays',
    body: z.strictObject({
      name: name.optional(),
      default_tag: tagName.optional(),
      error_handler: actionKey.nullish(),
      notify: z
        .array(notifyRule)
        .max(MAX_RULES)
        .nullish()
        .describe('which events are reported to whom; null or an empty list: none'),
      hidden_sections: hiddenSections.optional(),
    }),
    answers: {
      200: json('Changed', workspace),
      404: problem('The action of `error_handler` is not there'),
      ...otherVersion('The workspace'),
    },
  }),
  getWorkspaceUsage: endpoint({
    method: 'get',
    path: '/workspace/usage',
    in: 'workspace',
    admits: ['workspace:read'],
    tag: 'Workspace',
    summary: 'How much the workspace keeps, and how much it may keep',
    answers: { 200: json('The figures', usage) },
  }),
  adminListWorkspaces: endpoint({
    method: 'get',
    path: '/api/admin/workspaces',
    admits: ['instance'],
    tag: 'Instance',
    summary: 'All workspaces, by id; those of a cell that does not answer are left out',
    query: pageQuery,
    answers: { 200: json('A page', pageOf(workspace)) },
  }),
  adminCreateWorkspace: endpoint({
    method: 'post',
    path: '/api/admin/workspaces',
    admits: ['instance'],
    tag: 'Instance',
    summary: 'Make a workspace',
    body: z.strictObject({
      id: z.string().max(63).describe(WORKSPACE_ID_RULE),
      name,
      cell: z
        .string()
        .optional()
        .describe('the database that gets it, one of SVC_CELLS; without it: the first one'),
    }),
    answers: {
      201: json('Created', workspace),
      409: problem('It exists already'),
      503: problem('The cell does not answer'),
    },
  }),
  adminUpdateWorkspace: endpoint({
    method: 'patch',
    path: '/api/admin/workspaces/{id}',
    admits: ['instance'],
    tag: 'Instance',
    summary:
      'Suspend or resume a workspace, or set which tags and private destinations its jobs may have and how many run at once',
    body: z.strictObject({
      suspended: z.boolean().optional().describe('refuse its paid calls from now on'),
      max_running: z
        .int()
        .min(0)
        .max(1_000_000)
        .nullish()
        .describe('0: any number, null: the value of SVC_WORKSPACE_MAX_RUNNING'),
      allowed_tags: z
        .array(tagName)
        .max(100)
        .nullish()
        .describe('tags that its jobs may have; null: any. What is left out stays.'),
      egress_allow: z
        .array(egressGrant)
        .max(100)
        .nullish()
        .describe('private destinations that its jobs may reach: host[:port] or network[:port]'),
    }),
    answers: { 200: json('Changed', workspace), 404: problem('Unknown workspace') },
  }),
}
