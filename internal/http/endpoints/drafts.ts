import { FILE_CHANGE_KINDS } from '#core/deploy/file-changes.ts'
import { MAX_DEPLOY_MESSAGE } from '#core/deploy/limits.ts'
import { isJsonObject } from '#core/json/value.ts'
import { bundleRefused, empty, json, otherVersion, problem, storageFull } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import { deployed, deployWarnings, partChanges } from '../schemas/apps.ts'
import { pageOf, pageQuery } from '../schemas/page.ts'
import { z } from '../schemas/z.ts'
import { time } from '../wire.ts'

/** 10 MiB of text, plus the overhead of JSON. */
const MAX_BODY_BYTES = 16 * 1_024 * 1_024

const draft = z
  .object({
    app: z.string(),
    file_count: z.int(),
    bytes: z.int(),
    updated_by: z.string(),
    updated_at: time,
  })
  .openapi('Draft')

const files = z.record(z.string(), z.string()).describe('text by path')

const carried = z
  .array(z.string())
  .describe('files that are no text or belong to packages; deployed with the draft as they are')

/** Files that are refused by name. More take too long for one turn. */
const MOST_FAULTS = 100

/** Read as pairs, because a record would lose a file called `__proto__`. */
const fileTexts = z
  .custom<Readonly<Record<string, unknown>>>(isJsonObject, 'must be an object of texts by path')
  .transform((record, { addIssue }) => {
    const texts: (readonly [string, string])[] = []
    let faults = 0
    for (const [path, text] of Object.entries(record)) {
      if (typeof text === 'string') texts.push([path, text])
      else {
        addIssue({ code: 'custom', path: [path], message: 'must be a string' })
        faults += 1
      }
      if (faults === MOST_FAULTS) break
    }
    return texts
  })
  .openapi({ type: 'object', additionalProperties: { type: 'string' } })

const fileChange = z
  .object({
    path: z.string(),
    change: z.enum(FILE_CHANGE_KINDS),
    before: z
      .string()
      .nullable()
      .describe(
        'text that runs; null for a new file, one that is not text, and one that is too large',
      ),
    after: z
      .string()
      .nullable()
      .describe(
        'text of the draft; null for a removed file, one that is not text, and one that is too large',
      ),
  })
  .openapi('DraftFileChange')

const unknownDraft = { 404: problem('No draft of this app') }

const changed = otherVersion('The draft')

const tag = 'Drafts'

export const draftEndpoints = {
  listDrafts: endpoint({
    method: 'get',
    path: '/drafts',
    in: 'workspace',
    admits: ['drafts:read'],
    tag,
    summary: 'Drafts by app, without their files',
    query: pageQuery,
    answers: { 200: json('A page', pageOf(draft)) },
  }),
  getDraft: endpoint({
    method: 'get',
    path: '/drafts/{app}',
    in: 'workspace',
    admits: ['drafts:read'],
    tag,
    summary: 'A draft with its files',
    answers: { 200: json('The draft', draft.extend({ files, carried })), ...unknownDraft },
  }),
  saveDraft: endpoint({
    method: 'put',
    path: '/drafts/{app}',
    in: 'workspace',
    admits: ['drafts:write'],
    tag,
    isConditional: true,
    summary: 'Save the draft of an app as a whole: at most 1,000 files and 10 MiB',
    body: z.strictObject({ files: fileTexts }),
    bodyLimit: MAX_BODY_BYTES,
    answers: {
      200: json('Saved', draft),
      400: problem('Bad app key'),
      ...changed,
      413: problem('Too many files or bytes'),
      422: problem('A path that an app may not hold'),
      ...storageFull,
    },
  }),
  deleteDraft: endpoint({
    method: 'delete',
    path: '/drafts/{app}',
    in: 'workspace',
    admits: ['drafts:write'],
    tag,
    isConditional: true,
    summary: 'Delete a draft; what is deployed stays',
    answers: { 204: empty('Deleted'), ...unknownDraft, ...changed },
  }),
  createDraftFromDeployed: endpoint({
    method: 'post',
    path: '/drafts/{app}/from-deployed',
    in: 'workspace',
    admits: ['drafts:write'],
    tag,
    summary: 'Make a draft of what an app runs now',
    answers: {
      201: json('Created', draft),
      404: problem('Unknown app'),
      409: problem('There is a draft of this app already'),
      413: problem('More text than a draft may hold'),
      422: problem('Nothing is deployed, or an older svc deployed it and kept no sources'),
      ...storageFull,
    },
  }),
  checkDraft: endpoint({
    method: 'post',
    path: '/drafts/{app}/check',
    in: 'workspace',
    admits: ['drafts:write'],
    tag,
    summary: 'What deploying a draft would refuse or change; nothing is deployed',
    answers: {
      200: json(
        'Faults of manifest and code; none: it may be deployed',
        z.object({
          faults: z.array(
            z.object({
              path: z.string().describe('file, with line and column where they are known'),
              message: z.string(),
            }),
          ),
          changes: partChanges
            .nullable()
            .describe('against what runs now; null while there are faults'),
          warnings: deployWarnings,
        }),
      ),
      502: problem('The package registry cannot be reached, or failed'),
      ...unknownDraft,
    },
  }),
  compareDraftFiles: endpoint({
    method: 'get',
    path: '/drafts/{app}/changes',
    in: 'workspace',
    admits: ['drafts:read'],
    tag,
    summary: 'Files in which a saved draft differs from what runs, without installed packages',
    answers: {
      200: json('By path; empty: they are equal', z.object({ items: z.array(fileChange) })),
      422: problem('An older svc deployed the app and kept no sources'),
      ...unknownDraft,
    },
  }),
  tryDraft: endpoint({
    method: 'post',
    path: '/drafts/{app}/try',
    in: 'workspace',
    admits: ['deployments:write'],
    tag,
    summary:
      'Deploy files of a draft as the caller’s own preview of the app, to run its actions before the draft is deployed',
    body: z.strictObject({ files: fileTexts }),
    bodyLimit: MAX_BODY_BYTES,
    answers: {
      201: json(
        'Its actions are run by `POST /jobs/run/{app}/{action}`',
        z.object({
          app: z.string().describe('key of the preview'),
          deployment_id: z.uuid(),
          actions: z.array(z.string()),
        }),
      ),
      413: problem('Too many files or bytes'),
      ...bundleRefused,
      ...storageFull,
      ...unknownDraft,
    },
  }),
  deployDraft: endpoint({
    method: 'post',
    path: '/drafts/{app}/deploy',
    in: 'workspace',
    admits: ['deployments:write'],
    tag,
    isConditional: true,
    summary: 'Deploy a draft; it stays, so that work on it goes on',
    body: z.strictObject({ message: z.string().max(MAX_DEPLOY_MESSAGE).optional() }).optional(),
    bodyKind: 'optional_json',
    answers: {
      201: json('Deployed', deployed),
      ...changed,
      ...bundleRefused,
      ...storageFull,
      ...unknownDraft,
    },
  }),
}
