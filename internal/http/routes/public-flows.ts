/**
 * GET, POST /api/flow/run?t=<link token>
 * GET       /api/flow/status?t=<signed text>
 */
import { AppError } from '#core/error.ts'
import { readForm } from '#core/flow/approval/form.ts'
import { RUN_STATUSES } from '#core/flow/run.ts'
import type { Deps } from '#service/deps.ts'
import { openLink } from '#service/flows/approval-link.ts'
import { openFlowLink, startPublicRun } from '#service/flows/public-link.ts'
import type { StartDeps } from '#service/flows/start-run.ts'
import { findRunProgress } from '#store/flow-run-progress.ts'
import { readSentFields } from '../form-body.ts'
import { asPage } from '../page-error.ts'
import { languageOf } from '../page-language.ts'
import { publicFormPage, publicStatusPage } from '../public-flow-pages.ts'
import { problem, publicRoute, type Route, reply } from '../route.ts'
import { z } from '../schemas/z.ts'

const query = z.object({ t: z.string().max(2_000).default('') })

const ends = {
  404: problem('No such link'),
  410: problem('Used up, expired or revoked'),
}

const startedAnswer = z.object({ status_url: z.url() })

export const publicFlowRoutes = (deps: StartDeps & Pick<Deps, 'keyring'>): readonly Route[] => [
  publicRoute({
    method: 'get',
    path: '/api/flow/run',
    operationId: 'getFlowFormPage',
    tag: 'Public pages',
    summary: 'The form of a public link',
    query,
    responses: { 200: { description: 'A form', contentType: 'text/html' }, ...ends },
    handler: async (input) =>
      asPage(input, async () => {
        const opened = await openFlowLink(deps, input.query.t)
        return publicFormPage(opened, {
          language: languageOf(input),
          typed: new Map(),
          faults: [],
        })
      }),
  }),
  publicRoute({
    method: 'post',
    path: '/api/flow/run',
    operationId: 'startFlowRunByLink',
    tag: 'Public pages',
    summary: 'Start the flow of a public link: a form with a field for each key, or JSON',
    query,
    bodyKind: 'raw',
    rawBody: {
      contentType: 'application/x-www-form-urlencoded',
      schema: z.record(z.string(), z.string()),
    },
    responses: {
      201: { description: 'Started, for JSON', schema: startedAnswer },
      303: { description: 'Started, for a form: to the page that shows its status' },
      400: problem('A field is not filled in as it should be'),
      ...ends,
    },
    handler: async (input) =>
      asPage(input, async () => {
        const opened = await openFlowLink(deps, input.query.t)
        const { texts, json } = readSentFields(input)
        try {
          const token = await startPublicRun(deps, opened, json ?? readForm(opened.form, texts))
          const path = `/api/flow/status?t=${encodeURIComponent(token)}`
          return json === null
            ? new Response(null, { status: 303, headers: { location: path } })
            : reply(201, { status_url: `${input.baseUrl()}${path}` })
        } catch (error) {
          const isForm = json === null && error instanceof AppError && error.code === 'bad_form'
          if (!isForm) throw error
          const language = languageOf(input)
          return publicFormPage(opened, { language, typed: texts, faults: error.details ?? [] })
        }
      }),
  }),
  publicRoute({
    method: 'get',
    path: '/api/flow/status',
    operationId: 'getFlowStatusPage',
    tag: 'Public pages',
    summary: 'How far a run is that a public link started; as JSON where that is asked for',
    query,
    responses: {
      200: {
        description: 'A page, or `{status}`',
        schema: z.object({ status: z.enum(RUN_STATUSES) }),
      },
      403: problem('Not one of our links'),
      ...ends,
    },
    handler: async (input) =>
      asPage(input, async () => {
        const { ws, runId } = await openLink(deps, input.query.t, 'status')
        const run = await findRunProgress(deps.db, ws, runId)
        if (run === null) throw new AppError('gone', 'Nothing is kept of this request any more.')
        const isProgram = input.header('accept')?.startsWith('application/json') === true
        return isProgram
          ? reply(200, { status: run.status })
          : publicStatusPage(run.status, languageOf(input))
      }),
  }),
]
