/** Runs the action or flow behind a tool and waits for its end [agents 3.2]. */

import { holdsScope, mayCancel } from '#core/access/policy.ts'
import { customerOf } from '#core/access/principal.ts'
import { approvalFlowKey } from '#core/agent/approval-flow.ts'
import { forbidden } from '#core/error.ts'
import type { JsonObject, JsonValue } from '#core/json/value.ts'
import { limit } from '#core/limit.ts'
import type { ExposedTool } from '#service/agent/exposed-tools.ts'
import { cancelRun } from '#service/flows/cancel-run.ts'
import { startRunUnconditionally } from '#service/flows/start-run.ts'
import { type EndedRun, waitForRun } from '#service/flows/wait-for-run.ts'
import { cancelJob } from '#service/queue/cancel-job.ts'
import { waitForJob } from '#service/queue/wait-for-job.ts'
import { findRunHead } from '#store/flows/runs.ts'
import { findJobHead } from '#store/jobs/read.ts'
import { missingScope } from '../admission/admit.ts'
import { waitWithBody } from '../bodies/held-bodies.ts'
import { z } from '../schemas/z.ts'
import { CONSOLE_PATH } from '../surfaces/console-surface.ts'
import type { McpDeps, McpInput } from './mcp-call.ts'
import { bodyOf, callRoute } from './route-call.ts'
import { failed, jsonResult, ofWork, resultOfText, type ToolResult } from './tool-result.ts'

const MAX_WAIT_MS = limit(
  'job.tool_wait',
  25_000,
  'ms',
  'How long a tool waits for its job. Then it answers the id.',
)
/** The interval of progress notifications, in milliseconds. */
const PROGRESS_MS = 2_000

export type ToolCall = Readonly<{
  tool: ExposedTool
  given: JsonObject
  /** Aborted when the agent cancels the call. */
  canceled: AbortSignal
  /** Reports to the agent that the call is still running. @param elapsedS seconds since it began, strictly increasing */
  onProgress: (elapsedS: number, message: string) => Promise<void>
}>

type Work = Readonly<{ kind: 'job' | 'flow_run'; id: string }>
type Ended = Readonly<{
  isSuccess: boolean
  status: string
  /** The result, or the error of a failure, as JSON. */
  result: string
}>
/** `waiting`: the work waits for a person. */
type Look = Ended | 'waiting' | null

const jobStarted = z.object({ job_id: z.uuid() })
const runStarted = z.object({ flow_run_id: z.uuid() })

const start = async (deps: McpDeps, input: McpInput, call: ToolCall): Promise<Work> => {
  const { tool, given: body } = call
  const { app, key } = tool
  if (tool.needsApproval) return { kind: 'flow_run', id: await startApproval(deps, input, call) }
  if (tool.kind === 'action') {
    const params = { app, action: key }
    const reply = await callRoute(deps, input, { operationId: 'runJob', params, body })
    return { kind: 'job', id: jobStarted.parse(bodyOf(reply)).job_id }
  }
  const params = { app, flow: key }
  const reply = await callRoute(deps, input, { operationId: 'startFlowRun', params, body })
  return { kind: 'flow_run', id: runStarted.parse(bodyOf(reply)).flow_run_id }
}

/** An approved call runs the action, so it needs the scope to run it. */
const startApproval = async (
  deps: McpDeps,
  { ws, principal, takeRate }: McpInput,
  { tool: { app, key }, given }: ToolCall,
): Promise<string> => {
  if (customerOf(principal) !== null) {
    throw forbidden('A customer key runs no action that needs an approval.', {
      code: 'customer_key',
    })
  }
  if (!holdsScope(principal, 'jobs:run')) throw missingScope(principal, 'jobs:run')
  takeRate('run', principal.credentialId)
  const { runId } = await startRunUnconditionally(deps, {
    ws,
    app,
    flow: approvalFlowKey(key),
    input: given,
    triggerKind: 'api',
    createdBy: principal.identity,
    permissionedAs: principal.identity,
    holdsAppsWrite: holdsScope(principal, 'apps:write'),
  })
  return runId
}

const lookAtJob = async (
  deps: McpDeps,
  { ws }: McpInput,
  wait: Readonly<{ id: string; timeoutMs: number; signal: AbortSignal }>,
): Promise<Look> => {
  const job = await waitForJob(deps, { ws, ...wait })
  if (job === null) return null
  return {
    isSuccess: job.status === 'success',
    status: job.status,
    result: job.resultJson ?? 'null',
  }
}

