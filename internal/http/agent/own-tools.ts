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

const isUnknownId = (error: AppError): boolean => error.kind === 'not_found'

/**
 * The id may be of a job or of a flow run: a tool that started a flow returns the id of the run. A caller may hold the scope of one
 * of the two alone.
 */
const getJob: OwnTool['call'] = async (deps, input, given) => {
  const { job_id: id } = parsePart(getJobArguments, given, 'arguments')
  const read = async (operationId: string): Promise<ToolResult | AppError> => {
    try {
      return resultOfText(textOf(await callRoute(deps, input, { operationId, params: { id } })))
    } catch (error) {
      const isRefusal = error instanceof AppError
      if (isRefusal && (isUnknownId(error) || error.code === 'missing_scope')) return error
      throw error
    }
  }
  const job = await read('getJob')
  if (!(job instanceof AppError)) return job
  if (!holdsScope(input.principal, 'flows:read')) throw job
  const run = await read('getFlowRun')
  if (!(run instanceof AppError)) return run
  throw isUnknownId(job) ? notFound('Job or flow run') : job
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
