/** One sample of how a long history affects its readers: `run-history.ts <ended jobs>`. */
import process from 'node:process'
import { summarizeWorkspaceJobs } from '#service/queue/summarize-jobs.ts'
import { listJobs } from '#store/jobs/list.ts'
import { claimJobs } from '../support/claim-jobs.ts'
import { completeJob } from '../support/complete-job.ts'
import { openEngine, WS } from './engine.ts'
import { fillHistory } from './fill.ts'
import { ownUsage, printSample } from './sample.ts'
import { median } from './statistics.ts'

const PAGE = 50
const LAST_PAGE = 10_000
const READS = 300

const size = Number(process.argv[2])
const engine = await openEngine()
const { deps } = engine
const modelId = await engine.enqueue('model')
const [job] = await claimJobs(deps, {
  worker: 'bench',
  tags: ['default'],
  limit: 1,
  leaseMs: 60_000,
})
if (job === undefined) throw new Error('The model was not claimed.')
const outcome = { kind: 'success', resultJson: 'null' } as const
await completeJob(deps, { job, outcome, retry: null, logs: [] })
const ids = await fillHistory(deps, modelId, size)

const ALL = { statuses: [], app: null, action: null, triggerKind: null, since: null, until: null }
const readPage = async (beforeId: string | null): Promise<number> => {
  const before = performance.now()
  const page = await listJobs(deps.db, WS, { ...ALL, beforeId, limit: PAGE })
  if (page.length !== PAGE) throw new Error(`A page has ${page.length} jobs.`)
  return performance.now() - before
}
const lastPage = ids.at(-PAGE * (LAST_PAGE - 1)) ?? null
const { cpuS } = ownUsage()
const [first, last]: [number[], number[]] = [[], []]
for (let at = 0; at < READS; at += 1) {
  first.push(await readPage(null))
  last.push(await readPage(lastPage))
}
const before = performance.now()
const summary = await summarizeWorkspaceJobs(deps, WS, 86_400)
const summaryMs = performance.now() - before
const usage = ownUsage()
await engine.close()
if (summary.completedCount !== size + 1)
  throw new Error(`Of ${size + 1} jobs ${summary.completedCount} are counted.`)
printSample({
  value: median(last) / median(first),
  cpuS: usage.cpuS - cpuS,
  rssMb: usage.rssMb,
  check: `${PAGE} jobs on each page; the summary counts all ${size + 1}`,
  more: { page1Ms: median(first), page10000Ms: median(last), summaryMs },
})
process.exit(0)
