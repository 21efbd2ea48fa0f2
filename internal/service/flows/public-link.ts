/**
 * Public links that start a flow through a form [flows 10]. They are limited in time and number of uses, run as
 * `public:<link_id>`, and never show the data of a run.
 */
import { z } from 'zod'
import type { Actor } from '#core/access/actor.ts'
import { makeTokenText, parseTokenText, TOKEN_RANDOM_BYTES } from '#core/access/token-text.ts'
import { AppError, invalid, notFound, unprocessable } from '#core/error.ts'
import { checkForm } from '#core/flow/approval/form.ts'
import { type FormField, findFormFaults, formFieldSchema } from '#core/flow/approval/form-field.ts'
import { findFormGaps } from '#core/flow/form-gaps.ts'
import { asksPeople, flowsOf } from '#core/flow/kinds.ts'
import type { JsonObject } from '#core/json/value.ts'
import { DAY_MS } from '#core/time-units.ts'
import {
  type FlowLink,
  findFlowLink,
  findFlowLinkByHash,
  insertFlowLink,
  insertLinkUse,
  isLinkUsable,
  revokeFlowLink as revokeStatement,
} from '#store/flows/links.ts'
import { findWorkspace } from '#store/workspaces/workspaces.ts'
import { hashToken } from '../access/hash-token.ts'
import { audited } from '../audited.ts'
import type { Deps } from '../deps.ts'
import { signLink } from './approval-link.ts'
import type { FlowDeps, WithFlows } from './engine.ts'
import { findFlow } from './find-flow.ts'
import type { PinnedApp } from './pinned-flows.ts'
import { startRun } from './start-run.ts'

const STATUS_LIFETIME_MS = 7 * DAY_MS

export type LinkRequest = Readonly<{
  ws: string
  app: string
  flow: string
  maxUses: number
  expiresInDays: number
  form: readonly FormField[]
  actor: Actor
}>

type LinkDeps = Pick<Deps, 'db' | 'newId' | 'randomBytes'> & WithFlows
type FindDeps = Pick<Deps, 'db'> & WithFlows

/** A new link. Only this result contains its text. */
export type IssuedFlowLink = Readonly<{
  id: string
  text: string
  link: FlowLink
  /** What the flow requires and the form does not: a later deployment may require less, so the link is made. */
  gaps: readonly string[]
}>

/** @throws {AppError} not_found; invalid: the form; unprocessable: the flow or a subflow of it has an approval step */
export const issueFlowLink = async (
  deps: LinkDeps,
  request: LinkRequest,
): Promise<IssuedFlowLink> => {
  const { ws, app, flow, actor } = request
  const { pinned, definition } = await findFlow(deps, { ws, app, flow })
  requireNoApproval(pinned, flow)
  checkFields(request.form)
  const id = deps.newId()
  const { text, prefix } = makeTokenText('flow_link', deps.randomBytes(TOKEN_RANDOM_BYTES))
  await deps.db.write(
    [
      insertFlowLink({
        ws,
        id,
        app,
        flow,
        prefix,
        hash: hashToken(text),
        formJson: JSON.stringify(request.form),
        maxUses: request.maxUses,
        lifetimeDays: request.expiresInDays,
        createdBy: actor.identity,
      }),
      audited(deps, { ws, actor }, 'flow_link.created', id),
    ],
    { retry: true },
  )
  const gaps = findFormGaps(definition, pinned.actions, request.form)
  return { id, text, link: await requireFlowLink(deps, ws, id), gaps }
}

/** @throws {AppError} unprocessable */
const requireNoApproval = (app: PinnedApp, flow: string): void => {
  if (!hasApproval(app, flow)) return
  throw unprocessable(
    'A flow with an approval step has no public link, because the person who fills in the form could not follow the run further.',
    { code: 'flow_has_approval' },
  )
}

/** Also looks inside its subflows. Deploying refuses circular subflows. */
const hasApproval = (app: PinnedApp, flow: string): boolean =>
  app.flows
    .get(flow)
    ?.steps.some(
      (step) => asksPeople(step) || flowsOf(step).some((below) => hasApproval(app, below)),
    ) ?? false

