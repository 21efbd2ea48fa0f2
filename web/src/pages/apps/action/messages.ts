import { defineMessages } from '../../../language/messages.ts'

export const messages = defineMessages({
  apps: { en: 'Apps', ko: '앱' },
  parts: { en: 'Parts of the action', ko: '액션 구성' },
  run: { en: 'Run', ko: '실행' },
  runs: { en: 'Runs', ko: '실행 기록' },
  call: { en: 'API and webhook', ko: 'API와 웹훅' },
  schema: { en: 'Input schema', ko: '입력 스키마' },
  facts: { en: 'How it runs', ko: '실행 방식' },
  missing: { en: 'There is no such action', ko: '해당 액션이 없습니다' },
  missingText: {
    en: 'The deployed version of the app does not name it. An older version may have.',
    ko: '현재 배포된 버전에는 이 액션이 없습니다. 이전 버전에 있었을 수 있습니다.',
  },
  // run
  runNow: { en: 'Run now', ko: '지금 실행' },
  schedule: { en: 'Queue for later', ko: '예약 실행' },
  notRun: { en: 'The job was not started', ko: '작업을 시작하지 못했습니다' },
  reset: { en: 'Start over', ko: '처음부터' },
  noSchema: {
    en: 'This action has no input schema: any JSON goes in.',
    ko: '입력 스키마가 없는 액션입니다. 어떤 JSON이든 보낼 수 있습니다.',
  },
  options: { en: 'Options', ko: '옵션' },
  priority: { en: 'Priority', ko: '우선순위' },
  priorityHint: {
    en: '−100 to 100; the higher goes first.',
    ko: '-100~100, 높을수록 먼저 실행됩니다.',
  },
  tag: { en: 'Tag', ko: '태그' },
  tagHint: {
    en: 'Only workers of this tag take the job. Empty: the action’s own.',
    ko: '이 태그의 워커만 작업을 가져갑니다. 비워 두면 액션의 태그를 씁니다.',
  },
  later: { en: 'Not before', ko: '시작 시각' },
  laterHint: { en: 'Empty: at once.', ko: '비워 두면 바로 실행합니다.' },
  // facts
  entrypoint: { en: 'Entry point', ko: '진입점' },
  timeout: { en: 'Timeout', ko: '제한 시간' },
  retry: { en: 'Retry', ko: '재시도' },
  retries: {
    en: (attempts: number, delay: string, factor: number) =>
      `${attempts} attempts, ${delay} apart${factor === 1 ? '' : `, ×${factor} each time`}`,
    ko: (attempts: number, delay: string, factor: number) =>
      `최대 ${attempts}회 시도, 간격 ${delay}${factor === 1 ? '' : `, 매번 ${factor}배`}`,
  },
  noRetry: { en: 'none: it is tried once', ko: '없음(한 번만 시도)' },
  concurrency: { en: 'At once', ko: '동시 실행' },
  limit: {
    en: (limit: number, key: string) => (key === 'all' ? `${limit}` : `${limit} for each ${key}`),
    ko: (limit: number, key: string) => (key === 'all' ? `${limit}개` : `${key}별 ${limit}개`),
  },
  noLimit: { en: 'as many as workers take', ko: '제한 없음' },
  isolation: { en: 'Process', ko: '프로세스' },
  fresh: { en: 'its own for every job', ko: '작업마다 새 프로세스' },
  shared: {
    en: 'serves further jobs of this version',
    ko: '같은 버전의 다음 작업에 재사용',
  },
  lost: { en: 'Worker lost', ko: '워커 유실 시' },
  requeue: { en: 'run again', ko: '다시 실행' },
  fail: { en: 'the job fails', ko: '작업 실패 처리' },
  memory: { en: 'Memory', ko: '메모리' },
  network: { en: 'Network', ko: '네트워크' },
  anyHost: { en: 'any public address', ko: '모든 공용 주소' },
  noHost: { en: 'none', ko: '없음' },
  // tag
  changeTag: { en: 'Change', ko: '변경' },
  tagTitle: { en: 'Send its jobs to other workers', ko: '다른 워커로 작업 보내기' },
  tagText: {
    en: 'New jobs of this action go to workers of this tag, until it is changed here. Jobs that are queued already keep theirs.',
    ko: '이 액션의 새 작업은 여기서 다시 바꿀 때까지 이 태그의 워커로 갑니다. 이미 대기 중인 작업은 그대로입니다.',
  },
  overridden: { en: 'set here', ko: '여기서 지정' },
  save: { en: 'Save', ko: '저장' },
  manifestTag: { en: 'Back to the manifest’s', ko: '매니페스트 값으로' },
  notSaved: { en: 'The tag was not changed', ko: '태그를 변경하지 못했습니다' },
  saved: { en: 'The tag was changed', ko: '태그를 변경했습니다' },
  // runs
  noRuns: { en: 'It has not run yet', ko: '아직 실행한 적이 없습니다' },
  noRunsText: {
    en: 'Runs appear here by themselves, however they were started.',
    ko: '어떤 방식으로 시작하든 실행 기록이 자동으로 표시됩니다.',
  },
  allRuns: { en: 'Filter them in Jobs', ko: '작업 페이지에서 필터링' },
  // call
  token: {
    en: 'The calls below take an API token from SVC_TOKEN, with the scope that each names. Make one under Tokens, or on the server:',
    ko: '아래 호출은 SVC_TOKEN에 담긴 API 토큰을 사용하며, 각각 표시된 권한이 필요합니다. 토큰 페이지나 서버에서 만드세요.',
  },
  needs: { en: 'Scope', ko: '권한' },
  runAddress: { en: 'Queue a job', ko: '작업 등록' },
  runText: {
    en: 'Answers the id of the job at once; the body is its input.',
    ko: '작업 ID를 바로 응답합니다. 본문이 입력이 됩니다.',
  },
  waitAddress: { en: 'Run and wait', ko: '실행하고 기다리기' },
  waitText: {
    en: 'Answers the result when the job ends within timeout_ms (at most 30 s), else its id.',
    ko: 'timeout_ms(최대 30초) 안에 끝나면 결과를, 아니면 작업 ID를 응답합니다.',
  },
  webhookAddress: { en: 'Webhook', ko: '웹훅' },
  webhookText: {
    en: 'For systems that send what they like: the body arrives as text in ctx.input, the headers in ctx.trigger. A token with webhooks:invoke alone can do nothing else.',
    ko: '형식이 정해지지 않은 외부 시스템용입니다. 본문은 텍스트로 ctx.input에, 헤더는 ctx.trigger에 전달됩니다. webhooks:invoke 권한만 있는 토큰은 다른 일을 할 수 없습니다.',
  },
  webhookSchema: {
    en: 'This action has an input schema, and the text is held to it: senders of JSON need an action without one.',
    ko: '이 액션에는 입력 스키마가 있어 텍스트 본문도 스키마로 검사합니다. JSON을 보내는 시스템에는 스키마가 없는 액션을 쓰세요.',
  },
  cli: { en: 'Command line', ko: '명령줄' },
  noSchemaTitle: { en: 'No input schema', ko: '입력 스키마 없음' },
  noSchemaText: {
    en: 'Give the action an `inputSchema` in app.yaml: inputs are checked before a job is queued, and this page makes a form of it.',
    ko: 'app.yaml에서 액션에 `inputSchema`를 추가하면 작업 등록 전에 입력을 검사하고, 이 페이지에 입력 양식이 생깁니다.',
  },
})