const endOf = ({ status, result, error }: EndedRun): Ended => ({
  isSuccess: status === 'completed',
  status,
  result: (error ?? result)?.text ?? 'null',
})

const lookAtRun = async (
  deps: McpDeps,
  { ws }: McpInput,
  wait: Readonly<{ id: string; timeoutMs: number; signal: AbortSignal }>,
): Promise<Look> => {
  const ended = await waitForRun(deps, { ws, ...wait, timeoutMs: Math.min(wait.timeoutMs, 250) })
  if (ended !== null) return endOf(ended)
  const run = await findRunHead(deps.db, ws, wait.id)
  if (run?.status === 'waiting_approval') return 'waiting'
  const rest = { ...wait, timeoutMs: Math.max(0, wait.timeoutMs - 250) }
  const later = await waitForRun(deps, { ws, ...rest })
  return later === null ? null : endOf(later)
}

const waitForEnd = async (
  deps: McpDeps,
  input: McpInput,
  { work, call, waitMs }: Readonly<{ work: Work; call: ToolCall; waitMs: number }>,
): Promise<Look> => {
  const { id } = work
  const startedAt = performance.now()
  const signal = AbortSignal.any([input.signal, call.canceled])
  const look = work.kind === 'job' ? lookAtJob : lookAtRun
  for (;;) {
    const elapsedMs = performance.now() - startedAt
    await call.onProgress(elapsedMs / 1_000, `${work.kind} ${id} goes on`)
    const leftMs = waitMs - elapsedMs
    const timeoutMs = Math.max(0, Math.min(leftMs, PROGRESS_MS))
    const found = await look(deps, input, { id, timeoutMs, signal })
    if (found !== null || leftMs <= PROGRESS_MS || signal.aborted) return found
  }
}

/** Whether the caller may cancel the work itself; a customer's cancel ends only the wait. */
const cancelWork = async (
  deps: McpDeps,
  { ws, principal: caller }: McpInput,
  { kind, id }: Work,
): Promise<void> => {
  const found =
    kind === 'job' ? await findJobHead(deps.db, ws, id) : await findRunHead(deps.db, ws, id)
  if (found === null || !mayCancel(caller, found)) return
  const request = { ws, id, caller, reason: 'The agent canceled the call.' }
  if (kind === 'job') await cancelJob(deps, request)
  else await cancelRun(deps, request)
}

const pageOf = ({ ws, baseUrl }: McpInput, { id }: Work): string =>
  `${baseUrl()}${CONSOLE_PATH}/w/${ws}/flow-runs/${id}`

const toResult = async (
  deps: McpDeps,
  input: McpInput,
  { work, found, tool }: Readonly<{ work: Work; found: Look; tool: ExposedTool }>,
): Promise<ToolResult> => {
  const ids: JsonObject = work.kind === 'job' ? { job_id: work.id } : { flow_run_id: work.id }
  if (found === 'waiting') {
    const message = tool.needsApproval
      ? 'A person must approve this call. Give them the link; get_job with this id shows the outcome.'
      : 'The flow waits for a person. Give them the link; get_job with this id shows the outcome.'
    const url = pageOf(input, work)
    return jsonResult({ ...ids, status: 'waiting_approval', approval_url: url, message })
  }
  if (found === null) {
    const status =
      work.kind === 'job'
        ? (await findJobHead(deps.db, input.ws, work.id))?.status
        : (await findRunHead(deps.db, input.ws, work.id))?.status
    const message = 'It is not over yet. Call get_job with this id later.'
    return jsonResult({ ...ids, status: status ?? 'unknown', message })
  }
  if (!found.isSuccess) {
    const error: JsonValue = JSON.parse(found.result)
    return failed({ ...ids, status: found.status, error })
  }
  return ofWork(resultOfText(found.result), ids)
}

/** @throws {AppError} any error of running the target */
export const callTarget = async (
  deps: McpDeps,
  input: McpInput,
  call: ToolCall,
): Promise<ToolResult> => {
  const work = await start(deps, input, call)
  const timeoutMs = deps.toolWaitMs ?? MAX_WAIT_MS
  const { ws, bodyBytes, principal } = input
  const body = { ws, customerId: customerOf(principal), bytes: bodyBytes.length, timeoutMs }
  const found = await waitWithBody(body, (waitMs) =>
    waitForEnd(deps, input, { work, call, waitMs }),
  )
  if (found === null && call.canceled.aborted) await cancelWork(deps, input, work)
  return toResult(deps, input, { work, found, tool: call.tool })
}
