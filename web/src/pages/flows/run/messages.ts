import { defineMessages } from '../../../language/messages.ts'

export const messages = defineMessages({
  runs: { en: 'Flow runs', ko: '플로우 실행' },
  views: { en: 'View', ko: '보기 방식' },
  wholeRun: { en: 'Whole run', ko: '실행 전체' },
  failedAt: {
    en: (step: string) => `Failed at ${step}`,
    ko: (step: string) => `실패 단계: ${step}`,
  },
  errorOf: {
    en: (action: string) => `Open the failed job ${action}`,
    ko: (action: string) => `실패한 작업 열기: ${action}`,
  },
  failedSubrun: { en: 'Open the failed subflow run', ko: '실패한 하위 플로우 실행 열기' },
  waits: {
    en: (step: string) => `Waiting for approval: ${step}`,
    ko: (step: string) => `승인 대기: ${step}`,
  },
  noResult: { en: 'Nothing yet.', ko: '아직 없습니다.' },
  waitsForPlace: {
    en: 'Begins when a run of its concurrency key ends.',
    ko: '같은 동시 실행 키의 실행이 끝나면 시작합니다.',
  },
  starts: { en: 'Starts', ko: '시작 예정:' },
  noInput: {
    en: 'Only admins and the person who started the run can see job inputs.',
    ko: '작업의 입력은 실행을 시작한 사람과 관리자만 볼 수 있습니다.',
  },
  attempts: {
    en: (attempt: number, most: number) => `${attempt} of ${most}`,
    ko: (attempt: number, most: number) => `${attempt}/${most}`,
  },
  started: { en: 'Started', ko: '시작' },
  queued: { en: 'Queue time', ko: '워커 대기' },
  executed: { en: 'Run time', ko: '실행 시간' },
  waitedForPeople: { en: 'Approval time', ko: '승인 대기 시간' },
  moreJobs: {
    en: (n: number) => `show ${n} more`,
    ko: (n: number) => `${n}개 더 보기`,
  },
  items: {
    en: (done: number, total: number) => `${done} of ${total} done`,
    ko: (done: number, total: number) => `${total}개 중 ${done}개 완료`,
  },
  subruns: { en: 'Subflow runs', ko: '하위 플로우 실행' },
  answers: { en: 'Answers', ko: '답변' },
  approve: { en: 'approved', ko: '승인' },
  reject: { en: 'rejected', ko: '반려' },
  via: {
    en: (via: string) =>
      ({ link: 'via link', api_token: 'via token', session: 'in the console' })[via] ?? via,
    ko: (via: string) => ({ link: '링크', api_token: '토큰', session: '콘솔' })[via] ?? via,
  },
  parent: { en: 'Parent run', ko: '상위 실행' },
  restartedFrom: { en: 'Original run', ko: '원래 실행' },
  queue: { en: 'in queue', ko: '워커 대기' },
  ran: { en: 'ran', ko: '실행' },
  waiting: { en: 'waiting for a time or an event', ko: '시각·이벤트 대기' },
  people: { en: 'waiting for approval', ko: '승인 대기' },

  cancel: { en: 'Cancel run', ko: '실행 취소' },
  cancelTitle: { en: 'Cancel this run?', ko: '이 실행을 취소할까요?' },
  cancelText: {
    en: 'This also cancels its queued and running jobs. Changes they made in other systems stay. The failure step does not run.',
    ko: '대기 중이거나 실행 중인 작업도 함께 취소됩니다. 이미 다른 시스템에 반영된 내용은 남으며, 실패 시 단계는 실행되지 않습니다.',
  },
  canceled: { en: 'Run canceled', ko: '실행을 취소했습니다' },
  tooLate: { en: 'The run had already ended', ko: '실행이 이미 끝났습니다' },
  notCanceled: { en: 'Could not cancel the run', ko: '실행을 취소하지 못했습니다' },
  runNote: {
    en: 'Starts a new run of the deployed version from the first step.',
    ko: '현재 배포된 버전으로 처음부터 새로 실행합니다.',
  },
  notStarted: { en: 'Could not start the run', ko: '실행을 시작하지 못했습니다' },
  restart: { en: 'Restart from a step', ko: '특정 단계부터 다시 실행' },
  restartHere: { en: 'Restart from here', ko: '여기부터 다시 실행' },
  restartNote: {
    en: 'Starts a new run with the same input. Earlier steps do not run again; their results are reused.',
    ko: '같은 입력으로 새로 실행합니다. 선택한 단계 이전은 다시 실행하지 않고 결과를 그대로 이어받습니다.',
  },
  fromStep: { en: 'From step', ko: '시작 단계' },
  compare: { en: 'Compare', ko: '비교' },
  compareTitle: { en: 'Compare with another run', ko: '다른 실행과 비교' },
  noOthers: {
    en: 'This flow has no other run yet. Run it again, then compare.',
    ko: '이 플로우의 다른 실행이 아직 없습니다. 다시 실행한 뒤 비교하세요.',
  },
  latest: {
    en: 'Use the deployed version instead of the version of this run',
    ko: '이 실행에 고정된 버전 대신 현재 배포된 버전 사용',
  },
})
