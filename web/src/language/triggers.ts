/** Words for what starts jobs and flow runs. If the API adds a kind, the code does not compile without its word. */
import type { Schemas } from '#sdk/client.ts'

type Word = Readonly<{ en: string; ko: string }>
type OfJobs = Schemas['Job']['trigger_kind']
type OfRuns = Schemas['FlowRun']['trigger_kind']

/** The kinds that jobs show, in the order of the filter. */
export const JOB_TRIGGERS = [
  'api',
  'webhook',
  'schedule',
  'job',
  'function',
  'event',
  'public',
  'flow',
  'error_handler',
] as const satisfies readonly OfJobs[]

export const triggers = {
  api: { en: 'API', ko: 'API' },
  webhook: { en: 'Webhook', ko: '웹훅' },
  schedule: { en: 'Schedule', ko: '일정' },
  job: { en: 'Job', ko: '작업' },
  function: { en: 'Function', ko: '함수' },
  event: { en: 'Event', ko: '이벤트' },
  public: { en: 'Public link', ko: '공개 링크' },
  subflow: { en: 'Parent flow', ko: '상위 플로우' },
  flow: { en: 'Flow', ko: '플로우' },
  error_handler: { en: 'Error handler', ko: '오류 처리 액션' },
} as const satisfies Readonly<Record<OfJobs | OfRuns, Word>>
