import { defineMessages } from '../../../language/messages.ts'

export const messages = defineMessages({
  runs: { en: 'Runs', ko: '실행 기록' },
  call: { en: 'API and webhook', ko: 'API와 웹훅' },
  schema: { en: 'Input schema', ko: '입력 스키마' },
  facts: { en: 'Execution', ko: '실행 방식' },
  missing: { en: 'Action not found', ko: '해당 액션이 없습니다' },
  missingText: {
    en: 'The deployed version of the app has no action with this name. An older version may have had it.',
    ko: '현재 배포된 버전에는 이 액션이 없습니다. 이전 버전에 있었을 수 있습니다.',
  },
  // run
  schedule: { en: 'Run later', ko: '예약 실행' },
  notRun: { en: 'Could not start the job', ko: '작업을 시작하지 못했습니다' },
  reset: { en: 'Reset', ko: '초기화' },
  noSchema: {
    en: 'This action has no input schema, so it accepts any JSON.',
    ko: '입력 스키마가 없는 액션입니다. 어떤 JSON이든 보낼 수 있습니다.',
  },
  options: { en: 'Options', ko: '옵션' },
  priorityHint: {
    en: '−100 to 100. Higher runs first.',
    ko: '-100~100, 높을수록 먼저 실행됩니다.',
  },
  tagHint: {
    en: 'Only workers with this tag take the job. Leave empty to use the action’s tag.',
    ko: '이 태그의 워커만 작업을 가져갑니다. 비워 두면 액션의 태그를 씁니다.',
  },
  later: { en: 'Not before', ko: '시작 시각' },
  laterHint: { en: 'Leave empty to run now.', ko: '비워 두면 바로 실행합니다.' },
  // facts
  retry: { en: 'Retry', ko: '재시도' },
  retries: {
    en: (attempts: number, delay: string, factor: number) =>
      `${attempts} attempts, ${delay} apart${factor === 1 ? '' : `, ×${factor} each time`}`,
    ko: (attempts: number, delay: string, factor: number) =>
      `최대 ${attempts}회 시도, 간격 ${delay}${factor === 1 ? '' : `, 매번 ${factor}배`}`,
  },
  noRetry: { en: 'none (one attempt)', ko: '없음(한 번만 시도)' },
  concurrency: { en: 'Concurrency', ko: '동시 실행' },
  limit: {
    en: (limit: number, key: string) => (key === 'all' ? `${limit}` : `${limit} per ${key}`),
    ko: (limit: number, key: string) => (key === 'all' ? `${limit}개` : `${key}별 ${limit}개`),
  },
  noLimit: { en: 'unlimited', ko: '제한 없음' },
  isolation: { en: 'Process', ko: '프로세스' },
  fresh: { en: 'new for every job', ko: '작업마다 새 프로세스' },
  shared: {
    en: 'reused for jobs of the same version',
    ko: '같은 버전의 다음 작업에 재사용',
  },
  lost: { en: 'If the worker is lost', ko: '워커 응답이 없으면' },
  requeue: { en: 'run again', ko: '다시 실행' },
  fail: { en: 'fail the job', ko: '작업 실패 처리' },
  memory: { en: 'Memory', ko: '메모리' },
  anyHost: { en: 'any public address', ko: '모든 공용 주소' },
  noHost: { en: 'none', ko: '없음' },
  // tag
  changeTag: { en: 'Change', ko: '변경' },
  tagTitle: { en: 'Change the tag', ko: '태그 변경' },
  tagText: {
    en: 'New jobs of this action go to workers with this tag until you change it here. Queued jobs keep their tag.',
    ko: '이 액션의 새 작업은 여기서 다시 바꿀 때까지 이 태그의 워커로 갑니다. 이미 대기 중인 작업은 그대로입니다.',
  },
  overridden: { en: 'set here', ko: '여기서 지정' },
  manifestTag: { en: 'Use the manifest’s tag', ko: '매니페스트 값으로' },
  notSaved: { en: 'Could not change the tag', ko: '태그를 변경하지 못했습니다' },
  saved: { en: 'Tag changed', ko: '태그를 변경했습니다' },
  // runs
  noRunsText: {
    en: 'Runs appear here automatically, however they start.',
    ko: '어떤 방식으로 시작하든 실행 기록이 자동으로 표시됩니다.',
  },
  allRuns: { en: 'Filter in Jobs', ko: '작업 페이지에서 필터링' },
  // call
  token: {
    en: 'These calls need an API token in SVC_TOKEN with the scope shown. Create one under Tokens, or on the server:',
    ko: '아래 호출은 SVC_TOKEN에 담긴 API 토큰을 사용하며, 각각 표시된 권한이 필요합니다. 토큰 페이지나 서버에서 만드세요.',
  },
  needs: { en: 'Scope', ko: '권한' },
  runAddress: { en: 'Queue a job', ko: '작업 등록' },
  runText: {
    en: 'Returns the job ID at once. The body is the input.',
    ko: '작업 ID를 바로 응답합니다. 본문이 입력이 됩니다.',
  },
  waitAddress: { en: 'Run and wait', ko: '실행하고 기다리기' },
  waitText: {
    en: 'Returns the result if the job ends within timeout_ms (at most 30 s), otherwise the job ID.',
    ko: 'timeout_ms(최대 30초) 안에 끝나면 결과를, 아니면 작업 ID를 응답합니다.',
  },
  webhookAddress: { en: 'Webhook', ko: '웹훅' },
  webhookText: {
    en: 'For systems with a payload of their own: the body arrives as text in ctx.input, the headers in ctx.trigger. A token with only webhooks:invoke can do nothing else.',
    ko: '형식이 정해지지 않은 외부 시스템용입니다. 본문은 텍스트로 ctx.input에, 헤더는 ctx.trigger에 전달됩니다. webhooks:invoke 권한만 있는 토큰은 다른 일을 할 수 없습니다.',
  },
  webhookSchema: {
    en: 'This action has an input schema, and the text body is validated against it. Use an action without a schema for systems that send JSON.',
    ko: '이 액션에는 입력 스키마가 있어 텍스트 본문도 스키마로 검사합니다. JSON을 보내는 시스템에는 스키마가 없는 액션을 쓰세요.',
  },
  cli: { en: 'Command line', ko: '명령줄' },
  noSchemaTitle: { en: 'No input schema', ko: '입력 스키마 없음' },
  noSchemaText: {
    en: 'Add an `inputSchema` to the action in app.yaml. Inputs are then validated before a job is queued, and this page shows a form.',
    ko: 'app.yaml에서 액션에 `inputSchema`를 추가하면 작업 등록 전에 입력을 검사하고, 이 페이지에 입력 양식이 생깁니다.',
  },
})
