import { defineMessages } from '../../../language/messages.ts'

export const messages = defineMessages({
  trial: { en: 'Trial of a draft', ko: '초안 시험 실행' },
  failedJob: { en: 'Open the failed job', ko: '실패한 작업 열기' },
  failedRun: { en: 'Open the failed flow run', ko: '실패한 플로우 실행 열기' },
  logEnd: { en: 'End of the log', ko: '로그 끝부분' },
  wholeLog: { en: 'Whole log', ko: '전체 로그' },
  attemptNumber: { en: (n: number) => `Attempt ${n}`, ko: (n: number) => `${n}번째 시도` },
  worker_lost: { en: 'Worker lost', ko: '워커 응답 없음' },
  handed_back: { en: 'Worker stopped, requeued', ko: '워커 종료로 다시 대기' },
  noAttempts: {
    en: 'No worker has taken the job yet.',
    ko: '아직 작업을 가져간 워커가 없습니다.',
  },
  noResult: {
    en: 'The result appears here when the job ends.',
    ko: '작업이 끝나면 결과가 여기에 표시됩니다.',
  },
  noInput: {
    en: 'Only admins and the person who started the job can see its input.',
    ko: '입력은 작업을 시작한 사람과 관리자만 볼 수 있습니다.',
  },
  waitsFor: { en: 'Waits for', ko: '대기 이유' },
  worker: { en: 'Worker', ko: '워커' },
  flow: { en: 'Flow run', ko: '플로우 실행' },
  step: { en: 'step', ko: '단계' },
  due: { en: 'Due', ko: '예정' },
  wakes: { en: 'Continues', ko: '재개 예정' },
  timesOut: { en: 'Times out', ko: '대기 만료' },
  started: {
    en: (attempt: number, most: number) => `Attempt ${attempt} of ${most} started`,
    ko: (attempt: number, most: number) => `시도 ${attempt}/${most} 시작`,
  },
  startBy: { en: 'Canceled unless started', ko: '시작되지 않으면 취소' },
  waited: { en: (time: string) => `waited ${time}`, ko: (time: string) => `${time} 대기` },
  ran: { en: (time: string) => `ran ${time}`, ko: (time: string) => `${time} 실행` },
  cancel: { en: 'Cancel job', ko: '작업 취소' },
  cancelTitle: { en: 'Cancel this job?', ko: '이 작업을 취소할까요?' },
  cancelText: {
    en: 'A queued job never starts. A running job stops where it is; changes it made in other systems stay.',
    ko: '대기 중인 작업은 시작되지 않습니다. 실행 중인 작업은 그 자리에서 멈추며, 이미 다른 시스템에 반영된 내용은 되돌릴 수 없습니다.',
  },
  canceled: { en: 'Job canceled', ko: '작업을 취소했습니다' },
  tooLate: { en: 'The job had already ended', ko: '작업이 이미 끝났습니다' },
  notCanceled: { en: 'Could not cancel the job', ko: '작업을 취소하지 못했습니다' },
  runTitle: { en: (name: string) => `Run ${name}`, ko: (name: string) => `${name} 실행` },
  runNote: {
    en: 'Creates a new job with the deployed version.',
    ko: '현재 배포된 버전으로 새 작업을 만듭니다.',
  },
  notRun: { en: 'Could not start the job', ko: '작업을 시작하지 못했습니다' },
})