/** @throws {AppError} invalid */
const checkFields = (form: readonly FormField[]): void => {
  const details = findFormFaults(form).map(({ path: [at, field], message }) => ({
    path: `body.public_form[${String(at)}].${String(field)}`,
    message,
  }))
  if (details.length > 0) throw invalid('Correct the fields of the form.', { details })
}

/** @throws {AppError} not_found */
const requireFlowLink = async (
  { db }: Pick<Deps, 'db'>,
  ws: string,
  id: string,
): Promise<FlowLink> => {
  const link = await findFlowLink(db, ws, id)
  if (link === null) throw notFound('Flow link')
  return link
}

/** @throws {AppError} not_found */
export const revokeFlowLink = async (
  deps: Pick<Deps, 'db' | 'newId'>,
  { ws, id, actor }: Readonly<{ ws: string; id: string; actor: Actor }>,
): Promise<void> => {
  await requireFlowLink(deps, ws, id)
  await deps.db.write(
    [revokeStatement(ws, id), audited(deps, { ws, actor }, 'flow_link.revoked', id)],
    { retry: true },
  )
}

export type OpenedLink = Readonly<{
  link: FlowLink
  form: readonly FormField[]
  /** The name of the workspace. */
  workspace: string
  /** From the flow's `inputSchema`; null if it has none. */
  title: string | null
  description: string | null
}>

/** @throws {AppError} gone: the flow is no longer deployed, or now has an approval step */
const findOpenFlow = async (deps: FindDeps, link: FlowLink) => {
  const found = await findFlow(deps, link).catch(closed)
  if (hasApproval(found.pinned, link.flow)) throw ended()
  return found
}

const storedForm = z.array(formFieldSchema)

/**
 * @param text the text in the address
 * @throws {AppError} not_found: no such link; gone: it is used up, expired or revoked, or `findOpenFlow` refuses its flow
 */
export const openFlowLink = async (deps: FindDeps, text: string): Promise<OpenedLink> => {
  const { db } = deps
  const link =
    parseTokenText(text)?.kind === 'flow_link'
      ? await findFlowLinkByHash(db, hashToken(text))
      : null
  if (link === null) {
    throw notFound('Form', { code: 'link_not_found' })
  }
  if (link.hasEnded) throw ended()
  const { definition } = await findOpenFlow(deps, link)
  const { inputSchema } = definition
  const { title, description } = typeof inputSchema === 'object' ? inputSchema : {}
  return {
    link,
    form: storedForm.parse(JSON.parse(link.formJson)),
    workspace: (await findWorkspace(db, link.ws))?.name ?? link.ws,
    title: typeof title === 'string' ? title : null,
    description: typeof description === 'string' ? description : null,
  }
}

const ended = (): AppError =>
  new AppError('gone', 'This form is closed. Ask the person who sent you the link for a new one.', {
    code: 'link_ended',
  })

/**
 * @returns the signed text that shows the status of the new run
 * @throws {AppError} invalid: the form; gone: the last use was taken meanwhile, or the flow no longer exists
 */
export const startPublicRun = async (
  deps: FlowDeps,
  { link, form }: OpenedLink,
  sent: JsonObject,
): Promise<string> => {
  const { values, faults } = checkForm(form, sent)
  if (values === null) {
    throw invalid('Some fields are missing or not valid.', {
      code: 'bad_form',
      details: faults,
    })
  }
  const { ws, app, flow, id } = link
  // the app may have been deployed since the form was opened
  await findOpenFlow(deps, link)
  const identity = `public:${id}`
  const runId = deps.newId()
  const started = await startRun(deps, {
    ws,
    app,
    flow,
    input: values,
    triggerKind: 'public',
    createdBy: identity,
    permissionedAs: identity,
    runId,
    condition: isLinkUsable(link),
    alongside: (guard) => [insertLinkUse(id, runId, guard)],
  })
  if (started === null) throw ended()
  const workspace = await findWorkspace(deps.db, ws)
  if (workspace === null) throw ended()
  const expiresAt = (await deps.db.now()) + STATUS_LIFETIME_MS
  const claims = { purpose: 'status', ws, runId, index: 0, approver: '', expiresAt } as const
  return signLink(deps, { wrappedKey: workspace.wrappedKey, claims })
}

/** Reports the link as ended, because a person who fills in a form need not know what is deployed. */
const closed = (error: unknown): never => {
  throw error instanceof AppError && error.kind === 'not_found' ? ended() : error
}
