import { defineMessages, digits } from '../language/messages.ts'

export const bulkMessages = defineMessages({
  replayAll: { en: 'Replay all', ko: '모두 다시 실행' },
  cancelAll: { en: 'Cancel all', ko: '모두 취소' },
  replayTitle: { en: 'Replay jobs', ko: '작업 다시 실행' },
  cancelTitle: { en: 'Cancel jobs', ko: '작업 취소' },
  replayText: {
    en: 'Each one becomes a new job with the same input and the same version of the code.',
    ko: '각 작업이 같은 입력과 같은 코드 버전으로 새 작업이 됩니다.',
  },
  cancelText: {
    en: 'Queued jobs never start. Running ones get time to clean up.',
    ko: '대기 중인 작업은 시작되지 않고, 실행 중인 작업은 정리할 시간을 받습니다.',
  },
  replaySelected: { en: 'Replay selected', ko: '선택한 작업 다시 실행' },
  cancelSelected: { en: 'Cancel selected', ko: '선택한 작업 취소' },
  selected: {
    en: (count: number) => `${digits(count)} selected`,
    ko: (count: number) => `${digits(count)}개 선택됨`,
  },
  allSelected: { en: 'All matching jobs selected', ko: '필터에 맞는 작업 모두 선택됨' },
  selectAll: { en: 'Select all that match', ko: '필터에 맞는 작업 모두 선택' },
  unselect: { en: 'Clear selection', ko: '선택 해제' },
  matchedOf: {
    en: (count: number, of: number) => `${digits(count)} of ${digits(of)} selected jobs.`,
    ko: (count: number, of: number) => `선택한 작업 ${digits(of)}개 중 ${digits(count)}개`,
  },
  withoutFlows: {
    en: 'Flow runs and their jobs are left as they are; the list of flow runs has buttons for them.',
    ko: '플로우 실행과 그 작업은 그대로 둡니다. 플로우 실행은 플로우 실행 목록에서 처리하세요.',
  },
  counting: { en: 'Counting jobs …', ko: '작업을 세는 중 …' },
  matched: {
    en: (count: number) =>
      `${digits(count)} ${count === 1 ? 'job matches' : 'jobs match'} the filters.`,
    ko: (count: number) => `필터에 맞는 작업: ${digits(count)}개`,
  },
  progress: {
    en: (done: number, of: number) => `${digits(done)} of ${digits(of)} done.`,
    ko: (done: number, of: number) => `${digits(of)}개 중 ${digits(done)}개 완료.`,
  },
  refused: {
    en: (count: number) => `${digits(count)} could not be changed.`,
    ko: (count: number) => `${digits(count)}개는 처리하지 못했습니다.`,
  },
  goesOn: { en: 'It continues after you close this.', ko: '창을 닫아도 계속됩니다.' },
  stopped: { en: 'It was stopped.', ko: '중지되었습니다.' },
  notStarted: { en: 'Nothing was changed', ko: '변경된 작업이 없습니다' },
})
