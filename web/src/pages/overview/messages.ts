import { defineMessages } from '../../language/messages.ts'

export const messages = defineMessages({
  counts: { en: 'Jobs', ko: '작업' },
  queued: { en: 'Queued now', ko: '현재 대기' },
  suspended: { en: 'Suspended now', ko: '일시 중단' },
  running: { en: 'Running now', ko: '현재 실행 중' },
  completed: { en: 'Succeeded', ko: '성공' },
  failed: { en: 'Failed', ko: '실패' },
  canceled: { en: 'Canceled', ko: '취소' },
  queues: { en: 'Queues', ko: '대기열' },
  failures: { en: 'Latest failures', ko: '최근 실패' },
  failedTimes: {
    en: (count: number, hasMore: boolean) => `${count}${hasMore ? '+' : ''} failures`,
    ko: (count: number, hasMore: boolean) => `실패 ${count}건${hasMore ? ' 이상' : ''}`,
  },
  noFailures: { en: 'No failures.', ko: '실패한 작업이 없습니다.' },
  allFailures: { en: 'All failures', ko: '실패 전체 보기' },
  next: { en: 'Next schedules', ko: '다음 일정' },
  noNext: {
    en: 'No active schedules. A schedule runs an action or a flow at set times.',
    ko: '켜진 일정이 없습니다. 일정은 정해진 시각에 액션이나 플로우를 실행합니다.',
  },
})
