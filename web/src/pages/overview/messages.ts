import { defineMessages } from '../../language/messages.ts'

export const messages = defineMessages({
  title: { en: 'Overview', ko: '개요' },
  span: { en: 'Time', ko: '기간' },
  spans: {
    en: (span: '1h' | '24h' | '7d') =>
      ({ '1h': 'Last hour', '24h': 'Last 24 hours', '7d': 'Last 7 days' })[span],
    ko: (span: '1h' | '24h' | '7d') =>
      ({ '1h': '최근 1시간', '24h': '최근 24시간', '7d': '최근 7일' })[span],
  },
  counts: { en: 'Jobs', ko: '작업' },
  queued: { en: 'Queued now', ko: '현재 대기' },
  running: { en: 'Running now', ko: '현재 실행 중' },
  completed: { en: 'Succeeded', ko: '성공' },
  failed: { en: 'Failed', ko: '실패' },
  canceled: { en: 'Canceled', ko: '취소' },
  throughput: { en: 'Jobs that ended', ko: '종료된 작업' },
  now: { en: 'now', ko: '지금' },
  noneEnded: { en: 'Nothing ended in this time.', ko: '이 기간에 종료된 작업이 없습니다.' },
  queues: { en: 'Queues', ko: '대기열' },
  tag: { en: 'Tag', ko: '태그' },
  workers: { en: 'Workers', ko: '워커' },
  ready: { en: 'Ready', ko: '대기' },
  oldest: { en: 'Oldest waits', ko: '최장 대기' },
  noWorker: { en: 'No worker takes this tag', ko: '이 태그를 처리할 워커가 없습니다' },
  noQueues: {
    en: 'No worker is alive, and nothing waits.',
    ko: '실행 중인 워커와 대기 작업이 없습니다.',
  },
  failures: { en: 'Latest failures', ko: '최근 실패' },
  noFailures: { en: 'Nothing has failed.', ko: '실패한 작업이 없습니다.' },
  allFailures: { en: 'All failures', ko: '실패 전체 보기' },
  next: { en: 'Next schedules', ko: '다음 일정' },
  noNext: {
    en: 'No schedule is on. One runs an action or a flow by the clock.',
    ko: '켜진 일정이 없습니다. 일정은 정해진 시각에 액션이나 플로우를 실행합니다.',
  },
})
