/** The tools that every workspace has [agents 3.3]. */
import { holdsScope } from '#core/access/policy.ts'
import { customerOf } from '#core/access/principal.ts'
import type { OWN_TOOLS } from '#core/agent/tool-name.ts'
import { AppError, notFound } from '#core/error.ts'
import { JOB_STATUSES } from '#core/job/transitions.ts'
import type { JsonObject } from '#core/json/value.ts'
import { parsePart } from '../request.ts'
import { z } from '../schemas/z.ts'
import type { McpDeps, McpInput } from './mcp-call.ts'
import { callRoute, textOf } from './route-call.ts'
import { resultOfText, type ToolResult, textResult } from './tool-result.ts'

type OwnTool = Readonly<{
  name: (typeof OWN_TOOLS)[number]
  description: string
  schema: z.ZodType
  /** Whether customers may call it. */
  isForCustomers: boolean
  call: (deps: McpDeps, input: McpInput, given: JsonObject) => Promise<ToolResult>
}>

/** Bytes of a log that an agent gets unless it requests more. */
const DEFAULT_TAIL_BYTES = 65_536
const DEFAULT_LIMIT = 20

const jobId = z.string().min(1).max(100)

const getJobArguments = z.strictObject({
  job_id: jobId.describe('id of a job, or of a flow run, as a tool answered it'),
})

const isUnknownId = (error: unknown): boolean =>
  error instanceof AppError && error.kind === 'not_found'

/** The id may be of a job or of a flow run: a tool that started a flow returns the id of the run. */
const getJob: OwnTool['call'] = async (deps, input, given) => {
  const { job_id: id } = parsePart(getJobArguments, given, 'arguments')
  try {
    return resultOfText(
      textOf(await callRoute(deps, input, { operationId: 'getJob', params: { id } })),
    )
  } catch (error) {
    if (!isUnknownId(error) || !holdsScope(input.principal, 'flows:read')) throw error
  }
  try {
    return resultOfText(
      textOf(await callRoute(deps, input, { operationId: 'getFlowRun', params: { id } })),
    )
  } catch (error) {
    // the caller does not know which of the two the id was of
    throw isUnknownId(error) ? notFound('Job or flow run') : error
  }
}

const logArguments = z.strictObject({
  job_id: jobId,
  tail_bytes: z
    .int()
    .min(0)
    .max(1_048_576)
    .default(DEFAULT_TAIL_BYTES)
    .describe('bytes from the end of the log'),
})

const getJobLogs: OwnTool['call'] = async (deps, input, given) => {
  const { job_id: id, tail_bytes } = parsePart(logArguments, given, 'arguments')
  const query = { tail_bytes: String(tail_bytes) }
  const reply = await callRoute(deps, input, { operationId: 'getJobLogs', params: { id }, query })
  if (!(reply instanceof Response)) throw new Error('The route of logs answers a text.')
  return textResult(await reply.text())
}

const listArguments = z.strictObject({
  status: z.enum(['all', 'completed', ...JOB_STATUSES]).optional(),
  app: z.string().max(200).optional(),
  label: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe('jobs with this label, such as customer:42'),
  limit: z.int().min(1).max(100).default(DEFAULT_LIMIT),
})

const listJobs: OwnTool['call'] = async (deps, input, given) => {
  const { status, app, label, limit } = parsePart(listArguments, given, 'arguments')
  const query = {
    limit: String(limit),
    ...(status === undefined ? {} : { status }),
    ...(app === undefined ? {} : { app }),
    ...(label === undefined ? {} : { label }),
  }
  return resultOfText(
    textOf(await callRoute(deps, input, { operationId: 'listJobs', params: {}, query })),
  )
}

const TOOLS: readonly OwnTool[] = [
  {
    name: 'get_job',
    description: 'Reads a job, or a flow run, with its status and result.',
    schema: getJobArguments,
    isForCustomers: true,
    call: getJob,
  },
  {
    name: 'get_job_logs',
    description: 'Reads the end of the log of a job.',
    schema: logArguments,
    isForCustomers: true,
    call: getJobLogs,
  },
  {
    name: 'list_jobs',
    description: 'Lists jobs of the workspace, newest first.',
    schema: listArguments,
    isForCustomers: false,
    call: listJobs,
  },
]

/** The tools that the caller may use. */
export const ownToolsFor = ({ principal }: McpInput): readonly OwnTool[] =>
  customerOf(principal) === null ? TOOLS : TOOLS.filter(({ isForCustomers }) => isForCustomers)
