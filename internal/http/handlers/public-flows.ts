import { AppError } from '#core/error.ts'
import { readForm } from '#core/flow/approval/form.ts'
import type { Deps } from '#service/deps.ts'
import { openLink } from '#service/flows/approval-link.ts'
import type { FlowDeps } from '#service/flows/engine.ts'
import { openFlowLink, startPublicRun } from '#service/flows/public-link.ts'
import { findRunState } from '#store/flows/run-progress.ts'
import { findWorkspace } from '#store/workspaces/workspaces.ts'
import { created, ok } from '../answer.ts'
import { publicFlowEndpoints } from '../endpoints/public-flows.ts'
import { handlers } from '../handlers.ts'
import { readSentFields } from '../pages/form-body.ts'
import { asPage } from '../pages/page-error.ts'
import { languageOf } from '../pages/page-language.ts'
import { publicFormPage, publicStatusPage } from '../pages/public-flow-pages.ts'

export const publicFlowRoutes = handlers(
  publicFlowEndpoints,
  (deps: FlowDeps & Pick<Deps, 'keyring'>) => ({
    getFlowFormPage: async (input) =>
      asPage(input, async () => {
        const opened = await openFlowLink(deps, input.query.t)
        return publicFormPage(opened, {
          language: languageOf(input),
          typed: new Map(),
          faults: [],
        })
      }),
    startFlowRunByLink: async (input) =>
      asPage(input, async () => {
        const opened = await openFlowLink(deps, input.query.t)
        const { texts, json } = await readSentFields(input)
        try {
          const token = await startPublicRun(deps, opened, json ?? readForm(opened.form, texts))
          const path = `/api/flow/status?t=${encodeURIComponent(token)}`
          return json === null
            ? new Response(null, { status: 303, headers: { location: path } })
            : created({ statusUrl: `${input.baseUrl()}${path}` })
        } catch (error) {
          const isForm = json === null && error instanceof AppError && error.code === 'bad_form'
          if (!isForm) throw error
          const language = languageOf(input)
          return publicFormPage(opened, { language, typed: texts, faults: error.details ?? [] })
        }
      }),
    getFlowStatusPage: async (input) =>
      asPage(input, async () => {
        const { ws, runId } = await openLink(deps, input.query.t, 'status')
        const run = await findRunState(deps.db, ws, runId)
        if (run === null) throw new AppError('gone', 'Nothing is kept of this request any more.')
        const isProgram = input.header('accept')?.startsWith('application/json') === true
        return isProgram
          ? ok({ status: run.status })
          : publicStatusPage(
              {
                ...run,
                workspace: (await findWorkspace(deps.db, ws))?.name ?? ws,
              },
              languageOf(input),
            )
      }),
  }),
)
